#if defined(__APPLE__)
#define __STDC_WANT_LIB_EXT1__ 1
#else
#define _GNU_SOURCE
#endif

#include "CCrypto.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#if !defined(__APPLE__)
#include <errno.h>
#endif

void ccrypto_wipe(void *bytes, size_t length)
{
#if defined(__APPLE__)
    memset_s(bytes, length, 0, length);
#else
    explicit_bzero(bytes, length);
#endif
}

void *ccrypto_secret_allocate(size_t length)
{
    void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    (void)mlock(bytes, length);
#if !defined(__APPLE__)
    (void)madvise(bytes, length, MADV_DONTDUMP);
#endif
    return bytes;
}

void ccrypto_secret_release(void *bytes, size_t length)
{
    if (!bytes)
        return;
    ccrypto_wipe(bytes, length);
    munmap(bytes, length);
}

bool ccrypto_equal(const void *left, const void *right, size_t length)
{
    const uint8_t *a = left;
    const uint8_t *b = right;
    uint8_t difference = 0;
    for (size_t i = 0; i < length; ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

static bool encrypt_in_turn(ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                            size_t length, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!ccrypto_pages_encrypt(pages, ivs + i * CCRYPTO_IV_SIZE, input + i * length, output + i * length, length))
            return false;
    }
    return true;
}

#if defined(__APPLE__)

#include <CommonCrypto/CommonCrypto.h>

struct ccrypto_pages {
    CCCryptorRef decryptor;
    CCCryptorRef encryptor;
    // The state after the key, copied for each message.
    CCHmacContext keyed;
};

static bool reset_and_run(CCCryptorRef cryptor, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                          size_t length)
{
    size_t written = 0;
    return CCCryptorReset(cryptor, iv) == kCCSuccess
        && CCCryptorUpdate(cryptor, input, length, output, length, &written) == kCCSuccess && written == length;
}

ccrypto_pages *ccrypto_pages_create(const uint8_t *key)
{
    ccrypto_pages *pages = ccrypto_secret_allocate(sizeof *pages);
    if (!pages)
        return NULL;
    const uint8_t iv[CCRYPTO_IV_SIZE] = {0};
    CCHmacInit(&pages->keyed, kCCHmacAlgSHA224, key + 32, 32);
    if (CCCryptorCreate(kCCDecrypt, kCCAlgorithmAES, 0, key, 32, iv, &pages->decryptor) != kCCSuccess
        || CCCryptorCreate(kCCEncrypt, kCCAlgorithmAES, 0, key, 32, iv, &pages->encryptor) != kCCSuccess) {
        ccrypto_pages_destroy(pages);
        return NULL;
    }
    return pages;
}

void ccrypto_pages_destroy(ccrypto_pages *pages)
{
    if (!pages)
        return;
    if (pages->decryptor)
        CCCryptorRelease(pages->decryptor);
    if (pages->encryptor)
        CCCryptorRelease(pages->encryptor);
    ccrypto_secret_release(pages, sizeof *pages);
}

void ccrypto_pages_authenticate(const ccrypto_pages *pages, const uint8_t *bytes, size_t length, uint8_t *hmac)
{
    CCHmacContext context = pages->keyed;
    CCHmacUpdate(&context, bytes, length);
    CCHmacFinal(&context, hmac);
}

bool ccrypto_pages_decrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length)
{
    return reset_and_run(pages->decryptor, iv, input, output, length);
}

bool ccrypto_pages_encrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length)
{
    return reset_and_run(pages->encryptor, iv, input, output, length);
}

bool ccrypto_pages_encrypt_each(ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                                size_t length, size_t count)
{
    return encrypt_in_turn(pages, ivs, input, output, length, count);
}

_Static_assert(sizeof(CC_SHA256_CTX) <= sizeof(ccrypto_sha256), "the opaque state is too small");

void ccrypto_sha256_start(ccrypto_sha256 *hash) { CC_SHA256_Init((CC_SHA256_CTX *)hash); }

void ccrypto_sha256_add(ccrypto_sha256 *hash, const void *bytes, size_t length)
{
    // CommonCrypto counts in 32 bits.
    const uint8_t *next = bytes;
    while (length > 0) {
        CC_LONG piece = length < 0x40000000 ? (CC_LONG)length : 0x40000000;
        CC_SHA256_Update((CC_SHA256_CTX *)hash, next, piece);
        next += piece;
        length -= piece;
    }
}

void ccrypto_sha256_finish(ccrypto_sha256 *hash, uint8_t *digest) { CC_SHA256_Final(digest, (CC_SHA256_CTX *)hash); }

// The file format demands this, whether or not it is safe.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
void ccrypto_sha1(const void *bytes, size_t length, uint8_t *digest) { CC_SHA1(bytes, (CC_LONG)length, digest); }
#pragma clang diagnostic pop

#else

// The low-level hashes and AES calls are deprecated in favor of EVP, which must load its provider first: 0.7 ms that
// a command reading ten pages need not spend. They use the same assembly for SHA-2; for AES they do not, hence
// `pages_before_evp`.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/aes.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdatomic.h>

// Loading EVP pays after about 64 pages of 11 µs each; half of that bounds the loss either way. Counted over all
// contexts of the process, because one file is read by several.
static const unsigned pages_before_evp = 32;
static _Atomic unsigned pages_done;

struct ccrypto_pages {
    uint8_t cipher_key[32];
    AES_KEY decryption_key;
    AES_KEY encryption_key;
    // SHA-224 states after the padded key: inner and outer hash of HMAC, copied for each message.
    SHA256_CTX inner;
    SHA256_CTX outer;
    EVP_CIPHER_CTX *decryptor;
    EVP_CIPHER_CTX *encryptor;
};

static EVP_CIPHER *aes_256_cbc;

// What libcrypto allocates for a context of EVP holds the key's schedule. It comes from here: memory for secrets in slots,
// which are overwritten when they are given back. What does not fit, and whatever else libcrypto allocates, comes from
// the heap as ever; of that it overwrites what is secret itself.
enum { slot_size = 1024, slot_count = 32 };
static uint8_t *slots;
static _Atomic bool slot_taken[slot_count];
static _Thread_local bool makes_context;

static bool is_slot(const void *bytes)
{
    return slots && (const uint8_t *)bytes >= slots && (const uint8_t *)bytes < slots + slot_size * slot_count;
}

static void *allocate(size_t length, const char *file, int line)
{
    (void)file;
    (void)line;
    for (int i = 0; makes_context && length <= slot_size && i < slot_count; ++i) {
        bool free_slot = false;
        if (atomic_compare_exchange_strong(&slot_taken[i], &free_slot, true))
            return slots + i * slot_size;
    }
    return malloc(length);
}

static void release(void *bytes, const char *file, int line)
{
    (void)file;
    (void)line;
    if (!is_slot(bytes)) {
        free(bytes);
        return;
    }
    size_t slot = (size_t)((uint8_t *)bytes - slots) / slot_size;
    ccrypto_wipe(slots + slot * slot_size, slot_size);
    atomic_store(&slot_taken[slot], false);
}

static void *reallocate(void *bytes, size_t length, const char *file, int line)
{
    if (!is_slot(bytes))
        return realloc(bytes, length);
    if (length <= slot_size)
        return bytes;
    void *larger = malloc(length);
    if (larger) {
        memcpy(larger, bytes, slot_size);
        release(bytes, file, line);
    }
    return larger;
}

static void fetch_cipher(void)
{
    // Refused where this process has used libcrypto before; then its contexts are where it puts them.
    slots = ccrypto_secret_allocate(slot_size * slot_count);
    if (slots)
        CRYPTO_set_mem_functions(allocate, reallocate, release);
    // No configuration file is read: what it could change must not change how a realm is read.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
    aes_256_cbc = EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL);
}

static void prepare_hmac(ccrypto_pages *pages, const uint8_t *key)
{
    uint8_t block[SHA256_CBLOCK];
    memset(block, 0x36, sizeof block);
    for (size_t i = 0; i < 32; ++i)
        block[i] ^= key[i];
    SHA224_Init(&pages->inner);
    SHA224_Update(&pages->inner, block, sizeof block);
    for (size_t i = 0; i < sizeof block; ++i)
        block[i] ^= 0x36 ^ 0x5c;
    SHA224_Init(&pages->outer);
    SHA224_Update(&pages->outer, block, sizeof block);
    ccrypto_wipe(block, sizeof block);
}

ccrypto_pages *ccrypto_pages_create(const uint8_t *key)
{
    ccrypto_pages *pages = ccrypto_secret_allocate(sizeof *pages);
    if (!pages)
        return NULL;
    memcpy(pages->cipher_key, key, 32);
    AES_set_decrypt_key(key, 256, &pages->decryption_key);
    AES_set_encrypt_key(key, 256, &pages->encryption_key);
    prepare_hmac(pages, key + 32);
    return pages;
}

void ccrypto_pages_destroy(ccrypto_pages *pages)
{
    if (!pages)
        return;
    EVP_CIPHER_CTX_free(pages->decryptor);
    EVP_CIPHER_CTX_free(pages->encryptor);
    ccrypto_secret_release(pages, sizeof *pages);
}

void ccrypto_pages_authenticate(const ccrypto_pages *pages, const uint8_t *bytes, size_t length, uint8_t *hmac)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX context = pages->inner;
    SHA224_Update(&context, bytes, length);
    SHA224_Final(digest, &context);
    context = pages->outer;
    SHA224_Update(&context, digest, CCRYPTO_HMAC_SIZE);
    SHA224_Final(hmac, &context);
}

// The EVP context for one direction once it pays; null before that, and where libcrypto offers no such cipher.
static EVP_CIPHER_CTX *evp_context(ccrypto_pages *pages, EVP_CIPHER_CTX **slot, int encrypts)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (*slot || atomic_load_explicit(&pages_done, memory_order_relaxed) < pages_before_evp)
        return *slot;
    pthread_once(&once, fetch_cipher);
    if (!aes_256_cbc)
        return NULL;
    makes_context = true;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const uint8_t iv[CCRYPTO_IV_SIZE] = {0};
    bool is_ready = context && EVP_CipherInit_ex2(context, aes_256_cbc, pages->cipher_key, iv, encrypts, NULL)
        && EVP_CIPHER_CTX_set_padding(context, 0);
    makes_context = false;
    if (is_ready) {
        *slot = context;
        return context;
    }
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

static bool run(ccrypto_pages *pages, int encrypts, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                size_t length)
{
    EVP_CIPHER_CTX *context = evp_context(pages, encrypts ? &pages->encryptor : &pages->decryptor, encrypts);
    if (!context) {
        uint8_t chain[CCRYPTO_IV_SIZE];
        memcpy(chain, iv, sizeof chain);
        AES_cbc_encrypt(input, output, length, encrypts ? &pages->encryption_key : &pages->decryption_key, chain,
                        encrypts);
        atomic_fetch_add_explicit(&pages_done, 1, memory_order_relaxed);
        return true;
    }
    int written = 0;
    return length <= 0x40000000 && EVP_CipherInit_ex2(context, NULL, NULL, iv, -1, NULL)
        && EVP_CipherUpdate(context, output, &written, input, (int)length) && (size_t)written == length;
}

bool ccrypto_pages_decrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length)
{
    return run(pages, 0, iv, input, output, length);
}

bool ccrypto_pages_encrypt(ccrypto_pages *pages, const uint8_t *iv, const uint8_t *input, uint8_t *output,
                           size_t length)
{
    return run(pages, 1, iv, input, output, length);
}

#if defined(__x86_64__)

#include <immintrin.h>

// Eight blocks are under way at once: a round takes four cycles, and one can begin in each half of a cycle.
enum { lane_count = 8, round_count = 14 };

// The next four words of the schedule (FIPS 197, section 5.2): each is the sum of those before it and of `word`, a word
// that was substituted.
__attribute__((target("aes"))) static __m128i next_round(__m128i earlier, __m128i word)
{
    earlier = _mm_xor_si128(earlier, _mm_slli_si128(earlier, 4));
    earlier = _mm_xor_si128(earlier, _mm_slli_si128(earlier, 8));
    return _mm_xor_si128(earlier, word);
}

// How libcrypto lays out its own schedule depends on how it was built.
__attribute__((target("aes"))) static void make_schedule(const uint8_t *key, __m128i *rounds)
{
    rounds[0] = _mm_loadu_si128((const __m128i *)key);
    rounds[1] = _mm_loadu_si128((const __m128i *)(key + 16));
#define ROTATED(number, constant)                                                                                      \
    rounds[number] = next_round(rounds[(number) - 2],                                                                  \
                                _mm_shuffle_epi32(_mm_aeskeygenassist_si128(rounds[(number) - 1], constant), 0xff))
#define PLAIN(number)                                                                                                  \
    rounds[number] = next_round(rounds[(number) - 2],                                                                  \
                                _mm_shuffle_epi32(_mm_aeskeygenassist_si128(rounds[(number) - 1], 0), 0xaa))
    ROTATED(2, 0x01), PLAIN(3), ROTATED(4, 0x02), PLAIN(5), ROTATED(6, 0x04), PLAIN(7), ROTATED(8, 0x08), PLAIN(9);
    ROTATED(10, 0x10), PLAIN(11), ROTATED(12, 0x20), PLAIN(13), ROTATED(14, 0x40);
#undef ROTATED
#undef PLAIN
}

__attribute__((target("aes"))) static void encrypt_lanes(const __m128i *rounds, const uint8_t *ivs, const uint8_t *input,
                                                         uint8_t *output, size_t length)
{
    __m128i chain[lane_count];
    for (int lane = 0; lane < lane_count; ++lane)
        chain[lane] = _mm_loadu_si128((const __m128i *)(ivs + lane * CCRYPTO_IV_SIZE));
    for (size_t place = 0; place < length; place += 16) {
        for (int lane = 0; lane < lane_count; ++lane) {
            __m128i text = _mm_loadu_si128((const __m128i *)(input + (size_t)lane * length + place));
            chain[lane] = _mm_xor_si128(_mm_xor_si128(chain[lane], text), rounds[0]);
        }
        for (int i = 1; i < round_count; ++i) {
            for (int lane = 0; lane < lane_count; ++lane)
                chain[lane] = _mm_aesenc_si128(chain[lane], rounds[i]);
        }
        for (int lane = 0; lane < lane_count; ++lane) {
            chain[lane] = _mm_aesenclast_si128(chain[lane], rounds[round_count]);
            _mm_storeu_si128((__m128i *)(output + (size_t)lane * length + place), chain[lane]);
        }
    }
}

// Encrypts as many pages as go into lanes, and says how many.
static size_t encrypt_together(const ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                               size_t length, size_t count)
{
    if (count < lane_count || !__builtin_cpu_supports("aes"))
        return 0;
    __m128i rounds[round_count + 1];
    make_schedule(pages->cipher_key, rounds);
    size_t done = 0;
    for (; done + lane_count <= count; done += lane_count)
        encrypt_lanes(rounds, ivs + done * CCRYPTO_IV_SIZE, input + done * length, output + done * length, length);
    ccrypto_wipe(rounds, sizeof rounds);
    return done;
}

#else

static size_t encrypt_together(const ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                               size_t length, size_t count)
{
    (void)pages, (void)ivs, (void)input, (void)output, (void)length, (void)count;
    return 0;
}

#endif

bool ccrypto_pages_encrypt_each(ccrypto_pages *pages, const uint8_t *ivs, const uint8_t *input, uint8_t *output,
                                size_t length, size_t count)
{
    size_t done = encrypt_together(pages, ivs, input, output, length, count);
    return encrypt_in_turn(pages, ivs + done * CCRYPTO_IV_SIZE, input + done * length, output + done * length, length,
                           count - done);
}

_Static_assert(sizeof(SHA256_CTX) <= sizeof(ccrypto_sha256), "the opaque state is too small");

void ccrypto_sha256_start(ccrypto_sha256 *hash) { SHA256_Init((SHA256_CTX *)hash); }

void ccrypto_sha256_add(ccrypto_sha256 *hash, const void *bytes, size_t length)
{
    SHA256_Update((SHA256_CTX *)hash, bytes, length);
}

void ccrypto_sha256_finish(ccrypto_sha256 *hash, uint8_t *digest) { SHA256_Final(digest, (SHA256_CTX *)hash); }

void ccrypto_sha1(const void *bytes, size_t length, uint8_t *digest)
{
    SHA_CTX hash;
    SHA1_Init(&hash);
    SHA1_Update(&hash, bytes, length);
    SHA1_Final(digest, &hash);
}

#endif

// HMAC-SHA-256 is SHA-256 twice, with either library.
void ccrypto_hmac256_start(ccrypto_hmac256 *hmac, const void *key, size_t length)
{
    enum { block_size = 64 };
    uint8_t block[block_size] = {0};
    if (length > block_size) {
        ccrypto_sha256 hash;
        ccrypto_sha256_start(&hash);
        ccrypto_sha256_add(&hash, key, length);
        ccrypto_sha256_finish(&hash, block);
    } else if (length > 0) {
        memcpy(block, key, length);
    }
    for (size_t i = 0; i < block_size; ++i)
        block[i] ^= 0x36;
    ccrypto_sha256_start(&hmac->inner);
    ccrypto_sha256_add(&hmac->inner, block, block_size);
    for (size_t i = 0; i < block_size; ++i)
        block[i] ^= 0x36 ^ 0x5c;
    ccrypto_sha256_start(&hmac->outer);
    ccrypto_sha256_add(&hmac->outer, block, block_size);
    ccrypto_wipe(block, block_size);
}

void ccrypto_hmac256_code(const ccrypto_hmac256 *hmac, const void *bytes, size_t length, uint8_t *code)
{
    ccrypto_sha256 hash = hmac->inner;
    if (length > 0)
        ccrypto_sha256_add(&hash, bytes, length);
    ccrypto_sha256_finish(&hash, code);
    hash = hmac->outer;
    ccrypto_sha256_add(&hash, code, CCRYPTO_SHA256_SIZE);
    ccrypto_sha256_finish(&hash, code);
}

bool ccrypto_random(void *bytes, size_t length)
{
    uint8_t *next = bytes;
    while (length > 0) {
        size_t piece = length < 256 ? length : 256;
#if defined(__APPLE__)
        if (getentropy(next, piece) != 0)
            return false;
#else
        ssize_t count = getrandom(next, piece, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        piece = (size_t)count;
#endif
        next += piece;
        length -= piece;
    }
    return true;
}
