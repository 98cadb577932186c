/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sweep.c - plan3d sweep: the best plan of many clusters and jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_list.h"
#include "base/util.h"
#include "cli/option_rows.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/sweep_beside.h"
#include "cli/sweep_cluster.h"
#include "cli/sweep_networks.h"
#include "cli/sweep_pools.h"
#include "cli/sweep_reference.h"
#include "plan3d/units.h"
#include "report/study.h"
#include "report/text/layout.h"
#include "spec/hardware.h"
#include "spec/sizes.h"

static const char *answer_word(int i)
{
    static const char *const words[] = {"fastest", "cheapest"};

    return i >= 0 && i < P3D_COUNT_OF(words) ? words[i] : NULL;
}

/* In the order of p3d_limit_kind. */
static const char *find_word(int i)
{
    static const char *const words[P3D_N_LIMIT_KINDS] = {
            "gpus", "seq", "mbs", "model", "tokens"};

    return i >= 0 && i < P3D_COUNT_OF(words) ? words[i] : NULL;
}

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("gpus",
         "numbers of GPUs of the types: 8..1024 (doubling), 8..512:8 (with a "
         "step), 64,96"), CLI_TEXT_AT(gpu_list, "LIST")},
    {JSON_OPTION("seq", "tokens per sequence: 4096,8192 or 4K..128K"),
     CLI_TEXT_AT(seq_list, "LIST"), .fallback = "as it was trained, or 8192"},
    {JSON_OPTION("batch", "sequences per step, of the whole cluster: 256,512"),
     CLI_TEXT_AT(batch_list, "LIST"),
     .fallback = "as it was trained, or 4 Mi tokens"},
    {JSON_OPTION("framework",
         "training frameworks: megatron-core,fsdp2; any: the best for each "
         "row"), CLI_TEXT_AT(framework_list, "LIST"),
     .fallback = "megatron-core"},
    {JSON_OPTION("price",
         "USD for one GPU-hour: one price, or one for each cluster"),
     CLI_TEXT_AT(price_list, "LIST")},
    {JSON_OPTION("deadline",
         "find the fewest and the cheapest GPUs that train --tokens in this "
         "time (30d), or as fast as another cluster (512xH100)"),
     CLI_TEXT_AT(deadline, "TIME")},
    {JSON_OPTION("budget",
         "whether --tokens can be trained for this money (1M), at --price"),
     CLI_COUNT_AT(budget_usd, "USD", 1, P3D_MAX_BUDGET_USD)},
    {JSON_OPTION("max-gpus",
         "where the search for a deadline or for the fewest GPUs ends"),
     CLI_COUNT_AT(max_gpus, "N", 1, P3D_MAX_GPUS),
     .fallback = "16384; with --find gpus and no deadline 2048"},
    {JSON_OPTION("find",
         "gpus: the fewest GPUs of a type that surely fit (with --deadline: "
         "in time); seq, mbs: the longest sequence, the largest micro-batch; "
         "model (with any for MODEL): the largest model of 'plan3d list "
         "models'; tokens: the most that one cluster trains by --deadline, "
         "for --budget"), CLI_WORD_AT(find, "WHAT", find_word)},
    {JSON_OPTION("beside",
         "each row once more with other options, such as 'dtype=fp8' or "
         "'pin=recompute=full optimizer=muon'; with --answer fastest"),
     CLI_TEXT_AT(beside, "OPTIONS")},
    {JSON_OPTION("answer",
         "begin with one line: the fastest or the cheapest row, by how much, "
         "how sure"), CLI_WORD_AT(answer, "WORD", answer_word)},
    {JSON_OPTION("pareto",
         "only rows that no other row beats in GPUs, time, money, energy and "
         "free memory"), CLI_FLAG_AT(pareto)},
    {JSON_OPTION("part",
         "the K-th of N parts of the rows, as JSON lines: for many machines, "
         "each with a part"), CLI_TEXT_AT(part, "K/N")},
    {JSON_OPTION("idle",
         "a cluster may leave nodes idle where fewer are faster"),
     CLI_FLAG_AT(idle)},
    CLI_FORMAT_ROW,
    CLI_PIN_ROW,
    CLI_CHOICE_ROWS,
    CLI_KIND_ROWS,
    {JSON_OPTION("oversubscription",
         "of a leaf switch: rate of the links to its nodes over that of its "
         "links up; several (1,2,4): a row with each"),
     CLI_TEXT_AT(oversubscription_list, "LIST"), .fallback = "1"},
    {JSON_OPTION("rails",
         "yes: the leaf switches have one card of each node, and so more "
         "nodes below; the links of a node forward to others; both (no,yes): a "
         "row with each"),
     CLI_TEXT_AT(rails_list, "LIST"), .fallback = "no"},
    CLI_PLACE_ROWS_BUT,
    CLI_TRAINING_ROWS,
    CLI_JOBS_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

enum { MAX_CLUSTERS = 32, MAX_FRAMEWORKS = 16 };

/* What the first line says of each limit. */
static const report_answer_kind answers[] = {
        [P3D_FEWEST_GPUS] = REPORT_FEWEST_GPUS,
        [P3D_LONGEST_SEQ] = REPORT_LONGEST_SEQ,
        [P3D_LARGEST_MICRO_BATCH] = REPORT_LARGEST_MICRO_BATCH,
        [P3D_LARGEST_MODEL] = REPORT_LARGEST_MODEL,
        [P3D_MOST_TOKENS] = REPORT_MOST_TOKENS};

/* What a command line asks for. */
typedef struct asked {
    const cli_args *args;
    p3d_model model;
    p3d_pins pins;
    cli_args beside; /* the arguments of --beside, with their */
    p3d_text beside_words[2];
    p3d_pins beside_pins;
    p3d_sweep_limit limit; /* of --find */
    bool as_cluster;       /* the deadline is the time of another cluster */
    int n_clusters;
    p3d_sweep_cluster clusters[2 * MAX_CLUSTERS];
    p3d_numbers counts[MAX_CLUSTERS]; /* of GPUs, of each */
    cli_networks networks;
    int n_frameworks;
    char frameworks[MAX_FRAMEWORKS][48];
    const char *framework_words[MAX_FRAMEWORKS];
    p3d_numbers seq_lens;
    p3d_numbers batches;
    cli_progress progress;
    p3d_sweep_options options;
} asked;

/* A list of numbers; NULL = none. */
static bool read_numbers(const char *option, const char *list,
        p3d_bounds bounds, p3d_numbers *out, p3d_error *err)
{
    p3d_error cause = {0};

    if (list == NULL)
        return true;
    return p3d_numbers_parse(list, strlen(list), bounds, out, &cause) ||
           p3d_fail(err, cause.code, "--%s: %.400s", option, cause.text);
}

/* Numbers of GPUs: of the word, or of --gpus; with a deadline, of neither. */
static bool read_counts(const cli_args *args, p3d_sweep_cluster *cluster,
        p3d_numbers *counts, p3d_error *err)
{
    const bool sized = cluster->sized || counts->n > 0;

    if (args->gpu_list != NULL && sized)
        return p3d_fail(err, P3D_USAGE,
                "'%s' says how many GPUs already; leave --gpus out, or write "
                "the type alone, such as H100",
                cluster->word);
    if (!sized && args->gpu_list == NULL && args->deadline == NULL &&
            args->find != 1 + P3D_FEWEST_GPUS)
        return p3d_fail(err, P3D_USAGE,
                "'%s' does not say how many GPUs; write 8..1024x%s, or add "
                "--gpus 8..1024",
                cluster->word, cluster->word);
    return read_numbers("gpus", args->gpu_list,
            (p3d_bounds){1, P3D_MAX_GPUS, false}, counts, err);
}

static bool add_cluster(const char *word, asked *out, p3d_error *err)
{
    p3d_sweep_cluster *cluster;
    p3d_numbers *counts;

    if (out->n_clusters == MAX_CLUSTERS)
        return p3d_fail(err, P3D_USAGE, "more than %d clusters", MAX_CLUSTERS);
    cluster = &out->clusters[out->n_clusters];
    counts = &out->counts[out->n_clusters++];
    if (!cli_sweep_cluster_read(word, cluster, counts, err) ||
            !read_counts(out->args, cluster, counts, err))
        return false;
    cluster->counts = counts->at;
    cluster->n_counts = counts->n;
    return true;
}

static bool read_clusters(asked *out, p3d_error *err)
{
    for (int i = 1; i < out->args->n_words; i++) {
        const char *at = out->args->words[i];
        char part[CLI_PART];
        p3d_error cause = {0};

        while (cli_next_part(&at, part, &cause))
            if (!add_cluster(part, out, err))
                return false;
        if (cause.code != P3D_OK)
            return p3d_fail(err, cause.code, "%s", cause.text);
    }
    return true;
}

static bool read_frameworks(const char *list, asked *out, p3d_error *err)
{
    const char *at = list;
    char part[CLI_PART];
    p3d_error cause = {0};

    while (cli_next_part(&at, part, &cause)) {
        const int n = out->n_frameworks;

        if (n == MAX_FRAMEWORKS ||
                !p3d_copy(out->frameworks[n], sizeof(out->frameworks[n]), part))
            return p3d_fail(err, P3D_USAGE,
                    "--framework: more than plan3d knows; see 'plan3d list "
                    "frameworks'");
        out->framework_words[n] = out->frameworks[n];
        out->n_frameworks++;
    }
    return cause.code == P3D_OK ||
           p3d_fail(err, cause.code, "--framework: %s", cause.text);
}

/* One price for all clusters, or one for each of them. */
static bool read_prices(const char *list, asked *out, p3d_error *err)
{
    const char *at = list;
    char part[CLI_PART];
    p3d_error cause = {0};
    int n = 0;

    while (cli_next_part(&at, part, &cause)) {
        double usd;

        if (!p3d_parse_number(
                    part, P3D_MIN_USD, P3D_MAX_USD_PER_GPU_H, &usd, &cause))
            break;
        for (int i = n; i < out->n_clusters && (n == 0 || i == n); i++)
            out->clusters[i].usd_per_gpu_h = usd;
        n++;
    }
    if (cause.code != P3D_OK)
        return p3d_fail(err, cause.code, "--price: %.400s", cause.text);
    if (n > 1 && n != out->n_clusters)
        return p3d_fail(err, P3D_USAGE,
                "--price: %d prices for %d cluster%s; write one price, or one "
                "for each cluster",
                n, out->n_clusters, out->n_clusters == 1 ? "" : "s");
    return true;
}

/* The one thing that a limit of time or of money is for, where the tokens are
 * not said. */
static bool finds_tokens(const cli_args *args)
{
    return args->find == 1 + P3D_MOST_TOKENS;
}

/* Each cluster with each network. */
static bool add_networks(asked *q, p3d_error *err)
{
    const int n = q->n_clusters;
    const cli_networks *const networks = &q->networks;
    const char *const other = q->args->find > 0           ? "find"
                              : q->args->beside != NULL   ? "beside"
                              : q->args->deadline != NULL ? "deadline"
                                                          : NULL;

    if (!cli_networks_read(q->args, &q->networks, err))
        return false;
    if (networks->n > 1 && other != NULL)
        return p3d_fail(err, P3D_USAGE,
                "several values of --%s and --%s contradict each other; leave "
                "one out",
                networks->varies, other);
    if (n * networks->n > P3D_COUNT_OF(q->clusters))
        return p3d_fail(err, P3D_USAGE, "more than %d clusters",
                P3D_COUNT_OF(q->clusters));
    for (int i = n * networks->n - 1; i >= 0; i--) {
        q->clusters[i] = q->clusters[i / networks->n];
        if (networks->n > 1)
            q->clusters[i].beside = networks->words[i % networks->n];
    }
    q->n_clusters = n * networks->n;
    return true;
}

/* A budget is money for tokens, at a price. */
static bool check_budget(const cli_args *args, p3d_error *err)
{
    if (args->budget_usd == 0)
        return true;
    if (args->price_list == NULL)
        return p3d_fail(err, P3D_USAGE,
                "--budget needs the price of a GPU-hour; add --price 2");
    return args->n_tokens > 0 || finds_tokens(args) ||
           p3d_fail(err, P3D_USAGE,
                   "--budget needs the tokens of the training; add --tokens "
                   "2T, or --find tokens");
}

static bool check_deadline(const cli_args *args, p3d_error *err)
{
    if (args->deadline == NULL && args->max_gpus > 0 &&
            args->find != 1 + P3D_FEWEST_GPUS)
        return p3d_fail(err, P3D_USAGE,
                "--max-gpus is for --deadline; write --gpus 8..1024");
    if (args->deadline == NULL)
        return true;
    if (args->n_tokens == 0 && !finds_tokens(args))
        return p3d_fail(err, P3D_USAGE,
                "--deadline needs the tokens of the training; add --tokens 2T");
    if (args->pareto)
        return p3d_fail(err, P3D_USAGE,
                "--pareto and --deadline contradict each other; leave one out");
    return !args->idle ||
           p3d_fail(err, P3D_USAGE,
                   "--idle and --deadline contradict each other: a smaller "
                   "cluster is found as such; leave one out");
}

/* What takes all rows, or is printed in another way. */
static bool check_part(const cli_args *args, p3d_error *err)
{
    const bool is_lines = cli_format(args) == REPORT_JSONL ||
                          (args->format == 0 && !args->json);

    if (args->deadline != NULL || args->pareto)
        return p3d_fail(err, P3D_DATA,
                "--part and --%s contradict each other: that takes all rows; "
                "leave one out",
                args->pareto ? "pareto" : "deadline");
    return is_lines || p3d_fail(err, P3D_DATA,
                               "--part prints JSON lines; write --format jsonl "
                               "or leave the form out");
}

/* A whole number in digits alone, up to some character. */
static bool read_digits(const char *word, size_t n, int64_t max, int64_t *out)
{
    char digits[CLI_PART];

    if (n == 0 || n >= CLI_PART || strspn(word, "0123456789") < n)
        return false;
    memcpy(digits, word, n);
    digits[n] = '\0';
    return p3d_parse_count(digits, 1, max, out, NULL);
}

/* "3/16": a part of the rows. */
static bool read_part(
        const cli_args *args, p3d_sweep_options *out, p3d_error *err)
{
    const char *const word = args->part;
    const char *const slash = word != NULL ? strchr(word, '/') : NULL;

    if (word == NULL)
        return true;
    if (slash == NULL ||
            !read_digits(slash + 1, strlen(slash + 1), P3D_MAX_SWEEP_PARTS,
                    &out->n_parts) ||
            !read_digits(
                    word, (size_t)(slash - word), out->n_parts, &out->part))
        return p3d_fail(err, P3D_DATA,
                "--part: '%.60s' is no part; write K/N with K from 1 to N and "
                "N up to %d, such as 1/16",
                word, (int)P3D_MAX_SWEEP_PARTS);
    return check_part(args, err);
}

/* Each cluster once more, with the options of --beside. */
static bool add_beside(asked *q, p3d_error *err)
{
    const int n = q->n_clusters;

    if (q->args->beside == NULL)
        return true;
    if (q->args->deadline != NULL || q->args->find > 0)
        return p3d_fail(err, P3D_USAGE,
                "--beside and --%s contradict each other; leave one out",
                q->args->find > 0 ? "find" : "deadline");
    if (!cli_beside_read(q->args, q->beside_words, &q->beside, err) ||
            !cli_read_pins(&q->beside, &q->beside_pins, err))
        return false;
    for (int i = 0; i < n; i++) {
        p3d_sweep_cluster *const to = &q->clusters[q->n_clusters++];

        *to = q->clusters[i];
        to->beside = q->args->beside;
        to->pins = &q->beside_pins;
        if (q->beside_words[1].length > 0)
            q->clusters[i].beside = p3d_text_get(&q->beside_words[1]);
    }
    return true;
}

/* A model has the name any where all are looked at. */
static bool read_model(asked *q, p3d_error *err)
{
    const char *const word = q->args->words[0];

    if (q->args->find != 1 + P3D_LARGEST_MODEL)
        return p3d_model_find(word, &q->model, err);
    if (!p3d_same_word(word, "any"))
        return p3d_fail(err, P3D_USAGE,
                "--find model looks at every model; write any in place of "
                "'%.60s'",
                word);
    return true;
}

/* What is combined, in the order of the command line. */
static bool read_lists(asked *q, p3d_error *err)
{
    const cli_args *const args = q->args;

    return read_model(q, err) && read_clusters(q, err) &&
           read_prices(args->price_list, q, err) && add_networks(q, err) &&
           add_beside(q, err) &&
           read_frameworks(args->framework_list, q, err) &&
           read_numbers("seq", args->seq_list,
                   (p3d_bounds){1, P3D_MAX_SEQ_LEN, true}, &q->seq_lens, err) &&
           read_numbers("batch", args->batch_list,
                   (p3d_bounds){1, P3D_MAX_BATCH, false}, &q->batches, err);
}

/* The job of the options, on the cluster of a row. */
static bool complete(void *context, const p3d_sweep_point *point,
        p3d_problem *problem, p3d_error *err)
{
    const asked *const q = context;
    const bool is_beside = point->cluster->pins != NULL;
    cli_args args = is_beside ? q->beside : *q->args;

    args.seq_len = point->seq_len;
    args.job.global_batch = point->global_batch;
    args.framework = point->framework[0] != '\0' ? point->framework : NULL;
    args.job.usd_per_gpu_h = point->cluster->usd_per_gpu_h;
    if (!is_beside)
        cli_networks_say(&q->networks, point->cluster->beside, &args);
    return cli_job_begin(&args, problem, err);
}

/* A deadline begins a line for each job. */
static bool show_next(void *context, int64_t i, int64_t n, const char *cluster)
{
    asked *const q = context;

    if (i == 1) {
        cli_progress_end(&q->progress);
        cli_progress_begin(&q->progress, "", n);
    }
    return cli_progress_next(&q->progress, cluster);
}

/* One job, of which one thing is free. */
static bool check_find(const asked *q, p3d_error *err)
{
    const cli_args *const args = q->args;
    const bool finds_gpus = args->find == 1 + P3D_FEWEST_GPUS;
    const bool limited = finds_gpus || finds_tokens(args);
    const struct {
        bool is_given;
        const char *option;
    } bars[] = {{args->answer > 0, "answer"}, {args->pareto, "pareto"},
            {args->idle, "idle"}, {args->part != NULL, "part"},
            {args->gpu_list != NULL, "gpus"},
            {args->deadline != NULL && !limited, "deadline"},
            {args->budget_usd > 0 && !limited, "budget"},
            {args->n_tokens > 0 && finds_tokens(args), "tokens"},
            {args->find == 1 + P3D_LONGEST_SEQ && args->seq_list != NULL,
                    "seq"}};

    for (int i = 0; i < P3D_COUNT_OF(bars); i++)
        if (bars[i].is_given)
            return p3d_fail(err, P3D_USAGE,
                    "--find and --%s contradict each other; leave one out",
                    bars[i].option);
    if (q->n_clusters > 1 || q->seq_lens.n > 1 || q->batches.n > 1 ||
            q->n_frameworks > 1 || q->counts[0].n > 1)
        return p3d_fail(err, P3D_USAGE,
                "--find is of one cluster and one job; leave lists out");
    if (finds_tokens(args) && args->deadline == NULL && args->budget_usd == 0)
        return p3d_fail(err, P3D_USAGE,
                "--find tokens: by when, or for how much money? add --deadline "
                "30d, or --budget 1M with --price 2");
    if (finds_gpus && q->clusters[0].sized)
        return p3d_fail(err, P3D_USAGE,
                "--find gpus: '%s' says how many GPUs already; write the type "
                "alone, such as H100",
                q->clusters[0].word);
    return true;
}

static bool read(asked *q, p3d_error *err)
{
    const cli_args *const args = q->args;

    if (!check_budget(args, err) || !check_deadline(args, err) ||
            !cli_read_pins(args, &q->pins, err) || !read_lists(q, err))
        return false;
    q->options = (p3d_sweep_options){.model = &q->model,
            .clusters = q->clusters,
            .n_clusters = q->n_clusters,
            .frameworks = q->framework_words,
            .n_frameworks = q->n_frameworks,
            .seq_lens = q->seq_lens.at,
            .n_seq_lens = q->seq_lens.n,
            .batches = q->batches.at,
            .n_batches = q->batches.n,
            .complete = complete,
            .pins = &q->pins,
            .objective = cli_recommend_options(q->args).objective,
            .within_frac = cli_recommend_options(q->args).within_frac,
            .only_smallest = args->find == 1 + P3D_FEWEST_GPUS,
            .budget_usd = (double)args->budget_usd,
            .max_gpus = args->max_gpus,
            .idle = args->idle,
            .only_front = args->pareto,
            .next = show_next,
            .context = q};
    return (args->find == 0 || check_find(q, err)) &&
           read_part(args, &q->options, err) &&
           (args->deadline == NULL ||
                   cli_deadline_read(args->deadline, &q->options,
                           &q->options.deadline_s, &q->as_cluster, err));
}

static void asked_free(asked *q)
{
    for (int i = 0; i < MAX_CLUSTERS; i++)
        p3d_numbers_free(&q->counts[i]);
    p3d_numbers_free(&q->seq_lens);
    p3d_numbers_free(&q->batches);
    p3d_text_free(&q->beside_words[0]);
    p3d_text_free(&q->beside_words[1]);
    free(q);
}

/* What the first line answers. */
static report_end end_of(const asked *q)
{
    const cli_args *const args = q->args;
    const p3d_sweep_limit *const limit = &q->limit;
    const bool compares = args->answer > 0 || args->beside != NULL;

    if (args->find == 0)
        return (report_end){.kind = !compares           ? REPORT_NO_ANSWER
                                    : args->answer == 2 ? REPORT_CHEAPEST
                                                        : REPORT_FASTEST};
    return (report_end){.kind = answers[args->find - 1],
            .row = limit->has[P3D_LIMIT_LAST] ? &limit->row[P3D_LIMIT_LAST]
                                              : NULL,
            .beyond = limit->has[P3D_LIMIT_BEYOND]
                              ? &limit->row[P3D_LIMIT_BEYOND]
                              : NULL,
            .model = &limit->model[P3D_LIMIT_LAST],
            .beyond_model = limit->has[P3D_LIMIT_BEYOND] &&
                                            args->find == 1 + P3D_LARGEST_MODEL
                                    ? &limit->model[P3D_LIMIT_BEYOND]
                                    : NULL};
}

/* Those that answer, as the rows of a sweep. */
static bool find_end(asked *q, p3d_sweep *out, p3d_error *err)
{
    const p3d_sweep_limit *const limit = &q->limit;
    const bool is_model = q->args->find == 1 + P3D_LARGEST_MODEL;

    if (!p3d_sweep_find_limit(&q->options, (p3d_limit_kind)(q->args->find - 1),
                &q->limit, err))
        return false;
    *out = (p3d_sweep){.rows = calloc(2, sizeof(*out->rows)),
            .complete = limit->complete,
            .fits = limit->has[P3D_LIMIT_LAST],
            .n_asked = limit->n_asked};
    if (out->rows == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = P3D_LIMIT_BEYOND; i >= P3D_LIMIT_LAST; i--) {
        const bool shown =
                limit->has[i] && (i == P3D_LIMIT_LAST || !is_model ||
                                         !limit->has[P3D_LIMIT_LAST]);

        if (!shown)
            continue;
        out->rows[out->n_rows++] = limit->row[i];
        out->n_fit += limit->row[i].fits;
        out->n_illegal += !limit->row[i].legal;
        out->n_front += limit->row[i].on_front;
    }
    out->n_found = out->n_rows;
    if (is_model)
        q->model = limit->model[limit->has[P3D_LIMIT_LAST] ? P3D_LIMIT_LAST
                                                           : P3D_LIMIT_BEYOND];
    return true;
}

/* @return whether the budget is kept */
/* What the devices are called. */
static const char *noun_of(const asked *q)
{
    const char *noun = NULL;

    for (int i = 0; i < q->n_clusters; i++)
        noun = report_common_noun(noun, &q->clusters[i].cluster.gpu);
    return noun;
}

static bool print(const asked *q, const p3d_sweep *found, p3d_text *out)
{
    const cli_args *const args = q->args;
    const report_question question = {
            .model_word = args->words[0], .problem.model = q->model};
    p3d_text repeated = {0};
    report_sweep report;

    cli_repeat_options(args, NULL, &repeated); /* rows name theirs */
    cli_networks_repeat(args, &repeated);
    report = (report_sweep){.options = p3d_text_get(&repeated),
            .model_word = args->words[0],
            .question = question,
            .n_tokens = (double)args->n_tokens,
            .end = end_of(q),
            .deadline_s = q->options.deadline_s,
            .deadline_of = q->as_cluster ? args->deadline : NULL,
            .budget_usd = q->options.budget_usd,
            .found = *found,
            .rows = {found->rows, found->n_rows},
            .scans = {found->scans, found->n_scans}};
    if (args->part != NULL)
        report_print_sweep_part(&report, out);
    else
        report_print_sweep(&report, cli_format(args), out);
    if (cli_format(args) == REPORT_TEXT && out->length > 0)
        report_name_devices(noun_of(q), out->data);
    out->failed = out->failed || repeated.failed;
    p3d_text_free(&repeated);
    return !report_sweep_over_budget(&report);
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    asked *q;
    p3d_sweep found = {.rows = NULL};
    bool ok;

    if (cli_sweeps_pools(args))
        return cli_sweep_pools(args, reply, err);
    q = calloc(1, sizeof(*q));
    if (q == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    q->args = args;
    ok = read(q, err) &&
         (args->find > 0 && (args->deadline == NULL || finds_tokens(args))
                         ? find_end(q, &found, err)
                         : p3d_sweep_run(&q->options, &found, err));
    cli_progress_end(&q->progress);
    if (ok) {
        const bool kept = print(q, &found, reply->out);

        /* Of a part, that nothing fits is no answer. */
        reply->code = !found.complete ? P3D_INTERRUPTED
                      : (found.fits && kept) || args->part != NULL ? P3D_OK
                                                                   : P3D_NO;
    }
    p3d_sweep_free(&found);
    asked_free(q);
    return ok;
}

const cli_command cli_sweep = {
        .name = "sweep",
        .summary = "The best plan of many clusters, sequence lengths, batches "
                   "and frameworks, a row each; or the smallest cluster that "
                   "meets a deadline.",
        .positionals = {CLI_MODEL,
                {.word = "CLUSTER",
                        .doc = "clusters with commas between: 64xH100, "
                               "8x8xA800, a path, a range of GPUs "
                               "(8..1024xH100 doubles, 8..512:8xH100 has a "
                               "step), or a type alone (H100) with --gpus or "
                               "--deadline; or pools of several types "
                               "(32xA800+16xH100)",
                        .number = CLI_SOME}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d sweep 70B 64..1024xA800,64..1024xH100 --tokens 2T "
                     "--price 1.20,2.50",
                "plan3d sweep 70B H100 --tokens 2T --deadline 30d"},
        .run = run,
};
