/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.h - what the bits of a layer's kind say. */
#ifndef PLAN3D_SPEC_LAYER_H
#define PLAN3D_SPEC_LAYER_H

#include "plan3d/model.h"

/** What a layer of a kind has; a dense MLP only in models that have a width of
 *  it. */
typedef struct spec_layer {
    bool attention, windowed, mixer, dense, experts;
    bool shares_kv; /* keys and values are those of another layer */
} spec_layer;

spec_layer spec_layer_of(int kind);

/** The model as a layer of a kind has it: with heads of its own, where those of
 *  layers that see all tokens differ, with its own width of the MLP, and
 *  without the indexer of the others where it sees all tokens.
 *
 * @param room  where a copy has its place; what is returned may be it */
const p3d_model *spec_layer_model(
        const p3d_model *model, int kind, p3d_model *room);

/** True where a layer of a kind has the model's mixer, alone or beside its
 *  attention. */
bool spec_layer_mixes(const p3d_model *model, int kind);

/** The fewest key/value heads that a layer has. */
int spec_fewest_kv_heads(const p3d_model *model);

#endif
