/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_links.h - pools by their names, and the links between them. */
#ifndef PLAN3D_SPEC_POOL_LINKS_H
#define PLAN3D_SPEC_POOL_LINKS_H

#include "plan3d/pools.h"
#include "plan3d/rows.h"
#include "json/json.h"

/** What a file has beside its pools. */
typedef struct spec_pools_file {
    int schema;
    char name[96];
    p3d_rows links;
} spec_pools_file;

/** Room for the names of all pools, and what is between them. */
enum { SPEC_POOL_NAMES = P3D_MAX_POOLS * 50 };

/** Index of the pool of a name, or else of the only one that has this type of
 *  GPU ("A800"); -1 = none. */
int spec_pools_named(const p3d_pools *pools, const char *name);

/** Their names, with commas between. */
void spec_pools_list(const p3d_pools *pools, char *out, size_t size);

/** Append a pool.
 *  @return false with P3D_DATA: too many, or the name is taken */
P3D_CHECK bool spec_pools_add(p3d_pools *pools, const char *name,
        const p3d_cluster *cluster, p3d_error *err);

/** Join each two pools by the slower of their fabrics. */
void spec_pools_assume_links(p3d_pools *pools);

/** Do so again with those that nobody said: the fabrics are others now. */
void spec_pools_renew_links(p3d_pools *pools);

/** The links that a file says; others are assumed.
 *  @return false with P3D_DATA (an end that is no pool, a second link) */
P3D_CHECK bool spec_pools_read_links(const json_doc *doc, const p3d_rows *rows,
        p3d_pools *out, p3d_error *err);

#endif
