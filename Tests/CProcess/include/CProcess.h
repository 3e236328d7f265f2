// Starts a program the way a test needs it: what Swift has no call for, since it cannot fork.
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct {
    const char *program;
    char *const *arguments;
    char *const *environment;
    const char *folder;
    // Descriptors that become the standard ones; -1 leaves one closed.
    int input, output, errors;
    // Leads a session of its own, with `input` as its terminal if that is one.
    bool leads_session;
    // Runs as this user and group; -1: as the tests do.
    int user;
    // How many descriptors it may have; 0: as many as the tests.
    int descriptor_limit;
} cprocess_options;

// The process, or -1 with errno. What goes wrong in the new process ends it with status 127.
pid_t cprocess_start(const cprocess_options *options);

// A pseudo-terminal: the side of the keyboard and screen, and the side of a program. False with errno.
bool cprocess_open_terminal(int *screen, int *program);

#endif
