#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void run(const cprocess_options *options)
{
    // Whatever the tests' own parent ignores must not be ignored here.
    int signals[] = { SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT };
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; ++i)
        signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (options->leads_session) {
        if (setsid() < 0)
            return;
        if (isatty(options->input) && ioctl(options->input, TIOCSCTTY, 0) != 0)
            return;
    }
    const int streams[] = { options->input, options->output, options->errors };
    for (int stream = 0; stream <= 2; ++stream) {
        if (streams[stream] >= 0 && dup2(streams[stream], stream) < 0)
            return;
    }
    for (int stream = 0; stream <= 2; ++stream) {
        if (streams[stream] < 0)
            close(stream);
    }
    // Descriptors of tests that run at the same time, such as the other ends of their pipes.
    for (int descriptor = 3; descriptor < 1024; ++descriptor)
        close(descriptor);
    if (chdir(options->folder) != 0)
        return;
    if (options->user >= 0) {
        uid_t user = (uid_t)options->user;
        if (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0)
            return;
    }
    if (options->descriptor_limit > 0) {
        struct rlimit limit = { (rlim_t)options->descriptor_limit, (rlim_t)options->descriptor_limit };
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            return;
    }
    execve(options->program, options->arguments, options->environment);
}

bool cprocess_open_terminal(int *screen, int *program)
{
    char name[128];
    *screen = posix_openpt(O_RDWR | O_NOCTTY);
    if (*screen < 0)
        return false;
#if defined(__APPLE__)
    bool is_ready = grantpt(*screen) == 0 && unlockpt(*screen) == 0
        && ioctl(*screen, TIOCPTYGNAME, name) == 0;
#else
    bool is_ready = grantpt(*screen) == 0 && unlockpt(*screen) == 0
        && ptsname_r(*screen, name, sizeof name) == 0;
#endif
    *program = is_ready ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (*program >= 0)
        return true;
    close(*screen);
    return false;
}

pid_t cprocess_start(const cprocess_options *options)
{
#if defined(__linux__)
    // The tables of the tests' own pages take longer to copy than most runs take. Changing the user is not done while the
    // memory is shared: the C library would tell the threads of the tests.
    if (options->user < 0) {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pid_t process = vfork();
        if (process == 0) {
            run(options);
            _exit(127);
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return process;
    }
#endif
    pid_t process = fork();
    if (process == 0) {
        run(options);
        _exit(127);
    }
    return process;
}
