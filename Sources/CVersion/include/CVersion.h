// What the program was built from.
#ifndef CVERSION_H
#define CVERSION_H

#include <stddef.h>

// The commit of the sources and the version of the Swift compiler, as the Makefile passes them; otherwise "unknown".
const char *cversion_commit(void);
const char *cversion_compiler(void);
// The processor and the system that it was built for, such as x86_64-linux.
const char *cversion_system(void);

// The libraries that it is linked with, counted from 0; null names behind the last one.
typedef struct {
  const char *name, *version;
} cversion_library;
cversion_library cversion_library_at(size_t index);

#endif
