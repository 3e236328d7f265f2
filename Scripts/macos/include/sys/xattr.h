// Extended attributes as the manual page getxattr(2) of macOS declares them.
#ifndef CHECK_MACOS_XATTR_H
#define CHECK_MACOS_XATTR_H
#include <sys/types.h>
#define XATTR_NOFOLLOW 0x0001
#define XATTR_CREATE 0x0002
#define XATTR_REPLACE 0x0004
ssize_t getxattr(const char *path, const char *name, void *value, size_t size, unsigned position, int options);
ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size, unsigned position, int options);
int setxattr(const char *path, const char *name, const void *value, size_t size, unsigned position, int options);
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, unsigned position, int options);
ssize_t listxattr(const char *path, char *names, size_t size, int options);
ssize_t flistxattr(int descriptor, char *names, size_t size, int options);
int removexattr(const char *path, const char *name, int options);
int fremovexattr(int descriptor, const char *name, int options);
#endif
