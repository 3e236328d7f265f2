// The part of ncurses 5.7, with mouse interface 1, that CNcurses calls; types as its manual pages have them.
#ifndef CHECK_MACOS_CURSES_H
#define CHECK_MACOS_CURSES_H
#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

#define NCURSES_MOUSE_VERSION 1
#define TRUE 1
#define OK 0
#define ERR (-1)

typedef unsigned long mmask_t;
typedef unsigned int attr_t;
typedef struct check_screen SCREEN;
typedef struct check_window WINDOW;
typedef struct { attr_t attr; wchar_t chars[5]; } cchar_t;
typedef struct { short id; int x, y, z; mmask_t bstate; } MEVENT;
extern WINDOW *stdscr, *curscr;
extern int LINES, COLS, COLORS;

#define A_NORMAL 0U
#define A_UNDERLINE (1U << 17)
#define A_REVERSE (1U << 18)
#define A_DIM (1U << 20)
#define A_BOLD (1U << 21)

#define BUTTON1_PRESSED 002L
#define BUTTON1_CLICKED 004L
#define BUTTON1_DOUBLE_CLICKED 010L
#define BUTTON4_PRESSED (002L << 18)

#define KEY_CODE_YES 0400
#define KEY_DOWN 0402
#define KEY_UP 0403
#define KEY_LEFT 0404
#define KEY_RIGHT 0405
#define KEY_HOME 0406
#define KEY_BACKSPACE 0407
#define KEY_F0 0410
#define KEY_F(n) (KEY_F0 + (n))
#define KEY_DC 0512
#define KEY_IC 0513
#define KEY_NPAGE 0522
#define KEY_PPAGE 0523
#define KEY_ENTER 0527
#define KEY_BTAB 0541
#define KEY_END 0550
#define KEY_FIND 0552
#define KEY_SELECT 0601
#define KEY_MOUSE 0631

SCREEN *newterm(char *type, FILE *output, FILE *input);
void delscreen(SCREEN *screen);
int endwin(void), raw(void), noecho(void), nonl(void), start_color(void), use_default_colors(void), doupdate(void);
int curs_set(int visibility), set_escdelay(int milliseconds), mouseinterval(int milliseconds);
int def_prog_mode(void), reset_prog_mode(void), refresh(void), move(int row, int column);
bool has_colors(void);
int keypad(WINDOW *, bool), nodelay(WINDOW *, bool), idlok(WINDOW *, bool), leaveok(WINDOW *, bool);
int clearok(WINDOW *, bool), wnoutrefresh(WINDOW *), resizeterm(int rows, int columns);
int init_pair(short pair, short foreground, short background);
int define_key(const char *definition, int code), key_defined(const char *definition);
int setcchar(cchar_t *, const wchar_t *, const attr_t, short pair, const void *options);
int mvadd_wchnstr(int row, int column, const cchar_t *, int count), get_wch(wint_t *);
mmask_t mousemask(mmask_t wanted, mmask_t *before);
int getmouse(MEVENT *);
#endif
