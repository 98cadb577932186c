/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiers.h - the switches above the nodes: of a cluster's file, of options. */
#ifndef PLAN3D_SPEC_TIERS_H
#define PLAN3D_SPEC_TIERS_H

#include "plan3d/cluster.h"
#include "spec/hardware.h"

enum {
    SPEC_USUAL_LEAF_NODES = 16,
    SPEC_MAX_OVERSUBSCRIPTION = 1000,
    SPEC_MAX_FLOWS = 4096
};

/** A placement that needs no list of hosts; NULL past the last. */
const char *spec_placement_word(int i);

/** What a cluster's file says of them. */
typedef struct spec_tiers_file {
    p3d_rows tiers; /* of p3d_tier */
    p3d_tiers of_all;
} spec_tiers_file;

/** One tier; lists of them. */
extern const json_shape spec_tier_shape;

/* clang-format off */
/** Rows for a struct T of a file whose member is a spec_tiers_file. */
#define SPEC_TIERS_FIELDS(T, member)                                           \
    {"tiers", JSON_LIST(spec_tier_shape), 0, offsetof(T, member.tiers), 0, 0,  \
     "switches above the nodes whose links up may be tight, from the nodes "   \
     "up; absent = every node reaches every other at its full rate"},          \
    {"placement", JSON_WORD_BY(spec_placement_word), 0,\
     offsetof(T, member.of_all.placement), 0, 0,                               \
     "contiguous: neighbours in the order of ranks lie below the same switch " \
     "(the default); random: nodes lie anywhere"},                             \
    {"rails", JSON_BOOL, 0, offsetof(T, member.of_all.rails), 0, 0,            \
     "a switch of the first tier has one GPU of each node; NVLink forwards "   \
     "to the others"}
/* clang-format on */

/** Give a cluster the tiers of its file.
 *  @param place  of the cluster; @return false with what is wrong there */
P3D_CHECK bool spec_tiers_take(const json_place *place,
        const spec_tiers_file *file, p3d_cluster *cluster, p3d_error *err);

/** What options say; 0 = not said. */
typedef struct spec_tiers_said {
    double oversubscription;
    int leaf_nodes;
    int routing;   /* 1 + p3d_link_choice */
    int placement; /* 1 + p3d_placement */
    int rails;     /* 1 + yes */
} spec_tiers_said;

/** Nodes that a list of hosts has a place for. */
int spec_tiers_hosts(const p3d_tiers *tiers);

/** Take the nodes of a list of hosts as neighbours. */
void spec_tiers_forget_hosts(p3d_tiers *tiers);

/** "no", "yes"; NULL past the last. */
const char *spec_rails_word(int i);

/** Change the first tier of a cluster, or give it one.
 *  @return false with P3D_USAGE or P3D_DATA */
P3D_CHECK bool spec_tiers_set(
        const spec_tiers_said *said, p3d_cluster *cluster, p3d_error *err);

/** Whether tiers grow from one to the next, and rails have NVLink; `blame`
 *  receives the tier, -1 = the rails. @return NULL, or what is wrong */
const char *spec_tiers_wrong(const p3d_cluster *cluster, int *blame);

#endif
