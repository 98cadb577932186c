/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.h - what the bits of a layer's kind say. */
#ifndef PLAN3D_SPEC_LAYER_H
#define PLAN3D_SPEC_LAYER_H

#include "plan3d/model.h"

/** What a layer of a kind has; a dense MLP only in models that have a width of
 *  it. */
typedef struct spec_layer {
    bool attention, windowed, mixer, dense, experts;
} spec_layer;

spec_layer spec_layer_of(int kind);

#endif
