// What the compiler's own header gives, without its builtin modules, which Apple's headers would pull in again.
#ifndef CHECK_MACOS_STDDEF_H
#define CHECK_MACOS_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __SIZE_TYPE__ rsize_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
