// Swift does not import fork(2); the fuzzer is a program of one thread, for which it is sound.
#include <sys/types.h>
pid_t realm_fuzz_fork(void);
