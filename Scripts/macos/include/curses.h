// The part of ncurses 5.7 that CNcurses calls; types as its manual pages have them.
#ifndef CHECK_MACOS_CURSES_H
#define CHECK_MACOS_CURSES_H
#include <stdbool.h>
#include <stdint.h>

#define OK 0
const char *curses_version(void);
#endif
