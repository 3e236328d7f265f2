#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CNcurses.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static int terminal_input = -1, terminal_output = -1;
static struct termios settings_before;

// MARK: - Signals

// Restores the terminal when nothing else can be called any more.
static char farewell[256];
static size_t farewell_length;
static volatile sig_atomic_t is_open;

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum { FAULT_COUNT = sizeof faults / sizeof *faults };
static struct sigaction faults_before[FAULT_COUNT];

// Only calls that are safe in a handler.
static void leave_terminal(void) {
  if (!is_open) return;
  is_open = 0;
  ssize_t ignored = write(terminal_output, farewell, farewell_length);
  (void)ignored;
  tcsetattr(terminal_input, TCSANOW, &settings_before);
}

static void answer_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  leave_terminal();
  for (int index = 0; index < FAULT_COUNT; index++) {
    if (faults[index] == number) sigaction(number, &faults_before[index], NULL);
  }
  // A fault of an instruction happens again on return, now with the previous handler. A signal that was sent does not,
  // and does not concern that handler.
  if (info->si_code <= 0) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

static void install_handlers(void) {
  struct sigaction fault = {0};
  fault.sa_sigaction = answer_fault;
  fault.sa_flags = SA_SIGINFO;
  sigemptyset(&fault.sa_mask);
  for (int index = 0; index < FAULT_COUNT; index++) sigaction(faults[index], &fault, &faults_before[index]);
}

static void remove_handlers(void) {
  for (int index = 0; index < FAULT_COUNT; index++) sigaction(faults[index], &faults_before[index], NULL);
}

// MARK: - Descriptions

// What a terminal can do: its name in terminfo, and what those terminals understand that are known here without a database.
// Their keys are known to who reads them.
enum { PLACE, CLEAR, CLEAR_REST, PLAIN, BOLD, DIM, UNDERLINE, REVERSE, FOREGROUND, BACKGROUND, NO_COLORS, ENTER, LEAVE,
       HIDE_CARET, SHOW_CARET, KEYS_ON, KEYS_OFF, MOUSE, ABILITY_COUNT };
#define COLOR(few, more, many) "\033[%?%p1%{8}%<%t" few "%p1%d%e%p1%{16}%<%t" more "%p1%{8}%-%d%e" many "8;5;%p1%d%;m"
static struct {
  const char *name, *usual, *text;
} abilities[ABILITY_COUNT] = {
  [PLACE] = {"cup", "\033[%i%p1%d;%p2%dH"},
  [CLEAR] = {"clear", "\033[H\033[2J"},
  [CLEAR_REST] = {"el", "\033[K"},
  [PLAIN] = {"sgr0", "\033[m"},
  [BOLD] = {"bold", "\033[1m"},
  [DIM] = {"dim", "\033[2m"},
  [UNDERLINE] = {"smul", "\033[4m"},
  [REVERSE] = {"rev", "\033[7m"},
  [FOREGROUND] = {"setaf", COLOR("3", "9", "3")},
  [BACKGROUND] = {"setab", COLOR("4", "10", "4")},
  [NO_COLORS] = {"op", "\033[39;49m"},
  [ENTER] = {"smcup", "\033[?1049h"},
  [LEAVE] = {"rmcup", "\033[?1049l"},
  [HIDE_CARET] = {"civis", "\033[?25l"},
  [SHOW_CARET] = {"cnorm", "\033[?25h"},
  [KEYS_ON] = {"smkx", NULL},
  [KEYS_OFF] = {"rmkx", NULL},
  [MOUSE] = {"kmous", "\033[M"},
};
static int color_count, attributes_without_color;
// Whether a character in the last column leaves the cursor there until the next one.
static bool wraps_late;

// Terminals that understand the usual sequences, by a part of their types, with their colors.
static const struct {
  const char *part;
  int color_count;
} known_types[] = {
  {"256color", 256}, {"xterm", 256}, {"screen", 256}, {"tmux", 256}, {"kitty", 256}, {"ghostty", 256}, {"foot", 256},
  {"alacritty", 256}, {"wezterm", 256}, {"linux", 8}, {"vt1", 0}, {"vt2", 0},
};

// Whether a description takes a number that it is given for the address of a text.
static bool takes_text(const char *text) {
  while ((text = strchr(text, '%')) != NULL && *++text != 0) {
    if (*text == '\'' && text[1] != 0) { text += 2; continue; }
    if (*text == ':') text += 1 + strspn(text + 1, "-+# ");
    text += strspn(text, "0123456789.");
    if (*text == 's' || *text == 'l') return true;
    if (*text != 0) text++;
  }
  return false;
}

static const char *described(const char *name) {
  const char *text = cur_term == NULL ? NULL : tigetstr((char *)name);
  return text == NULL || text == (char *)-1 || takes_text(text) ? NULL : text;
}

// The machine's own description comes first.
static cncurses_outcome describe(const char *type, int output) {
  int problem = 0;
  if (setupterm(NULL, output, &problem) == OK) {
    for (int index = 0; index < ABILITY_COUNT; index++) abilities[index].text = described(abilities[index].name);
    color_count = abilities[FOREGROUND].text != NULL && abilities[BACKGROUND].text != NULL ? tigetnum("colors") : 0;
    attributes_without_color = tigetnum("ncv") > 0 ? tigetnum("ncv") : 0;
    wraps_late = tigetflag("am") <= 0 || tigetflag("xenl") > 0;
    return abilities[PLACE].text == NULL ? CNCURSES_DUMB_TERMINAL : CNCURSES_OPENED;
  }
  if (problem == 1) return CNCURSES_DUMB_TERMINAL;
  for (size_t known = 0; known < sizeof known_types / sizeof *known_types; known++) {
    if (strstr(type, known_types[known].part) == NULL) continue;
    for (int index = 0; index < ABILITY_COUNT; index++) abilities[index].text = abilities[index].usual;
    color_count = known_types[known].color_count;
    wraps_late = true;
    return CNCURSES_OPENED;
  }
  return CNCURSES_UNKNOWN_TERMINAL;
}

// MARK: - Writing

static char pending[1 << 14];
static size_t pending_count;

// If the terminal is gone, the next wait for keys notices it.
static void send_pending(void) {
  for (size_t sent = 0; sent < pending_count;) {
    ssize_t count = write(terminal_output, pending + sent, pending_count - sent);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) sent += (size_t)count;
  }
  pending_count = 0;
}

static void add_byte(uint32_t byte) {
  if (pending_count == sizeof pending) send_pending();
  pending[pending_count++] = (char)byte;
}

// Without the marks for delays, which no terminal needs any more.
static void add_text(const char *text) {
  for (; text != NULL && *text != 0; text++) {
    const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
    if (end != NULL) text = end; else add_byte((uint8_t)*text);
  }
}

static void add(int ability) { add_text(abilities[ability].text); }

static void add_with(int ability, long first, long second) {
  if (abilities[ability].text != NULL) add_text(tparm((char *)abilities[ability].text, first, second));
}

static void add_character(uint32_t character) {
  static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
  int rest = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  add_byte(leads[rest] | character >> 6 * rest);
  while (rest-- > 0) add_byte(0x80 | (character >> 6 * rest & 0x3f));
}

// MARK: - Opening

static int row_count, column_count;
// What the terminal shows, and what it is to show.
static cncurses_cell *shown_cells, *wanted_cells;
static const cncurses_cell blank = {' ', {0, 0}, 0, 0};
// How what is written looks now.
static cncurses_cell look;
static bool is_shown, has_caret, mouse_is_on;
static struct {
  int foreground, background;
} pairs[UINT8_MAX];

// Terminals that do not know a mode ignore it.
static void add_paste_mode(bool is_on) { add_text(is_on ? "\033[?2004h" : "\033[?2004l"); }

// Clicks and the wheel, in the form that has room for large screens.
static void add_mouse_mode(bool is_on) { add_text(is_on ? "\033[?1006;1000h" : "\033[?1006;1000l"); }

static void prepare_farewell(void) {
  add_paste_mode(false);
  add_mouse_mode(false);
  add(PLAIN);
  add(NO_COLORS);
  // Where there is no other screen to go back to, the shell continues on the last line.
  add_with(PLACE, row_count - 1, 0);
  add(CLEAR_REST);
  add(SHOW_CARET);
  add(KEYS_OFF);
  add(LEAVE);
  add_byte('\r');
  farewell_length = pending_count < sizeof farewell ? pending_count : sizeof farewell;
  memcpy(farewell, pending, farewell_length);
  pending_count = 0;
}

cncurses_outcome cncurses_open(int input, int output, bool wants_color) {
  const char *type = getenv("TERM");
  if (type == NULL || *type == 0 || strcmp(type, "dumb") == 0) return CNCURSES_DUMB_TERMINAL;
  cncurses_outcome outcome = describe(type, output);
  if (outcome != CNCURSES_OPENED) return outcome;
  if (!wants_color || color_count < 0) color_count = 0;
  terminal_input = input;
  terminal_output = output;
  int size[2];
  cncurses_fit(&size[0], &size[1]);
  if (shown_cells == NULL || tcgetattr(input, &settings_before) != 0) return CNCURSES_FAILED;
  install_handlers();
  cncurses_take_over();
  return CNCURSES_OPENED;
}

void cncurses_close(void) {
  if (!is_open) return;
  leave_terminal();
  remove_handlers();
}

// As the C library has it, whether or not it has that locale itself; where none is named, terminals of today are meant.
bool cncurses_is_unicode(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  const char *locale = NULL;
  for (int index = 0; index < 3 && (locale == NULL || *locale == 0); index++) locale = getenv(names[index]);
  return locale == NULL || *locale == 0 || strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL;
}

int cncurses_color_count(void) { return color_count; }

void cncurses_define_pair(int number, int foreground, int background) {
  if (number < 0 || number >= UINT8_MAX) return;
  pairs[number].foreground = foreground;
  pairs[number].background = background;
}

void cncurses_fit(int *height, int *width) {
  struct winsize size;
  if (ioctl(terminal_output, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
    size.ws_row = 24;
    size.ws_col = 80;
  }
  if (size.ws_row != row_count || size.ws_col != column_count) {
    size_t count = (size_t)size.ws_row * size.ws_col;
    cncurses_cell *shown = calloc(count, sizeof *shown), *wanted = calloc(count, sizeof *wanted);
    if (shown != NULL && wanted != NULL) {
      free(shown_cells);
      free(wanted_cells);
      shown_cells = shown;
      wanted_cells = wanted;
      row_count = size.ws_row;
      column_count = size.ws_col;
      is_shown = false;
      prepare_farewell();
    }
  }
  *height = row_count;
  *width = column_count;
}

// MARK: - Drawing

static void set_look(const cncurses_cell *cell) {
  if (cell->attributes == look.attributes && cell->pair == look.pair) return;
  look = *cell;
  add(PLAIN);
  bool has_color = color_count > 0 && cell->pair > 0 && cell->pair < UINT8_MAX;
  int attributes = cell->attributes & ~(has_color ? attributes_without_color : 0);
  if (attributes & CNCURSES_BOLD) add(BOLD);
  if (attributes & CNCURSES_DIM) add(DIM);
  if (attributes & CNCURSES_UNDERLINE) add(UNDERLINE);
  if (attributes & CNCURSES_REVERSE) add(REVERSE);
  if (!has_color) return;
  if (pairs[cell->pair].foreground >= 0) add_with(FOREGROUND, pairs[cell->pair].foreground, 0);
  if (pairs[cell->pair].background >= 0) add_with(BACKGROUND, pairs[cell->pair].background, 0);
}

static bool are_same(const cncurses_cell *one, const cncurses_cell *other) {
  return memcmp(one, other, sizeof *one) == 0;
}

void cncurses_put(int row, const cncurses_cell *cells, int count) {
  if (row < 0 || row >= row_count) return;
  cncurses_cell *line = wanted_cells + (size_t)row * (size_t)column_count;
  for (int column = 0; column < column_count; column++) line[column] = column < count ? cells[column] : blank;
  // No half of a wide character.
  if (count > column_count && cells[column_count].base == 0) line[column_count - 1] = blank;
}

// Sends the part of a row between the first and the last change.
static void draw(int row) {
  cncurses_cell *shown = shown_cells + (size_t)row * (size_t)column_count;
  const cncurses_cell *wanted = wanted_cells + (size_t)row * (size_t)column_count;
  // The terminal would scroll.
  int begin = 0, end = column_count - (row == row_count - 1 && !wraps_late);
  while (begin < end && are_same(&shown[begin], &wanted[begin])) begin++;
  while (end > begin && are_same(&shown[end - 1], &wanted[end - 1])) end--;
  if (begin == end) return;
  while (begin > 0 && wanted[begin].base == 0) begin--;
  int text_end = end;
  if (end == column_count && abilities[CLEAR_REST].text != NULL) {
    while (text_end > begin && are_same(&wanted[text_end - 1], &blank)) text_end--;
  }
  add_with(PLACE, row, begin);
  for (int column = begin; column < text_end; column++) {
    const cncurses_cell *cell = &wanted[column];
    if (cell->base == 0) continue;
    set_look(cell);
    add_character(cell->base);
    for (int mark = 0; mark < 2 && cell->marks[mark] != 0; mark++) add_character(cell->marks[mark]);
    int next = column + 1;
    while (next < text_end && wanted[next].base == 0) next++;
    // Terminals disagree on the width of some characters; what follows is not moved by it.
    if (next < text_end && (next > column + 1 || cell->marks[0] != 0)) add_with(PLACE, row, next);
  }
  if (text_end < end) {
    set_look(&blank);
    add(CLEAR_REST);
  }
  memcpy(shown + begin, wanted + begin, (size_t)(end - begin) * sizeof *shown);
}

void cncurses_show(int caret_row, int caret_column) {
  if (!is_open) return;
  if (has_caret) add(HIDE_CARET);
  if (!is_shown) {
    look = blank;
    add(PLAIN);
    add(CLEAR);
    for (size_t index = 0; index < (size_t)row_count * (size_t)column_count; index++) shown_cells[index] = blank;
    is_shown = true;
  }
  for (int row = 0; row < row_count; row++) draw(row);
  has_caret = caret_row >= 0;
  if (has_caret) {
    add_with(PLACE, caret_row, caret_column);
    add(SHOW_CARET);
  }
  send_pending();
}

void cncurses_invalidate(void) { is_shown = false; }

// MARK: - Keys

bool cncurses_has_mouse(void) {
  // The description of the Linux console has a mouse, which only a program beside it reports.
  const char *type = getenv("TERM");
  return abilities[MOUSE].text != NULL && (type == NULL || strncmp(type, "linux", 5) != 0);
}

void cncurses_set_mouse(bool is_on) {
  if (!is_open || is_on == mouse_is_on || !cncurses_has_mouse()) return;
  mouse_is_on = is_on;
  add_mouse_mode(is_on);
  send_pending();
}

const char *cncurses_key_sequence(const char *name) { return described(name); }

// MARK: - Stopping

void cncurses_lend(void) { leave_terminal(); }

void cncurses_take_over(void) {
  struct termios settings = settings_before;
  cfmakeraw(&settings);
  tcsetattr(terminal_input, TCSANOW, &settings);
  is_open = 1;
  add(ENTER);
  // Makes the keys send what the description says; they are read elsewhere.
  add(KEYS_ON);
  add(HIDE_CARET);
  has_caret = is_shown = false;
  add_paste_mode(true);
  if (mouse_is_on) add_mouse_mode(true);
  send_pending();
}

void cncurses_stop(void) {
  if (!is_open) return;
  cncurses_lend();
  struct sigaction usual = {0}, ours;
  usual.sa_handler = SIG_DFL;
  sigemptyset(&usual.sa_mask);
  sigaction(SIGTSTP, &usual, &ours);
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, &before);
  kill(0, SIGTSTP);
  // Here the process is stopped until it is continued.
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &ours, NULL);
  cncurses_take_over();
}
