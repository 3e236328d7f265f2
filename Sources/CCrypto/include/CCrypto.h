// The cryptography of encrypted realms, of content hashes, of object keys and of redaction: AES-256-CBC,
// HMAC-SHA-224, SHA-256, HMAC-SHA-256, SHA-1.
//
// libcrypto on Linux, CommonCrypto on Apple platforms. Nothing here knows the file format; the rules of pages and
// counters are in Swift (Container/EncryptedPages.swift).
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CCRYPTO_KEY_SIZE = 64,
    CCRYPTO_IV_SIZE = 16,
    CCRYPTO_HMAC_SIZE = 28,
    CCRYPTO_SHA256_SIZE = 32,
};

// Cipher and authentication under one key. One thread at a time.
typedef struct ccrypto_pages ccrypto_pages;

// key: 64 bytes, the first half for AES-256, the second for HMAC. Null when memory is short.
ccrypto_pages *ccrypto_pages_create(const uint8_t *key);
// Wipes what was derived from the key. Null is allowed.
void ccrypto_pages_destroy(ccrypto_pages *pages);

// HMAC-SHA-224 of `length` bytes into `hmac` (28 bytes).
void ccrypto_pages_authenticate(const ccrypto_pages *pages, const uint8_t *bytes, size_t length, uint8_t *hmac);
// AES-256-CBC without padding; `length` is a multiple of 16; `input` and `output` may be the same address.
bool ccrypto_pages_decrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length);
bool ccrypto_pages_encrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length);
// `count` pages of `length` bytes that follow each other, each with its own iv of 16 bytes; several at a time where the
// processor can: in one page, each block of 16 bytes has to wait for the one before.
bool ccrypto_pages_encrypt_each(ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                                size_t length, size_t count);

// Equality in a time that does not depend on where the bytes differ.
bool ccrypto_equal(const void *left, const void *right, size_t length);
// Memory for secrets, filled with zeros: kept out of swap space and core dumps where the system allows that. The amount a
// user may lock is limited, and a key must be usable without it. Null, with errno, when memory is short.
void *ccrypto_secret_allocate(size_t length);
// Overwrites and frees it. Null is allowed.
void ccrypto_secret_release(void *bytes, size_t length);

// Overwrites memory with zeros in a way that the optimizer keeps.
void ccrypto_wipe(void *bytes, size_t length);

// SHA-256 in pieces. The structure is opaque; its size holds any of the implementations' states.
typedef struct {
    uint64_t words[16];
} ccrypto_sha256;

void ccrypto_sha256_start(ccrypto_sha256 *hash);
void ccrypto_sha256_add(ccrypto_sha256 *hash, const void *bytes, size_t length);
// Writes 32 bytes. The structure must be started again before it is used further.
void ccrypto_sha256_finish(ccrypto_sha256 *hash, uint8_t *digest);

// HMAC-SHA-256 under one key: what both hashes of a message begin with. Any number of threads at a time.
typedef struct {
    ccrypto_sha256 inner;
    ccrypto_sha256 outer;
} ccrypto_hmac256;

// key: `length` bytes, any number of them.
void ccrypto_hmac256_start(ccrypto_hmac256 *hmac, const void *key, size_t length);
// Writes the 32 bytes that authenticate `length` bytes.
void ccrypto_hmac256_code(const ccrypto_hmac256 *hmac, const void *bytes, size_t length, uint8_t *code);

// `length` random bytes from the system, which nobody can guess. False if it has none.
bool ccrypto_random(void *bytes, size_t length);

// SHA-1 of `length` bytes into `digest` (20 bytes). No secret depends on it: formats 10 to 21 derive object keys with it.
void ccrypto_sha1(const void *bytes, size_t length, uint8_t *digest);

#endif
