// Programs that run next to this process, with a pipe to them and one from them.
#ifndef CCOMMAND_H
#define CCOMMAND_H

#include <stddef.h>
#include <sys/types.h>

// Starts a program, found along PATH, in a process group of its own; its standard error is ours. `arguments` ends with a
// null pointer. The pipes are not blocking and are not inherited by other programs. The program is guarded from its start.
// Returns 0, or the number of the error.
int csystem_command_start(char *const arguments[], pid_t *process, int *input, int *output);

// Starts a program in our own process group: it has the terminal. Its standard input is a pipe, or ours where `input` is null;
// the rest is ours. Signals of the keyboard are ignored here until `csystem_command_left_here`. Returns 0, or the number of
// the error.
int csystem_command_start_here(char *const arguments[], pid_t *process, int *input);
void csystem_command_left_here(void);

// Like write(2), but if the reader is gone, this is an error (EPIPE), not a signal.
ssize_t csystem_command_write(int descriptor, const void *bytes, size_t count);

// Ends a program and everything that it has started, at once. Does not wait.
void csystem_command_kill(pid_t process);

// The program that a signal for this process ends first; 0 for none.
void csystem_command_guard(pid_t process);

// Called by the handler of such signals.
void csystem_command_end_guarded(void);

#endif
