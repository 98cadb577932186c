/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_sparse.h - block-sparse attention in words. */
#ifndef PLAN3D_SPEC_BLOCK_SPARSE_H
#define PLAN3D_SPEC_BLOCK_SPARSE_H

#include "plan3d/block_sparse.h"
#include "plan3d/error.h"

enum { SPEC_SPARSE_WORDS = 80 };

/** Read the words of --sparse-attention: "fixed", "bigbird:block=32,random=2".
 *  What is left out is as DeepSpeed has it.
 *  @return false with P3D_USAGE */
P3D_CHECK bool spec_sparse_read(
        const char *text, p3d_block_sparse *out, p3d_error *err);

/** Sizes that are 0 become those that DeepSpeed has for the layout. */
void spec_sparse_complete(p3d_block_sparse *sparse);

/** The words that mean it; "" = none. */
const char *spec_sparse_print(
        const p3d_block_sparse *sparse, char text[SPEC_SPARSE_WORDS]);

#endif
