/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_word.h - models whose family and size stand in a name of something
 * else. */
#ifndef PLAN3D_EXCHANGE_READ_MODEL_WORD_H
#define PLAN3D_EXCHANGE_READ_MODEL_WORD_H

#include "base/text.h"
#include "plan3d/error.h"

/**
 * Find the model of models/ whose name, with its size, is in a word, whatever
 * stands between its parts: "my_llama31_70b-v2" has "llama-3.1-70b".
 *
 * @param name  appended; nothing where there is none, where there are several,
 *              or where the rest of the word tells of another model
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_model_in_word(
        const char *word, p3d_text *name, p3d_error *err);

#endif
