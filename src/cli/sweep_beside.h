/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_beside.h - a job beside another: the same, but for some options. */
#ifndef PLAN3D_CLI_SWEEP_BESIDE_H
#define PLAN3D_CLI_SWEEP_BESIDE_H

#include "cli/option_rows.h"

/**
 * The arguments of a command line with the options of --beside in place of
 * those of the same name: "dtype=fp8 pin=recompute=full".
 *
 * @param words  receives the words, which must stay as long as the arguments,
 *               and those of the same options before
 * @return false with P3D_USAGE
 */
P3D_CHECK bool cli_beside_read(
        const cli_args *args, p3d_text words[2], cli_args *out, p3d_error *err);

#endif
