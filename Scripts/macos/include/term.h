// The part of X/Open's terminfo interface that CNcurses calls.
#ifndef CHECK_MACOS_TERM_H
#define CHECK_MACOS_TERM_H
typedef struct check_terminal TERMINAL;
extern TERMINAL *cur_term;
int setupterm(char *name, int descriptor, int *error);
char *tigetstr(char *capability);
int tigetnum(char *capability), tigetflag(char *capability);
char *tparm(char *text, ...);
#endif
