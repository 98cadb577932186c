/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_parts.h - the parts of a conversion, one file each. */
#ifndef PLAN3D_EXCHANGE_RUNS_CORPUS_PARTS_H
#define PLAN3D_EXCHANGE_RUNS_CORPUS_PARTS_H

#include "exchange/runs/corpus.h"

/** Set the reason; kind and words are the same. @return false */
bool exchange_corpus_refuse(p3d_corpus_reason *reason, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** The number that a row states, or what stands for it. */
int exchange_corpus_or(int64_t stated, int otherwise);

/** GPU, nodes and network. */
bool exchange_corpus_cluster(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_cluster *out,
        p3d_corpus_reason *reason);

/** Network of a node as far as a free text states it. */
typedef struct p3d_interconnect {
    const char *kind;      /* of hardware/fabric file names; NULL */
    double nic_bit_per_s;  /* of one adapter; 0 = not stated */
    double node_bit_per_s; /* of a node; 0 = not stated */
    double gpu_bit_per_s;  /* of a GPU; 0 = not stated */
    int n_nics;            /* of a node; 0 = not stated */
} p3d_interconnect;

p3d_interconnect exchange_interconnect_read(const char *text);

/** What the words of a row say: job, plan, meter and stage. */
bool exchange_corpus_words(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason);

#endif
