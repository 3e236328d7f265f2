#if !defined(__APPLE__)
#define _GNU_SOURCE
#endif

#include "COutput.h"

#include "CCommand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#if !defined(__APPLE__)
#include <sys/syscall.h>
#endif

int csystem_rename_exclusively(const char *from, const char *to)
{
#if defined(__APPLE__)
    return renamex_np(from, to, RENAME_EXCL);
#elif defined(SYS_renameat2)
    // RENAME_NOREPLACE; the call itself, because older C libraries have no wrapper.
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int csystem_synchronize(int descriptor)
{
#if defined(__APPLE__)
    if (fcntl(descriptor, F_FULLFSYNC) == 0)
        return 0;
    if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY)
        return -1;
#endif
    return fsync(descriptor);
}

ssize_t csystem_attribute_names(int descriptor, char *names, size_t size)
{
#if defined(__APPLE__)
    return flistxattr(descriptor, names, size, 0);
#else
    return flistxattr(descriptor, names, size);
#endif
}

ssize_t csystem_attribute_value(int descriptor, const char *name, void *value, size_t size)
{
#if defined(__APPLE__)
    return fgetxattr(descriptor, name, value, size, 0, 0);
#else
    return fgetxattr(descriptor, name, value, size);
#endif
}

int csystem_set_attribute(int descriptor, const char *name, const void *value, size_t size)
{
#if defined(__APPLE__)
    return fsetxattr(descriptor, name, value, size, 0, 0);
#else
    return fsetxattr(descriptor, name, value, size, 0);
#endif
}

int csystem_remove_attribute(int descriptor, const char *name)
{
#if defined(__APPLE__)
    return fremovexattr(descriptor, name, 0);
#else
    return fremovexattr(descriptor, name);
#endif
}

struct unfinished {
    // Null when it is complete or gone.
    char *_Atomic path;
    bool is_folder;
    struct unfinished *next;
};

static struct unfinished *_Atomic newest;
// How many publications are under way; -1 when the process is ending.
static _Atomic int publications;

void *csystem_unfinished_add(const char *path, bool is_folder)
{
    struct unfinished *entry = malloc(sizeof *entry);
    char *copy = strdup(path);
    if (!entry || !copy) {
        free(entry);
        free(copy);
        return NULL;
    }
    atomic_init(&entry->path, copy);
    entry->is_folder = is_folder;
    entry->next = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &entry->next, entry)) {
    }
    return entry;
}

void csystem_unfinished_forget(void *entry)
{
    if (entry)
        atomic_store(&((struct unfinished *)entry)->path, NULL);
}

void csystem_unfinished_remove_all(void)
{
    for (struct unfinished *entry = atomic_load(&newest); entry; entry = entry->next) {
        const char *path = atomic_load(&entry->path);
        if (path)
            (void)(entry->is_folder ? rmdir(path) : unlink(path));
    }
}

void csystem_publishing_begin(void)
{
    int count = atomic_load(&publications);
    for (;;) {
        if (count < 0) {
            // The handler runs in another thread and ends the process in a moment.
            pause();
            count = atomic_load(&publications);
        } else if (atomic_compare_exchange_weak(&publications, &count, count + 1)) {
            return;
        }
    }
}

// The last signal that came; 0 for none.
static _Atomic int last_signal;

void csystem_publishing_end(void) { atomic_fetch_sub(&publications, 1); }

void csystem_creating_end(void)
{
    atomic_fetch_sub(&publications, 1);
    // The handler stores the number before it checks whether it may continue, so one of the two sees the other.
    int number = atomic_load(&last_signal);
    if (number)
        csystem_end_on_signal(number);
}

static _Atomic(const char *) last_words;

void csystem_set_last_words(const char *text) { atomic_store(&last_words, text); }

void csystem_end_on_signal(int number)
{
    int none = 0;
    int saved = errno;
    atomic_store(&last_signal, number);
    if (!atomic_compare_exchange_strong(&publications, &none, -1)) {
        errno = saved;
        return;
    }
    csystem_command_end_guarded();
    csystem_unfinished_remove_all();
    const char *text = atomic_load(&last_words);
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0) {
        // There is no way left to report it.
    }
    _exit(128 + number);
}
