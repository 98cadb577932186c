/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.h - for a machine that has no other programs to wait for. */
#ifndef PLAN3D_PAGE_SYS_WAIT_H
#define PLAN3D_PAGE_SYS_WAIT_H

#include <sys/types.h>

#define WNOHANG             1
#define WIFEXITED(status)   ((status) == 0)
#define WEXITSTATUS(status) (status)
#define WTERMSIG(status)    (status)

pid_t waitpid(pid_t process, int *status, int options);

#endif
