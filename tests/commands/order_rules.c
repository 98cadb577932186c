/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order_rules.c - the invariants of two questions of which one allows more:
 * what fits still fits, and is not slower. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "commands/cluster_file.h"

/* The second question allows all that the first one does. */
static verdict never_worse(trial *t, const answer *less, const answer *more)
{
    const double less_s = answer_number(less, "best.time.step_s");
    const double more_s = answer_number(more, "best.time.step_s");

    if (!answer_is_given(less))
        return INVARIANT_SILENT;
    if (!answer_is_given(more))
        return trial_broken(
                t, less, more, "the second is refused: %s", more->err);
    if (!answer_true(less, "fits"))
        return INVARIANT_HOLDS;
    if (!answer_true(more, "fits"))
        return trial_broken(t, less, more, "the first alone fits");
    if (strcmp(answer_string(less, "verdict"), "fits_barely") == 0)
        return INVARIANT_HOLDS; /* what is sure then may be slower */
    if (!(more_s <= less_s))
        return trial_broken(t, less, more,
                "the second is slower: %.17g, not "
                "%.17g s",
                more_s, less_s);
    return INVARIANT_HOLDS;
}

/* "plan" at times: its best plan is fit's. The fastest sure plan is asked for:
 * a simpler one may be slower where more is allowed. */
static line draw_question(trial *t)
{
    line l = trial_question(t, draw_one_in(&t->draw, 4) ? "plan" : "fit");

    line_set(&l, "objective", "cheapest");
    return l;
}

verdict trial_smaller_reserve(trial *t)
{
    line l = draw_question(t);
    const answer *less;
    char smaller[32];

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    less = trial_ask(t, &l);
    if (!answer_is_given(less))
        return INVARIANT_SILENT;
    snprintf(smaller, sizeof(smaller), "%.0fB",
            floor(answer_number(less, "job.reserve_bytes") *
                    draw_below(&t->draw, 4) / 4));
    line_drop(&l, "sure");
    line_set(&l, "reserve", smaller);
    return never_worse(t, less, trial_ask(t, &l));
}

/* The question on the cluster as a file. */
static const answer *ask_file(trial *t, const line *question, const answer *of,
        const char *name, double gpu_factor, double host_factor)
{
    line l = *question;
    const char *const path =
            cluster_file_write(t, of, name, gpu_factor, host_factor);

    P3D_ASSERT(strcmp(line_positional(&l, 2), l.words[2]) == 0);
    snprintf(l.words[2], LINE_WORD, "%s", path);
    return trial_ask(t, &l);
}

static verdict larger(trial *t, bool gpu)
{
    static const double factors[] = {1.01, 1.1, 1.5, 2, 3};
    static const double shares[] = {0.02, 0.1, 0.5, 1};
    const line l = draw_question(t);
    const double factor = factors[draw_below(&t->draw, P3D_COUNT_OF(factors))];
    /* Little host memory, so that it is of account. */
    const double host = shares[draw_below(&t->draw, P3D_COUNT_OF(shares))];
    const answer *known, *less;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    known = trial_ask(t, &l);
    if (!answer_is_given(known))
        return INVARIANT_SILENT;
    less = ask_file(
            t, &l, known, gpu ? "less-gpu.json" : "less-host.json", 1, host);
    return never_worse(t, less,
            ask_file(t, &l, known, gpu ? "more-gpu.json" : "more-host.json",
                    gpu ? factor : 1, gpu ? host : host * factor));
}

verdict trial_larger_gpu(trial *t)
{
    return larger(t, true);
}

verdict trial_larger_host(trial *t)
{
    return larger(t, false);
}

verdict trial_words_are_their_file(trial *t)
{
    const line l = trial_question(t, "fit");
    const answer *words, *file;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    words = trial_ask(t, &l);
    if (!answer_is_given(words))
        return INVARIANT_SILENT;
    file = ask_file(t, &l, words, "same.json", 1, 1);
    if (file->status != words->status ||
            strcmp(answer_string(words, "best.words"),
                    answer_string(file, "best.words")) != 0 ||
            (answer_true(words, "fits") &&
                    answer_number(words, "best.time.step_s") !=
                            answer_number(file, "best.time.step_s")))
        return trial_broken(t, words, file,
                "the file of a cluster is answered "
                "otherwise than its words: %s",
                file->err);
    return INVARIANT_HOLDS;
}

verdict trial_idle_nodes(trial *t)
{
    line l = draw_question(t);
    const answer *less;
    char idle[16];
    int n_idle;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    less = trial_ask(t, &l);
    if (!answer_is_given(less) || answer_number(less, "cluster.n_nodes") < 2)
        return INVARIANT_SILENT;
    n_idle = 1 + draw_below(&t->draw, 3);
    if (line_has(&l, "idle"))
        n_idle += line_value(&l, "idle")[0] - '0';
    snprintf(idle, sizeof(idle), "%d", n_idle);
    line_set(&l, "idle", idle);
    return never_worse(t, less, trial_ask(t, &l));
}

/* Sizes that the job has by default depend on each other. */
static void fix_sizes(const answer *of, int divisor, line *l)
{
    char number[32];

    snprintf(number, sizeof(number), "%.0f",
            answer_number(of, "job.seq_len") / divisor);
    line_set(l, "seq", number);
    snprintf(number, sizeof(number), "%.0f",
            answer_number(of, "job.global_batch"));
    line_set(l, "batch", number);
}

/* Half the sequence may not be divisible as the whole was: then the plan is
 * refused, and nothing is known of the search. */
verdict trial_shorter_sequence(trial *t)
{
    line fit = trial_question(t, "fit");
    line estimate = trial_question(t, "estimate");
    const answer *whole, *half, *best;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    whole = trial_ask(t, &fit);
    if (!answer_true(whole, "fits") ||
            fmod(answer_number(whole, "job.seq_len"), 2) != 0)
        return INVARIANT_SILENT;
    fix_sizes(whole, 2, &fit);
    fix_sizes(whole, 2, &estimate);
    line_set(&estimate, "plan", answer_string(whole, "best.words"));
    half = trial_ask(t, &estimate);
    if (!answer_is_given(half))
        return INVARIANT_SILENT;
    if (!answer_true(half, "fits"))
        return trial_broken(
                t, whole, half, "the shorter sequence does not fit");
    best = trial_ask(t, &fit);
    if (!answer_is_given(best) || !answer_true(best, "fits"))
        return trial_broken(t, half, best, "the estimate alone fits");
    return INVARIANT_HOLDS;
}

verdict trial_fewer_pins(trial *t)
{
    line l = draw_question(t);
    const answer *any, *less;
    const char *key;
    char pins[LINE_WORD - 16], fewer[LINE_WORD - 16];

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    any = trial_ask(t, &l);
    if (!answer_is_given(any))
        return INVARIANT_SILENT;
    key = answer_true(any, "fits") ? "best.words" : "closest.words";
    if (answer_string(any, key)[0] == '\0')
        return INVARIANT_SILENT;
    grammar_thin_plan(&t->draw, answer_string(any, key), pins, sizeof(pins));
    grammar_thin_plan(&t->draw, pins, fewer, sizeof(fewer));
    line_set(&l, "pin", pins);
    less = trial_ask(t, &l);
    if (!answer_is_given(less))
        return trial_broken(t, any, less,
                "words of the answer's own plan are "
                "refused: %s",
                less->err);
    line_set(&l, "pin", fewer);
    return never_worse(t, less, trial_ask(t, &l));
}

/* Of those that a new run would choose from: "generic", which is usual on some
 * accelerators, is none. */
static bool has_current_framework(const answer *of)
{
    const p3d_framework *const framework =
            p3d_framework_find(answer_string(of, "job.framework"));

    return framework != NULL && framework->standing == P3D_FRAMEWORK_CURRENT;
}

verdict trial_any_framework(trial *t)
{
    line l = draw_question(t);
    const answer *one;

    if (!trial_has_question(t))
        return INVARIANT_SILENT;
    one = trial_ask(t, &l);
    if (!answer_is_given(one) || !has_current_framework(one))
        return INVARIANT_SILENT;
    line_set(&l, "framework", "any");
    return never_worse(t, one, trial_ask(t, &l));
}
