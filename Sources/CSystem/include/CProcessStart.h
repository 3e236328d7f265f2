// What a process gets when it starts: its arguments, as plain bytes, and its standard streams.
#ifndef CPROCESSSTART_H
#define CPROCESSSTART_H

#include <stdbool.h>

// The arguments of the process with the name of the program in front, and their number. They come from the C library,
// so that they are there without /proc and without a descriptor to spare. Null and 0 where it does not pass them on.
char *const *csystem_arguments(int *count);

// Without /proc, the Swift runtime of a static binary is told before `main`, in the environment, what it would look up
// there. This takes that out of the environment again, so that no program that is started sees it.
void csystem_forget_runtime_place(void);

// Opens those of the descriptors 0, 1 and 2 that are closed, so that no file that is opened later becomes a standard
// stream by accident. Reading and writing them fails as before, with EBADF.
void csystem_open_standard_streams(void);

// Whether the limit of the stack of the first thread is below a megabyte.
bool csystem_stack_is_small(void);

#endif
