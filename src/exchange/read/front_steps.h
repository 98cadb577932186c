/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_steps.h - the steps by which the settings of a front end become those
 * of its target. */
#ifndef PLAN3D_EXCHANGE_READ_FRONT_STEPS_H
#define PLAN3D_EXCHANGE_READ_FRONT_STEPS_H

#include "exchange/read/front.h"

enum { EXCHANGE_MAX_MARK = 200 };

/** The value of a setting; "true" of a flag. */
const char *exchange_value_of(const exchange_setting *setting);

/** True for a value that is a word; "1" is "true". */
bool exchange_is_word(const char *value, const char *word);

/** Make a setting one of no name, which no table knows. */
void exchange_drop(exchange_setting *setting);

/** True where one of "a|b" is among the settings, or of "!a|b" none. */
bool exchange_marks_hold(const exchange_settings *settings, const char *marks);

/** Set what follows from several options, by the rows of a front end.
 *  @return false with P3D_DATA (too many) or P3D_SYSTEM */
P3D_CHECK bool exchange_front_derive(exchange_settings *settings,
        const exchange_front *front, p3d_error *err);

/**
 * Give the step of a front end the part of the cluster that the files say it
 * has, where others have the rest.
 *
 * @param settings  n_nodes and gpus_per_node become those of the part, and a
 *                  remark says so
 * @return false with P3D_DATA (too many) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_front_take_part(exchange_settings *settings,
        const exchange_front *front, p3d_error *err);

#endif
