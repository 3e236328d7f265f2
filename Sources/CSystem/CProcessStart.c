#if !defined(__APPLE__)
#define _GNU_SOURCE
#endif

#include "CProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__APPLE__)

#include <crt_externs.h>

char *const *csystem_arguments(int *count)
{
    *count = *_NSGetArgc();
    return *_NSGetArgv();
}

void csystem_forget_runtime_place(void) {}

#else

// Before `main`, a Swift runtime that is linked statically looks for the program that prints backtraces, beside itself.
// Where it is, it reads from /proc, and aborts where there is none, unless this variable says it. Nothing is found in
// this place.
static char runtime_place[] = "SWIFT_ROOT=/dev/null";
static int runtime_place_is_ours;

// Called before the runtime's own constructors, which have no priority.
__attribute__((constructor(101))) static void tell_runtime_place(void)
{
    char byte;
    const char *place = getenv("SWIFT_ROOT");
    if ((place && *place) || readlink("/proc/self/exe", &byte, 1) >= 0)
        return;
    runtime_place_is_ours = putenv(runtime_place) == 0;
}

void csystem_forget_runtime_place(void)
{
    if (runtime_place_is_ours)
        unsetenv("SWIFT_ROOT");
    runtime_place_is_ours = 0;
}

static int argument_count;
static char *const *arguments;

// The C library calls the functions in this section with the arguments of `main`.
static void keep_arguments(int count, char **values, char **environment)
{
    (void)environment;
    argument_count = count;
    arguments = values;
}

__attribute__((section(".init_array"), used)) static void (*const keep)(int, char **, char **) = keep_arguments;

char *const *csystem_arguments(int *count)
{
    *count = argument_count;
    return arguments;
}

#endif

void csystem_open_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF)
            continue;
        // The lowest free descriptor is this one. Opened the wrong way round, so that nothing is taken for input that
        // is none, and no output is lost without a word.
        int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
        if (opened < 0)
            opened = open("/", O_RDONLY);
        if (opened > descriptor)
            close(opened);
    }
}

bool csystem_stack_is_small(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < (1 << 20);
}
