/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h - what the readers of topologies share. */
#ifndef PLAN3D_EXCHANGE_TOPOLOGY_READER_H
#define PLAN3D_EXCHANGE_TOPOLOGY_READER_H

#include "exchange/topology/topology.h"

/** Bytes of a text that is somebody else's. */
typedef struct topology_word {
    const char *at;
    size_t n;
} topology_word;

int topology_word_compare(const void *a, const void *b);
bool topology_word_is(topology_word word, const char *text); /* any case */

/** For '%.*s' in messages. */
#define TOPOLOGY_SHOWN(w) ((w).n < 60 ? (int)(w).n : 60), (w).at

/** Fail at a line of the file. @return false */
P3D_PRINTF(3, 4)
bool topology_fail(p3d_error *err, int line, const char *fmt, ...);

/** A switch, or several that nodes or links tie together: nodes below, and the
 *  rate of the links up (0 = not known). */
typedef struct topology_part {
    int n_nodes;
    double up_bytes_per_s;
} topology_part;

enum { TOPOLOGY_MAX_SWITCHES = 65536, TOPOLOGY_MAX_NODES = 1048576 };

/** Add the tier that these switches make; parts are put in order.
 *  @return false with P3D_DATA where there are too many tiers */
P3D_CHECK bool topology_add_tier(
        topology_part *parts, int n, exchange_topology *out, p3d_error *err);

/** The readers of each format; errors are without the name of the file. */
typedef bool topology_reader(
        const char *text, exchange_topology *out, p3d_error *err);
topology_reader topology_read_slurm, topology_read_ibnet, topology_read_nccl;

#endif
