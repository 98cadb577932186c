/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapters.h - training less than all weights: adapters of low rank beside
 * frozen weights, and frozen parts. */
#ifndef PLAN3D_ADAPTERS_H
#define PLAN3D_ADAPTERS_H

#include <stdbool.h>

#include "plan3d/api.h"
#include "plan3d/framework.h"

P3D_API_BEGIN

/** Matrices that have an adapter; a bit set, in the order of
 *  p3d_target_word(). Of latent attention k is the latent down-projection and
 *  v the one up. */
enum {
    P3D_TARGET_Q = 1 << 0,
    P3D_TARGET_K = 1 << 1,
    P3D_TARGET_V = 1 << 2,
    P3D_TARGET_O = 1 << 3,
    P3D_TARGET_GATE = 1 << 4,
    P3D_TARGET_UP = 1 << 5,
    P3D_TARGET_DOWN = 1 << 6,
    P3D_TARGET_EXPERTS = 1 << 7, /* all matrices of the routed experts */
    P3D_N_TARGETS = 8,
    P3D_ALL_TARGETS = (1 << P3D_N_TARGETS) - 1
};

/** Word for the i-th ("q"); NULL past the last. */
const char *p3d_target_word(int i);

/** Parts of a model that may be frozen; a bit set, in the order of
 *  p3d_part_word(). */
enum {
    P3D_PART_EMBEDDINGS = 1 << 0,
    P3D_PART_ATTENTION = 1 << 1, /* or what mixes tokens in its place */
    P3D_PART_MLP = 1 << 2,       /* and shared experts */
    P3D_PART_EXPERTS = 1 << 3,
    P3D_PART_ROUTER = 1 << 4,
    P3D_PART_NORMS = 1 << 5,
    P3D_PART_HEAD = 1 << 6,   /* the output matrix */
    P3D_PART_VISION = 1 << 7, /* a tower for images, without its projector */
    P3D_PART_AUDIO = 1 << 8,  /* or for sound */
    P3D_PART_PROJECTOR = 1 << 9,
    P3D_N_PARTS = 10,
    P3D_ALL_PARTS = (1 << P3D_N_PARTS) - 1
};

/** Word for the i-th ("embeddings"); NULL past the last. */
const char *p3d_part_word(int i);

/** What the matrices of frozen layers are kept in. */
typedef enum p3d_base {
    P3D_BASE_16,         /* the data type of the rest */
    P3D_BASE_8BIT,       /* one byte, a scale a row */
    P3D_BASE_NF4,        /* 4 bits, scales in 8 bits: QLoRA */
    P3D_BASE_NF4_SINGLE, /* 4 bits, scales in fp32 */
    P3D_N_BASES
} p3d_base;

/** Word for the i-th ("16bit"); NULL past the last. */
const char *p3d_base_word(int i);

/** Adapters W x + B A x beside frozen matrices; all 0 = none. */
typedef struct p3d_adapters {
    int rank;         /* of A and B; 0 = no adapters */
    unsigned targets; /* P3D_TARGET_; 0 = all */
    unsigned trained; /* P3D_PART_ that are trained in full beside */
    p3d_base base;
    bool dora;      /* magnitudes are trained apart from directions */
    double dropout; /* of the adapters' inputs */
} p3d_adapters;

/** What a framework does with adapters. */
typedef struct p3d_adapter_facts {
    const char *framework;
    bool joined; /* matrices that lie side by side in a product (q, k and v;
                    gate and up; the experts of a rank) have one adapter */
    bool gathers_input;  /* tensor parallelism: of the linears that are divided
                           by output, adapters keep the gathered input, and
                           their input's gradients are added up apart */
    bool casts_input;    /* to fp32 and back, as the adapters are in fp32 */
    bool wide_base;      /* frozen weights in fp32, as trained ones */
    bool undivided;      /* no tensor parallelism beside them */
    bool divides_packed; /* tensor parallelism of 8- and 4-bit weights */
    unsigned zero_stages[P3D_N_BASES]; /* bit z: with ZeRO stage z */
    const char *source;
} p3d_adapter_facts;

/** NULL where the framework has no adapters. */
const p3d_adapter_facts *p3d_adapter_facts_of(const p3d_framework *framework);

/** Bytes of a weight that is kept so. Source: arXiv:2305.14314 section 3
 *  (blocks of 64 values; scales in 8 bits, of which 256 share one in 32);
 *  bitsandbytes Int8Params (a scale a row, not counted). */
double p3d_base_bytes(p3d_base base, double usual);

P3D_API_END

#endif
