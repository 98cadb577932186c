/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_sizes.h - the least and largest numbers of a job that are taken for
 * meant, on a command line and by callers of the library. */
#ifndef PLAN3D_SPEC_JOB_SIZES_H
#define PLAN3D_SPEC_JOB_SIZES_H

/** With them no count of tokens or micro-batches of a step comes near 2^63,
 *  nor one of a rank's tables near 2^31. */
enum {
    P3D_MAX_SEQ_LEN = 134217728,
    P3D_MAX_MTP_LAYERS = 16,
    P3D_MAX_SPARE_NODES = 1000000
};

/* What is left of any memory is still far from -2^63. */
#define P3D_MAX_RESERVE_BYTES 0x1p62

#define P3D_MAX_TOKENS        1e18
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
#define P3D_MIN_REPAIR_S            1.0
#define P3D_MAX_REPAIR_S            31536000.0
#define P3D_MIN_PUE                 1.0
#define P3D_MAX_PUE                 5.0
#define P3D_MIN_AMORTIZE_S          86400.0
#define P3D_MAX_AMORTIZE_S          3.1536e9

#endif
