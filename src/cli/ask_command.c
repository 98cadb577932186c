/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_command.c - from the facts of a question to the command that answers it,
 * or to the fact that is missing. */
#include "cli/ask_command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "exchange/launch/target.h"
#include "spec/hardware.h"

static bool fail_missing(const char *what, const char *example, p3d_error *err)
{
    return p3d_fail(
            err, P3D_USAGE, "%s missing; add for example '%s'", what, example);
}

static bool wants(const ask_facts *facts, unsigned what)
{
    return (facts->wants & what) != 0;
}

/* The longest words are paths and lists of clusters, which were cut before;
 * there are fewer options than there is room for. */
static bool add(cli_asked *out, const char *word, p3d_error *err)
{
    (void)err;
    P3D_ASSERT(out->n < CLI_ASKED_WORDS && strlen(word) < CLI_ASKED_BYTES);
    (void)p3d_copy(out->word[out->n++], CLI_ASKED_BYTES, word);
    return true;
}

static bool add_option(
        cli_asked *out, const char *name, const char *value, p3d_error *err)
{
    char option[32];

    snprintf(option, sizeof(option), "--%s", name);
    return add(out, option, err) && add(out, value, err);
}

static bool add_count(
        cli_asked *out, const char *name, double value, p3d_error *err)
{
    char text[ASK_NUMBER_BUFFER];

    if (value == 0)
        return true;
    ask_number_print(text, value);
    return add_option(out, name, text, err);
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
    return add_option(out, "deadline", text, err);
}

static bool add_price(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    char text[P3D_NUMBER_BUFFER];

    return facts->usd_per_gpu_h == 0 ||
           add_option(out, "price",
                   p3d_print_shortest(text, sizeof(text), facts->usd_per_gpu_h),
                   err);
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

/* "8 H100 nodes" are whole ones; "8机64卡" has 64 GPUs in all, as no node has
 * so many. */
static bool settle_nodes(ask_cluster *cluster, p3d_error *err)
{
    int whole = 0;

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
    return true;
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

/* All clusters as one word with commas. */
static bool add_clusters(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    char all[CLI_ASKED_BYTES] = "";
    size_t used = 0;

    if (facts->path[0] != '\0')
        return add(out, facts->path, err);
    for (int i = 0; i < facts->n_clusters; i++) {
        char word[CLI_ASKED_BYTES];

        if (!print_cluster(&facts->cluster[i], word, err))
            return false;
        if (used + strlen(word) + 2 > sizeof(all))
            return p3d_fail(err, P3D_USAGE, "the question is too long");
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
                used > 0 ? "," : "", word);
    }
    return add(out, all, err);
}

static bool add_settings(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < facts->n_options; i++)
        ok = add_option(
                out, facts->option[i].name, facts->option[i].value, err);
    if (ok && wants(facts, ASK_WANTS_FRAMEWORK) &&
            ask_facts_option(facts, "framework") == NULL)
        ok = add_option(out, "framework", "any", err);
    return ok;
}

static bool add_rest(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    return add_count(out, "tokens", facts->n_tokens, err) &&
           add_deadline(facts, out, err) && add_price(facts, out, err) &&
           add_settings(facts, out, err);
}

static bool begin(const char *command, const ask_facts *facts, cli_asked *out,
        p3d_error *err)
{
    return add(out, command, err) && add(out, facts->model, err);
}

/* What no answer can do without. */

static bool need_model(const ask_facts *facts, p3d_error *err)
{
    return facts->model[0] != '\0' || fail_missing("the model is", "70B", err);
}

static bool need_tokens(const ask_facts *facts, p3d_error *err)
{
    return facts->n_tokens > 0 ||
           fail_missing("the tokens are", "for 2T tokens", err);
}

static bool fail_price(p3d_error *err)
{
    return fail_missing("the price is", "at $2 per GPU hour", err);
}

/* A cluster without its number or its type is none. */
static bool need_clusters(const ask_facts *facts, p3d_error *err)
{
    const char *const gpu = facts->type[0];
    char example[ASK_NAME + 16];

    if (facts->n_types > 0) {
        snprintf(example, sizeof(example), "64 %s", gpu);
        return fail_missing("the number of GPUs is", example, err);
    }
    if (facts->n_lone > 0) {
        snprintf(example, sizeof(example), "%.0f A800", facts->n_lone);
        return fail_missing("the type of GPU is", example, err);
    }
    return facts->n_clusters > 0 || facts->path[0] != '\0' ||
           fail_missing("the GPUs are", "on 64 A800", err);
}

static bool need_money(const ask_facts *facts, p3d_error *err)
{
    if (!wants(facts, ASK_WANTS_COST | ASK_WANTS_CHEAPEST))
        return true;
    if (!need_tokens(facts, err))
        return false;
    return facts->usd_per_gpu_h > 0 || fail_price(err);
}

/* The commands. */

static bool list(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    static const struct {
        ask_kind noun;
        const char *what;
    } nouns[] = {{ASK_CARD, "gpus"}, {ASK_PARAMETERS, "models"},
            {ASK_NETWORK, "fabrics"}, {ASK_HOST, "nodes"}};
    const char *what = wants(facts, ASK_WANTS_FRAMEWORK) ? "frameworks" : NULL;

    for (int i = 0; i < P3D_COUNT_OF(nouns); i++)
        if (nouns[i].noun == facts->noun)
            what = nouns[i].what;
    if (what == NULL)
        return fail_missing("what to list is", "which GPUs", err);
    return add(out, "list", err) && add(out, what, err);
}

/* The smallest cluster in time, or without a deadline a row a size. */
static bool count(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    if (!need_model(facts, err))
        return false;
    if (facts->n_types == 0)
        return fail_missing("the type of GPU is", "H100", err);
    if (facts->n_types > 1)
        return p3d_fail(
                err, P3D_USAGE, "more than one type of GPU; ask about each");
    if (facts->deadline_s > 0 && !need_tokens(facts, err))
        return false;
    if (!need_money(facts, err) || !begin("sweep", facts, out, err) ||
            !add(out, facts->type[0], err) || !add_rest(facts, out, err))
        return false;
    return facts->deadline_s > 0 || add_option(out, "gpus", "1..1024", err);
}

/* A row a cluster. */
static bool sweep(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    return need_model(facts, err) && need_clusters(facts, err) &&
           (facts->deadline_s == 0 || need_tokens(facts, err)) &&
           need_money(facts, err) && begin("sweep", facts, out, err) &&
           add_clusters(facts, out, err) && add_rest(facts, out, err);
}

/* A target by its own name, or by that of its framework. */
static const char *find_target(const ask_facts *facts)
{
    const char *const framework = ask_facts_option(facts, "framework");
    const exchange_target *target;

    for (int i = 0; (target = exchange_target_at(i)) != NULL; i++)
        if (p3d_same_word(target->name, facts->framework))
            return target->name;
    for (int i = 0;
            framework != NULL && (target = exchange_target_at(i)) != NULL; i++)
        if (target->framework != NULL &&
                strcmp(target->framework, framework) == 0)
            return target->name;
    return NULL;
}

/* Files are shown and not written: a question changes nothing. */
static bool launch(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const char *const target = find_target(facts);
    ask_facts rest = *facts;

    if (!need_model(facts, err) || !need_clusters(facts, err))
        return false;
    if (target == NULL)
        return fail_missing("the framework is", "with megatron", err);
    for (int i = 0; i < rest.n_options; i++)
        if (strcmp(rest.option[i].name, "framework") == 0)
            rest.option[i--] = rest.option[--rest.n_options];
    rest.wants &= ~(unsigned)ASK_WANTS_FRAMEWORK;
    return begin("export", facts, out, err) && add_clusters(facts, out, err) &&
           add_option(out, "to", target, err) && add_rest(&rest, out, err) &&
           add(out, "--dry-run", err);
}

/* Of one cluster. */
static bool ask_one(const char *command, const ask_facts *facts, cli_asked *out,
        p3d_error *err)
{
    return need_model(facts, err) && need_clusters(facts, err) &&
           need_money(facts, err) && begin(command, facts, out, err) &&
           add_clusters(facts, out, err) && add_rest(facts, out, err);
}

/* Words of plans beside an explanation: the plan whose memory is asked for, or
 * the values that were not taken. */
static bool name_pins(ask_facts *facts, p3d_error *err)
{
    const char *const name = wants(facts, ASK_WANTS_WHY_NOT) ? "not"
                             : wants(facts, ASK_WANTS_WHY)   ? NULL
                                                             : "plan";

    for (int i = 0; i < facts->n_options; i++) {
        if (strcmp(facts->option[i].name, "pin") != 0)
            continue;
        if (name == NULL)
            return p3d_fail(err, P3D_USAGE,
                    "not understood: 'why' with %s; ask 'why not', or leave it "
                    "out",
                    facts->option[i].value);
        (void)p3d_copy(
                facts->option[i].name, sizeof(facts->option[i].name), name);
    }
    return true;
}

static bool explain(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool why = wants(facts, ASK_WANTS_WHY | ASK_WANTS_WHY_NOT);
    const char *const topic = why                              ? "why"
                              : wants(facts, ASK_WANTS_MEMORY) ? "memory"
                                                               : NULL;
    ask_facts named = *facts;

    return need_model(facts, err) && need_clusters(facts, err) &&
           name_pins(&named, err) && begin("explain", facts, out, err) &&
           add_clusters(facts, out, err) &&
           (topic == NULL || add(out, topic, err)) &&
           add_rest(&named, out, err);
}

static bool plan(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const char *const objective = wants(facts, ASK_WANTS_CHEAPEST)  ? "cheapest"
                                  : wants(facts, ASK_WANTS_FASTEST) ? "fastest"
                                                                    : NULL;

    return ask_one("plan", facts, out, err) &&
           (objective == NULL || add_option(out, "objective", objective, err));
}

static bool fit(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool whole =
            wants(facts, ASK_WANTS_LENGTH) && !wants(facts, ASK_WANTS_STEP);

    return need_model(facts, err) && need_clusters(facts, err) &&
           (!whole || need_tokens(facts, err)) &&
           ask_one("fit", facts, out, err);
}

static bool is_about_plans(const ask_facts *facts)
{
    return wants(facts, ASK_WANTS_PLAN | ASK_WANTS_CHEAPEST) ||
           (wants(facts, ASK_WANTS_FASTEST) &&
                   !wants(facts, ASK_WANTS_FRAMEWORK | ASK_WANTS_LENGTH));
}

bool ask_command(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool empty = facts->model[0] == '\0' && facts->n_clusters == 0 &&
                       facts->n_types == 0;
    const bool counts = wants(facts, ASK_WANTS_COUNT) ||
                        (facts->deadline_s > 0 && facts->n_types == 1);

    *out = (cli_asked){.n = 0};
    if (empty && wants(facts, ASK_WANTS_LIST | ASK_WANTS_FRAMEWORK))
        return list(facts, out, err);
    if (wants(facts, ASK_WANTS_FILES))
        return launch(facts, out, err);
    if (facts->n_clusters == 0 && counts && facts->n_lone == 0)
        return count(facts, out, err);
    if (facts->n_clusters > 1 || facts->deadline_s > 0 ||
            (facts->n_clusters == 1 && facts->cluster[0].last > 0))
        return sweep(facts, out, err);
    if (wants(facts, ASK_WANTS_WHY | ASK_WANTS_WHY_NOT | ASK_WANTS_EXPLAIN |
                             ASK_WANTS_MEMORY))
        return explain(facts, out, err);
    return is_about_plans(facts) ? plan(facts, out, err) : fit(facts, out, err);
}
