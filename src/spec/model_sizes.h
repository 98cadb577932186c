/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_sizes.h - the largest sizes of a model that are taken for meant. */
#ifndef PLAN3D_SPEC_MODEL_SIZES_H
#define PLAN3D_SPEC_MODEL_SIZES_H

#include "plan3d/model.h"

/** With them no count of parameters comes near 2^63; the largest published
 *  models stay below by 8 and more. */
enum {
    P3D_MAX_HIDDEN = 1 << 18,
    P3D_MAX_FFN = 1 << 20,
    P3D_MAX_EXPERT_FFN = 1 << 18,
    P3D_MAX_HEADS = 1 << 12,
    P3D_MAX_HEAD_DIM = 1 << 12,
    P3D_MAX_VOCAB = 1 << 26,
    P3D_MAX_EXPERTS = 1 << 14,
    P3D_MAX_POSITIONS = 1 << 30
};

/** Refuse a model with a size above these. @return false with P3D_DATA */
P3D_CHECK bool spec_model_check_limits(const p3d_model *model, p3d_error *err);

/** Refuse key/value heads that do not divide those of the queries; a head has
 *  channels. @return false with P3D_DATA */
P3D_CHECK bool spec_model_check_heads(const p3d_model *model, p3d_error *err);

#endif
