#define _GNU_SOURCE
#include "faulty_files.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>

/* The C library's setresuid would change every thread; the system call changes the calling one. */
int32_t faulty_become(uint32_t user) { return (int32_t)syscall(SYS_setresuid, -1L, (long)user, -1L); }
#else
int32_t faulty_become(uint32_t user) { return -1; }
#endif
