/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - what one search found out about branches and leaves. */
#include "search/exact/facts.h"

#include <stdlib.h>

#include "base/rows.h"
#include "base/util.h"

/* Facts that are kept: 40 MB at most. What is not kept is found out anew. */
enum {
    FIRST_CAPACITY = 1024,
    MOST_CAPACITY = 1 << 18,
    MOST_BRANCHES = 1 << 17
};

static bool is_same(const p3d_plan *a, const p3d_plan *b)
{
#define P3D_AS_EQUAL(type, pin, member, ...) &&a->member == b->member
    return true P3D_PLAN_FIELDS(P3D_AS_EQUAL);
#undef P3D_AS_EQUAL
}

static unsigned hash_of(const p3d_plan *p)
{
    const int parts[] = {p->tp, p->pp, p->dp, p->cp, p->ep, p->etp, p->vp,
            p->micro_batch, p->zero, p->sequence_parallel, p->shard,
            p->first_layers, p->last_layers, p->uneven, (int)p->schedule};
    unsigned hash = 2166136261u; /* FNV-1a over the numbers */

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        hash = (hash ^ (unsigned)parts[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

/** Slot of a leaf: its own, or the free one where it belongs. */
static search_fact *find(search_fact *at, int capacity, const p3d_plan *leaf)
{
    unsigned i = hash_of(leaf) & (unsigned)(capacity - 1);

    while (at[i].leaf.pp != 0 && !is_same(&at[i].leaf, leaf))
        i = (i + 1) & (unsigned)(capacity - 1);
    return &at[i];
}

static bool grow(search_facts *facts)
{
    const int capacity =
            facts->capacity == 0 ? FIRST_CAPACITY : 2 * facts->capacity;
    search_fact *at = NULL;

    if (capacity <= MOST_CAPACITY)
        at = calloc((size_t)capacity, sizeof(*at));
    if (at == NULL)
        return false;
    for (int i = 0; i < facts->capacity; i++)
        if (facts->at[i].leaf.pp != 0)
            *find(at, capacity, &facts->at[i].leaf) = facts->at[i];
    free(facts->at);
    facts->at = at;
    facts->capacity = capacity;
    return true;
}

void search_facts_put(search_facts *facts, const search_fact *fact)
{
    search_fact *slot;

    if (2 * facts->n >= facts->capacity && !grow(facts))
        return;
    slot = find(facts->at, facts->capacity, &fact->leaf);
    facts->n += slot->leaf.pp == 0;
    *slot = *fact;
}

const search_fact *search_facts_get(
        const search_facts *facts, const p3d_plan *leaf)
{
    const search_fact *slot;

    if (facts->capacity == 0)
        return NULL;
    slot = find(facts->at, facts->capacity, leaf);
    return slot->leaf.pp != 0 ? slot : NULL;
}

void search_facts_add_branch(
        search_facts *facts, const p3d_plan *plan, double bound_s)
{
    search_branch *more = NULL;

    if (!facts->incomplete && facts->n_branches < MOST_BRANCHES)
        more = p3d_grow(facts->branches, facts->n_branches, sizeof(*more));
    facts->incomplete = more == NULL;
    if (more == NULL)
        return;
    facts->branches = more;
    more[facts->n_branches++] = (search_branch){*plan, bound_s};
}

void search_facts_free(search_facts *facts)
{
    free(facts->branches);
    free(facts->at);
    *facts = (search_facts){.n = 0};
}
