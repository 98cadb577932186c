/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h - long work that ends early when somebody asks for it. */
#ifndef PLAN3D_BASE_STOP_H
#define PLAN3D_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

/** From here on the work of this thread ends early once *asked is not 0, which
 *  a handler of signals may set. NULL: it does not listen any more. */
void p3d_stop_listen(const volatile sig_atomic_t *asked);

/** What this thread listens to, for others that work for it; NULL = nothing. */
const volatile sig_atomic_t *p3d_stop_asked(void);

/** True when the work of this thread is to end: what it has then is a part, or
 *  nothing. Cheap enough for every loop. */
bool p3d_stopped(void);

#endif
