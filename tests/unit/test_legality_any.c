/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality_any.c - the rules answer any plan, however odd. */
#include "test.h"

#include "legality_world.h"

static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

/** Mostly 0, else a number below n, or -1. */
static int seldom(uint64_t *state, unsigned n)
{
    return random_below(state, 8) == 0 ? (int)random_below(state, n + 1) - 1
                                       : 0;
}

/* Whatever is asked: no crash, and a reason exactly when refused. */
static void any_plan_gets_an_answer(void **state)
{
    world worlds[2] = {dense(), experts()};
    uint64_t seed = 7;
    int n_legal = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        const p3d_plan plan = {.tp = 1 << random_below(&seed, 5),
                .pp = 1 << random_below(&seed, 5),
                .dp = 1 << random_below(&seed, 7),
                .cp = 1 << random_below(&seed, 2),
                .ep = 1 << random_below(&seed, 3),
                .etp = (int)random_below(&seed, 4),
                .vp = (int)random_below(&seed, 4),
                .micro_batch = (int)random_below(&seed, 3),
                .zero = (int)random_below(&seed, 5) - 1,
                .sequence_parallel = random_below(&seed, 2) != 0,
                .recompute = (p3d_recompute)random_below(&seed, 3),
                .recompute_modules = (unsigned)seldom(&seed, 3) & 3,
                .recompute_layers = (int)random_below(&seed, 3) - 1,
                .recompute_group = seldom(&seed, 3),
                .shard = seldom(&seed, 4),
                .group = seldom(&seed, 8),
                .first_layers = seldom(&seed, 4),
                .last_layers = seldom(&seed, 4),
                .order = (p3d_order)random_below(&seed, 2),
                .offload = (p3d_offload)random_below(&seed, 3),
                .schedule = (p3d_schedule)random_below(&seed, 3)};
        const world *const w = &worlds[i % 2];
        p3d_refusal refusal = {0};
        const bool yes = ask(w, &plan, &refusal);

        assert_int_equal(yes, ask(w, &plan, NULL));
        assert_int_equal(yes, refusal.rule == NULL);
        assert_int_equal(yes, refusal.reason[0] == '\0');
        n_legal += yes;
    }
    assert_true(n_legal > 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(any_plan_gets_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
