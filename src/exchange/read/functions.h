/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.h - configurations of which a file of Python has several. */
#ifndef PLAN3D_EXCHANGE_READ_FUNCTIONS_H
#define PLAN3D_EXCHANGE_READ_FUNCTIONS_H

#include "exchange/read/read.h"

/**
 * Keep of a file's settings those of settings->function and of the functions
 * that it begins from.
 *
 * @param from  the first of the file's settings
 * @return false with P3D_DATA: it is not there, or none was asked for and
 *         several set the same options; or P3D_SYSTEM
 */
P3D_CHECK bool exchange_choose_function(const char *text, int from,
        exchange_settings *settings, p3d_error *err);

#endif
