/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.c - see layer.h. */
#include "spec/layer.h"

spec_layer spec_layer_of(int kind)
{
    const int mixing = kind & P3D_LAYER_NO_MIXING;
    const bool experts = (kind & P3D_LAYER_MOE) != 0;

    return (spec_layer){.attention = (mixing & P3D_LAYER_MIXER) == 0,
            .windowed = mixing == P3D_LAYER_WINDOWED,
            .mixer = mixing == P3D_LAYER_MIXER,
            .dense = !experts && (kind & P3D_LAYER_NO_MLP) == 0,
            .experts = experts};
}
