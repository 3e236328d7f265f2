#if defined(__linux__)
#define _GNU_SOURCE
#endif
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1

#include "CNcurses.h"

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static FILE *input_stream, *output_stream;
static bool is_unicode, mouse_is_on;
static int color_count;
static struct termios settings_before;
static bool has_settings;

// MARK: - Signals

// Restores the terminal when nothing else can be called any more.
static char farewell[256];
static size_t farewell_length;
static volatile sig_atomic_t is_open;
static int terminal_output = -1, terminal_input = -1;

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum { FAULT_COUNT = sizeof faults / sizeof *faults };
static struct sigaction faults_before[FAULT_COUNT];

// Only calls that are safe in a handler.
static void leave_terminal(void) {
  if (!is_open) return;
  is_open = 0;
  ssize_t ignored = write(terminal_output, farewell, farewell_length);
  (void)ignored;
  if (has_settings) tcsetattr(terminal_input, TCSANOW, &settings_before);
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

// MARK: - Opening

// The locale decides how characters are encoded. Where it says UTF-8 and is not installed, any other UTF-8 will do.
static void choose_locale(void) {
  if (setlocale(LC_CTYPE, "") == NULL) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *wanted = NULL;
    for (int index = 0; index < 3 && (wanted == NULL || *wanted == 0); index++) wanted = getenv(names[index]);
    bool wants_unicode = wanted != NULL && (strcasestr(wanted, "utf-8") != NULL || strcasestr(wanted, "utf8") != NULL);
    static const char *const substitutes[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
    for (int index = 0; wants_unicode && index < 3; index++) {
      if (setlocale(LC_CTYPE, substitutes[index]) != NULL) break;
    }
  }
  is_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// A string of the terminal's description, without the marks for delays.
static void append_farewell(const char *name) {
  const char *text = tigetstr(name);
  if (text == NULL || text == (char *)-1) return;
  while (*text != 0 && farewell_length < sizeof farewell) {
    if (text[0] == '$' && text[1] == '<') {
      while (*text != 0 && *text != '>') text++;
      if (*text != 0) text++;
      continue;
    }
    farewell[farewell_length++] = *text++;
  }
}

static void set_modes(bool is_on);

static void prepare_farewell(void) {
  static const char no_paste_and_mouse[] = "\033[?2004l\033[?1006;1000l";
  farewell_length = sizeof no_paste_and_mouse - 1;
  memcpy(farewell, no_paste_and_mouse, farewell_length);
  append_farewell("sgr0");
  append_farewell("op");
  append_farewell("rmkx");
  append_farewell("cnorm");
  append_farewell("rmcup");
}

static void forget_streams(void) {
  if (input_stream != NULL) fclose(input_stream);
  if (output_stream != NULL) fclose(output_stream);
  input_stream = output_stream = NULL;
}

static bool open_streams(int input, int output) {
  int input_copy = fcntl(input, F_DUPFD_CLOEXEC, 3), output_copy = fcntl(output, F_DUPFD_CLOEXEC, 3);
  input_stream = input_copy < 0 ? NULL : fdopen(input_copy, "r");
  output_stream = output_copy < 0 ? NULL : fdopen(output_copy, "w");
  return input_stream != NULL && output_stream != NULL;
}

cncurses_outcome cncurses_open(int input, int output, bool wants_color) {
  choose_locale();
  int error = 0;
  const char *type = getenv("TERM");
  if (type == NULL || *type == 0 || strcmp(type, "dumb") == 0) return CNCURSES_DUMB_TERMINAL;
  if (setupterm(NULL, output, &error) != OK) return error == 1 ? CNCURSES_DUMB_TERMINAL : CNCURSES_UNKNOWN_TERMINAL;
  const char *place = tigetstr("cup");
  if (place == NULL || place == (char *)-1) return CNCURSES_DUMB_TERMINAL;
  has_settings = tcgetattr(input, &settings_before) == 0;
  if (!open_streams(input, output)) {
    forget_streams();
    return CNCURSES_FAILED;
  }
  screen = newterm(NULL, output_stream, input_stream);
  if (screen == NULL) {
    forget_streams();
    return CNCURSES_UNKNOWN_TERMINAL;
  }
  terminal_input = fileno(input_stream);
  terminal_output = fileno(output_stream);
  prepare_farewell();
  is_open = 1;
  install_handlers();
  raw();
  noecho();
  nonl();
  // Makes the keys send what the description says; they are read elsewhere.
  keypad(stdscr, TRUE);
  set_modes(true);
  idlok(stdscr, TRUE);
  curs_set(0);
  color_count = 0;
  if (wants_color && has_colors() && start_color() == OK) {
    use_default_colors();
    color_count = COLORS;
  }
  return CNCURSES_OPENED;
}

void cncurses_close(void) {
  if (screen == NULL) return;
  cncurses_set_mouse(false);
  set_modes(false);
  endwin();
  is_open = 0;
  remove_handlers();
  delscreen(screen);
  screen = NULL;
  if (has_settings) tcsetattr(terminal_input, TCSADRAIN, &settings_before);
  forget_streams();
}

bool cncurses_is_unicode(void) { return is_unicode; }
int cncurses_color_count(void) { return color_count; }

void cncurses_define_pair(int number, int foreground, int background) {
  if (color_count > 0) init_pair((short)number, (short)foreground, (short)background);
}

void cncurses_fit(int *row_count, int *column_count) {
  struct winsize size;
  if (ioctl(terminal_output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    if (size.ws_row != LINES || size.ws_col != COLS) resizeterm(size.ws_row, size.ws_col);
  }
  *row_count = LINES;
  *column_count = COLS;
}

// MARK: - Drawing

static attr_t attributes_of(uint16_t flags) {
  attr_t result = A_NORMAL;
  if (flags & CNCURSES_BOLD) result |= A_BOLD;
  if (flags & CNCURSES_DIM) result |= A_DIM;
  if (flags & CNCURSES_UNDERLINE) result |= A_UNDERLINE;
  if (flags & CNCURSES_REVERSE) result |= A_REVERSE;
  return result;
}

static void make(cchar_t *target, const cncurses_cell *cell, const wchar_t *text) {
  setcchar(target, text, attributes_of(cell->attributes), (short)cell->pair, NULL);
}

void cncurses_put(int row, const cncurses_cell *cells, int count) {
  if (screen == NULL || row < 0 || row >= LINES) return;
  if (count > COLS) count = COLS;
  cchar_t line[count + 1];
  int length = 0;
  for (int index = 0; index < count; index++) {
    const cncurses_cell *cell = &cells[index];
    bool is_wide = index + 1 < count && cells[index + 1].base == 0;
    int width = is_wide ? 2 : 1;
    wchar_t text[4] = {(wchar_t)cell->base, 0, 0, 0};
    if (cell->base == 0 || wcwidth(text[0]) != width) {
      wchar_t substitute[2] = {cell->base == 0 ? L' ' : L'?', 0};
      for (int place = 0; place < width; place++) make(&line[length++], cell, substitute);
    } else {
      int end = 1;
      for (int mark = 0; mark < 2; mark++) {
        if (cell->marks[mark] != 0 && wcwidth((wchar_t)cell->marks[mark]) == 0) text[end++] = (wchar_t)cell->marks[mark];
      }
      make(&line[length++], cell, text);
    }
    if (is_wide) index++;
  }
  mvadd_wchnstr(row, 0, line, length);
}

void cncurses_show(int caret_row, int caret_column) {
  if (screen == NULL) return;
  bool has_caret = caret_row >= 0;
  leaveok(stdscr, !has_caret);
  curs_set(has_caret ? 1 : 0);
  if (has_caret) move(caret_row, caret_column);
  wnoutrefresh(stdscr);
  doupdate();
}

void cncurses_invalidate(void) {
  if (screen != NULL) clearok(curscr, TRUE);
}

// MARK: - Keys

bool cncurses_has_mouse(void) {
  if (screen == NULL) return false;
  // On the Linux console ncurses would load a library of its own for the mouse, which a static program cannot.
  const char *type = getenv("TERM");
  if (type != NULL && strncmp(type, "linux", 5) == 0) return false;
  const char *prefix = tigetstr("kmous");
  return prefix != NULL && prefix != (char *)-1 && *prefix != 0;
}

// Terminals that do not know a mode ignore it.
static void write_mode(const char *sequence) {
  ssize_t ignored = write(terminal_output, sequence, strlen(sequence));
  (void)ignored;
}

// Clicks and the wheel, in the form that has room for large screens.
static void write_mouse_mode(bool is_on) { write_mode(is_on ? "\033[?1006;1000h" : "\033[?1006;1000l"); }

// What terminals do only while this program has them.
static void set_modes(bool is_on) {
  write_mode(is_on ? "\033[?2004h" : "\033[?2004l");
  if (mouse_is_on) write_mouse_mode(is_on);
}

void cncurses_set_mouse(bool is_on) {
  if (screen == NULL || is_on == mouse_is_on || !cncurses_has_mouse()) return;
  mouse_is_on = is_on;
  write_mouse_mode(is_on);
}

const char *cncurses_key_sequence(const char *name) {
  const char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

uint32_t cncurses_character(uint8_t byte) { return (uint32_t)btowc(byte); }

// MARK: - Stopping

void cncurses_lend(void) {
  if (screen == NULL) return;
  def_prog_mode();
  set_modes(false);
  endwin();
  is_open = 0;
}

void cncurses_take_over(void) {
  if (screen == NULL) return;
  is_open = 1;
  reset_prog_mode();
  set_modes(true);
  clearok(curscr, TRUE);
  refresh();
}

void cncurses_stop(void) {
  if (screen == NULL) return;
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
