/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plan_words.c - plans in words, read and written. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "plan3d/plan.h"
#include "spec/plan_words.h"

static p3d_plan parse(const char *words, int n_gpus)
{
    p3d_plan plan = {0};
    p3d_error err = {0};

    if (!p3d_plan_parse(words, n_gpus, NULL, &plan, &err)) {
        print_error("'%s': %s\n", words, err.text);
        fail();
    }
    return plan;
}

static void check_print(const char *words, int n_gpus, const char *printed)
{
    const p3d_plan plan = parse(words, n_gpus);
    char buffer[256];

    assert_string_equal(p3d_plan_print(&plan, buffer, sizeof(buffer)), printed);
}

static void no_words_are_pure_data_parallelism(void **state)
{
    (void)state;
    check_print("", 64, "tp=1,pp=1,dp=64,mbs=1,zero=1");
    check_print("  ", 1, "tp=1,pp=1,dp=1,mbs=1,zero=1");
}

static void what_is_left_out_is_derived(void **state)
{
    (void)state;
    check_print("tp=8,pp=2", 64, "tp=8,pp=2,dp=4,mbs=1,zero=1,sp");
    check_print("tp=4,cp=2", 64, "tp=4,pp=1,dp=8,cp=2,mbs=1,zero=1,sp");
    assert_int_equal(parse("pp=4,vp=2", 8).schedule, P3D_INTERLEAVED);
    assert_int_equal(parse("pp=4", 8).schedule, P3D_1F1B);
    assert_int_equal(parse("tp=4", 8).etp, 4);
    assert_int_equal(parse("tp=4,ep=2", 8).etp, 1);
    assert_true(parse("tp=2", 8).sequence_parallel);
    assert_false(parse("tp=2,nosp", 8).sequence_parallel);
    assert_false(parse("tp=1", 8).sequence_parallel);
    assert_true(parse("tp=1,sp", 8).sequence_parallel);
}

static void order_case_spaces_and_second_names_do_not_matter(void **state)
{
    const char *const want = "tp=2,pp=2,dp=2,vp=4,mbs=3,zero=0,sp,"
                             "recompute=selective,offload=optimizer";

    (void)state;
    check_print(want, 8, want);
    check_print(" offload = OPTIMIZER , recompute=Selective, ZERO=0, "
                "micro_batch=3, vpp=4, pp=2, tp=2",
            8, want);
}

/* What is recomputed and offloaded has parts. */
static void parts_of_words_are_read(void **state)
{
    p3d_plan p = parse("recompute=selective:core_attn+mlp,"
                       "offload=optimizer:0.5+activations:0.25@nvme",
            8);

    (void)state;
    assert_int_equal(p.recompute, P3D_RECOMPUTE_SELECTIVE);
    assert_int_equal(
            p.recompute_modules, P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP);
    assert_int_equal(p.offload, P3D_OFFLOAD_OPTIMIZER);
    assert_true(p.offload_frac == 0.5);
    assert_true(p.activation_offload_frac == 0.25);
    assert_true(p.offload_nvme);
    p = parse("recompute=uniform:2,offload=activations", 8);
    assert_int_equal(p.recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(p.recompute_layers, 0);
    assert_int_equal(p.recompute_group, 2);
    assert_int_equal(p.offload, P3D_OFFLOAD_NONE);
    assert_true(p.activation_offload_frac == 1);
    assert_false(p.offload_nvme);
    p = parse("offload=optimizer:1", 8); /* all of it is the usual */
    assert_true(p.offload_frac == 0);
}

static void parts_of_words_are_printed(void **state)
{
    static const char *const words[] = {"recompute=selective:core_attn+mlp",
            "recompute=selective:op", "recompute=uniform:3",
            "offload=activations", "offload=optimizer@nvme",
            "offload=optimizer:0.5+activations:0.25",
            "offload=optimizer:0.5+parameters+activations@nvme",
            "shard=4,first=2,last=3,group=8"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        char all[256];

        snprintf(all, sizeof(all), "tp=1,pp=1,dp=8,mbs=1,zero=1,%s", words[i]);
        check_print(words[i], 8, all);
    }
}

static void every_key_of_a_plan_is_read(void **state)
{
    const p3d_plan p = parse("tp=2,pp=3,dp=8,cp=5,ep=4,etp=2,vp=7,mbs=9,zero=3,"
                             "nosp,recompute=full:6,shard=20,group=11,first=12,"
                             "last=13,"
                             "offload=optimizer+parameters,schedule=gpipe",
            240);

    (void)state;
    assert_int_equal(p.tp, 2);
    assert_int_equal(p.pp, 3);
    assert_int_equal(p.dp, 8);
    assert_int_equal(p.cp, 5);
    assert_int_equal(p.ep, 4);
    assert_int_equal(p.etp, 2);
    assert_int_equal(p.vp, 7);
    assert_int_equal(p.micro_batch, 9);
    assert_int_equal(p.zero, 3);
    assert_false(p.sequence_parallel);
    assert_int_equal(p.recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(p.recompute_layers, 6);
    assert_int_equal(p.offload, P3D_OFFLOAD_OPTIMIZER_PARAMETERS);
    assert_int_equal(p.schedule, P3D_GPIPE);
    assert_int_equal(p.shard, 20);
    assert_int_equal(p.group, 11);
    assert_int_equal(p.first_layers, 12);
    assert_int_equal(p.last_layers, 13);
}

static const struct {
    const char *words;
    const char *text;
} wrong_words[] = {
        {"tpp=8", "unknown word 'tpp' in a plan; did you mean 'tp'?"},
        {"recomputation=full", "unknown word 'recomputation' in a plan"},
        {"hello", "unknown word 'hello' in a plan; write tp, pp, dp"},
        {"tp", "'tp' has no value; write tp=2"},
        {"mbs=", "'mbs=' has no value; write mbs=2"},
        {"offload", "'offload' has no value; write offload=optimizer"},
        {"tp=x", "'tp=x': 'x' is not a whole number; write tp=2"},
        {"tp=1.5", "'1.5' is not a whole number"},
        {"tp=-1", "'-1' is not a whole number"},
        {"tp=8=8", "'8=8' is not a whole number"},
        {"tp=0", "'tp=0': 0 is out of range; write a number from 1 to"},
        {"tp=16777217", "16777217 is out of range"},
        {"tp=99999999999999999999999", "is out of range"},
        {"zero=4", "'zero=4': 4 is out of range; write a number from 0 to 3"},
        {"tp=2,tp=2", "'tp=2': tp is given twice; write it once"},
        {"vp=2,vpp=2", "'vpp=2': vpp is given twice"},
        {"sp,nosp", "'sp' and 'nosp' contradict each other; leave one out"},
        {"nosp,sp", "'nosp' and 'sp' contradict each other; leave one out"},
        {"nosp,nosp", "'nosp': nosp is given twice; write it once"},
        {"uneven=2", "'uneven=2': uneven takes on or off; write uneven"},
        {"tp=8,", "a comma with no word beside it; write tp=8,pp=2"},
        {",tp=8", "a comma with no word beside it"},
        {"tp=8,,pp=2", "a comma with no word beside it"},
        {",", "a comma with no word beside it"},
        {"sp=1", "'sp=1': sp takes on or off; write sp or nosp"},
        {"nosp=", "'nosp=': nosp takes no value"},
        {"recompute=ful", "unknown value 'ful'; did you mean 'full'?"},
        {"recompute=x",
                "unknown value 'x'; write none, selective, full or uniform:2"},
        {"schedule=queue",
                "unknown value 'queue'; write 1f1b, gpipe, "
                "interleaved, zb-h1, zb-h2, zb-v, dualpipe-v, 2bw, naive "
                "or pipedream"},
        {"recompute=none:4", "only full takes a number of layers"},
        {"recompute=selective:4", "unknown value '4'; write core_attn, "},
        {"recompute=selective:mpl", "unknown value 'mpl'; did you mean 'mlp'?"},
        {"recompute=selective:mlp+", "unknown value ''; write core_attn, "},
        {"recompute=uniform", "'' is not a whole number; write "
                              "recompute=uniform:2"},
        {"recompute=uniform:0", "0 is out of range; write a number from 1"},
        {"recompute=full:x", "'x' is not a whole number"},
        {"recompute=full:0", "0 is out of range; write a number from 1"},
        {"recompute=full:", "'' is not a whole number"},
        {"offload=none:4", "only the optimizer and activations are offloaded "
                           "in part; write offload=optimizer:0.5"},
        {"offload=optimiser", "did you mean 'optimizer'?"},
        {"offload=optimizer:2", "'2' is no share between 0 and 1"},
        {"offload=optimizer:0", "'0' is no share between 0 and 1"},
        {"offload=activations:", "'' is no share between 0 and 1"},
        {"offload=optimizer@disk",
                "unknown place 'disk'; write offload=optimizer@nvme"},
        {"offload=parameters", "parameters are offloaded with the optimizer"},
        {"offload=none+optimizer", "contradicts itself"},
        {"offload=activations@nvme", "contradicts itself"},
        {"shard=99999999", "out of range; write a number from 0 to"},
        {"first=x", "'x' is not a whole number; write first=2"},
        {"tp=8,pp=3", "tp=8 x pp=3 x cp=1 does not divide 64 GPUs"},
        {"tp=16777216,pp=16777216,cp=16777216", "does not divide 64 GPUs"},
        {"tp=8,pp=1,dp=16", "tp*pp*dp*cp = 128, but the cluster has 64 GPUs"},
        {"schedule=oooooooooooooooooooooooooooooooooooooooooooooooooooooooooo"
         "oooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo",
                "is too long for a word of a plan"},
};

static void wrong_words_get_one_clear_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_words) / sizeof(wrong_words[0]); i++) {
        p3d_plan plan = {.tp = -7};
        p3d_error err = {0};

        assert_false(
                p3d_plan_parse(wrong_words[i].words, 64, NULL, &plan, &err));
        test_check_error(&err, P3D_DATA, wrong_words[i].text);
        assert_int_equal(plan.tp, -7);
    }
}

/* A small generator of its own: the same plans on every machine. */
static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

/** What most plans leave out; shares in 64ths are written in full. */
static void random_parts(uint64_t *state, p3d_plan *p)
{
    if (p->recompute == P3D_RECOMPUTE_SELECTIVE)
        p->recompute_modules = random_below(state, 1u << P3D_N_MODULES);
    if (p->recompute == P3D_RECOMPUTE_FULL && random_below(state, 2) == 0) {
        p->recompute_layers = 0;
        p->recompute_group = 2 + (int)random_below(state, 6);
    }
    if (p->offload != P3D_OFFLOAD_NONE) {
        p->offload_frac = random_below(state, 64) / 64.0;
        p->offload_nvme = random_below(state, 2) != 0;
    }
    p->activation_offload_frac = random_below(state, 65) / 64.0;
    p->shard = (int)random_below(state, 9);
    p->group = (int)random_below(state, 9);
    p->first_layers = (int)random_below(state, 9);
    p->last_layers = (int)random_below(state, 9);
    p->short_chunk = (int)random_below(state, 9);
    p->tail = (p3d_tail)random_below(state, P3D_N_TAILS);
    p->uneven = random_below(state, 2) != 0;
    p->order = (p3d_order)random_below(state, P3D_N_ORDERS);
}

static p3d_plan random_plan(uint64_t *state)
{
    p3d_plan p = {0};

    p.tp = 1 << random_below(state, 5);
    p.pp = 1 + (int)random_below(state, 16);
    p.dp = 1 + (int)random_below(state, 128);
    p.cp = 1 << random_below(state, 4);
    p.ep = 1 << random_below(state, 4);
    p.etp = 1 << random_below(state, 4);
    p.vp = 1 + (int)random_below(state, 8);
    p.micro_batch = 1 + (int)random_below(state, 16);
    p.zero = (int)random_below(state, 4);
#define AS_RANDOM(member, off, title, needs, usual) \
    p.member = random_below(state, 2) != 0;
    P3D_PLAN_FLAGS(AS_RANDOM)
#undef AS_RANDOM
    p.recompute = (p3d_recompute)random_below(state, P3D_N_RECOMPUTES);
    if (p.recompute == P3D_RECOMPUTE_FULL)
        p.recompute_layers = (int)random_below(state, 50);
    p.offload = (p3d_offload)random_below(state, P3D_N_OFFLOADS);
    p.schedule = (p3d_schedule)random_below(state, P3D_N_SCHEDULES);
    random_parts(state, &p);
    return p;
}

static bool same_plan(const p3d_plan *a, const p3d_plan *b)
{
#define AS_SAME(type, pin, member, word, kind, least, most, free, doc) \
    a->member == b->member &&
    return P3D_PLAN_FIELDS(AS_SAME) true;
#undef AS_SAME
}

static void a_printed_plan_reads_back_equal(void **state)
{
    uint64_t seed = 20260830;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        const p3d_plan plan = random_plan(&seed);
        char words[512];
        char again[512];
        p3d_plan back;

        p3d_plan_print(&plan, words, sizeof(words));
        back = parse(words, plan.tp * plan.pp * plan.dp * plan.cp);
        if (!same_plan(&plan, &back))
            fail_msg("%s", words);
        assert_string_equal(p3d_plan_print(&back, again, sizeof(again)), words);
    }
}

/* Of one GPU no ZeRO stage is said. */
static void a_plan_in_short_words_reads_back_equal(void **state)
{
    uint64_t seed = 20261125;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        const p3d_plan plan = random_plan(&seed);
        const int n_gpus = plan.tp * plan.pp * plan.dp * plan.cp;
        char words[512];
        p3d_plan back;

        back = parse(
                spec_plan_print_short(&plan, words, sizeof(words)), n_gpus);
        if (n_gpus == 1)
            back.zero = plan.zero;
        if (!same_plan(&plan, &back))
            fail_msg("%s", words);
    }
}

static void short_words_are_read(void **state)
{
    (void)state;
    check_print("TP8 PP4 VP10 Z1 full:20 +optimizer", 64,
            "tp=8,pp=4,dp=2,vp=10,mbs=1,zero=1,sp,recompute=full:20,"
            "offload=optimizer");
    check_print("tp4,pp2 , mb2 ZeRO-0  nosp", 8,
            "tp=4,pp=2,dp=1,mbs=2,zero=0,nosp");
    check_print("pp = 2 dp=4, gpipe", 8,
            "tp=1,pp=2,dp=4,mbs=1,zero=1,schedule=gpipe");
}

static void a_small_buffer_cuts_the_words(void **state)
{
    const p3d_plan plan = parse("tp=8,pp=2", 64);
    char all[256];

    (void)state;
    p3d_plan_print(&plan, all, sizeof(all));
    for (size_t n = 1; n <= strlen(all) + 1; n++) {
        char buffer[256];

        memset(buffer, '#', sizeof(buffer));
        p3d_plan_print(&plan, buffer, n);
        assert_int_equal(strlen(buffer), n - 1);
        assert_memory_equal(buffer, all, n - 1);
        assert_int_equal(buffer[n], '#');
    }
}

/* Every number as large as it can be, every module, the longest names. */
static void the_longest_words_have_room(void **state)
{
    const p3d_plan plan = {.tp = P3D_MAX_GPUS,
            .pp = P3D_MAX_GPUS,
            .dp = P3D_MAX_GPUS,
            .cp = P3D_MAX_GPUS,
            .ep = P3D_MAX_GPUS,
            .etp = P3D_MAX_GPUS,
            .vp = P3D_MAX_GPUS,
            .micro_batch = 1000000000,
            .zero = 3,
            .shard = P3D_MAX_GPUS,
            .first_layers = P3D_MAX_GPUS,
            .last_layers = P3D_MAX_GPUS,
            .uneven = true,
            .group = P3D_MAX_GPUS,
            .recompute = P3D_RECOMPUTE_SELECTIVE,
            .recompute_modules = (1u << P3D_N_MODULES) - 1,
            .offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS,
            .offload_frac = 0.123456789,
            .activation_offload_frac = 0.123456789,
            .schedule = P3D_DUALPIPE_V,
            .order = P3D_ORDER_PP_DP};
    char words[P3D_PLAN_WORDS];

    (void)state;
    p3d_plan_print(&plan, words, sizeof(words));
    assert_true(strlen(words) + 1 < sizeof(words));
}

static void names_are_the_words_of_plans(void **state)
{
    (void)state;
    assert_string_equal(p3d_recompute_name(P3D_RECOMPUTE_NONE), "none");
    assert_string_equal(
            p3d_recompute_name(P3D_RECOMPUTE_SELECTIVE), "selective");
    assert_string_equal(p3d_recompute_name(P3D_RECOMPUTE_FULL), "full");
    assert_string_equal(p3d_schedule_name(P3D_1F1B), "1f1b");
    assert_string_equal(p3d_schedule_name(P3D_GPIPE), "gpipe");
    assert_string_equal(p3d_schedule_name(P3D_INTERLEAVED), "interleaved");
    assert_string_equal(p3d_offload_name(P3D_OFFLOAD_NONE), "none");
    assert_string_equal(p3d_offload_name(P3D_OFFLOAD_OPTIMIZER), "optimizer");
    assert_string_equal(p3d_offload_name(P3D_OFFLOAD_OPTIMIZER_PARAMETERS),
            "optimizer+parameters");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(no_words_are_pure_data_parallelism),
            cmocka_unit_test(what_is_left_out_is_derived),
            cmocka_unit_test(order_case_spaces_and_second_names_do_not_matter),
            cmocka_unit_test(every_key_of_a_plan_is_read),
            cmocka_unit_test(parts_of_words_are_read),
            cmocka_unit_test(parts_of_words_are_printed),
            cmocka_unit_test(wrong_words_get_one_clear_line),
            cmocka_unit_test(a_printed_plan_reads_back_equal),
            cmocka_unit_test(a_plan_in_short_words_reads_back_equal),
            cmocka_unit_test(short_words_are_read),
            cmocka_unit_test(a_small_buffer_cuts_the_words),
            cmocka_unit_test(the_longest_words_have_room),
            cmocka_unit_test(names_are_the_words_of_plans),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
