/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_build.c - the words of a command line from the facts of a question, and
 * the facts that no answer can do without. */
#include "cli/ask_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "plan3d/job.h"
#include "plan3d/model.h"
#include "spec/hardware.h"

bool ask_fail_missing(const char *what, const char *example, p3d_error *err)
{
    return p3d_fail(
            err, P3D_USAGE, "%s missing; add for example '%s'", what, example);
}

static bool fail_price(p3d_error *err)
{
    return ask_fail_missing("the price is", "at $2 per GPU hour", err);
}

bool ask_wants(const ask_facts *facts, unsigned what)
{
    return (facts->wants & what) != 0;
}

/* The longest words are paths and lists of clusters, which were cut before;
 * there are fewer options than there is room for. */
bool ask_add(cli_asked *out, const char *word, p3d_error *err)
{
    (void)err;
    P3D_ASSERT(out->n < CLI_ASKED_WORDS && strlen(word) < CLI_ASKED_BYTES);
    (void)p3d_copy(out->word[out->n++], CLI_ASKED_BYTES, word);
    return true;
}

bool ask_add_option(
        cli_asked *out, const char *name, const char *value, p3d_error *err)
{
    char option[32];

    snprintf(option, sizeof(option), "--%s", name);
    return ask_add(out, option, err) && ask_add(out, value, err);
}

static bool add_count(
        cli_asked *out, const char *name, double value, p3d_error *err)
{
    char text[ASK_NUMBER_BUFFER];

    if (value == 0)
        return true;
    ask_number_print(text, value);
    return ask_add_option(out, name, text, err);
}

static bool add_deadline(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    static const double day_s = 86400;
    static const double hour_s = 3600;
    const bool days = facts->deadline_s >= day_s;
    char number[P3D_NUMBER_BUFFER];
    char text[P3D_NUMBER_BUFFER + 2];

    if (facts->deadline_s == 0)
        return true;
    snprintf(text, sizeof(text), "%s%c",
            p3d_print_shortest(number, sizeof(number),
                    facts->deadline_s / (days ? day_s : hour_s)),
            days ? 'd' : 'h');
    return ask_add_option(out, "deadline", text, err);
}

static bool add_price(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    char first[P3D_NUMBER_BUFFER], second[P3D_NUMBER_BUFFER];
    char both[2 * P3D_NUMBER_BUFFER + 1];
    const bool two = facts->usd_of_second > 0;

    snprintf(both, sizeof(both), "%s%s%s",
            p3d_print_shortest(first, sizeof(first), facts->usd_per_gpu_h),
            two ? "," : "",
            two ? p3d_print_shortest(
                          second, sizeof(second), facts->usd_of_second)
                : "");
    return facts->usd_per_gpu_h == 0 || ask_add_option(out, "price", both, err);
}

/* GPUs of the usual node of a type. */
static bool find_node_size(const char *type, int *out, p3d_error *err)
{
    p3d_gpu gpu;
    p3d_node node;

    if (!p3d_gpu_find(type, &gpu, err) || !spec_node_load(gpu.node, &node, err))
        return false;
    *out = node.gpus_per_node;
    return true;
}

/* "2 p5.48xlarge" and "2 p5 nodes" are machines, "16 p5 GPUs" are in two. */
static bool settle_machines(ask_cluster *cluster, int unit, p3d_error *err)
{
    if (cluster->per_node == ASK_WHOLE_NODE)
        cluster->per_node = 0;
    if (!cluster->are_cards)
        return true;
    if (fmod(cluster->n, unit) != 0)
        return p3d_fail(err, P3D_USAGE,
                "%.0f GPUs do not fill machines of %d; write '2 %s'",
                cluster->n, unit, cluster->gpu);
    cluster->n /= unit;
    return true;
}

/* "8 H100 nodes" are whole ones; "8机64卡" has 64 GPUs in all, as no node has
 * so many. */
static bool settle_nodes(ask_cluster *cluster, p3d_error *err)
{
    const int unit = spec_type_unit(cluster->gpu);
    int whole = 0;

    if (unit > 1)
        return settle_machines(cluster, unit, err);
    if (cluster->per_node == 0)
        return true;
    if (!find_node_size(cluster->gpu, &whole, err))
        return false;
    if (cluster->per_node == ASK_WHOLE_NODE) {
        cluster->n *= whole;
        cluster->per_node = 0;
    } else if (cluster->may_be_all && cluster->per_node > whole &&
               fmod(cluster->per_node, cluster->n) == 0) {
        cluster->per_node /= cluster->n;
    }
    if (cluster->per_node > whole)
        return p3d_fail(err, P3D_USAGE,
                "a node of %s has %d GPUs, not %.0f; write '%.0f %s', or the "
                "nodes with a file of the cluster",
                cluster->gpu, whole, cluster->per_node,
                cluster->n * cluster->per_node, cluster->gpu);
    return true;
}

bool ask_check_node(const ask_facts *facts, p3d_error *err)
{
    int whole = 0;

    if (facts->n_in_node == 0)
        return true;
    if (!find_node_size(facts->type[0], &whole, err))
        return false;
    return facts->n_in_node == whole ||
           p3d_fail(err, P3D_USAGE,
                   "a node of %s has %d GPUs, not %.0f; ask about a number of "
                   "nodes, such as '2 nodes of %.0f %s'",
                   facts->type[0], whole, facts->n_in_node, facts->n_in_node,
                   facts->type[0]);
}

bool ask_need_price_of_budget(const ask_facts *facts, p3d_error *err)
{
    if (facts->budget_usd == 0)
        return true;
    if (!ask_need_model(facts, err))
        return false;
    if (!ask_wants(facts, ASK_WANTS_TOKENS) && !ask_need_tokens(facts, err))
        return false;
    return facts->usd_per_gpu_h > 0 || fail_price(err);
}

/* "64xA800", "8x8xH100", "8..512xA800". */
static bool print_cluster(
        const ask_cluster *cluster, char word[CLI_ASKED_BYTES], p3d_error *err)
{
    ask_cluster c = *cluster;

    if (!settle_nodes(&c, err))
        return false;
    if (c.last > 0)
        snprintf(word, CLI_ASKED_BYTES, "%.0f..%.0fx%s", c.n, c.last, c.gpu);
    else if (c.per_node > 0)
        snprintf(word, CLI_ASKED_BYTES, "%.0fx%.0fx%s", c.n, c.per_node, c.gpu);
    else
        snprintf(word, CLI_ASKED_BYTES, "%.0fx%s", c.n, c.gpu);
    return true;
}

/* All clusters as one word: with commas, or as pools of one. */
bool ask_add_clusters(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    char all[CLI_ASKED_BYTES] = "";
    size_t used = 0;

    if (facts->path[0] != '\0')
        return ask_add(out, facts->path, err);
    for (int i = 0; i < facts->n_clusters; i++) {
        char word[CLI_ASKED_BYTES];

        if (!print_cluster(&facts->cluster[i], word, err))
            return false;
        if (used + strlen(word) + 2 > sizeof(all))
            return p3d_fail(err, P3D_USAGE, "the question is too long");
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
                used == 0                                ? ""
                : (facts->says & ASK_SAYS_TOGETHER) != 0 ? "+"
                                                         : ",",
                word);
    }
    return ask_add(out, all, err);
}

static bool add_settings(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < facts->n_options; i++)
        ok = ask_add_option(
                out, facts->option[i].name, facts->option[i].value, err);
    if (ok && ask_wants(facts, ASK_WANTS_FRAMEWORK) &&
            ask_facts_option(facts, "framework") == NULL)
        ok = ask_add_option(out, "framework", "any", err);
    return ok;
}

bool ask_add_rest(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    return add_count(out, "tokens", facts->n_tokens, err) &&
           add_deadline(facts, out, err) &&
           add_count(out, "budget", facts->budget_usd, err) &&
           add_price(facts, out, err) && add_settings(facts, out, err);
}

bool ask_begin(const char *command, const ask_facts *facts, cli_asked *out,
        p3d_error *err)
{
    return ask_add(out, command, err) && ask_add(out, facts->model, err);
}

int ask_usual_seq(const char *model, p3d_error *err)
{
    p3d_job job = {.seq_len = 0};
    p3d_model found;
    p3d_cluster cluster;

    if (!p3d_model_find(model, &found, err) ||
            !p3d_cluster_find("1xH100", &cluster, err))
        return 0;
    p3d_job_default(&job, &found, &cluster);
    return job.seq_len;
}

/* What no answer can do without. */

bool ask_need_model(const ask_facts *facts, p3d_error *err)
{
    return facts->model[0] != '\0' ||
           ask_fail_missing("the model is", "70B", err);
}

bool ask_need_tokens(const ask_facts *facts, p3d_error *err)
{
    return facts->n_tokens > 0 ||
           ask_fail_missing("the tokens are", "for 2T tokens", err);
}

/* A cluster without its number or its type is none. */
bool ask_need_clusters(const ask_facts *facts, p3d_error *err)
{
    const char *const gpu = facts->type[0];
    char example[ASK_NAME + 16];

    if (facts->n_types > 0) {
        snprintf(example, sizeof(example), "64 %s", gpu);
        return ask_fail_missing("the number of GPUs is", example, err);
    }
    if (facts->n_lone > 0) {
        snprintf(example, sizeof(example), "%.0f A800", facts->n_lone);
        return ask_fail_missing("the type of GPU is", example, err);
    }
    return facts->n_clusters > 0 || facts->path[0] != '\0' ||
           ask_fail_missing("the GPUs are",
                   facts->noun == ASK_CARD ? "64 A800 or 32 H100"
                                           : "on 64 A800",
                   err);
}

bool ask_need_money(const ask_facts *facts, p3d_error *err)
{
    if (!ask_wants(facts, ASK_WANTS_COST | ASK_WANTS_CHEAPEST))
        return true;
    /* Clusters are compared by the price of a billion tokens as well. */
    if (facts->n_clusters < 2 && !ask_need_tokens(facts, err))
        return false;
    return facts->usd_per_gpu_h > 0 || fail_price(err);
}
