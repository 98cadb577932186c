/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_word.h - models whose family and size stand in a name of something
 * else. */
#ifndef PLAN3D_EXCHANGE_READ_MODEL_WORD_H
#define PLAN3D_EXCHANGE_READ_MODEL_WORD_H

#include "base/text.h"
#include "plan3d/error.h"

/** The name of a model in a value: "meta-llama/Meta-Llama-3-8B". */
void exchange_model_name(const char *value, p3d_text *name);

/** What the models of a name have that no plan has; NULL = nothing is known of
 *  them, or nothing of the kind. */
const char *exchange_missing_part(const char *name);

/** True for a part of a name that tells of another model than the rest. */
bool exchange_is_other_model(const char *part);

/** True for the name of weights in 4 or 8 bit: "Qwen-7B-Chat-Int4". */
bool exchange_is_quantized(const char *name);

/** True for a name that tells of weights in 4 bit, as GPTQ and AWQ make them.
 */
bool exchange_is_in_4_bits(const char *name);

/** Cut the last part off a name of a model, as of a variant of its sizes:
 *  "DeepSeek-V3-0324". @return false where none is left, or one that may be
 *  another model */
bool exchange_shorten_model(p3d_text *name);

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
