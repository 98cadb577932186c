/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_explain.c - plan3d explain: what a number is made of. */
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/explain.h"
#include "cli/rows.h"

static const cli_option options[] = {
        {.name = "plan",
                .kind = CLI_TEXT,
                .offset = CLI_AT(plan, const char *),
                .value = "WORDS",
                .fallback = "the fastest that fits",
                .doc = "the plan, such as tp=8,pp=2,recompute=full:4"},
        {.name = "draws",
                .kind = CLI_COUNT,
                .offset = CLI_AT(n_draws, int64_t),
                .value = "N",
                .fallback = "1000",
                .min = P3D_LEAST_DRAWS,
                .max = P3D_MOST_DRAWS,
                .doc = "of sensitivity: how often the constants are drawn, 100 "
                       "to 20000 times"},
        {.name = "seed",
                .kind = CLI_COUNT,
                .offset = CLI_AT(seed, int64_t),
                .value = "N",
                .fallback = "1",
                .min = 1,
                .max = 9007199254740992,
                .doc = "of sensitivity: which draws"},
        CLI_JOB_ROWS,
};

/* The plan of --plan, or the fastest, or the one that misses least. */
static bool find_estimate(const cli_question *question, const cli_args *args,
        p3d_estimate *out, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *search = NULL;

    if (args->plan != NULL)
        return cli_estimate_plan(question, args->plan, out, err);
    if (!cli_question_search(question, &pins, 1, &search, err))
        return false;
    *out = search->n_top > 0 ? search->top[0] : search->closest;
    free(search);
    return true;
}

static bool explain_memory(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_code *code, p3d_error *err)
{
    report_findings findings = {.explain = true};
    p3d_estimate estimate;

    if (args->n_draws > 0 || args->seed > 0)
        return p3d_fail(err, P3D_USAGE,
                "--draws and --seed go with sensitivity, not with memory");
    if (!find_estimate(question, args, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(
            question, &findings, args, report_explain, out, code, err);
}

/** What can be explained; the first when nothing is said. */
static const struct topic {
    const char *word;
    cli_explainer *explain;
} topics[] = {
        {"memory", explain_memory}, {"sensitivity", cli_explain_sensitivity}};

static bool find_topic(
        const char *word, const struct topic **out, p3d_error *err)
{
    *out = &topics[0];
    for (int i = 0; word != NULL && i < P3D_COUNT_OF(topics); i++) {
        *out = &topics[i];
        if (strcmp(word, topics[i].word) == 0)
            return true;
    }
    return word == NULL ||
           p3d_fail(err, P3D_USAGE,
                   "unknown number '%.60s'; write memory or sensitivity", word);
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    cli_question question = {0};
    const struct topic *topic;
    const bool ok = find_topic(args->words[2], &topic, err) &&
                    cli_question_read("explain", args, &question, err) &&
                    topic->explain(&question, args, out, code, err);

    cli_question_free(&question);
    return ok;
}

const cli_command cli_explain = {
        .name = "explain",
        .summary = "What a number is made of: the tensors that are alive on "
                   "the tight GPU at its peak, with their shapes, why they are "
                   "kept and where that was read; or how sure the choice of "
                   "the plan is when the constants may be wrong.",
        .positionals = {CLI_MODEL, CLI_CLUSTER,
                {"WHAT", "memory (the usual one) or sensitivity", true}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d explain 70B 64xA800 memory",
                "plan3d explain llama-3-8b 8xH100 sensitivity --draws 5000"},
        .run = run,
};
