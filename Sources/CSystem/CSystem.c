#if !defined(__APPLE__)
#define _GNU_SOURCE
#endif

#include "CSystem.h"

#include <fcntl.h>
#if !defined(__APPLE__)
#include <sched.h>
#endif
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

uint32_t csystem_file_system(int descriptor)
{
    struct statfs information;
    if (fstatfs(descriptor, &information) != 0)
        return 0;
#if defined(__APPLE__)
    return (information.f_flags & MNT_LOCAL) == 0;
#else
    return (uint32_t)information.f_type;
#endif
}

#if defined(__APPLE__)
const int csystem_open_keeps_access_time = 0;
const int csystem_open_as_place = 0;
#else
const int csystem_open_keeps_access_time = O_NOATIME;
const int csystem_open_as_place = O_PATH;
#endif

int csystem_processor_count(void)
{
#if !defined(__APPLE__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

enum { range_count = 64 };

// `end` is 0 while a slot is being taken or given back.
static struct {
    _Atomic uintptr_t start;
    _Atomic uintptr_t end;
    // Belongs to the slot.
    char *_Atomic message;
    _Atomic int status;
} ranges[range_count];

static void (*_Atomic last_act)(void);

void csystem_fault_watch(const void *address, size_t length, const char *message, int status)
{
    char *copy = strdup(message);
    if (!copy)
        return;
    for (int i = 0; i < range_count; ++i) {
        uintptr_t free_slot = 0;
        if (atomic_compare_exchange_strong(&ranges[i].start, &free_slot, (uintptr_t)address)) {
            atomic_store(&ranges[i].message, copy);
            atomic_store(&ranges[i].status, status);
            atomic_store(&ranges[i].end, (uintptr_t)address + length);
            return;
        }
    }
    free(copy);
}

void csystem_fault_unwatch(const void *address)
{
    for (int i = 0; i < range_count; ++i) {
        if (atomic_load(&ranges[i].start) == (uintptr_t)address) {
            atomic_store(&ranges[i].end, 0);
            free(atomic_exchange(&ranges[i].message, NULL));
            atomic_store(&ranges[i].start, 0);
            return;
        }
    }
}

static void handle_fault(int signal_number, siginfo_t *information, void *context)
{
    (void)context;
    uintptr_t address = (uintptr_t)information->si_addr;
    for (int i = 0; i < range_count; ++i) {
        uintptr_t start = atomic_load(&ranges[i].start);
        if (start != 0 && start <= address && address < atomic_load(&ranges[i].end)) {
            const char *message = atomic_load(&ranges[i].message);
            ssize_t ignored = message ? write(STDERR_FILENO, message, strlen(message)) : 0;
            (void)ignored;
            void (*act)(void) = atomic_load(&last_act);
            if (act)
                act();
            _exit(atomic_load(&ranges[i].status));
        }
    }
    // Not ours: the faulting instruction runs again under the default action.
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(signal_number, &action, NULL);
}

bool csystem_fault_install(void (*act)(void))
{
    atomic_store(&last_act, act);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) == 0;
}
