#ifndef CTOPICS_H
#define CTOPICS_H

#include <stddef.h>

/// What `realmctl help` prints of a topic that is not a command.
struct ctopics_topic {
  const char *name;
  const char *text;
};

/// The topics in the order of the help, counted from 0; NULL behind the last one.
const struct ctopics_topic *ctopics_at(size_t index);

#endif
