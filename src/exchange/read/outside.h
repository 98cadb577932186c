/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outside.h - variables that a script has from outside, and those that its
 * programs have from it. */
#ifndef PLAN3D_EXCHANGE_READ_OUTSIDE_H
#define PLAN3D_EXCHANGE_READ_OUTSIDE_H

#include "exchange/read/branches.h"
#include "exchange/read/expand.h"
#include "exchange/read/read.h"

/** Set what launchers and schedulers tell of the machines, and what the caller
 *  gives. @param text  of the script @return false when memory runs out */
bool exchange_outside_take(const char *text, exchange_settings *settings,
        exchange_shell_variables *variables);

/** Append as settings: the machines of a launcher, variables that programs read
 *  by themselves, those that tests took as empty, those of the environment. */
P3D_CHECK bool exchange_outside_put(const exchange_shell_variables *variables,
        const exchange_branches *branches, exchange_settings *out,
        p3d_error *err);

#endif
