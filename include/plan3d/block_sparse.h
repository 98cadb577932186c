/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_sparse.h - attention to some blocks of the earlier tokens. */
#ifndef PLAN3D_BLOCK_SPARSE_H
#define PLAN3D_BLOCK_SPARSE_H

#include "plan3d/api.h"

P3D_API_BEGIN

/** Which blocks a row of blocks sees. */
typedef enum p3d_sparse_layout {
    P3D_SPARSE_NONE,
    P3D_SPARSE_STRIDED,    /* a sliding window, and of those before it one in
                              `stride`: Phi-3 small */
    P3D_SPARSE_FIXED,      /* its group of `local` blocks, and the last `global`
                              ones of each group before: arXiv:1904.10509 */
    P3D_SPARSE_VARIABLE,   /* its group, and the first `global` blocks */
    P3D_SPARSE_LOCAL,      /* a sliding window */
    P3D_SPARSE_BIGBIRD,    /* a sliding window, the first `global` blocks and
                              `random` ones: arXiv:2007.14062 */
    P3D_SPARSE_LONGFORMER, /* a sliding window and the first `global` blocks:
                              arXiv:2004.05150, of whole blocks */
    P3D_SPARSE_CHOSEN, /* `local` blocks that an indexer chooses: MiniMax-M3 */
    P3D_N_SPARSE_LAYOUTS
} p3d_sparse_layout;

/** Causal attention to whole blocks of keys. All zero = none. */
typedef struct p3d_block_sparse {
    p3d_sparse_layout layout;
    int block;  /* tokens of a block's side */
    int local;  /* blocks of a window or of a group; DeepSpeed's windows look
                   back by local / 2 blocks, Phi-3's have `local` with their
                   own */
    int stride; /* of P3D_SPARSE_STRIDED */
    int global; /* blocks */
    int random; /* of P3D_SPARSE_BIGBIRD */
} p3d_block_sparse;

/**
 * Pairs of query and key that are computed for a sequence and head, the mean
 * over heads and draws.
 *
 *     pairs = block^2 sum over rows r of (near + far),  r = 0 ... n - 1
 *     near  = min(r + 1, local)          strided, chosen
 *             r mod local + 1            fixed, variable
 *             min(r + 1, local / 2 + 1)  others
 *     left  = r + 1 - near
 *     far   = left / stride                                 strided
 *             floor(r / local) global                       fixed
 *             min(left, global) + random left' / (r + 1)    others; 0 of chosen
 *
 * n = seq_len / block, rounded up; left' = left - min(left, global). Of more
 * than 65,536 rows one in so many is counted.
 *
 * @param sparse   NULL, or one that is none: 0
 * @param seq_len  tokens; less than 1: 0
 *
 * Source: DeepSpeed@38327e07 deepspeed/ops/sparse_attention/sparsity_config.py
 * (unidirectional); huggingface.co/microsoft/Phi-3-small-8k-instruct
 * triton_blocksparse_attention_layer.py; transformers@v5.23
 * modeling_minimax_m3_vl.py (MiniMaxM3VLIndexer).
 * Tested: tests/unit/test_block_sparse.c
 */
double p3d_sparse_pairs(const p3d_block_sparse *sparse, int seq_len);

P3D_API_END

#endif
