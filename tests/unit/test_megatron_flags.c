/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_megatron_flags.c - the options that are written for Megatron-LM are in
 * the list of its arguments, with the types and choices of that list.
 *
 * tests/data/megatron_flags.csv was taken on 2026-11-20 from the argparse calls
 * and dataclasses of NVIDIA/Megatron-LM@d98e8a64, on 2026-11-23 from those of
 * what its scripts add to them, ModelOpt (pretrain_gpt.py:526) and Flextron;
 * its column source has the lines. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "exchange/launch/target.h"
#include "exchange/read/doubt.h"

static p3d_csv flags;
static int flag_column, type_column;

static int open_flags(void **state)
{
    p3d_error err = {0};

    (void)state;
    if (!p3d_csv_open(
                P3D_SOURCE_DIR "/tests/data/megatron_flags.csv", &flags, &err))
        fail_msg("%s", err.text);
    flag_column = p3d_csv_find(&flags, "flag");
    type_column = p3d_csv_find(&flags, "type");
    return flag_column < 0 || type_column < 0;
}

static int close_flags(void **state)
{
    (void)state;
    p3d_csv_close(&flags);
    return 0;
}

static bool is_listed(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_known(const char *name)
{
    const exchange_target *const target = &exchange_to_megatron;
    const exchange_table *const table = &target->tables[0];

    for (int i = 0; i < table->n_options; i++)
        if (table->options[i].kind != EXCHANGE_HEAD &&
                strcmp(table->options[i].field.key, name) == 0)
            return true;
    return is_listed(target->unmodelled, name) ||
           is_listed(target->harmless, name);
}

/* A log prints all arguments: where they are as Megatron-LM has them, none of
 * them makes an answer doubtful. */
static void defaults_of_arguments_are_no_doubts(void **state)
{
    const int default_column = p3d_csv_find(&flags, "default");

    (void)state;
    assert_true(default_column >= 0);
    for (int row = 0; row < flags.n_rows; row++) {
        const char *const name =
                p3d_csv_get(&flags, row, flag_column) + strlen("--");
        const char *const value = p3d_csv_get(&flags, row, default_column);
        const exchange_doubt *const doubt =
                exchange_doubt_of(name, value[0] != '\0' ? value : "None");

        if (doubt != NULL && !is_known(name))
            fail_msg("%s = %s looks like %s", name, value, doubt->topic);
        if (!is_known(name) && exchange_describes_layers(
                                       name, value[0] != '\0' ? value : "None"))
            fail_msg("%s = %s looks like layers", name, value);
    }
}

/* Type of an argument; NULL when Megatron-LM has none of this name. */
static const char *type_of(const char *name)
{
    for (int row = 0; row < flags.n_rows; row++) {
        const char *const flag = p3d_csv_get(&flags, row, flag_column);

        if (strcmp(flag + strlen("--"), name) == 0)
            return p3d_csv_get(&flags, row, type_column);
    }
    return NULL;
}

static bool is_flag(const exchange_option *option)
{
    return option->kind == EXCHANGE_FLAG ||
           (option->kind == EXCHANGE_FIXED && option->text == NULL);
}

/* A flag takes no value, be it Optional[bool] or bool: Megatron-LM@d98e8a64
 * megatron/training/argument_utils.py (ArgumentGroupFactory). */
static void check_type(const exchange_option *option, const char *type)
{
    const bool flag = strcmp(type, "bool") == 0 ||
                      strcmp(type, "Optional[bool]") == 0 ||
                      strstr(type, "store_");
    const bool number = strstr(type, "int") != NULL;

    if (is_flag(option) != flag)
        fail_msg("--%s: type %s", option->field.key, type);
    if ((exchange_is(option, JSON_KIND_INT) ||
                exchange_is(option, JSON_KIND_INT64)) &&
            !number)
        fail_msg("--%s is no integer but %s", option->field.key, type);
    if (exchange_is(option, JSON_KIND_DOUBLE) && strcmp(type, "float") != 0 &&
            strcmp(type, "Optional[float]") != 0)
        fail_msg("--%s is no float but %s", option->field.key, type);
    for (int i = 0; i < option->n_words; i++) {
        const char *const word = json_type_word(option->field.type, i);
        char quoted[64];

        if (word == NULL || strstr(type, "Literal") == NULL)
            continue;
        snprintf(quoted, sizeof(quoted), "'%s'", word);
        if (strstr(type, quoted) == NULL)
            fail_msg("--%s %s: not one of %s", option->field.key, word, type);
    }
}

/* flagos-ai/FlagScale@16a2dd5b flagscale/backends/Megatron-LM/megatron/
 * training/arguments.py.patch, _add_hetero_args(). */
static const char *const of_flagscale[] = {"enable-hetero",
        "hetero-process-meshes", "hetero-pipeline-layer-split",
        "hetero-device-types", NULL};

/* What import finds out and no script says. */
static const char *const of_import[] = {
        "outputs_of_the_head", "preference", NULL};

static void every_option_is_an_argument_of_its_type(void **state)
{
    const exchange_table *const table = &exchange_to_megatron.tables[0];
    int n = 0;

    (void)state;
    for (int i = 0; i < table->n_options; i++) {
        const exchange_option *const option = &table->options[i];
        const char *type;

        if (option->kind == EXCHANGE_HEAD ||
                is_listed(of_import, option->field.key))
            continue;
        type = type_of(option->field.key);
        if (is_listed(of_flagscale, option->field.key) && type == NULL)
            continue;
        if (type == NULL)
            fail_msg("Megatron-LM has no --%s", option->field.key);
        check_type(option, type);
        n++;
    }
    assert_true(n > 60);
}

/* --use-custom-fsdp is what --use-megatron-fsdp was called before. */
static void options_that_no_plan_says_are_arguments_too(void **state)
{
    const char *const *const names = exchange_to_megatron.unmodelled;
    int n = 0;

    (void)state;
    for (; names[n] != NULL; n++)
        if (type_of(names[n]) == NULL &&
                strcmp(names[n], "use-custom-fsdp") != 0)
            fail_msg("Megatron-LM has no --%s", names[n]);
    assert_true(n > 10);
}

static void a_name_that_does_not_exist_is_noticed(void **state)
{
    (void)state;
    assert_null(type_of("tensor-parallel-size"));
    assert_non_null(type_of("tensor-model-parallel-size"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(defaults_of_arguments_are_no_doubts),
            cmocka_unit_test(every_option_is_an_argument_of_its_type),
            cmocka_unit_test(options_that_no_plan_says_are_arguments_too),
            cmocka_unit_test(a_name_that_does_not_exist_is_noticed),
    };

    return cmocka_run_group_tests_name(
            "Megatron-LM's arguments", tests, open_flags, close_flags);
}
