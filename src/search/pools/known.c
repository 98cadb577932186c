/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - what knapsacks before say of one that asks for no more. */
#include "search/pools/known.h"

#include <stdlib.h>

bool search_pool_known_open(search_pool_known *k, int n_states)
{
    const size_t n = (size_t)n_states;
    int64_t *const all = malloc((SEARCH_POOL_KNOWN + 1) * n * sizeof(*k->most));

    *k = (search_pool_known){.n_states = n_states, .most = all};
    for (int i = 0; i < SEARCH_POOL_KNOWN && all != NULL; i++)
        k->found[i].most = all + (size_t)(i + 1) * n;
    return all != NULL;
}

void search_pool_known_close(search_pool_known *k)
{
    free(k->most);
    k->most = NULL;
}

/* Whether nothing is more with `b` than it was with `a`. */
static bool bounds(const search_pool_found *a, const search_pool_found *b)
{
    return a->setting.pools == b->setting.pools &&
           a->setting.zero == b->setting.zero &&
           a->setting.least_replicas <= b->setting.least_replicas &&
           a->setting.most_replicas >= b->setting.most_replicas &&
           a->limit_s >= b->limit_s && a->budget_s >= b->budget_s;
}

int64_t *search_pool_known_begin(
        search_pool_known *k, const search_pool_world *world, double budget_s)
{
    search_pool_found *const to = &k->found[k->n % SEARCH_POOL_KNOWN];
    const int n = k->n < SEARCH_POOL_KNOWN ? k->n : SEARCH_POOL_KNOWN;
    search_pool_found now = {
            world->setting, world->limit_s, budget_s, to->most};

    for (int x = 0; x < k->n_states; x++)
        k->most[x] = INT64_MAX;
    for (int i = 0; i < n; i++) {
        const search_pool_found *const f = &k->found[i];

        for (int x = 0; x < k->n_states && bounds(f, &now); x++)
            if (f->most[x] < k->most[x])
                k->most[x] = f->most[x];
    }
    for (int x = 0; x < k->n_states; x++)
        now.most[x] = k->most[x];
    *to = now;
    k->n++;
    return now.most;
}
