#if !defined(__APPLE__)
#define _GNU_SOURCE
#endif

#include "CProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#if defined(__APPLE__)

#include <crt_externs.h>

char *const *csystem_arguments(int *count)
{
    *count = *_NSGetArgc();
    return *_NSGetArgv();
}

#else

static int argument_count;
static char *const *arguments;

// The C library calls what stands in this section with the arguments of `main`.
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
