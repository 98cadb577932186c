/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_decisions.c - the price of a decision is what trying every plan with
 * that value gives. */
#include "problem.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/plan3d.h"

/** A model cut to a few layers, on GPUs cut to a little memory, so that every
 *  plan can be tried and some do not fit. */
typedef struct small_problem {
    const char *model, *cluster, *framework;
    int n_layers, global_batch;
    double visible_gib;
} small_problem;

/* clang-format off */
static const small_problem problems[] = {
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 40},
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 14},
    {"llama-2-7b",   "4xA100", "deepspeed",     6,  8, 12},
    {"llama-2-7b",   "4xH100", "any",           6,  8, 12},
    {"llama-2-7b",   "8xA100", "fsdp2",         4, 16, 10},
    {"mixtral-8x7b", "4xH100", "megatron-core", 2,  8, 45},
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 2},
};
/* clang-format on */

static p3d_problem build(const small_problem *s)
{
    p3d_problem p = problem_of(
            s->model, s->cluster, s->framework, 2048, s->global_batch);

    p.model.n_layers = s->n_layers;
    p.cluster.gpu.visible_memory_bytes = (int64_t)(s->visible_gib * P3D_GIB);
    p.job.reserve_bytes = 0;
    return p;
}

/** What a plan has of a decision; written apart from the table that is
 *  tested. */
static int value_of(const char *word, const p3d_plan *plan)
{
    const struct {
        const char *word;
        int value;
    } values[] = {{"tp", plan->tp}, {"pp", plan->pp}, {"vp", plan->vp},
            {"cp", plan->cp}, {"ep", plan->ep}, {"etp", plan->etp},
            {"mbs", plan->micro_batch}, {"zero", plan->zero},
            {"recompute", (int)plan->recompute},
            {"offload", (int)plan->offload}};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (strcmp(values[i].word, word) == 0)
            return values[i].value;
    }
    fail_msg("decision '%s' is not tested", word);
    return -1;
}

/** What trying every plan gives for each choice of a table. */
typedef struct tried {
    bool legal;
    double best_s; /* of those that fit; DBL_MAX = none */
} tried;

typedef struct brute_force {
    const p3d_problem *problem;
    const p3d_decisions *table;
    tried choices[P3D_MAX_DECISIONS][P3D_MAX_CHOICES];
} brute_force;

static void try_plan(brute_force *b, const p3d_plan *plan)
{
    p3d_estimate e;

    if (!p3d_estimate_plan(b->problem, plan, &e, NULL))
        return;
    for (int i = 0; i < b->table->n; i++) {
        const p3d_decision *decision = &b->table->decisions[i];

        for (int k = 0; k < decision->n_choices; k++) {
            tried *t = &b->choices[i][k];

            if (value_of(decision->word, plan) != decision->choices[k].value)
                continue;
            t->legal = true;
            if (e.fits && p3d_time_step_s(&e.time) < t->best_s)
                t->best_s = p3d_time_step_s(&e.time);
        }
    }
}

static void try_states(brute_force *b, p3d_plan plan)
{
    const int chunks = plan.pp * plan.vp;
    const int most = (b->problem->model.n_layers + chunks - 1) / chunks;

    for (int o = 0; o < P3D_N_OFFLOADS; o++) {
        plan.offload = (p3d_offload)o;
        plan.recompute_layers = 0;
        plan.recompute = P3D_RECOMPUTE_NONE;
        try_plan(b, &plan);
        plan.recompute = P3D_RECOMPUTE_SELECTIVE;
        try_plan(b, &plan);
        plan.recompute = P3D_RECOMPUTE_FULL;
        for (int n = 1; n <= most; n++) {
            plan.recompute_layers = n == most ? 0 : n;
            try_plan(b, &plan);
        }
    }
}

static void try_batches(brute_force *b, p3d_plan plan)
{
    for (int s = 0; s < P3D_N_SCHEDULES; s++) {
        plan.schedule = (p3d_schedule)s;
        if (plan.pp == 1 && plan.schedule != P3D_1F1B)
            continue;
        for (plan.micro_batch = 1;
                plan.micro_batch <= b->problem->job.global_batch;
                plan.micro_batch++)
            for (plan.zero = 0; plan.zero <= 3; plan.zero++)
                try_states(b, plan);
    }
}

static void try_experts(brute_force *b, p3d_plan plan)
{
    const int n_experts = b->problem->model.n_experts;

    for (plan.ep = 1; plan.ep <= (n_experts > 0 ? n_experts : 1); plan.ep++) {
        plan.etp = plan.tp;
        try_batches(b, plan);
        plan.etp = 1;
        if (n_experts > 0 && plan.tp > 1)
            try_batches(b, plan);
    }
}

static void try_everything(brute_force *b)
{
    const int n = b->problem->cluster.n_gpus;
    p3d_plan plan = {.tp = 1};

    for (plan.tp = 1; plan.tp <= n; plan.tp++) {
        for (plan.cp = 1; plan.cp <= n; plan.cp++) {
            for (plan.pp = 1; plan.pp <= n; plan.pp++) {
                plan.dp = n / (plan.tp * plan.cp * plan.pp);
                plan.sequence_parallel = plan.tp > 1;
                if (plan.tp * plan.cp * plan.pp * plan.dp != n)
                    continue;
                for (plan.vp = 1; plan.vp <= b->problem->model.n_layers + 2;
                        plan.vp++)
                    try_experts(b, plan);
            }
        }
    }
}

static p3d_estimate best_of(const p3d_problem *problem)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_choice best = {0};
    p3d_error err = {0};

    problem_check(p3d_choice_search(problem, &pins, &best, &err), &err);
    assert_true(best.legal);
    return best.estimate;
}

/** The table of a problem; free() it. */
static p3d_decisions *price(const p3d_problem *problem)
{
    p3d_decisions *table = malloc(sizeof(*table));
    const p3d_estimate best = best_of(problem);
    p3d_error err = {0};

    assert_non_null(table);
    problem_check(
            p3d_decisions_price(problem, &best, NULL, NULL, table, &err), &err);
    return table;
}

static void check_choice(const p3d_decisions *table,
        const p3d_decision *decision, const p3d_choice *choice, const tried *t)
{
    const p3d_estimate *e = &choice->estimate;

    if (choice->legal != t->legal ||
            (choice->legal && e->fits != (t->best_s < DBL_MAX)))
        fail_msg("%s=%d: legal %d, by brute force %d", decision->word,
                choice->value, choice->legal, t->legal);
    if (!choice->legal) {
        assert_true(choice->refusal.reason[0] != '\0');
        return;
    }
    if (e->fits) {
        assert_int_equal(value_of(decision->word, &e->plan), choice->value);
        assert_true(p3d_time_step_s(&e->time) == t->best_s);
        assert_true(p3d_time_step_s(&e->time) >=
                    p3d_time_step_s(&table->best.time));
    } else {
        assert_true(p3d_estimate_margin_bytes(e) <=
                    p3d_estimate_margin_bytes(&table->best));
    }
}

/** What a table holds, to be sure that the cases are there. */
typedef struct counts {
    int n_dearer, n_misfits, n_refused;
} counts;

static void check_table(const p3d_problem *problem, counts *seen)
{
    p3d_decisions *table = price(problem);
    brute_force *b = calloc(1, sizeof(*b));

    assert_non_null(b);
    b->problem = problem;
    b->table = table;
    for (int i = 0; i < P3D_MAX_DECISIONS; i++)
        for (int k = 0; k < P3D_MAX_CHOICES; k++)
            b->choices[i][k].best_s = DBL_MAX;
    try_everything(b);
    for (int i = 0; i < table->n; i++) {
        const p3d_decision *decision = &table->decisions[i];
        int n_chosen = 0;

        for (int k = 0; k < decision->n_choices; k++) {
            const p3d_choice *choice = &decision->choices[k];

            n_chosen += choice->chosen;
            check_choice(table, decision, choice, &b->choices[i][k]);
            seen->n_refused += !choice->legal;
            seen->n_misfits += choice->legal && !choice->estimate.fits;
            seen->n_dearer +=
                    choice->legal && choice->estimate.fits && !choice->chosen;
        }
        assert_int_equal(n_chosen, 1);
    }
    free(table);
    free(b);
}

static void prices_are_what_trying_every_plan_gives(void **state)
{
    counts seen = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
        const p3d_problem p = build(&problems[i]);

        check_table(&p, &seen);
    }
    assert_true(seen.n_dearer >= 60);
    assert_true(seen.n_misfits >= 10);
    assert_true(seen.n_refused >= 10);
}

/* Plans that recompute or offload more than they need are not in the list. */
static bool list_has_all(const char *word)
{
    return strcmp(word, "recompute") != 0 && strcmp(word, "offload") != 0;
}

/* The list of the best plans is found by one search without pins. */
static void prices_agree_with_the_ranked_list(void **state)
{
    const p3d_problem p =
            problem_of("mixtral-8x7b", "64xH100", "megatron-core", 0, 0);
    p3d_search_result *list = malloc(sizeof(*list));
    const p3d_pins pins = p3d_pins_free();
    p3d_decisions *table = price(&p);
    p3d_error err = {0};
    int n_found = 0;

    (void)state;
    assert_non_null(list);
    problem_check(p3d_search(&p, &pins, P3D_MAX_TOP, list, &err), &err);
    for (int i = 0; i < table->n; i++) {
        const p3d_decision *decision = &table->decisions[i];

        for (int k = 0; k < decision->n_choices; k++) {
            const p3d_choice *choice = &decision->choices[k];
            int at = 0;

            while (at < list->n_top &&
                    value_of(decision->word, &list->top[at].plan) !=
                            choice->value)
                at++;
            if (at == list->n_top)
                continue;
            n_found++;
            assert_true(choice->legal && choice->estimate.fits);
            assert_true(p3d_time_step_s(&choice->estimate.time) <=
                        p3d_time_step_s(&list->top[at].time));
            if (list_has_all(decision->word))
                assert_true(p3d_time_step_s(&choice->estimate.time) ==
                            p3d_time_step_s(&list->top[at].time));
        }
    }
    assert_true(n_found >= 15);
    free(table);
    free(list);
}

typedef struct calls {
    int n, last, n_all;
} calls;

static void note(void *context, int n_done, int n_all)
{
    calls *c = context;

    assert_int_equal(n_done, c->n);
    c->n++;
    c->last = n_done;
    c->n_all = n_all;
}

static void progress_counts_every_search(void **state)
{
    const p3d_problem p = build(&problems[0]);
    const p3d_estimate best = best_of(&p);
    p3d_decisions *table = malloc(sizeof(*table));
    p3d_error err = {0};
    calls c = {0};

    (void)state;
    assert_non_null(table);
    problem_check(p3d_decisions_price(&p, &best, note, &c, table, &err), &err);
    assert_true(c.n > 10);
    assert_int_equal(c.last + 1, c.n_all);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(prices_are_what_trying_every_plan_gives),
            cmocka_unit_test(prices_agree_with_the_ranked_list),
            cmocka_unit_test(progress_counts_every_search),
    };

    return cmocka_run_group_tests_name("decisions", tests, NULL, NULL);
}
