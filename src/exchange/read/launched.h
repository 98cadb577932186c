/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launched.h - how a configuration is launched. */
#ifndef PLAN3D_EXCHANGE_READ_LAUNCHED_H
#define PLAN3D_EXCHANGE_READ_LAUNCHED_H

#include "exchange/read/read.h"

/**
 * Add what the command says that launches a configuration with accelerate, and
 * a line that says where it stands: in the README of the file's folder or of
 * one above, or in a script beside it. Several that name different files of
 * accelerate add nothing.
 *
 * @param file  the configuration's path
 * @return false with P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool exchange_note_launched(
        const char *file, exchange_settings *out, p3d_error *err);

#endif
