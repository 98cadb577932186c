/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_typed.c - what is printed as a value, a change or a pin can be typed:
 * --plan, --pin and the options of the job read it as what it was. */
#include "random_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "plan3d/decisions.h"
#include "plan3d/search.h"
#include "report/answer.h"
#include "spec/plan_words.h"
#include "json/field.h"

enum { MOST = 12 }; /* values of a number that are tried */

/* A change such as "first=0" pins that value, and nothing else of its key. */
static void check_value(const char *change, spec_plan_key key, double value)
{
    const int n_gpus = value > 1 ? (int)value : 1; /* as tp=3 needs */
    p3d_error err = {0};
    p3d_plan plan;
    p3d_pins pins;

    if (!p3d_pins_parse(change, &pins, &err) ||
            !p3d_plan_parse(change, n_gpus, NULL, &plan, &err))
        fail_msg("'%s' is printed and not read: %s", change, err.text);
    if (spec_plan_get(&plan, key) != value)
        fail_msg("'%s' is read as another plan", change);
    if (spec_pins_get(&pins, key) != value || p3d_pins_are_free(&pins))
        fail_msg("'%s' is read as other pins", change);
}

static void check_number(spec_plan_key key, int value)
{
    char words[P3D_PLAN_PART], change[2 * P3D_PLAN_PART];

    snprintf(change, sizeof(change), "%s=%s", spec_plan_fields[key].word,
            spec_plan_number_words(key, value, words));
    check_value(change, key, value);
}

/* Every word of P3D_PLAN_FIELDS with every value of it, or the smallest and the
 * largest, as p3d_decision_print() and `explain ... why` write them. */
static void every_value_of_a_plan_can_be_typed(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const spec_plan_field *const field = &spec_plan_fields[i];

        if (field->word == NULL)
            continue;
        for (int v = field->least; v <= field->most && v <= MOST; v++)
            check_number((spec_plan_key)i, v);
        if (field->kind == SPEC_FIELD_COUNT)
            check_number((spec_plan_key)i, field->most);
    }
}

/* Each change alone, and all of them. */
static void check_changes(const p3d_plan *from, const p3d_plan *to)
{
    char changes[P3D_PLAN_WORDS], one[P3D_PLAN_WORDS];
    p3d_error err = {0};
    p3d_pins pins;

    p3d_decisions_differ(from, to, NULL, changes, sizeof(changes));
    if (!p3d_pins_parse(changes, &pins, &err))
        fail_msg("'%s' is printed and not read: %s", changes, err.text);
    for (const char *at = changes; *at != '\0'; at += strspn(at, ",")) {
        const size_t n = strcspn(at, ",");

        snprintf(one, sizeof(one), "%.*s", (int)n, at);
        if (!p3d_pins_parse(one, &pins, &err))
            fail_msg("'%s' is printed and not read: %s", one, err.text);
        at += n;
    }
}

static void changes_between_random_plans_can_be_typed(void **state)
{
    p3d_problem *const problem = calloc(1, sizeof(*problem));
    random_source r = {7};
    p3d_error err = {0};

    (void)state;
    assert_non_null(problem);
    problem_check(p3d_model_find("llama-2-7b", &problem->model, &err), &err);
    problem_check(p3d_cluster_find("64xA100", &problem->cluster, &err), &err);
    problem->job.global_batch = 256;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    for (int i = 0; i < 500; i++) {
        p3d_plan a = random_plan(&r, problem);
        p3d_plan b = random_plan(&r, problem);

        a.first_layers = random_below(&r, 3);
        b.last_layers = random_below(&r, 3);
        b.uneven = random_below(&r, 2) == 1;
        a.ulysses = 2 * random_below(&r, 2);
        a.group = random_below(&r, 4);
        check_changes(&a, &b);
        check_changes(&b, &a);
    }
    free(problem);
}

/* "sp=off" is nosp; both at once, or twice, is a mistake that has words. */
static void a_switch_is_said_once(void **state)
{
    static const char *const twice[] = {"sp=off,sp", "nosp,sp=on",
            "uneven=off,uneven", "sp,sp=on", "uneven=on,uneven=on"};
    static const char *const wrong[] = {"nosp=on", "uneven=2", "sp="};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(twice); i++) {
        p3d_error err = {0};
        p3d_pins pins;

        assert_false(p3d_pins_parse(twice[i], &pins, &err));
        test_check_error(
                &err, P3D_DATA, i < 3 ? "contradict each other" : "twice");
    }
    for (int i = 0; i < P3D_COUNT_OF(wrong); i++) {
        p3d_error err = {0};
        p3d_pins pins;

        assert_false(p3d_pins_parse(wrong[i], &pins, &err));
        test_check_error(&err, P3D_DATA, "; write");
    }
}

static void check_option(const char *name, const char *word)
{
    const char *const argv[] = {name, word};
    const cli_command *const fit = cli_command_find("fit", NULL);
    p3d_error err = {0};
    cli_args args;

    assert_non_null(fit);
    if (!cli_args_parse(fit->table,
                (cli_line){.argc = 2, .argv = argv, .skip = -1}, &args, &err))
        fail_msg("%s %s is printed and not read: %s", name, word, err.text);
}

/* What `job` says in JSON is what its options read. */
static void every_word_of_a_job_can_be_typed(void **state)
{
    static const struct {
        const char *key, *option;
    } words[] = {{"dtype", "--dtype"}, {"optimizer", "--optimizer"},
            {"attention", "--attention"}, {"graphs", "--cuda-graphs"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const json_field *const field =
                json_find_field(&report_job_shape, words[i].key);
        const char *word;

        assert_non_null(field);
        assert_non_null(json_type_word(field->type, 0));
        for (int k = 0; (word = json_type_word(field->type, k)) != NULL; k++)
            check_option(words[i].option, word);
    }
    for (int i = 0; p3d_loss_name((p3d_loss)i) != NULL && i < P3D_N_LOSSES; i++)
        check_option("--loss", p3d_loss_name((p3d_loss)i));
    for (int i = 0; i < P3D_N_DISPATCHERS; i++)
        check_option("--dispatcher", p3d_dispatcher_name((p3d_dispatcher)i));
    check_option("--dp-overlap", "on");
    check_option("--dp-overlap", "off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_value_of_a_plan_can_be_typed),
            cmocka_unit_test(changes_between_random_plans_can_be_typed),
            cmocka_unit_test(a_switch_is_said_once),
            cmocka_unit_test(every_word_of_a_job_can_be_typed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
