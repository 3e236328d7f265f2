// The part of X/Open's terminfo interface that CNcurses calls.
#ifndef CHECK_MACOS_TERM_H
#define CHECK_MACOS_TERM_H
int setupterm(char *name, int descriptor, int *error);
char *tigetstr(char *capability);
#endif
