/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c - long work that ends early when somebody asks for it. */
#include "base/stop.h"

#include <stddef.h>

/* Whom this thread listens to: another one may be at work for somebody else. */
static _Thread_local const volatile sig_atomic_t *asked_by;

void p3d_stop_listen(const volatile sig_atomic_t *asked)
{
    asked_by = asked;
}

const volatile sig_atomic_t *p3d_stop_asked(void)
{
    return asked_by;
}

bool p3d_stopped(void)
{
    return asked_by != NULL && *asked_by != 0;
}
