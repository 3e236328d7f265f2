#include "CFork.h"
#include <unistd.h>

pid_t realm_fuzz_fork(void) { return fork(); }
