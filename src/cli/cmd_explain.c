/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_explain.c - plan3d explain: what a number is made of, and why this plan
 * and not that one. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/option_rows.h"
#include "cli/pools.h"
#include "cli/progress.h"
#include "cli/question.h"

/* The pins of --not, which has at least one. */
static bool read_values(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words[strspn(words, " ")] == '\0')
        return p3d_fail(err, P3D_DATA,
                "--not: '%.60s' says no value of a plan; write tp=4 or zero=3",
                words);
    return p3d_pins_parse(words, out, err);
}

/* The plan to recommend, or the one that misses the least. */
static bool choose(
        const p3d_problem *problem, p3d_alternative *out, p3d_error *err)
{
    const p3d_pins all = p3d_pins_free();
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_recommend_options options = {
            .search = {.n_top = 1, .watch = &watch},
            .within_frac = P3D_WITHIN_FRAC,
            .alone = true};
    p3d_search_result *const found = malloc(sizeof(*found));
    p3d_recommendation recommendation;
    bool ok = found != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    cli_progress_begin(&progress, "searching", 0);
    ok = ok && p3d_recommend(problem, &options, found, &recommendation, err);
    cli_progress_end(&progress);
    if (ok && recommendation.verdict != P3D_VERDICT_DOES_NOT_FIT)
        *out = (p3d_alternative){
                .legal = true, .estimate = recommendation.recommended};
    else
        ok = ok && p3d_alternative_search(problem, &all, out, err);
    free(found);
    return ok;
}

/* The best plan beside the fastest sure one that has the values of --not: that
 * of the table of prices. */
static bool answer_not(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    const p3d_problem *problem = &question->question.problem;
    report_findings findings = {0};
    report_asked pair[2] = {
            {.words = NULL}, {.words = args->not_values, .is_search = true}};
    p3d_pins pins;

    if (!read_values(args->not_values, &pins, err) ||
            !choose(problem, &pair[0].found, err) ||
            !p3d_alternative_search(problem, &pins, &pair[1].found, err))
        return false;
    findings.pair = pair;
    return cli_print_findings(
            question, &findings, report_comparison_print, reply, err);
}

static bool price(const cli_question *question, p3d_search_result *search,
        p3d_decisions *decisions, p3d_error *err)
{
    cli_progress progress;
    const p3d_progress told = {cli_progress_parts, &progress};
    bool ok;

    cli_progress_begin(&progress, "search", 0);
    ok = p3d_decisions_price(&question->question.problem,
            cli_best_or_closest(search), &told, decisions, err);
    cli_progress_end(&progress);
    cli_mark_interrupted(search);
    return ok;
}

static bool answer_prices(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    p3d_decisions *decisions = malloc(sizeof(*decisions));
    p3d_search_result *search = NULL;
    report_findings findings = {.decisions = decisions};
    bool ok;

    if (decisions == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = cli_question_search(question, NULL, 1, &search, err) &&
         price(question, search, decisions, err);
    findings.search = search;
    if (ok)
        ok = cli_print_findings(question, &findings, report_why, reply, err);
    free(search);
    free(decisions);
    return ok;
}

/* Why the best plan and not another: the price of each decision, or with
 * --not that of some values. */
static bool explain_why(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    return question->args->not_values != NULL
                   ? answer_not(question, reply, err)
                   : answer_prices(question, reply, err);
}

/* A plan in words; one that is not legal is an answer too. */
static bool find_plan(const cli_question *question, const char *words,
        report_asked *out, p3d_error *err)
{
    const p3d_problem *problem = &question->question.problem;
    p3d_plan plan;

    if (!p3d_plan_parse(words, problem->cluster.n_gpus, problem->job.framework,
                &plan, err))
        return false;
    out->words = words;
    out->found.legal = p3d_estimate_plan(
            problem, &plan, &out->found.estimate, &out->found.refusal);
    return true;
}

static bool find_best(
        const cli_question *question, report_asked *out, p3d_error *err)
{
    return choose(&question->question.problem, &out->found, err);
}

/* The plans of --compare and --with side by side. */
static bool explain_compare(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    report_asked pair[2] = {{.words = NULL}, {.words = NULL}};
    const report_findings findings = {.pair = pair};
    const bool ok =
            find_plan(question, args->compare, &pair[0], err) &&
            (args->with != NULL ? find_plan(question, args->with, &pair[1], err)
                                : find_best(question, &pair[1], err));

    return ok && cli_print_findings(question, &findings,
                         report_comparison_print, reply, err);
}

/* The fastest plans that each draw is compared by: with 40 as with 100 of them
 * the searches at 12 draws find 11 known. */
enum { USUAL_DRAWS = 1000, USUAL_SEED = 1, N_COMPARED = 40 };

static bool judge(const cli_question *question, const p3d_plan *choice,
        const p3d_search_result *search, p3d_sensitivity *out, p3d_error *err)
{
    const cli_args *const args = question->args;
    cli_progress progress;
    const p3d_sensitivity_options options = {.others = search->top,
            .n_others = search->n_top,
            .n_draws = args->n_draws > 0 ? (int)args->n_draws : USUAL_DRAWS,
            .seed = args->seed > 0 ? (uint64_t)args->seed : USUAL_SEED,
            .progress = cli_progress_share,
            .context = &progress,
            .within_frac = cli_recommend_options(args).within_frac};
    bool ok;

    cli_progress_begin(&progress, "comparing plans", 0);
    ok = p3d_judge(&question->question.problem, choice, &options, out, err);
    cli_progress_end(&progress);
    return ok;
}

/** Judge a plan that fits, and print; say so when it does not. */
static bool answer_sensitivity(const cli_question *question,
        const p3d_estimate *chosen, const p3d_search_result *search,
        cli_reply *reply, p3d_error *err)
{
    report_findings findings = {.estimate = chosen};
    p3d_sensitivity *s = NULL;
    bool ok = true;

    if (chosen->fits) {
        s = calloc(1, sizeof(*s));
        if (s == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
        ok = judge(question, &chosen->plan, search, s, err);
        findings.sensitivity = s;
    }
    ok = ok && cli_print_findings(question, &findings, report_sensitivity_print,
                       reply, err);
    free(s);
    return ok;
}

/* How sure the choice of a plan is: of --plan, or the recommended one. */
static bool explain_sensitivity(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    p3d_search_result *search = NULL;
    p3d_estimate chosen;
    bool ok;

    if (!cli_question_search(question, NULL, N_COMPARED, &search, err))
        return false;
    ok = cli_estimate_plan_or_found(
                 question, question->args->plan, search, &chosen, err) &&
         answer_sensitivity(question, &chosen, search, reply, err);
    free(search);
    return ok;
}

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("plan",
         "memory, sensitivity, evidence, error, network: the plan, such as "
         "tp=8,pp=2,recompute=full:4"), CLI_TEXT_AT(plan, "WORDS"),
     .fallback = "the recommended plan"},
    {JSON_OPTION("draws",
         "of sensitivity: how often the constants are drawn, 100 to 20000 "
         "times"), CLI_COUNT_AT(n_draws, "N", P3D_LEAST_DRAWS, P3D_MOST_DRAWS),
     .fallback = "1000"},
    {JSON_OPTION("seed", "of sensitivity: which draws"),
     CLI_COUNT_AT(seed, "N", 1, 9007199254740992), .fallback = "1"},
    {JSON_OPTION("not", "why: why not these values, such as tp=4,zero=3"),
     CLI_TEXT_AT(not_values, "WORDS")},
    {JSON_OPTION("compare", "a plan to hold against another, term by term"),
     CLI_TEXT_AT(compare, "WORDS")},
    {JSON_OPTION("with", "the other plan of --compare"),
     CLI_TEXT_AT(with, "WORDS"), .fallback = "the recommended plan"},
    CLI_FORMAT_ROW,
    CLI_JOB_ROWS,
};
/* clang-format on */

static bool explain_memory(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {.explain = true};
    p3d_estimate estimate;

    if (!cli_estimate_plan_or_best(
                question, question->args->plan, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(question, &findings, report_explain, reply, err);
}

/* The measured runs that are nearest to --plan, or to the best plan. */
static bool explain_evidence(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {0};
    p3d_estimate estimate;

    if (!cli_estimate_plan_or_best(
                question, question->args->plan, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(question, &findings, report_evidence, reply, err);
}

/* The terms that the error of its step comes from, likewise. */
static bool explain_error(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {0};
    p3d_error_budget budget;
    p3d_estimate estimate;

    if (!cli_estimate_plan_or_best(
                question, question->args->plan, &estimate, err))
        return false;
    budget = p3d_error_budget_of(&question->question.problem, &estimate);
    findings.estimate = &estimate;
    findings.budget = &budget;
    return cli_print_findings(question, &findings, report_error, reply, err);
}

/* The links of the network that are tight for it, likewise. */
static bool explain_network(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {0};
    p3d_network network;
    p3d_estimate estimate;

    if (!cli_estimate_plan_or_best(
                question, question->args->plan, &estimate, err))
        return false;
    p3d_network_of(&question->question.problem, &estimate, &network);
    findings.estimate = &estimate;
    findings.network = &network;
    return cli_print_findings(question, &findings, report_network, reply, err);
}

/* What the third word may ask for; without it, the first. */
static const struct {
    const char *word;
    cli_answer *explain;
} topics[] = {{"memory", explain_memory}, {"sensitivity", explain_sensitivity},
        {"why", explain_why}, {"evidence", explain_evidence},
        {"error", explain_error}, {"network", explain_network}};

const char *cli_topic_word(int i)
{
    return P3D_HAS(topics, i) ? topics[i].word : NULL;
}

/* Options that belong to another explanation. */
static bool check_options(
        const cli_args *args, cli_answer *explain, p3d_error *err)
{
    if (args->not_values != NULL && explain != explain_why)
        return p3d_fail(err, P3D_USAGE,
                "--not answers why; write plan3d explain MODEL CLUSTER why "
                "--not %.60s",
                args->not_values);
    if (args->plan != NULL && explain != explain_memory &&
            explain != explain_sensitivity && explain != explain_evidence &&
            explain != explain_error && explain != explain_network)
        return p3d_fail(err, P3D_USAGE,
                "--plan is for memory, sensitivity, evidence, error and "
                "network; write --compare %.60s to hold it against the best "
                "plan",
                args->plan);
    if ((args->n_draws > 0 || args->seed > 0) && explain != explain_sensitivity)
        return p3d_fail(err, P3D_USAGE,
                "--draws and --seed go with sensitivity; write plan3d explain "
                "MODEL CLUSTER sensitivity");
    if (args->with != NULL && explain != explain_compare)
        return p3d_fail(err, P3D_USAGE,
                "--with needs a plan to compare; write --compare tp=8,pp=2 "
                "--with %.60s",
                args->with);
    return true;
}

/* What is asked for; NULL with P3D_USAGE. */
static cli_answer *find_explanation(const cli_args *args, p3d_error *err)
{
    const char *const topic = args->words[2];
    int i = 0;

    if (topic != NULL && args->compare != NULL) {
        p3d_fail(err, P3D_USAGE,
                "--compare stands without a word such as '%.60s'; leave one of "
                "them out",
                topic);
        return NULL;
    }
    if (args->compare != NULL)
        return explain_compare;
    if (topic != NULL && !json_find_word("nothing to explain about", topic,
                                 cli_topic_word, &i, err))
        return NULL;
    return topics[i].explain;
}

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    cli_answer *const explain = find_explanation(args, err);

    return explain != NULL && check_options(args, explain, err) &&
           explain(question, reply, err);
}

const cli_command cli_explain = {
        .name = "explain",
        .summary = "What is alive on the tight GPU at its peak, tensor by "
                   "tensor; what each decision of the best plan is worth; how "
                   "sure the choice is; the measured runs nearest to it; where "
                   "the error of its step comes from; which links of the "
                   "network are tight; two plans side by side.",
        .positionals = {CLI_MODEL, CLI_CLUSTER,
                {"WHAT",
                        "memory (the default): the tensors with their shapes, "
                        "why they are kept and where that was read; why: the "
                        "best plan with each other value, and its price; "
                        "sensitivity: how sure the choice is when the "
                        "constants may be wrong; evidence: the measured runs "
                        "that are nearest to the plan; error: the terms that "
                        "the error of its step comes from, and what to "
                        "measure; network: the links that are tight for the "
                        "plan, and what others would give",
                        CLI_AT_MOST_ONCE}},
        .last_words = cli_topic_word,
        .table = CLI_TABLE(options),
        .examples = {"plan3d explain 70B 64xA800 why --not tp=8,pp=2",
                "plan3d explain llama-3-8b 8xH100 sensitivity --draws 5000",
                "plan3d explain llama-3-8b 8xH100 --compare tp=2 --with "
                "tp=1,zero=3"},
        .of_pools = cli_explain_pools,
        .answer = answer,
};
