#include "CFork.h"
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

struct fork_request {
    void (*body)(void *);
    void *context;
    pid_t child;
    int error;
};

// What the first thread of a process has on Linux.
enum { stack_size = 8 << 20 };

static void *fork_here(void *argument) {
    struct fork_request *request = argument;
    request->child = fork();
    request->error = errno;
    if (request->child == 0) {
        request->body(request->context);
        _exit(0);
    }
    return NULL;
}

pid_t realm_fuzz_fork(void (*body)(void *), void *context) {
    struct fork_request request = {body, context, -1, 0};
    pthread_t thread;
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure == 0) failure = pthread_attr_setstacksize(&attributes, stack_size);
    if (failure == 0) failure = pthread_create(&thread, &attributes, fork_here, &request);
    if (failure == 0) failure = pthread_join(thread, NULL);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    errno = request.error;
    return request.child;
}
