/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pins.c - values that a person fixes before a search. */
#include "test.h"

#include <string.h>

#include "plan3d/search.h"

static void nothing_is_pinned_at_first(void **state)
{
    const p3d_pins none = p3d_pins_free();
    p3d_pins pins = {.tp = 5};
    p3d_error err = {0};

    (void)state;
    assert_int_equal(none.tp, 0);
    assert_int_equal(none.micro_batch, 0);
    assert_int_equal(none.zero, -1);
    assert_int_equal(none.recompute, -1);
    assert_int_equal(none.offload, -1);
    assert_true(p3d_pins_parse("", &pins, &err));
    assert_int_equal(pins.tp, 0);
    assert_int_equal(pins.zero, -1);
    assert_int_equal(pins.schedule, -1);
    assert_int_equal(pins.offload_nvme, -1);
    assert_true(pins.activation_offload_frac < 0);
    assert_true(p3d_pins_are_free(&none));
    assert_true(p3d_pins_are_free(&pins));
}

static void one_pinned_value_is_enough_to_be_pinned(void **state)
{
    static const char *const words[] = {"tp=1", "zero=0", "nosp", "uneven",
            "recompute=none", "recompute=uniform:4", "recompute=full:2",
            "offload=none", "offload=optimizer:0.5", "order=tp-cp-ep-dp-pp",
            "schedule=1f1b", "shard=2", "first=1", "group=4"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        p3d_pins pins;

        assert_true(p3d_pins_parse(words[i], &pins, NULL));
        if (p3d_pins_are_free(&pins))
            print_error("%s pins nothing\n", words[i]);
        assert_false(p3d_pins_are_free(&pins));
    }
    assert_false(p3d_pins_are_free(NULL));
}

static void pins_are_the_words_of_a_plan(void **state)
{
    p3d_pins pins;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_pins_parse("tp=8, zero=0", &pins, &err));
    assert_int_equal(pins.tp, 8);
    assert_int_equal(pins.zero, 0);
    assert_int_equal(pins.pp, 0);
    assert_true(p3d_pins_parse("tp=2,pp=3,dp=4,cp=5,ep=6,etp=7,vp=8,mbs=9,"
                               "zero=3,sp,recompute=full,offload=none",
            &pins, &err));
    assert_int_equal(pins.tp, 2);
    assert_int_equal(pins.pp, 3);
    assert_int_equal(pins.dp, 4);
    assert_int_equal(pins.cp, 5);
    assert_int_equal(pins.ep, 6);
    assert_int_equal(pins.etp, 7);
    assert_int_equal(pins.vp, 8);
    assert_int_equal(pins.micro_batch, 9);
    assert_int_equal(pins.zero, 3);
    assert_int_equal(pins.recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(pins.offload, P3D_OFFLOAD_NONE);
}

static void a_printed_plan_can_be_pinned(void **state)
{
    p3d_plan plan;
    p3d_pins pins;
    char words[256];

    (void)state;
    assert_true(p3d_plan_parse(
            "tp=4,pp=2,recompute=selective", 64, NULL, &plan, NULL));
    assert_true(p3d_pins_parse(
            p3d_plan_print(&plan, words, sizeof(words)), &pins, NULL));
    assert_int_equal(pins.dp, 8);
    assert_int_equal(pins.recompute, P3D_RECOMPUTE_SELECTIVE);
}

static void all_that_a_search_chooses_can_be_pinned(void **state)
{
    p3d_pins pins;

    (void)state;
    assert_true(p3d_pins_parse("nosp,schedule=gpipe,shard=8,first=2,last=3,"
                               "uneven,order=tp-cp-ep-pp-dp,"
                               "recompute=full:4,offload=optimizer:0.5@nvme",
            &pins, NULL));
    assert_int_equal(pins.sequence_parallel, 0);
    assert_int_equal(pins.schedule, P3D_GPIPE);
    assert_int_equal(pins.shard, 8);
    assert_int_equal(pins.first_layers, 2);
    assert_int_equal(pins.last_layers, 3);
    assert_int_equal(pins.uneven, 1);
    assert_int_equal(pins.order, P3D_ORDER_PP_DP);
    assert_int_equal(pins.recompute_layers, 4);
    assert_true(pins.offload_frac == 0.5);
    assert_int_equal(pins.offload_nvme, 1);
    assert_true(pins.activation_offload_frac == 0);
    assert_int_equal(pins.recompute_group, 0);
    assert_true(p3d_pins_parse("recompute=uniform:4", &pins, NULL));
    assert_int_equal(pins.recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(pins.recompute_group, 4);
}

static const struct {
    const char *words;
    const char *text;
} wrong_words[] = {
        {"tpp=8", "did you mean 'tp'?"},
        {"tp=0", "out of range"},
        {"tp=8,", "a comma with no word beside it"},
        {"schedule=gpip", "did you mean 'gpipe'?"},
        {"order=dp-tp", "tp-cp-ep-dp-pp or tp-cp-ep-pp-dp"},
};

static void what_cannot_be_pinned_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_words) / sizeof(wrong_words[0]); i++) {
        p3d_pins pins = {.tp = -7};
        p3d_error err = {0};

        assert_false(p3d_pins_parse(wrong_words[i].words, &pins, &err));
        test_check_error(&err, P3D_DATA, wrong_words[i].text);
        assert_int_equal(pins.tp, -7);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(nothing_is_pinned_at_first),
            cmocka_unit_test(one_pinned_value_is_enough_to_be_pinned),
            cmocka_unit_test(all_that_a_search_chooses_can_be_pinned),
            cmocka_unit_test(pins_are_the_words_of_a_plan),
            cmocka_unit_test(a_printed_plan_can_be_pinned),
            cmocka_unit_test(what_cannot_be_pinned_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
