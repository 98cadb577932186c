/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_clusters.c - GPUs and nodes as a question counts them. */
#include "cli/ask_match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* A count of things that come in ones. */
static bool is_count(double value)
{
    return value >= 1 && value <= 1e9 && value == floor(value);
}

static bool add_cluster(ask_reader *r, ask_part m, ask_cluster cluster)
{
    ask_facts *const facts = r->facts;

    if (!is_count(cluster.n) ||
            (cluster.per_node > 0 && !is_count(cluster.per_node)))
        return ask_fail_part(r, m, "; write a whole number of GPUs");
    if (facts->n_clusters == ASK_MAX_CLUSTERS)
        return ask_fail_part(r, m, "; too many clusters for one question");
    facts->cluster[facts->n_clusters++] = cluster;
    return true;
}

static const char *gpu_of(ask_part m)
{
    return ask_has(m, ASK_GPU) ? ask_first(m, ASK_GPU)->text : NULL;
}

/* "8 nodes of 8 H100" */
bool ask_add_nodes_of(ask_reader *r, ask_part m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = ask_value_of(m, 0),
                    .per_node = ask_value_of(m, 1),
                    .may_be_all = ask_has(m, ASK_CARD) && !ask_has(m, ASK_EACH),
                    .gpu = gpu_of(m)});
}

/* "8 H100 nodes", "a DGX H100" */
bool ask_add_whole_nodes(ask_reader *r, ask_part m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = ask_has(m, ASK_ARTICLE) ? 1 : ask_value_of(m, 0),
                    .per_node = ASK_WHOLE_NODE,
                    .gpu = gpu_of(m)});
}

/* "64 H100s in 8 nodes" */
bool ask_add_cards_in_nodes(ask_reader *r, ask_part m)
{
    const double cards = ask_value_of(m, 0);
    const double nodes = ask_value_of(m, 1);

    if (nodes <= 0 || fmod(cards, nodes) != 0)
        return ask_fail_part(r, m, "; write as many GPUs as fill the nodes");
    return add_cluster(r, m,
            (ask_cluster){
                    .n = nodes, .per_node = cards / nodes, .gpu = gpu_of(m)});
}

/* "64, 128 or 256 H100", "64 A800": a cluster a number */
bool ask_add_cards(ask_reader *r, ask_part m)
{
    bool ok = true;

    for (int i = 0; ok && ask_nth(m, ASK_NUMBER, i) != NULL; i++)
        ok = add_cluster(r, m,
                (ask_cluster){.n = ask_value_of(m, i),
                        .are_cards =
                                ask_has(m, ASK_CARD) &&
                                ask_first(m, ASK_CARD)->value != ASK_OF_THEM,
                        .gpu = gpu_of(m)});
    return ok;
}

bool ask_add_one(ask_reader *r, ask_part m)
{
    return add_cluster(r, m, (ask_cluster){.n = 1, .gpu = gpu_of(m)});
}

/* "256 H100 ... faster than 128": of the same GPUs, where two are compared. */
bool ask_add_count(ask_reader *r, ask_part m)
{
    const ask_facts *const facts = r->facts;
    ask_cluster other;

    if (facts->n_clusters != 1 || (facts->wants & ASK_WANTS_BETTER) == 0)
        return ask_fail_number(r, m);
    other = facts->cluster[0];
    other.n = ask_value_of(m, 0);
    return add_cluster(r, m, other);
}

/* "8 to 512 A800" */
bool ask_add_range(ask_reader *r, ask_part m)
{
    return add_cluster(r, m,
            (ask_cluster){.n = ask_value_of(m, 0),
                    .last = ask_value_of(m, 1),
                    .gpu = gpu_of(m)});
}

/* "8 80GB A100": the memory is a part of the name */
bool ask_add_by_memory(ask_reader *r, ask_part m)
{
    const int last = ask_nth(m, ASK_NUMBER, 1) != NULL;
    const ask_name *const name = ask_names_gpu(&r->text->names,
            ask_first(m, ASK_GPU)->text, ask_value_of(m, last));

    if (name == NULL)
        return ask_fail_part(r, m, "; no such GPU, see 'plan3d list gpus'");
    return add_cluster(r, m,
            (ask_cluster){
                    .n = last ? ask_value_of(m, 0) : 1, .gpu = name->word});
}

/* A type that stands alone: "4090" would be a number of GPUs. */
static const char *lone_type(const ask_reader *r, const char *gpu)
{
    char whole[ASK_NAME + 4];
    const ask_name *name;
    size_t length;

    if (gpu[strspn(gpu, "0123456789")] != '\0')
        return gpu;
    snprintf(whole, sizeof(whole), "RTX-%s", gpu);
    name = ask_names_at(&r->text->names, whole, &length);
    return name != NULL ? name->meaning : gpu;
}

static bool add_type(ask_reader *r, ask_part m)
{
    ask_facts *const facts = r->facts;
    const char *const type = lone_type(r, gpu_of(m));

    for (int i = 0; i < facts->n_types; i++)
        if (strcmp(facts->type[i], type) == 0)
            return true;
    if (facts->n_types == ASK_MAX_CLUSTERS)
        return ask_fail_part(r, m, "; too many clusters for one question");
    facts->type[facts->n_types++] = type;
    return true;
}

/* "on my 4090": a card of one's own, where no machine is of that type. */
static bool is_own_card(const ask_reader *r, const ask_token *gpu)
{
    static const char *const owners[] = {"my ", "我的", "我这张", "我这块"};
    static const char card[] = "RTX";

    if (strncmp(lone_type(r, gpu->text), card, strlen(card)) != 0)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(owners); i++) {
        const size_t n = strlen(owners[i]);

        if (gpu->at >= n &&
                strncmp(r->text->text + gpu->at - n, owners[i], n) == 0)
            return true;
    }
    return false;
}

/* A number or a type that waits for the other. */
bool ask_set_lone(ask_reader *r, ask_part m)
{
    if (ask_has(m, ASK_GPU) && !ask_has(m, ASK_NUMBER) &&
            is_own_card(r, ask_first(m, ASK_GPU)))
        return add_cluster(r, m,
                (ask_cluster){.n = 1,
                        .are_cards = true,
                        .gpu = lone_type(r, gpu_of(m))});
    if (ask_has(m, ASK_GPU) && !add_type(r, m))
        return false;
    if (ask_has(m, ASK_NUMBER)) {
        if (r->facts->n_lone > 0 || !is_count(ask_value_of(m, 0)))
            return ask_fail_part(r, m, "; of which GPU?");
        r->facts->n_lone = ask_value_of(m, 0);
    }
    return true;
}

/* "A800 and H100, 64 each" */
bool ask_set_each(ask_reader *r, ask_part m)
{
    if (!is_count(ask_value_of(m, 0)))
        return ask_fail_part(r, m, "; write a whole number of GPUs");
    r->facts->n_each = ask_value_of(m, 0);
    return true;
}

/* "how many nodes of 8 A100": the number is not that of the cluster. */
bool ask_set_count_of_nodes(ask_reader *r, ask_part m)
{
    if (!is_count(ask_value_of(m, 0)))
        return ask_fail_part(r, m, "; write a whole number of GPUs");
    r->facts->n_in_node = ask_value_of(m, 0);
    r->facts->wants |= ASK_WANTS_COUNT;
    return add_type(r, m);
}

bool ask_set_count(ask_reader *r, ask_part m)
{
    r->facts->wants |= ASK_WANTS_COUNT;
    return ask_set_lone(r, m);
}
