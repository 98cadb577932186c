/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - where one search has left plans that the next ones may want. */
#include "search/exact/facts.h"

#include <stdlib.h>

#include "base/rows.h"

/* What is kept: 40 MB at most. Where that is too little, the next search looks
 * at everything again. */
enum { MOST_PARTS = 1 << 17, MOST_SPOTS = 1 << 19 };

static void add_part(search_facts *facts, const search_part *part, int n_spots)
{
    search_part *more = NULL;

    if (!facts->incomplete && facts->n_parts < MOST_PARTS)
        more = p3d_grow(facts->parts, facts->n_parts, sizeof(*more));
    facts->incomplete = more == NULL;
    if (more == NULL)
        return;
    facts->parts = more;
    more += facts->n_parts++;
    *more = *part;
    more->first_spot = facts->n_spots;
    more->n_spots = n_spots;
}

void search_facts_add_all(search_facts *facts, const search_part *part)
{
    add_part(facts, part, SEARCH_ALL);
}

void search_facts_begin(search_facts *facts, const search_part *part)
{
    add_part(facts, part, 0);
}

void search_facts_add(search_facts *facts, const search_spot *spot)
{
    search_spot *more = NULL;

    if (!facts->incomplete && facts->n_spots < MOST_SPOTS)
        more = p3d_grow(facts->spots, facts->n_spots, sizeof(*more));
    facts->incomplete = more == NULL;
    if (more == NULL)
        return;
    facts->spots = more;
    more[facts->n_spots++] = *spot;
    facts->parts[facts->n_parts - 1].n_spots++;
}

void search_facts_end(search_facts *facts)
{
    if (!facts->incomplete && facts->parts[facts->n_parts - 1].n_spots == 0)
        facts->n_parts--;
}

void search_facts_free(search_facts *facts)
{
    free(facts->parts);
    free(facts->spots);
    *facts = (search_facts){.n_spots = 0};
}
