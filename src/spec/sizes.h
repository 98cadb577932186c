/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - the least and largest numbers of a model and of a job that are
 * taken for meant: in files, on a command line, by callers of the library. */
#ifndef PLAN3D_SPEC_SIZES_H
#define PLAN3D_SPEC_SIZES_H

/** With them no count of parameters comes near 2^63; the largest published
 *  models stay below by 8 and more. */
enum {
    P3D_MAX_STREAMS = 16,
    P3D_MAX_HIDDEN = 1 << 18,
    P3D_MAX_FFN = 1 << 20,
    P3D_MAX_EXPERT_FFN = 1 << 18,
    P3D_MAX_HEADS = 1 << 12,
    P3D_MAX_HEAD_DIM = 1 << 12,
    P3D_MAX_VOCAB = 1 << 26,
    P3D_MAX_EXPERTS = 1 << 14,
    P3D_MAX_POSITIONS = 1 << 30
};

/** With them no count of tokens or micro-batches of a step comes near 2^63,
 *  nor one of a rank's tables near 2^31. */
enum {
    P3D_MAX_SEQ_LEN = 134217728,
    P3D_MAX_MTP_LAYERS = 16,
    P3D_MAX_SPARE_NODES = 1000000,
    P3D_MAX_GC_INTERVAL = 1000000,
    P3D_MAX_RANK = 65536 /* of adapters */
};

/* What is left of any memory is still far from -2^63. */
#define P3D_MAX_RESERVE_BYTES 0x1p62

#define P3D_MAX_TOKENS        1e18
#define P3D_MAX_BUDGET_USD    1e15
#define P3D_MAX_EXPERT_LOAD   1024.0
#define P3D_MIN_USD           1e-6
#define P3D_MAX_USD_PER_GPU_H 1e6
#define P3D_MAX_USD_PER_GPU   1e9
#define P3D_MAX_USD_PER_KWH   1e6

/* How it is run. */
#define P3D_MIN_GPU_MTBF_S          3600.0
#define P3D_MAX_GPU_MTBF_S          1e13
#define P3D_MIN_RESTART_S           1e-3
#define P3D_MAX_RESTART_S           2592000.0
#define P3D_MIN_STORAGE_BYTES_PER_S 1e6
#define P3D_MAX_STORAGE_BYTES_PER_S 1e15
#define P3D_MIN_PREEMPTED_EVERY_S   60.0
#define P3D_MAX_PREEMPTED_EVERY_S   1e10
#define P3D_MIN_AWAY_S              1e-3
#define P3D_MAX_AWAY_S              31536000.0
#define P3D_MIN_NOTICE_S            1e-3
#define P3D_MAX_NOTICE_S            31536000.0
#define P3D_MIN_REPAIR_S            1.0
#define P3D_MAX_REPAIR_S            31536000.0
#define P3D_MIN_PUE                 1.0
#define P3D_MAX_PUE                 5.0
#define P3D_MIN_AMORTIZE_S          86400.0
#define P3D_MAX_AMORTIZE_S          3.1536e9

#endif
