// What Swift cannot express: a call that the Glibc module lacks, and a signal handler, which must not allocate, lock or
// initialize anything.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CAtomic.h"
#include "CCommand.h"
#include "COutput.h"
#include "CProcessStart.h"

// Whether the system counts the descriptor's file system as local (Apple), or its type (statfs(2), Linux).
// On Linux: the type, or 0 when it cannot be told. On Apple: 1 for a file system that is not local, else 0.
uint32_t csystem_file_system(int descriptor);

// Flags of open(2) that need GNU extensions: O_NOATIME and O_PATH; 0 on Apple, which has neither.
extern const int csystem_open_keeps_access_time;
extern const int csystem_open_as_place;

// Number of processors that this process may use, at least 1. Respects taskset(1) and the limits of containers.
int csystem_processor_count(void);

// Tells the processor that memory is about to be read. Any address will do.
static inline void csystem_prefetch(const void *address)
{
    __builtin_prefetch(address);
}

// Remembers addresses whose faults are ours, and how a fault there ends the process: with a message, which is copied, and
// a status. Beyond 64 ranges at a time, more are not remembered.
void csystem_fault_watch(const void *address, size_t length, const char *message, int status);
void csystem_fault_unwatch(const void *address);
// From now on a SIGBUS inside a watched range writes its message to standard error, calls `act`, which must be safe in a
// signal handler, and ends the process with its status; any other takes its default course. False when the call failed.
bool csystem_fault_install(void (*act)(void));

#endif
