/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_explain.c - plan3d explain: what a number is made of, and why this plan
 * and not that one. */
#include "cli/answer.h"
#include "cli/rows.h"

static const cli_option options[] = {
        {.name = "plan",
                .kind = CLI_TEXT,
                .offset = CLI_AT(plan, const char *),
                .value = "WORDS",
                .fallback = "the fastest that fits",
                .doc = "memory, sensitivity: the plan, such as "
                       "tp=8,pp=2,recompute=full:4"},
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
        {.name = "not",
                .kind = CLI_TEXT,
                .offset = CLI_AT(not_values, const char *),
                .value = "WORDS",
                .doc = "why: why not these values, such as tp=4,zero=3"},
        {.name = "compare",
                .kind = CLI_TEXT,
                .offset = CLI_AT(compare, const char *),
                .value = "WORDS",
                .doc = "a plan to hold against another, term by term"},
        {.name = "with",
                .kind = CLI_TEXT,
                .offset = CLI_AT(with, const char *),
                .value = "WORDS",
                .fallback = "the fastest that fits",
                .doc = "the other plan of --compare"},
        CLI_FORMAT_ROW,
        CLI_JOB_ROWS,
};

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

/* What the third word may ask for; without it, the first. */
static const struct {
    const char *word;
    cli_answer *explain;
} topics[] = {{"memory", explain_memory},
        {"sensitivity", cli_explain_sensitivity}, {"why", cli_explain_why}};

const char *cli_topic_word(int i)
{
    return P3D_HAS(topics, i) ? topics[i].word : NULL;
}

/* Options that belong to another explanation. */
static bool check_options(
        const cli_args *args, cli_answer *explain, p3d_error *err)
{
    if (args->not_values != NULL && explain != cli_explain_why)
        return p3d_fail(err, P3D_USAGE,
                "--not answers why; write plan3d explain MODEL CLUSTER why "
                "--not %.60s",
                args->not_values);
    if (args->plan != NULL && explain != explain_memory &&
            explain != cli_explain_sensitivity)
        return p3d_fail(err, P3D_USAGE,
                "--plan is for memory and sensitivity; write --compare %.60s "
                "to hold it "
                "against the best plan",
                args->plan);
    if ((args->n_draws > 0 || args->seed > 0) &&
            explain != cli_explain_sensitivity)
        return p3d_fail(err, P3D_USAGE,
                "--draws and --seed go with sensitivity; write plan3d explain "
                "MODEL CLUSTER sensitivity");
    if (args->with != NULL && explain != cli_explain_compare)
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
        return cli_explain_compare;
    if (topic != NULL && !cli_word_find("nothing to explain about", topic,
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
                   "sure the choice is; two plans side by side.",
        .positionals = {CLI_MODEL, CLI_CLUSTER,
                {"WHAT",
                        "memory (the default): the tensors with their shapes, "
                        "why they are kept and where that was read; why: the "
                        "best plan with each other value, and its price; "
                        "sensitivity: how sure the choice is when the "
                        "constants may be wrong",
                        CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d explain 70B 64xA800 why --not tp=8,pp=2",
                "plan3d explain llama-3-8b 8xH100 sensitivity --draws 5000",
                "plan3d explain llama-3-8b 8xH100 --compare tp=2 --with "
                "tp=1,zero=3"},
        .answer = answer,
};
