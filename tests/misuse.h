/* SPDX-License-Identifier: GPL-3.0-or-later */
/* misuse.h - calls of a function with one argument after the other replaced by
 * what a caller may give by mistake, and with all of them; the right arguments
 * of such calls. */
#ifndef PLAN3D_TEST_MISUSE_H
#define PLAN3D_TEST_MISUSE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/plan3d.h"
#include "test.h"

/* What is wrong here is wrong on purpose. */
#if defined(__GNUC__)
#    pragma GCC diagnostic ignored "-Wunused-result"
#    pragma GCC diagnostic ignored "-Wunused-value"
#    pragma GCC diagnostic ignored "-Wsign-conversion"
#    pragma GCC diagnostic ignored "-Wformat-nonliteral"
#    pragma GCC diagnostic ignored "-Wformat-security"
#endif

/* Mistakes: NULL and numbers below the range; zeros and numbers out of it. */
enum { MISUSE_NULL, MISUSE_ZEROS, MISUSE_N_MODES };

static int mode;
static void *zeros; /* room for the largest struct */
static const size_t n_zeros = 4 << 20;
static p3d_error err;
static char refusal_words[128]; /* of the function that is called */
static const p3d_shard no_shard;

/* Functions that were called. */
enum { MAX_FUNCTIONS = 300 };

static const char *called[MAX_FUNCTIONS];
static int n_called;

static inline void note(const char *function)
{
    assert_true(n_called < MAX_FUNCTIONS);
    called[n_called++] = function;
    if (strncmp(function, "p3d_", 4) == 0) /* no macro of this file */
        snprintf(refusal_words, sizeof(refusal_words), "%s() was called",
                function);
}

static inline bool is_called(const char *function)
{
    for (int i = 0; i < n_called; i++) {
        if (strcmp(called[i], function) == 0)
            return true;
    }
    return false;
}

static inline void begin_call(void)
{
    (void)mode;
    memset(zeros, 0, n_zeros);
    err = (p3d_error){.code = P3D_OK};
}

/** What stands in for an argument. Enumerations are given as unsigned. */
#define WRONG(x)                                                      \
    _Generic((x), int                                                 \
             : (mode == MISUSE_NULL ? -1 : 0), unsigned : 99u, double \
             : (double)NAN, int64_t                                   \
             : (mode == MISUSE_NULL ? INT64_MIN : INT64_MAX), size_t  \
             : (size_t)0, p3d_shard                                   \
             : no_shard, default                                      \
             : (mode == MISUSE_NULL ? NULL : zeros))

#define IS_POINTER(x)           \
    _Generic((x), int           \
             : false, unsigned  \
             : false, double    \
             : false, int64_t   \
             : false, size_t    \
             : false, p3d_shard \
             : false, default   \
             : true)

#define CALL(call) (begin_call(), (call))
#define IN_EACH_MODE(f, ...)                            \
    do {                                                \
        note(#f);                                       \
        for (mode = 0; mode < MISUSE_N_MODES; mode++) { \
            __VA_ARGS__;                                \
        }                                               \
    } while (0)

/** A function that says nothing of mistakes, and only has to come back. */
#define TRY1(f, a) IN_EACH_MODE(f, CALL(f(WRONG(a))))
#define TRY2(f, a, b)                                           \
    IN_EACH_MODE(f, CALL(f(WRONG(a), b)); CALL(f(a, WRONG(b))); \
                 CALL(f(WRONG(a), WRONG(b))))
#define TRY3(f, a, b, c)                                              \
    IN_EACH_MODE(f, CALL(f(WRONG(a), b, c)); CALL(f(a, WRONG(b), c)); \
                 CALL(f(a, b, WRONG(c)));                             \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c))))
#define TRY4(f, a, b, c, d)                                                 \
    IN_EACH_MODE(f, CALL(f(WRONG(a), b, c, d)); CALL(f(a, WRONG(b), c, d)); \
                 CALL(f(a, b, WRONG(c), d)); CALL(f(a, b, c, WRONG(d)));    \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c), WRONG(d))))
#define TRY5(f, a, b, c, d, e)                                                 \
    IN_EACH_MODE(f, CALL(f(WRONG(a), b, c, d, e));                             \
                 CALL(f(a, WRONG(b), c, d, e)); CALL(f(a, b, WRONG(c), d, e)); \
                 CALL(f(a, b, c, WRONG(d), e)); CALL(f(a, b, c, d, WRONG(e))); \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c), WRONG(d), WRONG(e))))

/** A function that ends with p3d_error and refuses NULL for any other pointer;
 *  for p3d_error itself it takes it. */
#define REFUSED(x, call)                                      \
    do {                                                      \
        const bool done = CALL(call);                         \
                                                              \
        if (mode == MISUSE_NULL && IS_POINTER(x)) {           \
            assert_false(done);                               \
            test_check_error(&err, P3D_USAGE, refusal_words); \
        }                                                     \
    } while (0)
#define REFUSE1(f, a) \
    IN_EACH_MODE(f, REFUSED(a, f(WRONG(a), &err)); CALL(f(WRONG(a), NULL)))
#define REFUSE2(f, a, b)                              \
    IN_EACH_MODE(f, REFUSED(a, f(WRONG(a), b, &err)); \
                 REFUSED(b, f(a, WRONG(b), &err));    \
                 CALL(f(WRONG(a), WRONG(b), NULL)))
#define REFUSE3(f, a, b, c)                              \
    IN_EACH_MODE(f, REFUSED(a, f(WRONG(a), b, c, &err)); \
                 REFUSED(b, f(a, WRONG(b), c, &err));    \
                 REFUSED(c, f(a, b, WRONG(c), &err));    \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c), NULL)))
#define REFUSE4(f, a, b, c, d)                              \
    IN_EACH_MODE(f, REFUSED(a, f(WRONG(a), b, c, d, &err)); \
                 REFUSED(b, f(a, WRONG(b), c, d, &err));    \
                 REFUSED(c, f(a, b, WRONG(c), d, &err));    \
                 REFUSED(d, f(a, b, c, WRONG(d), &err));    \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c), WRONG(d), NULL)))
#define REFUSE5(f, a, b, c, d, e)                         \
    IN_EACH_MODE(                                         \
            f, REFUSED(a, f(WRONG(a), b, c, d, e, &err)); \
            REFUSED(b, f(a, WRONG(b), c, d, e, &err));    \
            REFUSED(c, f(a, b, WRONG(c), d, e, &err));    \
            REFUSED(d, f(a, b, c, WRONG(d), e, &err));    \
            REFUSED(e, f(a, b, c, d, WRONG(e), &err));    \
            CALL(f(WRONG(a), WRONG(b), WRONG(c), WRONG(d), WRONG(e), NULL)))
#define REFUSE6(f, a, b, c, d, e, g)                                      \
    IN_EACH_MODE(f, REFUSED(a, f(WRONG(a), b, c, d, e, g, &err));         \
                 REFUSED(b, f(a, WRONG(b), c, d, e, g, &err));            \
                 REFUSED(c, f(a, b, WRONG(c), d, e, g, &err));            \
                 REFUSED(d, f(a, b, c, WRONG(d), e, g, &err));            \
                 REFUSED(e, f(a, b, c, d, WRONG(e), g, &err));            \
                 REFUSED(g, f(a, b, c, d, e, WRONG(g), &err));            \
                 CALL(f(WRONG(a), WRONG(b), WRONG(c), WRONG(d), WRONG(e), \
                         WRONG(g), NULL)))

/* With nobody who watches, which may be; with options in one place each. */
#define VERIFY(problem, pins, out, err) \
    p3d_verify(problem, pins, NULL, out, err)
#define ADVISE(problem, walk, err) p3d_advise(problem, NULL, walk, err)
#define RANK(problem, pins, among, out, err) \
    p3d_rank_frameworks(                     \
            problem, pins, &(p3d_ranking_options){among, 0, NULL}, out, err)
#define PRICE(problem, best, out, err) \
    p3d_decisions_price(problem, best, NULL, out, err)
#define JUDGE(problem, plan, list, n, out, err)                              \
    p3d_judge(problem, plan,                                                 \
            &(p3d_sensitivity_options){list, n, 100, 1, NULL, NULL, 0}, out, \
            err)

/** Functions whose result is released. */
static inline bool build(
        const p3d_problem *asked, const p3d_estimate *from, p3d_error *why)
{
    p3d_request made = {.command = ""};
    const bool ok = p3d_request_build(asked, from, &made, why);

    p3d_request_free(&made);
    return ok;
}

static inline bool find_evidence(
        const p3d_problem *asked, const p3d_plan *of, p3d_error *why)
{
    p3d_evidence near = {.n = 0};
    const bool ok = p3d_evidence_find(NULL, asked, of, &near, why);

    p3d_evidence_free(&near);
    return ok;
}

/* Right arguments, filled once. */
static p3d_problem *problem;
static p3d_estimate estimate;
static p3d_plan plan;
static p3d_pins pins;
static p3d_blocks blocks;
static p3d_measurements measured;
static p3d_request request;
static p3d_search_result *found;

static inline int fill(void **state)
{
    (void)state;
    zeros = malloc(n_zeros);
    problem = calloc(1, sizeof(*problem));
    found = malloc(sizeof(*found));
    if (zeros == NULL || problem == NULL || found == NULL ||
            !p3d_model_find("gpt2", &problem->model, &err) ||
            !p3d_cluster_find("2xA100", &problem->cluster, &err))
        return -1;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    problem->job.n_tokens = 1e9;
    pins = p3d_pins_free();
    if (!p3d_search(problem, &pins, 2, found, &err) || found->n_top == 0)
        return -1;
    estimate = found->top[0];
    plan = estimate.plan;
    p3d_blocks_build(problem, p3d_plan_shard(&plan), &blocks);
    return p3d_measurements_open(
                   "tests/data/measured/h100-compute.json", &measured, &err) &&
                           p3d_request_build(problem, &estimate, &request, &err)
                   ? 0
                   : -1;
}

static inline int empty(void **state)
{
    (void)state;
    p3d_measurements_free(&measured);
    p3d_request_free(&request);
    free(found);
    free(problem);
    free(zeros);
    return 0;
}

#endif
