/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapters.h - LoRA and its kin in the settings of programs that train with
 * them. */
#ifndef PLAN3D_EXCHANGE_READ_ADAPTERS_H
#define PLAN3D_EXCHANGE_READ_ADAPTERS_H

#include "exchange/read/read.h"
#include "plan3d/adapters.h"

/**
 * Read what settings say of adapters, and mark those settings as used.
 *
 * A kind of training that is neither of all weights nor LoRA stays unused.
 *
 * @param out  all 0 where all weights are trained
 * @return false with P3D_DATA: a word that is not known, at its place
 */
P3D_CHECK bool exchange_read_adapters(
        exchange_settings *settings, p3d_adapters *out, p3d_error *err);

/**
 * Parts of a model with a tower that settings freeze, or the program by itself;
 * the settings are marked as used.
 *
 * @param program  title of the front end, or of the target
 * @return whether the program does by itself
 */
bool exchange_read_towers(
        exchange_settings *settings, const char *program, unsigned *out);

#endif
