// AES-256-CBC and HMAC-SHA-224 of the system: libcrypto on Linux, CommonCrypto on Apple platforms.
#ifndef CCRYPTO_H
#define CCRYPTO_H
#endif
