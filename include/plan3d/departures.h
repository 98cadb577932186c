/* SPDX-License-Identifier: GPL-3.0-or-later */
/* departures.h - what a plan asks of a framework that it does not do by itself:
 * each departure is one more thing to configure, to test and to go wrong. */
#ifndef PLAN3D_DEPARTURES_H
#define PLAN3D_DEPARTURES_H

#include "plan3d/estimate.h"

P3D_API_BEGIN

/* clang-format off */
/**
 * The departures, the gravest first: X(name, words).
 *
 * A plan is simpler than another when the gravest departure that only one of
 * them has is the other's. They are ordered, not weighed; the reasons are in
 * docs/recommendation.md.
 */
#define P3D_DEPARTURES(X) \
    X(NVME,        "states on NVMe") \
    X(PARAMETERS,  "parameters on the host") \
    X(ACTIVATIONS, "activations on the host") \
    X(OPTIMIZER,   "optimizer on the host") \
    X(WIDE_TP,     "tensor parallelism that does not divide a node") \
    X(UNEVEN,      "stages with different numbers of layers") \
    X(ENDS,        "first or last stage with a number of layers of its own") \
    X(THIN_CHUNKS, "chunks of one layer") \
    X(ORDER,       "an order of ranks of its own") \
    X(NO_SP,       "tensor parallelism without sequence parallelism") \
    X(ZERO,        "a higher ZeRO stage than is usual") \
    X(SHARE,       "a part of the optimizer on the host") \
    X(SHARDING,    "states shared by a part of the replicas") \
    X(LAYERS,      "a part of the layers recomputed") \
    X(SHORT_CP,    "context parallelism at short sequences") \
    X(MODULES,     "an own set of modules recomputed") \
    X(EXCHANGE,    "an own exchange of context parallelism") \
    X(BATCH,       "a micro-batch that is no power of two") \
    X(SCHEDULE,    "a schedule beyond 1F1B and interleaving")
/* clang-format on */

/** Bits of p3d_plan_departures(): the gravest is the highest, so that of two
 *  plans the simpler one has the smaller number. */
enum {
#define P3D_AS_PLACE(name, words) P3D_DEPARTURE_PLACE_##name,
    P3D_DEPARTURES(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            P3D_N_DEPARTURES,
#define P3D_AS_BIT(name, words) \
    P3D_DEPARTS_##name =        \
            1 << (P3D_N_DEPARTURES - 1 - P3D_DEPARTURE_PLACE_##name),
    P3D_DEPARTURES(P3D_AS_BIT)
#undef P3D_AS_BIT
};

/** Fewest tokens of a sequence on a context-parallel rank that are not short:
 *  NVIDIA's recipes of Llama 3 split 8,192 tokens in two, none in four
 *  (NVIDIA/Megatron-LM examples, NeMo's recipes). */
enum { P3D_SHORT_CP_TOKENS = 4096 };

/** What a plan departs in, a set of P3D_DEPARTS_ bits; 0 = in nothing.
 *  @param plan  in its plain form, see p3d_plan_plain() */
unsigned p3d_plan_departures(const p3d_problem *problem, const p3d_plan *plan);

/** Words for the i-th departure, the gravest first; NULL past the last. */
const char *p3d_departure_words(int i);

/** Bit of the i-th departure. */
unsigned p3d_departure_bit(int i);

P3D_API_END

#endif
