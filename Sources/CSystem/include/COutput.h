// What writing files needs and Swift cannot express: calls that the Glibc module lacks, and what a signal handler does.
#ifndef COUTPUT_H
#define COUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// rename(2) that fails with EEXIST if `to` exists. ENOSYS, EINVAL or ENOTSUP: the file system cannot.
int csystem_rename_exclusively(const char *from, const char *to);
// Brings a file's bytes to the disk itself, past the caches of the drive where the system can ask for that.
int csystem_synchronize(int descriptor);

// Extended attributes of an open file, as listxattr(2), getxattr(2), setxattr(2) and removexattr(2).
ssize_t csystem_attribute_names(int descriptor, char *names, size_t size);
ssize_t csystem_attribute_value(int descriptor, const char *name, void *value, size_t size);
int csystem_set_attribute(int descriptor, const char *name, const void *value, size_t size);
int csystem_remove_attribute(int descriptor, const char *name);

// Files and folders of this process that are not complete yet. Entries are never freed, because a signal handler may
// be reading them. Null when memory is short.
void *csystem_unfinished_add(const char *path, bool is_folder);
void csystem_unfinished_forget(void *entry);

// Between these two calls a signal does not end the process: names are changing, and soon it is done anyway.
void csystem_publishing_begin(void);
void csystem_publishing_end(void);

// Like csystem_publishing_end, if something was only begun: a signal that came meanwhile ends the process now.
void csystem_creating_end(void);

// Removes what is unfinished, newest first. Safe in a signal handler.
void csystem_unfinished_remove_all(void);

// What the handler below writes to standard error at the end; null for nothing. The text is never freed.
void csystem_set_last_words(const char *text);

// The handler of signals that end the process: removes what is unfinished, newest first, and exits with status
// 128 + number. Returns without effect while something is being published.
void csystem_end_on_signal(int number);

#endif
