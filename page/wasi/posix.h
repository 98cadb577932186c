/* SPDX-License-Identifier: GPL-3.0-or-later */
/* posix.h - what the sources name of POSIX and a WebAssembly machine has not:
 * included before each of them. posix.c has what it does there. */
#ifndef PLAN3D_PAGE_POSIX_H
#define PLAN3D_PAGE_POSIX_H

#include <sys/types.h>

int mkstemp(char *path);
char *mkdtemp(char *path);
pid_t fork(void);
int dup2(int from, int to);
int execvp(const char *file, char *const *argv);

#endif
