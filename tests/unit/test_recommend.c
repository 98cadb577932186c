/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_recommend.c - what makes a plan simple, how sure one is to fit, and the
 * plan to recommend. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>

#include "plan3d/recommend.h"
#include "spec/residuals.h"

static unsigned departures_of(const p3d_problem *p, const char *words)
{
    const p3d_plan plan = problem_plan(p, words);
    const p3d_plan plain =
            p3d_plan_plain(&p->model, &p->cluster, &p->job, &plan);

    return p3d_plan_departures(p, &plain);
}

static void each_departure_is_seen_alone(void **state)
{
    static const struct {
        const char *words;
        unsigned departures;
    } cases[] = {
            {"tp=4,pp=4,cp=2,vp=5,mbs=1,zero=1", 0},
            {"tp=8,pp=8,mbs=1,zero=1,recompute=selective:layernorm", 0},
            {"tp=8,pp=8,mbs=1,zero=1,recompute=full", 0},
            {"tp=8,pp=4,mbs=1,zero=1,offload=optimizer@nvme",
                    P3D_DEPARTS_OPTIMIZER | P3D_DEPARTS_NVME},
            {"tp=8,pp=4,mbs=1,zero=1,offload=optimizer+parameters",
                    P3D_DEPARTS_OPTIMIZER | P3D_DEPARTS_PARAMETERS},
            {"tp=8,pp=4,mbs=1,zero=1,offload=activations",
                    P3D_DEPARTS_ACTIVATIONS},
            {"tp=8,pp=4,mbs=1,zero=1,offload=optimizer:0.3",
                    P3D_DEPARTS_OPTIMIZER | P3D_DEPARTS_SHARE},
            {"tp=16,pp=4,mbs=1,zero=1", P3D_DEPARTS_WIDE_TP},
            {"tp=8,pp=4,vp=3,mbs=1,zero=1,uneven", P3D_DEPARTS_UNEVEN},
            {"tp=8,pp=4,mbs=1,zero=1,first=19,last=19", P3D_DEPARTS_ENDS},
            {"tp=8,pp=8,vp=10,mbs=1,zero=1", P3D_DEPARTS_THIN_CHUNKS},
            {"tp=1,pp=64,mbs=1,zero=1",
                    P3D_DEPARTS_THIN_CHUNKS | P3D_DEPARTS_DEEP},
            {"tp=4,pp=4,mbs=1,zero=1,order=tp-cp-ep-pp-dp", P3D_DEPARTS_ORDER},
            {"tp=8,pp=8,mbs=1,zero=1,nosp", P3D_DEPARTS_NO_SP},
            {"tp=8,pp=1,mbs=1,zero=3", P3D_DEPARTS_ZERO},
            {"tp=4,pp=4,mbs=1,zero=1,shard=2", P3D_DEPARTS_SHARDING},
            {"tp=8,pp=8,mbs=1,zero=1,recompute=full:3", P3D_DEPARTS_LAYERS},
            {"tp=8,pp=8,mbs=1,zero=1,recompute=uniform:2", P3D_DEPARTS_LAYERS},
            {"tp=4,pp=4,cp=4,mbs=1,zero=1", P3D_DEPARTS_SHORT_CP},
            {"tp=8,pp=8,mbs=1,zero=1,recompute=selective:layernorm+mlp",
                    P3D_DEPARTS_MODULES},
            {"tp=8,pp=8,mbs=3,zero=1", P3D_DEPARTS_BATCH},
            {"tp=8,pp=8,mbs=1,zero=1,schedule=zb-h1", P3D_DEPARTS_SCHEDULE},
    };
    const p3d_problem p =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 8192, 512);

    (void)state;
    for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
        const unsigned got = departures_of(&p, cases[i].words);

        if (got != cases[i].departures)
            fail_msg("%s: %#x, not %#x", cases[i].words, got,
                    cases[i].departures);
    }
}

/* 80 layers in 40 stages of two, and in 20 of four. */
static void a_pipeline_of_many_stages_is_deep(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-70b", "80xA800", "megatron-core", 8192, 512);

    (void)state;
    assert_int_equal(
            departures_of(&p, "tp=2,pp=40,mbs=1,zero=1"), P3D_DEPARTS_DEEP);
    assert_int_equal(departures_of(&p, "tp=4,pp=20,mbs=1,zero=1"), 0);
}

/* What a framework does by itself is no departure from it. */
static void sharded_frameworks_depart_in_nothing(void **state)
{
    const p3d_problem p = problem_of("llama-3-8b", "8xH100", "fsdp2", 8192, 64);

    (void)state;
    assert_int_equal(departures_of(&p, "tp=1,pp=1,mbs=1,zero=3"), 0);
}

static void departures_have_words_and_bits_in_order(void **state)
{
    unsigned before = 1u << P3D_N_DEPARTURES;

    (void)state;
    for (int i = 0; i < P3D_N_DEPARTURES; i++) {
        assert_non_null(p3d_departure_words(i));
        assert_int_equal(p3d_departure_bit(i), before / 2);
        before = p3d_departure_bit(i);
    }
    assert_null(p3d_departure_words(P3D_N_DEPARTURES));
    assert_int_equal(p3d_departure_bit(P3D_N_DEPARTURES), 0);
    assert_int_equal(before, P3D_DEPARTS_SCHEDULE);
}

static p3d_model model_of(const char *name)
{
    p3d_model model;
    p3d_error err = {0};

    problem_check(p3d_model_find(name, &model, &err), &err);
    return model;
}

static void probability_falls_with_the_memory_taken(void **state)
{
    const p3d_model model = model_of("llama-3-70b");
    int n;
    const p3d_framework *const frameworks = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        double before = 1;

        for (double taken = 0.3; taken < 2.5; taken += 0.005) {
            const double frac =
                    p3d_fit_probability_frac(&frameworks[i], &model, taken);

            assert_true(frac >= 0 && frac <= before);
            before = frac;
        }
        assert_true(before < 0.02);
    }
}

static void what_is_sure_is_the_inverse(void **state)
{
    static const double asked[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    const p3d_model dense = model_of("llama-3-70b");
    const p3d_model experts = model_of("mixtral-8x7b");
    int n;
    const p3d_framework *const frameworks = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 5; k++) {
            const double taken =
                    p3d_sure_taken_frac(&frameworks[i], &dense, asked[k]);

            assert_true(p3d_fit_probability_frac(&frameworks[i], &dense,
                                taken) >= asked[k] - 1e-6);
            assert_true(p3d_fit_probability_frac(&frameworks[i], &dense,
                                taken * 1.001) <= asked[k] + 0.03);
        }
        assert_true(p3d_sure_taken_frac(&frameworks[i], &experts, 0.95) <=
                    p3d_sure_taken_frac(&frameworks[i], &dense, 0.95) + 0.01);
    }
}

/* More is known of Megatron-LM than of a framework without a profile. */
static void the_unknown_is_less_sure(void **state)
{
    const p3d_model model = model_of("llama-3-70b");
    const p3d_framework *const known = p3d_framework_find("megatron-core");
    const p3d_framework *const any = p3d_framework_find("generic");
    const p3d_fit_evidence evidence = p3d_fit_evidence_of(known, &model);

    (void)state;
    assert_true(p3d_sure_taken_frac(any, &model, 0.95) <
                p3d_sure_taken_frac(known, &model, 0.95) - 0.03);
    assert_true(evidence.n_sources >= 3 && evidence.n_peaks >= 100);
    assert_int_equal(p3d_fit_evidence_of(any, &model).n_peaks, 0);
    assert_true(p3d_fit_evidence_of(any, &model).n_all_peaks >= 400);
}

/* Never in-sample: without its own peaks a source is judged by the others. */
static void a_source_can_be_left_out(void **state)
{
    const p3d_framework *const core = p3d_framework_find("megatron-core");

    (void)state;
    assert_true(spec_fit_probability_frac(core, false, "megatron-ci", 0.97) !=
                spec_fit_probability_frac(core, false, NULL, 0.97));
    assert_true(spec_fit_probability_frac(core, false, "no such", 0.97) ==
                spec_fit_probability_frac(core, false, NULL, 0.97));
}

static void nothing_is_said_of_nothing(void **state)
{
    const p3d_framework *const core = p3d_framework_find("megatron-core");
    const p3d_model model = model_of("llama-3-8b");

    (void)state;
    assert_true(isnan(p3d_fit_probability_frac(NULL, &model, 0.5)));
    assert_true(isnan(p3d_fit_probability_frac(core, NULL, 0.5)));
    assert_true(isnan(p3d_fit_probability_frac(core, &model, 0)));
    assert_true(isnan(p3d_sure_taken_frac(core, &model, 0)));
    assert_true(isnan(p3d_sure_taken_frac(core, &model, 1)));
    assert_int_equal(p3d_fit_evidence_of(NULL, &model).n_all_peaks, 0);
}

static p3d_recommendation recommend(
        const p3d_problem *p, double within_frac, double *best_s)
{
    const p3d_recommend_options options = {
            .search = {.n_top = 4}, .within_frac = within_frac};
    p3d_search_result *found = malloc(sizeof(*found));
    p3d_recommendation out;
    p3d_error err = {0};

    assert_non_null(found);
    problem_check(p3d_recommend(p, &options, found, &out, &err), &err);
    *best_s = found->fastest_s;
    for (int i = 0; i < found->n_top; i++) /* barely: still of the job asked */
        assert_true(found->top[i].sure ==
                    (p3d_memory_device_bytes(&found->top[i].memory) <=
                            p3d_sure_bytes(p)));
    free(found);
    return out;
}

/* The job that this was made for: NVIDIA trains it with TP 4, PP 4, CP 2. */
static void seventy_billion_on_64_is_plain(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 0);
    double best_s;
    const p3d_recommendation r = recommend(&p, P3D_WITHIN_FRAC, &best_s);
    const p3d_plan *const plan = &r.recommended.plan;

    (void)state;
    assert_int_equal(r.verdict, P3D_VERDICT_FITS);
    assert_int_equal(r.departures, 0);
    assert_int_equal(plan->tp, 4);
    assert_int_equal(plan->pp, 4);
    assert_int_equal(plan->cp, 2);
    assert_true(p3d_time_step_s(&r.recommended.time) <= 1.02001 * best_s);
    assert_true(p3d_time_step_s(&r.fastest.time) <= best_s);
    assert_true(r.recommended.sure && r.roomiest.sure);
}

/* Where nothing may be given up, it is the fastest that is sure. */
static void within_nothing_it_is_the_fastest(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 0, 0);
    double best_s;
    const p3d_recommendation r = recommend(&p, 0, &best_s);

    (void)state;
    assert_true(p3d_time_step_s(&r.recommended.time) <= best_s * (1 + 1e-9));
}

/* A little less memory than the surest plan needs to be sure: it fits, barely;
 * less than it takes: it does not. */
static void between_sure_and_not_it_barely_fits(void **state)
{
    p3d_problem p = problem_of("llama-3-8b", "8xH100", "megatron-core", 0, 0);
    p3d_recommendation r;
    double best_s;
    int64_t least_bytes;

    (void)state;
    r = recommend(&p, 1e9, &best_s);
    least_bytes = p3d_memory_device_bytes(&r.roomiest.memory);
    p.cluster.gpu.visible_memory_bytes =
            least_bytes + p.job.sure_reserve_bytes / 2;
    r = recommend(&p, P3D_WITHIN_FRAC, &best_s);
    assert_int_equal(r.verdict, P3D_VERDICT_BARELY);
    assert_int_equal(
            p3d_memory_device_bytes(&r.recommended.memory), least_bytes);
    assert_false(r.recommended.sure);
    assert_true(r.recommended.fits);
    p.cluster.gpu.visible_memory_bytes = least_bytes - 1;
    r = recommend(&p, P3D_WITHIN_FRAC, &best_s);
    assert_int_equal(r.verdict, P3D_VERDICT_DOES_NOT_FIT);
}

static void words_are_the_contract(void **state)
{
    (void)state;
    assert_string_equal(p3d_verdict_words(P3D_VERDICT_BARELY), "FITS, BARELY");
    assert_string_equal(p3d_verdict_name(P3D_VERDICT_FITS), "fits");
    assert_string_equal(p3d_verdict_name(P3D_VERDICT_BARELY), "fits_barely");
    assert_string_equal(
            p3d_verdict_name(P3D_VERDICT_DOES_NOT_FIT), "does_not_fit");
    assert_string_equal(p3d_verdict_name(P3D_N_VERDICTS), "");
    assert_string_equal(
            p3d_objective_name(P3D_OBJECTIVE_RECOMMENDED), "recommended");
    assert_string_equal(p3d_objective_name(P3D_OBJECTIVE_CHEAPEST), "cheapest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_departure_is_seen_alone),
            cmocka_unit_test(a_pipeline_of_many_stages_is_deep),
            cmocka_unit_test(sharded_frameworks_depart_in_nothing),
            cmocka_unit_test(departures_have_words_and_bits_in_order),
            cmocka_unit_test(probability_falls_with_the_memory_taken),
            cmocka_unit_test(what_is_sure_is_the_inverse),
            cmocka_unit_test(the_unknown_is_less_sure),
            cmocka_unit_test(a_source_can_be_left_out),
            cmocka_unit_test(nothing_is_said_of_nothing),
            cmocka_unit_test(seventy_billion_on_64_is_plain),
            cmocka_unit_test(within_nothing_it_is_the_fastest),
            cmocka_unit_test(between_sure_and_not_it_barely_fits),
            cmocka_unit_test(words_are_the_contract),
    };

    return cmocka_run_group_tests_name("recommend", tests, NULL, NULL);
}
