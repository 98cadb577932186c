/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_assign.c - jobs on pools, held against trying all ways to place them. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/assign.h"
#include "plan3d/recommend.h"
#include "study/assign.h"

enum { MOST_JOBS = 4, MOST_NODES = 8 };

/* What a way to place jobs comes to. */
typedef struct worth {
    int64_t left_out;
    double end_s, mean_s, cost;
} worth;

/* All ways, one after the other: every number of nodes of each pool. */
typedef struct brute {
    int n_jobs, n_pools;
    p3d_assign_objective objective;
    int weight[MOST_JOBS];
    double deadline_s[MOST_JOBS];
    int n_nodes[P3D_MAX_POOLS];
    /* 0 = no plan */
    double end_s[MOST_JOBS][P3D_MAX_POOLS][MOST_NODES + 1];
    double cost[MOST_JOBS][P3D_MAX_POOLS][MOST_NODES + 1];
    worth best;
    int64_t n_ways;
} brute;

/* One comes before the other, but for rounding. */
static int order(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)) ? 0 : a < b ? -1 : 1;
}

static int compare(const brute *b, const worth *x, const worth *y)
{
    const double first[] = {x->end_s, x->mean_s, x->cost};
    const double other[] = {y->end_s, y->mean_s, y->cost};
    const bool by_cost = b->objective == P3D_ASSIGN_COST;
    const int decided = order(first[b->objective], other[b->objective]);

    if (x->left_out != y->left_out)
        return x->left_out < y->left_out ? -1 : 1;
    if (decided != 0)
        return decided;
    return by_cost ? order(x->mean_s, y->mean_s) : order(x->cost, y->cost);
}

static void try_all(brute *b, int j, const worth *so_far)
{
    worth next = *so_far;

    if (j == b->n_jobs) {
        if (b->n_ways++ == 0 || compare(b, so_far, &b->best) < 0)
            b->best = *so_far;
        return;
    }
    next.left_out += b->weight[j];
    try_all(b, j + 1, &next);
    for (int k = 0; k < b->n_pools; k++)
        for (int n = 1; n <= b->n_nodes[k]; n++) {
            const double end_s = b->end_s[j][k][n];

            if (end_s == 0 ||
                    (b->deadline_s[j] > 0 && end_s > b->deadline_s[j]))
                continue;
            next = *so_far;
            next.end_s = fmax(next.end_s, end_s);
            next.mean_s += b->weight[j] * end_s;
            next.cost += b->cost[j][k][n];
            b->n_nodes[k] -= n;
            try_all(b, j + 1, &next);
            b->n_nodes[k] += n;
        }
}

static worth best_of(brute *b)
{
    const worth none = {.left_out = 0};

    b->n_ways = 0;
    try_all(b, 0, &none);
    return b->best;
}

static int below(uint64_t *seed, int n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)(*seed >> 33) % n;
}

static bool agrees(const brute *b, const worth *got)
{
    return compare(b, got, &b->best) == 0;
}

/* A table of times that fall, jump, or are not there; places are those that
 * are faster than all with fewer nodes. */
static int draw_times(
        brute *b, uint64_t *seed, int j, int k, study_place *places)
{
    double best_s = HUGE_VAL;
    int n = 0;

    for (int i = 1; i <= b->n_nodes[k]; i++) {
        const double end_s =
                below(seed, 5) == 0 ? 0 : 100.0 * (1 + below(seed, 9)) / i;

        b->end_s[j][k][i] = end_s;
        b->cost[j][k][i] = end_s * i * (1 + k);
        if (end_s == 0 || end_s >= best_s)
            continue;
        best_s = end_s;
        places[n++] = (study_place){.n_units = i,
                .point = {.pool = k,
                        .n_nodes = i,
                        .end_s = end_s,
                        .gpu_h = b->cost[j][k][i]}};
    }
    return n;
}

static worth worth_of(const brute *b, const study_choice *choice)
{
    worth w = {.left_out = 0};

    for (int j = 0; j < b->n_jobs; j++) {
        const study_place *const at = choice->chosen[j];

        if (at == NULL) {
            w.left_out += b->weight[j];
            continue;
        }
        w.end_s = fmax(w.end_s, at->point.end_s);
        w.mean_s += b->weight[j] * at->point.end_s;
        w.cost += at->point.gpu_h;
    }
    return w;
}

/* Nodes of no pool are given away twice. */
static void check_nodes(const brute *b, const study_choice *choice)
{
    int used[P3D_MAX_POOLS] = {0};

    for (int j = 0; j < b->n_jobs; j++)
        if (choice->chosen[j] != NULL)
            used[choice->chosen[j]->point.pool] +=
                    choice->chosen[j]->point.n_nodes;
    for (int k = 0; k < b->n_pools; k++)
        assert_true(used[k] <= b->n_nodes[k]);
}

static void the_choice_is_the_best_of_all_ways(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 300; i++) {
        study_place at[MOST_JOBS * P3D_MAX_POOLS][MOST_NODES];
        study_places places[MOST_JOBS * P3D_MAX_POOLS];
        p3d_assign_job jobs[MOST_JOBS] = {{.weight = 0}};
        brute b = {.n_jobs = 1 + below(&seed, MOST_JOBS),
                .n_pools = 1 + below(&seed, 3),
                .objective = (p3d_assign_objective)(i % 3)};
        const p3d_assign_options options = {.jobs = jobs,
                .n_jobs = b.n_jobs,
                .n_pools = b.n_pools,
                .objective = b.objective};
        study_choice choice = {.options = &options, .places = places};
        worth got;

        for (int k = 0; k < b.n_pools; k++)
            choice.n_units[k] = b.n_nodes[k] = 1 + below(&seed, 5);
        for (int j = 0; j < b.n_jobs; j++) {
            b.weight[j] = jobs[j].weight = 1 + below(&seed, 3);
            b.deadline_s[j] = jobs[j].deadline_s =
                    below(&seed, 3) == 0 ? 200 : 0;
            for (int k = 0; k < b.n_pools; k++) {
                const int p = j * b.n_pools + k;

                places[p].at = at[p];
                places[p].n = draw_times(&b, &seed, j, k, at[p]);
            }
        }
        assert_true(study_choose(&choice, NULL));
        check_nodes(&b, &choice);
        (void)best_of(&b);
        got = worth_of(&b, &choice);
        if (!agrees(&b, &got))
            fail_msg("fleet %d: left out %d and %d, end %g and %g, mean %g and "
                     "%g, cost %g and %g",
                    i, (int)got.left_out, (int)b.best.left_out, got.end_s,
                    b.best.end_s, got.mean_s, b.best.mean_s, got.cost,
                    b.best.cost);
    }
}

/* Whole fleets: small models on small nodes. */

static const char *const models[] = {
        "llama-2-7b", "llama-2-13b", "qwen2.5-14b", "gpt3-6.7b"};
static const char *const fleets[] = {"3x2xA800+2x2xH100", "2x4xA100+3x2xH800",
        "4x1xL40S+2x2xA800", "3x4xH100", "2x1xA800+2x1xH100+2x2xH800"};

/* The time of a job on so many nodes, by a search of its own without limit. */
static void look_up(const p3d_problem *whole, int n_nodes,
        p3d_search_result *found, double *end_s, double *cost)
{
    const p3d_recommend_options options = {.search = {.n_top = 1},
            .objective = P3D_OBJECTIVE_CHEAPEST,
            .only_sure = true};
    p3d_problem problem = *whole;
    p3d_recommendation chosen;
    p3d_training t;
    p3d_error err = {0};

    *end_s = 0;
    if (n_nodes != whole->cluster.n_nodes)
        problem_check(
                p3d_cluster_resize(&problem.cluster,
                        n_nodes * whole->cluster.node.gpus_per_node, &err),
                &err);
    problem_check(
            p3d_recommend(&problem, &options, found, &chosen, &err), &err);
    if (found->n_top == 0)
        return;
    problem_check(p3d_training_find(&problem, &found->top[0], &t, &err), &err);
    *end_s = t.progresses ? t.real_s : 0;
    *cost = t.gpu_h;
}

/* A fleet of a test, with the jobs on each pool. */
typedef struct world {
    p3d_pools pools;
    p3d_problem on[MOST_JOBS * P3D_MAX_POOLS];
    p3d_assign_job jobs[MOST_JOBS];
    p3d_search_result found;
    brute brute;
} world;

static void draw_job(world *w, uint64_t *seed, int j)
{
    brute *const b = &w->brute;
    p3d_problem *const on = &w->on[j * b->n_pools];
    const int n_layers = 2 + below(seed, 14);
    p3d_error err = {0};

    for (int k = 0; k < b->n_pools; k++) {
        problem_check(p3d_model_find(models[j % 4], &on[k].model, &err), &err);
        on[k].model.n_layers = n_layers;
        on[k].cluster = w->pools.clusters[k];
        on[k].job = (p3d_job){
                .seq_len = 2048, .global_batch = 24, .n_tokens = 1e9 * (1 + j)};
        p3d_job_default(&on[k].job, &on[k].model, &on[k].cluster);
        for (int n = 1; n <= b->n_nodes[k]; n++)
            look_up(&on[k], n, &w->found, &b->end_s[j][k][n],
                    &b->cost[j][k][n]);
    }
    b->weight[j] = 1 + below(seed, 3);
    b->deadline_s[j] = below(seed, 3) == 0 ? b->end_s[j][0][1] * 1.01 : 0;
    w->jobs[j] = (p3d_assign_job){.name = models[j % 4],
            .on = on,
            .weight = b->weight[j],
            .deadline_s = b->deadline_s[j]};
}

static worth worth_found(const brute *b, const p3d_assignment *found)
{
    worth w = {.end_s = found->end_s, .cost = found->gpu_h};
    int weights = 0;

    for (int j = 0; j < b->n_jobs; j++)
        if (found->rows[j].verdict == P3D_ASSIGNED)
            weights += b->weight[j];
        else
            w.left_out += b->weight[j];
    w.mean_s = found->mean_s * weights;
    return w;
}

static void check_fleet(world *w, int i)
{
    brute *const b = &w->brute;
    p3d_assign_options options = {
            .jobs = w->jobs, .n_jobs = b->n_jobs, .n_pools = b->n_pools};
    p3d_error err = {0};

    for (int o = 0; o < P3D_N_ASSIGN_OBJECTIVES; o++) {
        p3d_assignment found;
        worth got;

        options.objective = b->objective = (p3d_assign_objective)o;
        problem_check(p3d_assign(&options, &found, &err), &err);
        (void)best_of(b);
        got = worth_found(b, &found);
        if (!agrees(b, &got))
            fail_msg("fleet %d, objective %d: left out %d and %d, end %g and "
                     "%g, mean %g and %g, cost %g and %g",
                    i, o, (int)got.left_out, (int)b->best.left_out, got.end_s,
                    b->best.end_s, got.mean_s, b->best.mean_s, got.cost,
                    b->best.cost);
        assert_true(found.floor_s <= found.end_s);
        p3d_assignment_free(&found);
    }
}

static void fleets_are_placed_as_trying_all_ways_does(void **state)
{
    world *const w = calloc(1, sizeof(*w));
    uint64_t seed = 7;
    p3d_error err = {0};

    (void)state;
    assert_non_null(w);
    for (int i = 0; i < 30; i += TEST_EVERY) {
        brute *const b = &w->brute;

        *b = (brute){.n_jobs = 2 + below(&seed, MOST_JOBS - 1)};
        problem_check(p3d_pools_find(fleets[i % P3D_COUNT_OF(fleets)],
                              &w->pools, &err),
                &err);
        b->n_pools = w->pools.n_pools;
        for (int k = 0; k < b->n_pools; k++)
            b->n_nodes[k] = w->pools.clusters[k].n_nodes;
        for (int j = 0; j < b->n_jobs; j++)
            draw_job(w, &seed, j);
        check_fleet(w, i);
    }
    free(w);
}

/* Two jobs on one pool of two nodes: told why the third has no place. */
static void a_job_without_a_place_is_told_why(void **state)
{
    p3d_problem on[3];
    p3d_assign_job jobs[3];
    const p3d_assign_options options = {
            .jobs = jobs, .n_jobs = 3, .n_pools = 1};
    p3d_assignment found;
    p3d_error err = {0};

    (void)state;
    on[0] = on[1] = on[2] =
            problem_of("llama-2-7b", "2x8xH100", "megatron-core", 2048, 64);
    problem_check(p3d_model_find("gpt3-175b", &on[2].model, &err), &err);
    for (int j = 0; j < 3; j++) {
        on[j].job.n_tokens = 1e10;
        jobs[j] = (p3d_assign_job){.name = "job", .on = &on[j], .weight = 1};
    }
    jobs[1].deadline_s = 60;
    problem_check(p3d_assign(&options, &found, &err), &err);
    assert_int_equal(found.n_assigned, 1);
    assert_int_equal(found.rows[0].verdict, P3D_ASSIGNED);
    assert_int_equal(found.rows[0].at.n_nodes, 2);
    assert_int_equal(found.rows[1].verdict, P3D_ASSIGN_LATE);
    assert_true(found.rows[1].alone.end_s > 60);
    assert_int_equal(found.rows[2].verdict, P3D_ASSIGN_NO_PLAN);
    assert_int_equal(found.rows[2].alone.pool, -1);
    p3d_assignment_free(&found);

    /* One job needs both nodes; the heavier one has them. */
    jobs[1] = (p3d_assign_job){.name = "job", .on = &on[1], .weight = 2};
    on[0].model.n_layers = on[1].model.n_layers = 70;
    problem_check(p3d_assign(&(p3d_assign_options){.jobs = jobs,
                                     .n_jobs = 2,
                                     .n_pools = 1,
                                     .whole_pools = true},
                          &found, &err),
            &err);
    assert_int_equal(found.rows[0].verdict, P3D_ASSIGN_NO_ROOM);
    assert_int_equal(found.rows[0].least_nodes[0], 2);
    assert_int_equal(found.rows[1].verdict, P3D_ASSIGNED);
    assert_int_equal(found.unit_nodes[0], 2);
    p3d_assignment_free(&found);

    jobs[0].refused[0] = true;
    problem_check(p3d_assign(&options, &found, &err), &err);
    assert_int_equal(found.rows[0].verdict, P3D_ASSIGN_REFUSED);
    p3d_assignment_free(&found);
}

/* Who asks to stop has what is known until then, called incomplete. */
static bool stop_at_second(
        void *context, int64_t i, int64_t n, int job, int pool)
{
    int *const n_told = context;

    assert_int_equal(n, 2);
    assert_int_equal(job, i - 1);
    assert_int_equal(pool, 0);
    return ++*n_told < 2;
}

static void a_stopped_search_says_so(void **state)
{
    p3d_problem on =
            problem_of("llama-2-7b", "2x8xH100", "megatron-core", 2048, 64);
    const p3d_assign_job jobs[] = {{.name = "one", .on = &on, .weight = 1},
            {.name = "two", .on = &on, .weight = 1}};
    int n_told = 0;
    p3d_assignment found;
    p3d_error err = {0};

    (void)state;
    on.job.n_tokens = 1e10;
    problem_check(p3d_assign(&(p3d_assign_options){.jobs = jobs,
                                     .n_jobs = 2,
                                     .n_pools = 1,
                                     .next = stop_at_second,
                                     .context = &n_told},
                          &found, &err),
            &err);
    assert_int_equal(n_told, 2);
    assert_false(found.complete);
    assert_int_equal(found.rows[0].verdict, P3D_ASSIGNED);
    assert_int_equal(found.rows[1].verdict, P3D_ASSIGN_NO_PLAN);
    p3d_assignment_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_choice_is_the_best_of_all_ways),
            cmocka_unit_test(fleets_are_placed_as_trying_all_ways_does),
            cmocka_unit_test(a_job_without_a_place_is_told_why),
            cmocka_unit_test(a_stopped_search_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
