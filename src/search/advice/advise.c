/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advise.c - the greedy walk of an experienced engineer: make it fit, then
 * make it fast, one move at a time. */
#include <stdarg.h>
#include <stdio.h>

#include "base/util.h"
#include "plan3d/search.h"
#include "plan3d/units.h"
#include "search/advice/moves.h"
#include "search/exact/space.h"
#include "spec/given.h"

/** Append a step; false when there is no room for more. */
static p3d_step *add_step(p3d_walk *walk, const char *decision)
{
    p3d_step *step;

    if (walk->n_steps >= P3D_MAX_STEPS)
        return NULL;
    step = &walk->steps[walk->n_steps++];
    *step = (p3d_step){.legal = false};
    (void)p3d_copy(step->decision, sizeof(step->decision), decision);
    return step;
}

static void P3D_PRINTF(2, 3) say(p3d_step *step, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(step->reason, sizeof(step->reason), fmt, args);
    va_end(args);
}

static double step_s(const p3d_step *step)
{
    return p3d_time_step_s(&step->estimate.time);
}

static void estimate(
        const p3d_problem *problem, const p3d_plan *plan, p3d_step *step)
{
    step->estimate.plan = *plan;
    step->legal =
            p3d_estimate_plan(problem, plan, &step->estimate, &step->refusal);
}

/** What a plan that does not fit lacks, as a person would say it. */
static void say_missing(p3d_step *step, const char *why)
{
    const p3d_estimate *e = &step->estimate;
    char need[32], have[32];

    if (!step->legal) {
        say(step, "%s; not possible: %s: %s", why, step->refusal.rule,
                step->refusal.reason);
        return;
    }
    (void)p3d_print_bytes(
            need, sizeof(need), (double)p3d_memory_device_bytes(&e->memory));
    (void)p3d_print_bytes(have, sizeof(have), (double)e->usable_bytes);
    if (e->fits)
        say(step, "%s: stage %d needs %s of %s: it fits", why, e->tight_stage,
                need, have);
    else if (p3d_estimate_margin_bytes(e) < 0)
        say(step, "%s: stage %d needs %s of %s: out of memory", why,
                e->tight_stage, need, have);
    else
        say(step, "%s: fits the GPU, but the host memory is too small", why);
}

/** Where the walk starts: the largest tensor parallelism inside a node. */
static bool start(const p3d_problem *problem, p3d_walk *walk, p3d_plan *plan)
{
    const int n = problem->cluster.n_gpus;
    p3d_step *step = &walk->steps[0];
    int node = problem->cluster.node.gpus_per_node;

    if (node > n)
        node = n;
    for (int tp = node; tp >= 1; tp--) {
        if (n % tp != 0)
            continue;
        *plan = moves_start(problem, tp);
        if (p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                    plan, NULL))
            break;
    }
    (void)add_step(walk, "start");
    estimate(problem, plan, step);
    say_missing(step, "TP over the GPUs of a node, ZeRO-1, recomputation of "
                      "every layer, micro batch 1");
    step->accepted = step->legal;
    return step->legal && step->estimate.fits;
}

/** First half: the moves that save memory, cheapest first. */
static bool make_it_fit(
        const p3d_problem *problem, p3d_walk *walk, p3d_plan *plan)
{
    int n;
    const moves_saver *savers = moves_savers(&n);

    for (int i = 0; i < n;) {
        p3d_plan next = *plan;
        p3d_step *step;
        char decision[64];

        if (!savers[i].apply(problem, &next, decision, sizeof(decision))) {
            i++;
            continue;
        }
        step = add_step(walk, decision);
        if (step == NULL)
            return false;
        estimate(problem, &next, step);
        say_missing(step, savers[i].why);
        step->accepted = step->legal;
        if (step->legal)
            *plan = next;
        if (step->legal && step->estimate.fits)
            return true;
        if (!step->legal || !savers[i].repeat)
            i++;
    }
    return false;
}

/** True when an earlier step has looked at this very plan. */
static bool was_tried(const p3d_walk *walk, const p3d_plan *plan)
{
    char words[256], tried[256];

    (void)p3d_plan_print(plan, words, sizeof(words));
    for (int i = 0; i < walk->n_steps; i++) {
        (void)p3d_plan_print(
                &walk->steps[i].estimate.plan, tried, sizeof(tried));
        if (p3d_same_word(words, tried))
            return true;
    }
    return false;
}

/** Try one move that may save time; keep it when it fits and is faster. */
static bool try_faster(const p3d_problem *problem, p3d_walk *walk,
        const moves_hastener *move, p3d_step *current)
{
    const p3d_step before = *current;
    p3d_plan next = before.estimate.plan;
    moves_words words;
    p3d_step *step;

    if (!move->apply(problem, &before.estimate, &next, &words))
        return false;
    (void)moves_tune_recompute(problem, &next);
    if (was_tried(walk, &next))
        return false;
    step = add_step(walk, words.decision);
    if (step == NULL)
        return false;
    estimate(problem, &next, step);
    if (!step->legal || !step->estimate.fits) {
        say_missing(step, words.why);
        return false;
    }
    step->accepted = step_s(step) < step_s(&before);
    say(step, "%s: %.3f s -> %.3f s, %s", words.why, step_s(&before),
            step_s(step), step->accepted ? "kept" : "taken back");
    if (step->accepted)
        *current = *step;
    return step->accepted;
}

/** Second half: rounds of moves until a whole round gains nothing. */
static void make_it_fast(
        const p3d_problem *problem, p3d_walk *walk, p3d_step *current)
{
    int n;
    const moves_hastener *moves = moves_hasteners(&n);
    bool gained = true;

    while (gained && walk->n_steps < P3D_MAX_STEPS) {
        gained = false;
        for (int i = 0; i < n; i++)
            gained = try_faster(problem, walk, &moves[i], current) || gained;
    }
}

void p3d_advise(const p3d_problem *problem, p3d_walk *out)
{
    p3d_plan plan = {0};
    p3d_step current;

    if (out == NULL)
        return;
    out->n_steps = 0;
    out->best = -1;
    if (!spec_problem_given(problem))
        return;
    if (!start(problem, out, &plan) && !make_it_fit(problem, out, &plan))
        return;
    current = out->steps[out->n_steps - 1];
    make_it_fast(problem, out, &current);
    for (int i = 0; i < out->n_steps; i++) {
        const p3d_step *step = &out->steps[i];

        if (step->accepted && step->estimate.fits &&
                (out->best < 0 ||
                        step_s(step) < step_s(&out->steps[out->best])))
            out->best = i;
    }
}
