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

/** Whether a file of n bytes is a text. @return false with P3D_DATA */
P3D_CHECK bool topology_is_text(
        const char *file, const char *text, size_t n, p3d_error *err);

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

/** A list of hosts in Slurm's words, and who takes each name of it. */
typedef struct topology_list {
    topology_word text; /* "node[001-016],login" */
    int line;           /* of the file that it is in */
    bool (*take)(void *context, topology_word name);
    void *context;
    p3d_error *err;
} topology_list;

/** Hand over each host. @return false with P3D_DATA, or as `take` does */
P3D_CHECK bool topology_each_host(const topology_list *list);

/** A host of the job, and where a reader found it. */
typedef struct topology_host {
    topology_word name; /* first, as it is the key of a search */
    char *owned_name;
    int rank; /* its place in the list */
    int line;
    bool found;
    int at; /* the reader's index of the host, or of its switch */
    int switch_of[P3D_MAX_TIERS]; /* of each tier, below
                                     TOPOLOGY_MAX_SWITCHES */
} topology_host;

struct topology_hosts {
    char file[256];
    p3d_error *err;    /* while they are read, */
    int line;          /* this one */
    topology_host *at; /* owned, by name */
    int n;
};

/** The host of a name, with or without its domain; NULL = none is asked for. */
topology_host *topology_find_host(topology_hosts *hosts, topology_word name);

/** Switches of one height. */
typedef struct topology_level {
    topology_part *parts; /* are put in order */
    int n;
    topology_hosts *hosts; /* whose places are asked for; NULL = none */
    int (*switch_of)(void *reader, int at); /* that a host's `at` is below */
    void *reader;
} topology_level;

/** Add the tier that these switches make, and to each host that was found its
 *  switch there. @return false with P3D_DATA where there are too many tiers */
P3D_CHECK bool topology_add_tier(
        const topology_level *level, exchange_topology *out, p3d_error *err);

/** Give the tiers the stretches of hosts, of which a reader has found the
 *  switches. @return false with P3D_DATA (a host that is nowhere) */
P3D_CHECK bool topology_place_hosts(
        topology_hosts *hosts, exchange_topology *out, p3d_error *err);

/** The readers of each format; errors are without the name of the file.
 *  @param hosts  whose switches are asked for; NULL = none */
typedef bool topology_reader(const char *text, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err);
topology_reader topology_read_slurm, topology_read_ibnet, topology_read_nccl;

#endif
