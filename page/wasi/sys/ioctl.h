/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ioctl.h - for a machine without terminals: nobody knows how wide one is. */
#ifndef PLAN3D_PAGE_SYS_IOCTL_H
#define PLAN3D_PAGE_SYS_IOCTL_H

#define TIOCGWINSZ 1

struct winsize {
    unsigned short ws_col;
};

int ioctl(int fd, int request, struct winsize *size);

#endif
