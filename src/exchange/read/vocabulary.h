/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vocabulary.h - vocabularies of tokenizers that files name. */
#ifndef PLAN3D_EXCHANGE_READ_VOCABULARY_H
#define PLAN3D_EXCHANGE_READ_VOCABULARY_H

#include "exchange/read/read.h"

/**
 * Add the size of the vocabulary where the files have a tokenizer that is known
 * and no size.
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_vocabulary_add(
        exchange_settings *settings, p3d_error *err);

#endif
