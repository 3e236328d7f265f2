// The one place that knows terminfo, of ncurses: a terminal as a grid of cells, and its keys. It writes UTF-8, whatever
// locales the C library has.
//
// One terminal at a time; all functions but those for faults belong to one thread.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  CNCURSES_OPENED = 0,
  // TERM names nothing that this system or this file knows.
  CNCURSES_UNKNOWN_TERMINAL = 1,
  // The terminal cannot place its cursor.
  CNCURSES_DUMB_TERMINAL = 2,
  // Memory, or a call to the system.
  CNCURSES_FAILED = 3
} cncurses_outcome;

// Takes over the terminal. `input` and `output` are descriptors of it and stay the caller's.
cncurses_outcome cncurses_open(int input, int output, bool wants_color);
// Restores the terminal. Does nothing if none is open.
void cncurses_close(void);

// Whether text beyond ASCII can be shown: no other locale than one of UTF-8 is named.
bool cncurses_is_unicode(void);
// The number of colors: 0 for none, otherwise 8 or more.
int cncurses_color_count(void);
// A pair of colors by its number, from 1; -1 is the terminal's default color.
void cncurses_define_pair(int number, int foreground, int background);

// Asks the system for the size and fits the grid to it.
void cncurses_fit(int *height, int *width);

// As terminfo numbers them where colors exclude some.
enum {
  CNCURSES_UNDERLINE = 2,
  CNCURSES_REVERSE = 4,
  CNCURSES_DIM = 16,
  CNCURSES_BOLD = 32
};

typedef struct {
  // NUL in the right half of a wide character.
  uint32_t base;
  // NUL where there are fewer.
  uint32_t marks[2];
  uint16_t attributes;
  uint16_t pair;
} cncurses_cell;

// Puts cells into a row.
void cncurses_put(int row, const cncurses_cell *cells, int count);
// Sends what has changed. A negative row hides the caret.
void cncurses_show(int caret_row, int caret_column);
// Everything is sent again at the next `cncurses_show`.
void cncurses_invalidate(void);
// Whether the terminal can report the mouse.
bool cncurses_has_mouse(void);
void cncurses_set_mouse(bool is_on);

// What a key sends according to the terminal's description, by the name that the key has there; null if it does not say.
const char *cncurses_key_sequence(const char *name);

// Restores the terminal, stops the process as Control-Z does, and takes over the terminal again afterwards.
void cncurses_stop(void);
// Gives the terminal to another program, until `cncurses_take_over`.
void cncurses_lend(void);
// Takes over the terminal again after the process was stopped and continued from outside.
void cncurses_take_over(void);

#endif
