/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plan.c - plan3d fit, plan, estimate and advise: what one search, one plan
 * or one walk says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_rows.h"
#include "cli/pools.h"
#include "cli/question.h"

/* clang-format off */
#define SHOW_ROW(parts)                                                        \
    {JSON_OPTION("show",                                                       \
         "only these parts of the long text, with commas between: " parts      \
         ", evidence, assumed, next"),                                         \
     CLI_TEXT_AT(show, "PARTS"), .fallback = "all"}
/* clang-format on */

/* The part of a word, of those that a command has; REPORT_N_PARTS = none. */
static int find_part(unsigned parts, const char *word, size_t n)
{
    for (int i = 0; i < REPORT_N_PARTS; i++) {
        const char *const name = report_part_word(i);

        if ((parts >> i & 1) != 0 && strlen(name) == n &&
                strncmp(name, word, n) == 0)
            return i;
    }
    return REPORT_N_PARTS;
}

static bool fail_part(unsigned parts, const char *word, int n, p3d_error *err)
{
    char known[256] = "";

    for (int i = 0; i < REPORT_N_PARTS; i++)
        if ((parts >> i & 1) != 0)
            snprintf(known + strlen(known), sizeof(known) - strlen(known),
                    "%s%s", known[0] != '\0' ? ", " : "", report_part_word(i));
    return p3d_fail(err, P3D_USAGE,
            "--show: the answer has no part '%.*s'; write some of %s, with "
            "commas between",
            n, word, known);
}

/* Let the text have only the parts of --show. */
static bool read_parts(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const char *word = question->args->show;
    const unsigned parts = report_parts_of(question->question.command);

    if (word == NULL)
        return true;
    if (reply->format != REPORT_TEXT && reply->format != REPORT_MARKDOWN)
        return p3d_fail(err, P3D_USAGE,
                "--show is for text and Markdown; other formats have all");
    for (bool more = true; more; word++) {
        const size_t n = strcspn(word, ",");
        const int part = find_part(parts, word, n);

        if (part == REPORT_N_PARTS)
            return fail_part(parts, word, (int)n, err);
        reply->out->style.parts |= 1U << part;
        word += n;
        more = *word == ',';
    }
    return true;
}

/* clang-format off */
static const json_option fit_options[] = {
    {JSON_OPTION("long",
         "all of it: memory by stage, time by term, the whole training, each "
         "change that helps, the search, every assumption"),
     CLI_FLAG_AT(is_long)},
    SHOW_ROW("network (is it the bottleneck?), verdict, others, job, "
             "memory, time, changes, proof"),
    CLI_PIN_ROW,
    CLI_CHOICE_ROWS,
    CLI_IDLE_ROW,
    CLI_FORMAT_ROW,
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool answer_fit(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;

    return read_parts(question, reply, err) &&
           cli_search_and_print(question, 1,
                   args->is_long || args->show != NULL ? report_fit_long
                                                       : report_fit,
                   reply, err);
}

const cli_command cli_fit = {
        .name = "fit",
        .summary =
                "Does the model fit, how surely and with which plan; if not, "
                "what makes it fit?",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(fit_options),
        .examples = {"plan3d fit 70B 64xA800",
                "plan3d fit 70B 64xA800 --tokens 2T --price 1.20 --long",
                "plan3d fit llama-3-8b 8xH100 --seq 8192 --batch 512 --json"},
        .of_pools = cli_ask_pools,
        .answer = answer_fit,
};

enum { DEFAULT_TOP = 10 };

/* clang-format off */
static const json_option plan_options[] = {
    {JSON_OPTION("top", "how many plans to print, at most 100"),
     CLI_COUNT_AT(n_top, "N", 1, P3D_MAX_TOP), .fallback = "10"},
    {JSON_OPTION("verify",
         "check the search: look at every plan one by one, some 100,000 a "
         "second"), CLI_FLAG_AT(verify)},
    SHOW_ROW("verdict, others, job, plans, proof, memory, time"),
    CLI_PIN_ROW,
    CLI_CHOICE_ROWS,
    CLI_IDLE_ROW,
    CLI_FORMAT_ROW,
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool answer_plan(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    const int n_top = args->n_top > 0 ? (int)args->n_top : DEFAULT_TOP;

    return read_parts(question, reply, err) &&
           cli_search_and_print(question, n_top, report_plan, reply, err);
}

const cli_command cli_plan = {
        .name = "plan",
        .summary = "The plan to run, and the fastest of other kinds, each with "
                   "what it costs.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(plan_options),
        .examples = {"plan3d plan 70B 64xA800 --top 5",
                "plan3d plan llama-3.1-405b 16384xH100 --tokens 15T --price "
                "2.50",
                "plan3d plan 70B 32xA800+16xH100"},
        .of_pools = cli_ask_pools,
        .answer = answer_plan,
};

/* clang-format off */
static const json_option estimate_options[] = {
    {JSON_OPTION("plan",
         "the plan, such as tp=8,pp=2,mbs=1,zero=1,recompute=full:4; what is "
         "left out is derived or 1"), CLI_TEXT_AT(plan, "WORDS"),
     .field.flags = JSON_REQUIRED},
    SHOW_ROW("verdict, job, memory, time"),
    CLI_IDLE_ROW,
    CLI_FORMAT_ROW,
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool answer_estimate(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {0};
    p3d_estimate estimate;

    if (!read_parts(question, reply, err) ||
            !cli_estimate_plan(question, question->args->plan, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(question, &findings, report_estimate, reply, err);
}

const cli_command cli_estimate = {
        .name = "estimate",
        .summary = "Memory per stage and time per step of one plan, by terms.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(estimate_options),
        .examples = {"plan3d estimate 70B 64xA800 --plan tp=8,pp=2",
                "plan3d estimate gpt3-175b 1024xA100 --plan tp=8,pp=16,mbs=1 "
                "--json"},
        .answer = answer_estimate,
};

/* clang-format off */
static const json_option advise_options[] = {
    {JSON_OPTION("plan",
         "where the walk starts, such as tp=8,pp=2; without it: TP over a "
         "node, ZeRO-1, all recomputed"), CLI_TEXT_AT(plan, "WORDS")},
    CLI_FORMAT_ROW,
    CLI_JOB_ROWS,
};
/* clang-format on */

/* The walk from a plan in words, or from the usual one. */
static bool walk_from(const cli_question *question, const char *words,
        p3d_advice *walk, p3d_error *err)
{
    p3d_estimate from;

    if (words != NULL && !cli_estimate_plan(question, words, &from, err))
        return false;
    return p3d_advise(&question->question.problem,
            words != NULL ? &from.plan : NULL, walk, err);
}

/* The walk, and the exact best to hold it against. */
static bool answer_advise(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_advice *walk = calloc(1, sizeof(*walk));
    p3d_remedy changes[P3D_MAX_REMEDIES];
    p3d_search_result *search = NULL;
    report_findings findings = {0};
    bool ok = walk != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && cli_question_search(question, NULL, 1, &search, err);
    ok = ok && walk_from(question, question->args->plan, walk, err);
    if (ok) {
        if (search->n_top == 0)
            cli_find_changes(
                    &question->question.problem, &pins, changes, &findings);
        cli_mark_interrupted(search);
        findings.walk = walk;
        findings.search = search;
        ok = cli_print_findings(question, &findings, report_advise, reply, err);
    }
    free(walk);
    free(search);
    return ok;
}

const cli_command cli_advise = {
        .name = "advise",
        .summary =
                "The greedy walk of an experienced engineer: each step tried, "
                "and why.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(advise_options),
        .examples = {"plan3d advise 70B 64xA800",
                "plan3d advise llama-3-8b 8xA100-40G --seq 4096 --json"},
        .answer = answer_advise,
};
