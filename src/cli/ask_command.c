/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_command.c - a question in words becomes a command line: words to tokens,
 * tokens to facts, facts to the command that answers them, or to the fact that
 * is missing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/ask.h"
#include "cli/ask_build.h"
#include "cli/ask_compare.h"
#include "cli/ask_facts.h"
#include "exchange/launch/target.h"
#include "spec/hardware.h"

/* What answers where no framework is named. */
static const char usual_framework[] = "megatron-core";

/* The commands. */

static bool list(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    static const struct {
        ask_kind noun;
        const char *what;
    } nouns[] = {{ASK_CARD, "gpus"}, {ASK_PARAMETERS, "models"},
            {ASK_NETWORK, "fabrics"}, {ASK_HOST, "nodes"}};
    const char *what = ask_wants(facts, ASK_WANTS_FRAMEWORK)   ? "frameworks"
                       : (facts->says & ASK_SAYS_MODEL) != 0   ? "models"
                       : (facts->says & ASK_SAYS_NETWORK) != 0 ? "fabrics"
                                                               : NULL;

    for (int i = 0; i < P3D_COUNT_OF(nouns); i++)
        if (nouns[i].noun == facts->noun)
            what = nouns[i].what;
    if (what == NULL)
        return ask_fail_missing("what to list is", "which GPUs", err);
    return ask_add(out, "list", err) && ask_add(out, what, err);
}

/* The fewest GPUs that surely fit, or that train in time; with a deadline also
 * the cheapest in time, where that is asked for. */
static bool count(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    if (!ask_need_model(facts, err))
        return false;
    if (facts->n_types == 0)
        return ask_fail_missing("the type of GPU is", "H100", err);
    if (facts->n_types > 1)
        return p3d_fail(
                err, P3D_USAGE, "more than one type of GPU; ask about each");
    if (!ask_check_node(facts, err) ||
            (facts->deadline_s > 0 && !ask_need_tokens(facts, err)))
        return false;
    return ask_need_money(facts, err) && ask_begin("sweep", facts, out, err) &&
           ask_add(out, facts->type[0], err) && ask_add_rest(facts, out, err) &&
           ((facts->deadline_s > 0 && ask_wants(facts, ASK_WANTS_CHEAPEST)) ||
                   ask_add_option(out, "find", "gpus", err));
}

/* "how many B200 replace 512 H100": of a type without a number, beside a
 * cluster. */
static bool wants_as_fast(const ask_facts *facts)
{
    return facts->n_types == 1 && facts->n_clusters == 1 &&
           facts->n_lone == 0 && facts->deadline_s == 0 &&
           facts->cluster[0].last == 0 && ask_wants(facts, ASK_WANTS_COUNT) &&
           ((facts->says & ASK_SAYS_INSTEAD) != 0 ||
                   strcmp(facts->type[0], facts->cluster[0].gpu) != 0);
}

/* The fewest GPUs of the type that train as fast as the cluster. How many
 * tokens hardly matters: both sides have the same. */
static bool count_as_fast(
        const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    static const double usual_tokens = 1e12;
    ask_facts rest = *facts;

    if (!(rest.n_tokens > 0))
        rest.n_tokens = usual_tokens;
    return ask_need_model(facts, err) && ask_check_node(facts, err) &&
           ask_begin("sweep", facts, out, err) &&
           ask_add(out, facts->type[0], err) &&
           ask_add(out, "--deadline", err) &&
           ask_add_clusters(facts, out, err) && ask_add_rest(&rest, out, err) &&
           ask_add_option(out, "find", "gpus", err);
}

/* The end of a range that one cluster can train. */
static const char *find_end(const ask_facts *facts)
{
    const bool any =
            (facts->says & ASK_SAYS_MODEL) != 0 && facts->model[0] == '\0';
    const bool limited = facts->deadline_s > 0 || facts->budget_usd > 0;

    return ask_wants(facts, ASK_WANTS_LONGEST)             ? "seq"
           : ask_wants(facts, ASK_WANTS_MOST)              ? "mbs"
           : ask_wants(facts, ASK_WANTS_TOKENS) && limited ? "tokens"
           : ask_wants(facts, ASK_WANTS_LARGEST) || any    ? "model"
                                                           : NULL;
}

static bool end(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const char *const what = find_end(facts);
    const bool is_model = strcmp(what, "model") == 0;
    ask_facts named = *facts;

    if (is_model && facts->budget_usd > 0)
        return p3d_fail(err, P3D_USAGE,
                "the largest model and a budget are not searched together; ask "
                "for the largest model of a cluster, or whether the money is "
                "enough for one model");
    if (is_model && facts->model[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "the largest model is asked for, and '%s' is there already; "
                "leave one out",
                facts->model);
    if (is_model)
        (void)p3d_copy(named.model, sizeof(named.model), "any");
    return ask_need_model(&named, err) && ask_need_clusters(facts, err) &&
           ask_begin("sweep", &named, out, err) &&
           ask_add_clusters(facts, out, err) && ask_add_rest(facts, out, err) &&
           ask_add_option(out, "find", what, err);
}

/* A row a cluster. */
static bool sweep(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    return ask_need_model(facts, err) && ask_need_clusters(facts, err) &&
           (facts->deadline_s == 0 || ask_need_tokens(facts, err)) &&
           ask_need_money(facts, err) && ask_begin("sweep", facts, out, err) &&
           ask_add_clusters(facts, out, err) && ask_add_rest(facts, out, err) &&
           (facts->n_clusters < 2 || facts->deadline_s > 0 ||
                   ask_add_answer(facts, out, err));
}

/* A target by what was said, or by the framework that this stands for. */
static const char *find_target(const ask_facts *facts)
{
    const char *const said = ask_facts_option(facts, "framework");
    const char *const framework = said == NULL && facts->framework[0] == '\0'
                                          ? usual_framework
                                          : said;
    const exchange_target *target =
            exchange_target_find(facts->framework, NULL);

    if (target == NULL && framework != NULL)
        target = exchange_target_find(framework, NULL);
    return target != NULL ? target->name : NULL;
}

/* Files are shown and not written: a question changes nothing. */
static bool launch(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const char *const target = find_target(facts);
    ask_facts rest = *facts;

    if (!ask_need_model(facts, err) || !ask_need_clusters(facts, err))
        return false;
    if (target == NULL)
        return p3d_fail(err, P3D_USAGE,
                "plan3d writes no launch files for %s; 'plan3d export --help' "
                "lists the frameworks that it writes for",
                facts->framework);
    for (int i = 0; i < rest.n_options; i++)
        if (strcmp(rest.option[i].name, "framework") == 0)
            rest.option[i--] = rest.option[--rest.n_options];
    rest.wants &= ~(unsigned)ASK_WANTS_FRAMEWORK;
    return ask_begin("export", facts, out, err) &&
           ask_add_clusters(facts, out, err) &&
           ask_add_option(out, "to", target, err) &&
           ask_add_rest(&rest, out, err) && ask_add(out, "--dry-run", err);
}

/* Of one cluster. */
static bool ask_one(const char *command, const ask_facts *facts, cli_asked *out,
        p3d_error *err)
{
    return ask_need_model(facts, err) && ask_need_clusters(facts, err) &&
           ask_need_money(facts, err) && ask_begin(command, facts, out, err) &&
           ask_add_clusters(facts, out, err) && ask_add_rest(facts, out, err);
}

/* Words of plans beside an explanation: the plan whose memory is asked for, or
 * the values that were not taken. "why tp 4" needs none: all values of all
 * settings are in the answer. */
static void name_pins(ask_facts *facts)
{
    const char *const name = ask_wants(facts, ASK_WANTS_WHY_NOT) ? "not"
                             : ask_wants(facts, ASK_WANTS_WHY)   ? NULL
                                                                 : "plan";

    for (int i = 0; i < facts->n_options; i++) {
        if (strcmp(facts->option[i].name, "pin") != 0)
            continue;
        if (name == NULL)
            facts->option[i--] = facts->option[--facts->n_options];
        else
            (void)p3d_copy(
                    facts->option[i].name, sizeof(facts->option[i].name), name);
    }
}

static bool explain(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    static const struct {
        unsigned wants;
        const char *topic;
    } topics[] = {{ASK_WANTS_WHY | ASK_WANTS_WHY_NOT, "why"},
            {ASK_WANTS_MEMORY, "memory"},
            {ASK_WANTS_SENSITIVITY, "sensitivity"},
            {ASK_WANTS_EVIDENCE, "evidence"}, {ASK_WANTS_ERROR, "error"}};
    const char *topic = NULL;
    ask_facts named = *facts;

    for (int i = P3D_COUNT_OF(topics) - 1; i >= 0; i--)
        if (ask_wants(facts, topics[i].wants))
            topic = topics[i].topic;
    name_pins(&named);
    return ask_need_model(facts, err) && ask_need_clusters(facts, err) &&
           ask_begin("explain", facts, out, err) &&
           ask_add_clusters(facts, out, err) &&
           (topic == NULL || ask_add(out, topic, err)) &&
           ask_add_rest(&named, out, err);
}

/* "why not deepspeed": against the framework that answers where none is named.
 */
static bool why_not_framework(
        const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    ask_facts both = *facts;

    for (int i = 0; i < both.n_options; i++) {
        ask_option *const option = &both.option[i];
        char value[ASK_VALUE];

        if (strcmp(option->name, "framework") != 0)
            continue;
        (void)p3d_copy(value, sizeof(value), option->value);
        snprintf(option->value, sizeof(option->value), "%s,%.200s",
                usual_framework, value);
    }
    return ask_one("sweep", &both, out, err) &&
           ask_add_option(out, "answer", "fastest", err);
}

/* A framework that is not the one that answers where none is named. */
static bool denies_framework(const ask_facts *facts)
{
    const char *const framework = ask_facts_option(facts, "framework");

    return ask_wants(facts, ASK_WANTS_WHY_NOT) && framework != NULL &&
           strcmp(framework, usual_framework) != 0 &&
           ask_facts_option(facts, "pin") == NULL;
}

static bool plan(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const char *const objective =
            ask_wants(facts, ASK_WANTS_CHEAPEST)  ? "cheapest"
            : ask_wants(facts, ASK_WANTS_FASTEST) ? "fastest"
                                                  : NULL;

    return ask_one("plan", facts, out, err) &&
           (objective == NULL ||
                   ask_add_option(out, "objective", objective, err));
}

static bool fit(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool whole = ask_wants(facts, ASK_WANTS_LENGTH) &&
                       !ask_wants(facts, ASK_WANTS_STEP);

    return ask_need_model(facts, err) && ask_need_clusters(facts, err) &&
           (!whole || ask_need_tokens(facts, err)) &&
           ask_one("fit", facts, out, err);
}

/* Where the time of a step goes. */
static bool show_time(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool of_network = (facts->says & ASK_NAMES_NETWORK) != 0;

    return ask_one("fit", facts, out, err) &&
           ask_add_option(out, "show",
                   of_network ? "network,verdict,time" : "verdict,time", err);
}

/* "why is it slow" asks for the time, not for the plan. */
static bool wants_time(const ask_facts *facts)
{
    return ask_wants(facts, ASK_WANTS_TIME) ||
           (ask_wants(facts, ASK_WANTS_WHY) &&
                   ask_wants(facts, ASK_WANTS_SLOW));
}

/* "why does it not fit" asks by how much. */
static bool wants_misfit(const ask_facts *facts)
{
    return ask_wants(facts, ASK_WANTS_WHY) && ask_wants(facts, ASK_WANTS_UNFIT);
}

/* "why does it not fit", "why is tp=8 not used": what is denied. Without a why,
 * a setting that is denied would be taken for one that is wanted. */
static bool deny(ask_facts *facts, p3d_error *err)
{
    const char *const pins = ask_facts_option(facts, "pin");
    const bool fits = (facts->says & ASK_SAYS_FIT) != 0;

    if ((facts->says & ASK_SAYS_NOT) == 0)
        return true;
    if (ask_wants(facts, ASK_WANTS_WHY) && ask_wants(facts, ASK_WANTS_BETTER))
        facts->wants |= ASK_WANTS_SLOW;
    else if (ask_wants(facts, ASK_WANTS_WHY) && pins != NULL && !fits)
        facts->wants |= ASK_WANTS_WHY_NOT;
    else if (ask_wants(facts, ASK_WANTS_WHY) && facts->lone_length > 0 && !fits)
        return true; /* "why is TP not used": all dimensions are answered */
    else if (ask_wants(facts, ASK_WANTS_WHY))
        facts->wants |= ASK_WANTS_UNFIT;
    else if (facts->n_options > 0 || facts->n_clusters > 1)
        return p3d_fail(err, P3D_USAGE,
                "'not' is said of a setting or a cluster; say what you want "
                "instead, such as 'with tp 1'");
    return true;
}

/* A config of a framework is its file, unless the best one is asked for. */
static bool wants_files(const ask_facts *facts)
{
    return ask_wants(facts, ASK_WANTS_FILES) ||
           (ask_wants(facts, ASK_WANTS_CONFIG) &&
                   !ask_wants(facts, ASK_WANTS_PLAN | ASK_WANTS_FASTEST |
                                             ASK_WANTS_CHEAPEST) &&
                   facts->framework[0] != '\0');
}

/* "twice as many GPUs": the same once more. */
static void double_gpus(ask_facts *facts)
{
    ask_cluster twice = facts->cluster[0];

    if (!facts->doubles_gpus || facts->n_clusters != 1 || twice.last > 0)
        return;
    twice.n *= 2;
    facts->cluster[facts->n_clusters++] = twice;
}

static bool is_about_plans(const ask_facts *facts)
{
    return ask_wants(facts,
                   ASK_WANTS_PLAN | ASK_WANTS_CHEAPEST | ASK_WANTS_CONFIG) ||
           (ask_wants(facts, ASK_WANTS_FASTEST) &&
                   !ask_wants(facts, ASK_WANTS_FRAMEWORK | ASK_WANTS_LENGTH));
}

/* "which network do I need" names none; networks are compared by two names. */
static bool asks_for_network(const ask_facts *facts)
{
    const unsigned others = ~(
            unsigned)(ASK_WANTS_PLAN | ASK_WANTS_FASTEST | ASK_WANTS_CHEAPEST);

    return (facts->says & ASK_SAYS_NETWORK) != 0 &&
           (facts->wants & others) == 0 && facts->n_clusters == 1 &&
           facts->deadline_s == 0 && ask_facts_option(facts, "fabric") == NULL;
}

/* Of what several answer, the first. */
static bool choose(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool limited = facts->deadline_s > 0 || facts->budget_usd > 0;
    const bool counts = ask_wants(facts, ASK_WANTS_COUNT) ||
                        (limited && facts->n_types == 1);

    if (asks_for_network(facts))
        return p3d_fail(err, P3D_USAGE,
                "which network? name two of 'plan3d list fabrics' to compare, "
                "such as 'with ib-hdr-200 or ib-ndr-400'");
    if (wants_files(facts))
        return launch(facts, out, err);
    if (facts->n_clusters > 1 && (facts->says & ASK_SAYS_TOGETHER) != 0)
        return ask_one(is_about_plans(facts) ? "plan" : "fit", facts, out, err);
    if (find_end(facts) != NULL)
        return end(facts, out, err);
    if (facts->n_clusters == 0 && counts && facts->n_lone == 0)
        return count(facts, out, err);
    if (wants_as_fast(facts))
        return count_as_fast(facts, out, err);
    if ((facts->says & ASK_SAYS_INSTEAD) != 0 && facts->n_clusters < 2)
        return p3d_fail(err, P3D_USAGE,
                "as fast as what, with which GPUs? write for example 'how many "
                "B200 replace 512 H100 for 70B'");
    if (facts->n_clusters > 1 && facts->n_other > 0)
        return p3d_fail(err, P3D_USAGE,
                "clusters and settings are compared at once; ask about one of "
                "them");
    if (facts->n_clusters > 1 || limited ||
            (facts->n_clusters == 1 && facts->cluster[0].last > 0))
        return sweep(facts, out, err);
    if (wants_misfit(facts))
        return ask_one("fit", facts, out, err) && ask_add(out, "--long", err);
    if (ask_compares(facts))
        return ask_compare(facts, out, err);
    if (wants_time(facts))
        return show_time(facts, out, err);
    if (denies_framework(facts))
        return why_not_framework(facts, out, err);
    if (ask_wants(facts, ASK_WANTS_WHY | ASK_WANTS_WHY_NOT | ASK_WANTS_EXPLAIN |
                                 ASK_WANTS_MEMORY | ASK_WANTS_SENSITIVITY |
                                 ASK_WANTS_EVIDENCE | ASK_WANTS_ERROR))
        return explain(facts, out, err);
    return is_about_plans(facts) ? plan(facts, out, err) : fit(facts, out, err);
}

/* A word that is no command, and how it is asked. */
static bool fail_lone(const ask_facts *facts, p3d_error *err)
{
    static const struct {
        unsigned wants;
        const char *question, *command;
    } lone[] = {{ASK_WANTS_PAIR, "compare 70B 64xA800 32xH100",
                        "sweep 70B 64xA800,32xH100 --answer fastest"},
            {ASK_WANTS_SENSITIVITY, "sensitivity 70B 64xA800",
                    "explain 70B 64xA800 sensitivity"},
            {ASK_WANTS_EVIDENCE, "evidence 70B 64xA800",
                    "explain 70B 64xA800 evidence"},
            {ASK_WANTS_ERROR, "how accurate is the answer for 70B on 64 A800",
                    "explain 70B 64xA800 error"}};

    for (int i = 0; i < P3D_COUNT_OF(lone); i++)
        if (ask_wants(facts, lone[i].wants))
            return p3d_fail(err, P3D_USAGE,
                    "the model is missing; '%s' is 'plan3d %s'",
                    lone[i].question, lone[i].command);
    return ask_need_model(facts, err);
}

/* Sequences of a step and tokens of each, as Llama 2 was tuned
 * (arXiv:2307.09288 section 3.1): a model is not tuned by the batches that it
 * was trained with. */
enum { TUNING_BATCH = 64, TUNING_SEQ = 4096 };

/* Of a step, beyond anybody's. */
static const double MOST_SEQUENCES = 1e6;

static void add_number(ask_facts *facts, const char *name, int value)
{
    ask_option *const option = &facts->option[facts->n_options];

    if (ask_facts_option(facts, name) != NULL ||
            facts->n_options == ASK_MAX_OPTIONS)
        return;
    facts->n_options++;
    (void)p3d_copy(option->name, sizeof(option->name), name);
    snprintf(option->value, sizeof(option->value), "%d", value);
}

/* GPUs of a cluster, whole nodes taken as the usual ones of eight. */
static double most_gpus(const ask_cluster *cluster)
{
    const double n = fmax(cluster->n, cluster->last) *
                     (cluster->are_cards || cluster->per_node != 0
                                     ? 1
                                     : spec_type_unit(cluster->gpu));

    return cluster->per_node == 0                ? n
           : cluster->per_node == ASK_WHOLE_NODE ? 8 * n
                                                 : cluster->per_node * n;
}

/* As many as each GPU gets the same number of. */
static int tuning_batch(int n_gpus)
{
    return n_gpus > 0 ? (int)p3d_ceil_div(TUNING_BATCH, n_gpus) * n_gpus
                      : TUNING_BATCH;
}

/* Fine-tuning, with what is said of its sequences. */
static void tune(ask_facts *facts)
{
    const bool asks_seq = ask_wants(facts, ASK_WANTS_LONGEST | ASK_WANTS_MOST);
    double most = 0;

    if ((facts->says & ASK_SAYS_TUNING) == 0 &&
            ask_facts_option(facts, "lora") == NULL &&
            ask_facts_option(facts, "reference") == NULL)
        return;
    for (int i = 0; i < facts->n_clusters; i++)
        most = fmax(most, most_gpus(&facts->cluster[i]));
    if (!asks_seq && !facts->doubles_seq &&
            ask_usual_seq(facts->model, NULL) > TUNING_SEQ)
        add_number(facts, "seq", TUNING_SEQ);
    if (most <= TUNING_BATCH && !asks_seq)
        add_number(facts, "batch", tuning_batch((int)most));
}

/* Sequences that so many tokens of a step are. "4M tokens" are 4 Mi where only
 * these are whole sequences: 1,024 of 4,096. */
static double sequences(double n_tokens, int seq_len)
{
    const double units[] = {1, n_tokens < 1e6 ? 1.024 : 1.048576};

    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        const double n = n_tokens * units[i] / seq_len;

        if (fabs(n - round(n)) < 1e-6 * n)
            return round(n);
    }
    return fmax(1, round(n_tokens / seq_len));
}

/* "A batch of 4M tokens": sequences of the length that is said, or of the
 * model's. */
static bool count_batch(ask_facts *facts, p3d_error *err)
{
    const char *const said = ask_facts_option(facts, "seq");
    int seq_len = 0;
    double n;

    if (!(facts->batch_tokens > 0) || facts->model[0] == '\0')
        return true;
    seq_len = said != NULL ? (int)strtol(said, NULL, 10)
                           : ask_usual_seq(facts->model, err);
    if (seq_len <= 0)
        return false;
    n = sequences(facts->batch_tokens, seq_len);
    if (!(n < MOST_SEQUENCES))
        return p3d_fail(err, P3D_USAGE,
                "%.0f sequences of %d tokens a step; write fewer tokens of a "
                "batch",
                n, seq_len);
    add_number(facts, "batch", (int)n);
    return true;
}

static bool need_energy_price(const ask_facts *facts, p3d_error *err)
{
    return ask_facts_option(facts, "energy-price") != NULL ||
           ask_fail_missing("the price of electricity is",
                   "at 0.1 dollars per kWh", err);
}

/* Fails with P3D_USAGE and the fact that is missing, or with P3D_DATA. */
static bool command(const ask_facts *facts, cli_asked *out, p3d_error *err)
{
    const bool empty = facts->model[0] == '\0' && facts->n_clusters == 0 &&
                       facts->n_types == 0;
    ask_facts all = *facts;

    *out = (cli_asked){.n = 0};
    if (empty && ask_wants(facts, ASK_WANTS_LIST | ASK_WANTS_FRAMEWORK))
        return list(facts, out, err);
    if (empty && facts->n_lone == 0 && facts->path[0] == '\0')
        return fail_lone(facts, err);
    if ((facts->says & ASK_SAYS_SAVING) != 0 &&
            (facts->n_clusters > 1 || ask_wants(facts, ASK_WANTS_PAIR)))
        return p3d_fail(err, P3D_USAGE,
                "by speed or by money things are compared, not by energy or "
                "memory; ask about one of them");
    if ((facts->says & ASK_SAYS_ELECTRICITY) != 0 &&
            (!ask_need_tokens(facts, err) || !need_energy_price(facts, err)))
        return false;
    double_gpus(&all);
    if (!count_batch(&all, err))
        return false;
    tune(&all);
    if (!deny(&all, err))
        return false;
    if (find_end(&all) != NULL && strcmp(find_end(&all), "model") == 0)
        return choose(&all, out, err);
    return ask_need_price_of_budget(&all, err) && choose(&all, out, err);
}

bool cli_ask_read(
        int n, const char *const *words, cli_asked *out, p3d_error *err)
{
    ask_text *const text = malloc(sizeof(*text));
    ask_facts *const facts = malloc(sizeof(*facts));
    bool ok = text != NULL && facts != NULL;

    if (!ok) {
        free(text);
        free(facts);
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    ok = ask_text_read(n, words, text, err) &&
         ask_facts_read(text, facts, err) && command(facts, out, err);
    ask_text_free(text);
    free(text);
    free(facts);
    return ok;
}
