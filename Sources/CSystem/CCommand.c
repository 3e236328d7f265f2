#if defined(__APPLE__)
#include <TargetConditionals.h>
#else
#define _GNU_SOURCE
#endif

#include "CCommand.h"

#include "COutput.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <unistd.h>

extern char **environ;

static int make_pipe(int ends[2])
{
#if defined(__APPLE__)
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#else
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
#endif
    return 0;
}

static void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

#if TARGET_OS_TV || TARGET_OS_WATCH
// Where no program starts another one.
static int spawn(char *const arguments[], const int *in, const int *out, pid_t *process)
{
    (void)arguments, (void)in, (void)out, (void)process;
    return ENOTSUP;
}
#else
// What the program is given: the ends of the pipes, no signals blocked, and those that this process may ignore as usual.
// Without `out` it keeps the terminal, and the group that Control-C goes to; with it, it has a group of its own.
static int spawn(char *const arguments[], const int *in, const int *out, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    static const int usual[] = {SIGPIPE, SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP};
    for (size_t index = 0; index < sizeof usual / sizeof *usual; index++)
        sigaddset(&defaults, usual[index]);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawnattr_setflags(&attributes, out ? flags | POSIX_SPAWN_SETPGROUP : flags);
    if (in)
        failure = posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    if (!failure && out)
        failure = posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (!failure)
        failure = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}
#endif

int csystem_command_start(char *const arguments[], pid_t *process, int *input, int *output)
{
    int in[2], out[2];
    int failure = make_pipe(in);
    if (failure)
        return failure;
    failure = make_pipe(out);
    if (failure) {
        close_both(in);
        return failure;
    }
    // A signal that comes between the two ends the process when both are done: otherwise the program would remain.
    csystem_publishing_begin();
    failure = spawn(arguments, in, out, process);
    if (!failure)
        csystem_command_guard(*process);
    csystem_creating_end();
    if (failure) {
        close_both(in);
        close_both(out);
        return failure;
    }
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    *input = in[1];
    *output = out[0];
    return 0;
}

static struct sigaction interrupt_before, quit_before;

int csystem_command_start_here(char *const arguments[], pid_t *process, int *input)
{
    int in[2];
    int failure = input ? make_pipe(in) : 0;
    if (failure)
        return failure;
    struct sigaction ignoring = {0};
    ignoring.sa_handler = SIG_IGN;
    sigemptyset(&ignoring.sa_mask);
    sigaction(SIGINT, &ignoring, &interrupt_before);
    sigaction(SIGQUIT, &ignoring, &quit_before);
    failure = spawn(arguments, input ? in : NULL, NULL, process);
    if (failure)
        csystem_command_left_here();
    if (!input)
        return failure;
    close(in[0]);
    if (failure)
        close(in[1]);
    else
        *input = in[1];
    return failure;
}

void csystem_command_left_here(void)
{
    sigaction(SIGINT, &interrupt_before, NULL);
    sigaction(SIGQUIT, &quit_before, NULL);
}

ssize_t csystem_command_write(int descriptor, const void *bytes, size_t count)
{
    sigset_t pipes, before, pending;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    // A signal that was already pending is not ours.
    sigpending(&pending);
    int waited = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, &before);
    ssize_t written = write(descriptor, bytes, count);
    int saved = errno;
    if (written < 0 && saved == EPIPE && !waited) {
        sigpending(&pending);
        int number;
        if (sigismember(&pending, SIGPIPE))
            sigwait(&pipes, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return written;
}

void csystem_command_kill(pid_t process)
{
    if (process > 0)
        kill(-process, SIGKILL);
}

static _Atomic pid_t guarded;

void csystem_command_guard(pid_t process) { atomic_store(&guarded, process); }

void csystem_command_end_guarded(void) { csystem_command_kill(atomic_load(&guarded)); }
