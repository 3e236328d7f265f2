// libyaml, the parser of plans.

#ifndef CYAML_H
#define CYAML_H

#include <yaml.h>

#endif
