// What the fuzzer needs of fork(2), which Swift does not import.
#include <sys/types.h>

// Forks, calls `body` with `context` in the child, and ends the child with status 0 when `body` returns.
//
// The fork is made by a thread of its own, which becomes the only thread of the child: on Linux, the Swift runtime keeps the
// kernel's number of each thread for its locks. A child that went on in the caller's thread would lock with its parent's
// number, and two threads that meet at a lazy global would then wait for each other without end.
//
// Returns the child's number, or -1 with errno set.
pid_t realm_fuzz_fork(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);
