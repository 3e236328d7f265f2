// Atomic access to a number or a byte, in one order that all threads agree on. Swift has its own from macOS 15 and iOS 18 on.
#ifndef CATOMIC_H
#define CATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline ptrdiff_t csystem_atomic_load(const ptrdiff_t *cell) { return __atomic_load_n(cell, __ATOMIC_SEQ_CST); }

static inline void csystem_atomic_store(ptrdiff_t *cell, ptrdiff_t value) { __atomic_store_n(cell, value, __ATOMIC_SEQ_CST); }

// Wraps around. Gives the sum.
static inline ptrdiff_t csystem_atomic_add(ptrdiff_t *cell, ptrdiff_t value)
{
    return (ptrdiff_t)((size_t)__atomic_fetch_add(cell, value, __ATOMIC_SEQ_CST) + (size_t)value);
}

// Gives what was there before.
static inline ptrdiff_t csystem_atomic_exchange(ptrdiff_t *cell, ptrdiff_t value)
{
    return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST);
}

// Stores a value if another one is there; whether it was.
static inline bool csystem_atomic_replace(ptrdiff_t *cell, ptrdiff_t expected, ptrdiff_t value)
{
    return __atomic_compare_exchange_n(cell, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// What was stored in memory before a flag is there for who sees the flag.
static inline uint8_t csystem_flag_load(const uint8_t *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }

static inline void csystem_flag_store(uint8_t *flag, uint8_t value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }

#endif
