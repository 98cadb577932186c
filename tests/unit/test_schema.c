/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_schema.c - what the program prints is what its schemas promise. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schema.h"

#include "plan3d/cluster.h"

enum { MAX_OUTPUT = 16 * 1024 * 1024, PATH = 4096 };

/* How this test was called. */
static const char *self;

/* The program of this build: this test is build/MODE/tests/unit/test_schema. */
static void find_program(char *path, size_t n)
{
    assert_true(strlen(self) + sizeof("/../../plan3d") <= n);
    snprintf(path, n, "%s", self);
    assert_non_null(strrchr(path, '/'));
    snprintf(strrchr(path, '/'), sizeof("/../../plan3d"), "/../../plan3d");
}

/* Parse what a command line prints; json_close() it. */
static json_doc run(const char *arguments)
{
    char program[PATH];
    char command[2 * PATH];
    char *text = malloc(MAX_OUTPUT);
    json_doc doc = {0};
    p3d_error err = {0};
    FILE *pipe;
    size_t n;

    assert_non_null(text);
    find_program(program, sizeof(program));
    snprintf(command, sizeof(command), "'%s' %s", program, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    n = fread(text, 1, MAX_OUTPUT, pipe);
    pclose(pipe);
    if (!json_parse(arguments, text, n, &doc, &err))
        fail_msg("plan3d %s: %s", arguments, err.text);
    free(text);
    return doc;
}

static void check_output(const char *schema_of, const char *arguments)
{
    char question[64];
    schema_place at = {"", ""};
    json_doc schema;
    json_doc output = run(arguments);

    snprintf(question, sizeof(question), "schema %s", schema_of);
    schema = run(question);
    if (!schema_check(schema.root, output.root, &at))
        fail_msg("plan3d %s: %s: %s", arguments, at.pointer, at.what);
    json_close(&schema);
    json_close(&output);
}

static void a_failure_is_as_promised(void **state)
{
    (void)state;
    check_output("error", "fit llama-3-8c 8xA800 --json 2>/dev/null");
    check_output("error", "fit README.md 8xA800 --json 2>/dev/null");
    check_output("error", "--format json --sq 2>/dev/null");
}

static void a_fit_is_as_promised(void **state)
{
    (void)state;
    check_output("fit", "fit llama-2-7b 8xA800 --json");
    check_output("fit", "fit 70B 64xA800 --tokens 2T --price 1.5 --json");
    check_output("fit", "fit 70B 2xA800 --json");
    check_output("fit", "fit mixtral-8x7b 64xH100 --json");
}

static void a_plan_is_as_promised(void **state)
{
    (void)state;
    check_output("plan", "plan 13B 16xA800 --top 4 --json");
    check_output("plan", "plan 70B 2xA800 --json");
}

static void an_estimate_is_as_promised(void **state)
{
    (void)state;
    check_output("estimate", "estimate 70B 64xA800 --plan tp=8,pp=8 --json");
    check_output("estimate", "estimate 70B 64xA800 --plan tp=1 --json");
}

static void explanations_are_as_promised(void **state)
{
    (void)state;
    check_output("explain", "explain 7B 8xA800 --json");
    check_output("explain", "explain 70B 64xA800 why --json");
    check_output("explain", "explain 70B 2xA800 why --json");
    check_output("explain", "explain 7B 8xA800 why --json --framework fsdp2");
    check_output("explain", "explain 70B 64xA800 why --not zero=2,pp=2 --json");
    check_output("explain", "explain 70B 64xA800 why --not tp=8 --json");
    check_output("explain", "explain 7B 8xA800 --compare tp=8 --json");
    check_output("explain", "explain 7B 8xA800 sensitivity --draws 100 --json");
    check_output("explain", "explain 70B 2xA800 sensitivity --json");
    check_output("explain", "explain 7B 8xA800 evidence --json");
    check_output("explain", "explain 7B 8xA800 error --json");
}

static void advice_is_as_promised(void **state)
{
    (void)state;
    check_output("advise", "advise 7B 8xA800 --json");
    check_output("advise", "advise 70B 2xA800 --json");
}

static void a_sweep_is_as_promised(void **state)
{
    (void)state;
    check_output("sweep", "sweep 7B 4..16xA800 --json");
    check_output("sweep", "sweep 7B A800 --gpus 8,12 --tokens 1T --price 2 "
                          "--format json");
    check_output("sweep", "sweep 70B 2xA800 --json");
    check_output("sweep", "sweep 7B A800 --tokens 1T --deadline 30d "
                          "--max-gpus 256 --json");
    check_output("sweep", "sweep 7B A800 --tokens 1T --deadline 1d "
                          "--max-gpus 64 --json");
}

static void exports_and_imports_are_as_promised(void **state)
{
    (void)state;
    check_output("export", "export 7B 16xA100 --to nanotron --dry-run --json");
    check_output("import",
            "import tests/import/megatron.log --cluster 64xA100 --json");
    check_output("import",
            "import tests/import/nanotron.yaml --cluster 64xA100-40G --json");
}

static void a_backtest_is_as_promised(void **state)
{
    (void)state;
    check_output("backtest", "backtest tests/accuracy/runs.csv --sets "
                             "tests/accuracy/ranking_sets.csv --rows --json");
    check_output("backtest", "backtest tests/accuracy/memory.csv --json");
    check_output(
            "backtest", "backtest tests/accuracy/runs.csv --source opt --json");
}

static void a_page_is_as_promised(void **state)
{
    (void)state;
    check_output("report", "report 7B 8xA800 --json");
    check_output("report", "report 70B 2xA800 --tokens 1T --price 2 --json");
}

#define COMPUTE "tests/data/measured/h100-compute.json"
static void a_calibration_is_as_promised(void **state)
{
    (void)state;
    check_output("calibrate", "calibrate " COMPUTE " --json");
}

static void measurements_are_as_promised(void **state)
{
    json_doc schema = run("schema measurements");
    json_doc file;
    schema_place at = {"", ""};
    p3d_error err = {0};

    (void)state;
    assert_true(json_open(COMPUTE, &file, &err));
    if (!schema_check(schema.root, file.root, &at))
        fail_msg(COMPUTE ": %s: %s", at.pointer, at.what);
    json_close(&schema);
    json_close(&file);
}

#define SLOW "--measurements tests/data/measured/h100-slow-products.json"
static void validations_are_as_promised(void **state)
{
    (void)state;
    check_output("validate", "validate llama-3-8b 8xH100 --json " SLOW);
    check_output(
            "validate", "validate llama-3-8b 8xH100 --plan tp=2 --json " SLOW);
    check_output("validate", "validate 70B 64xH100 --json --dry-run");
    check_output("validate", "validate 7B 1xH100 --json --dry-run");
}

static void shapes_are_as_promised(void **state)
{
    (void)state;
    check_output("shapes", "shapes 70B 64xA800 --plan tp=8,pp=4 --json");
    check_output("shapes", "shapes mixtral-8x7b 64xH100 --json");
    check_output("shapes", "shapes 7B 1xH100 --json");
}

static void lists_are_as_promised(void **state)
{
    (void)state;
    check_output("list", "list models --json");
    check_output("list", "list gpus --json");
    check_output("list", "list nodes --json");
    check_output("list", "list fabrics --json");
    check_output("list", "list frameworks --json");
    check_output("list", "list calibrations --json");
}

static bool is_valid(const json_value *schema, const char *text)
{
    schema_place at = {"", ""};
    json_doc doc = {0};
    p3d_error err = {0};
    bool valid;

    assert_true(json_parse("test", text, strlen(text), &doc, &err));
    valid = schema_check(schema, doc.root, &at);
    json_close(&doc);
    return valid;
}

static void the_checker_finds_each_kind_of_difference(void **state)
{
    static const char text[] =
            "{\"type\": \"object\", \"required\": [\"a\"], \"properties\": "
            "{\"a\": {\"type\": \"integer\", \"minimum\": 0, "
            "\"maximum\": 9}, \"b\": "
            "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}, "
            "\"c\": {\"enum\": [\"x\"]}, \"d\": {\"items\": {\"type\": "
            "\"boolean\"}}}, \"additionalProperties\": false}";
    json_doc schema = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(json_parse("schema", text, sizeof(text) - 1, &schema, &err));
    assert_true(is_valid(schema.root,
            "{\"a\": 1, \"b\": null, \"c\": \"x\", \"d\": [true]}"));
    assert_false(is_valid(schema.root, "{\"b\": null}"));
    assert_false(is_valid(schema.root, "{\"a\": 1.5}"));
    assert_false(is_valid(schema.root, "{\"a\": -1}"));
    assert_false(is_valid(schema.root, "{\"a\": 10}"));
    assert_false(is_valid(schema.root, "{\"a\": true}"));
    assert_false(is_valid(schema.root, "{\"a\": null}"));
    assert_false(is_valid(schema.root, "{\"a\": 1, \"b\": 2}"));
    assert_false(is_valid(schema.root, "{\"a\": 1, \"c\": \"y\"}"));
    assert_false(is_valid(schema.root, "{\"a\": 1, \"d\": [1]}"));
    assert_false(is_valid(schema.root, "{\"a\": 1, \"e\": 1}"));
    json_close(&schema);
}

static bool reader_takes(const char *text)
{
    char path[] = "/tmp/plan3d-schema-XXXXXX";
    const int fd = mkstemp(path);
    char renamed[sizeof(path) + 5];
    p3d_cluster cluster;
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(renamed, sizeof(renamed), "%s.json", path);
    assert_int_equal(rename(path, renamed), 0);
    ok = p3d_cluster_find(renamed, &cluster, NULL);
    unlink(renamed);
    return ok;
}

/* The reader of cluster files takes what their schema does, and no more. */
static void the_cluster_schema_is_what_the_reader_wants(void **state)
{
    static const char *const files[] = {
            "{\"schema\": 1, \"name\": \"n\", \"n_nodes\": 2, "
            "\"gpus_per_node\": 8, \"gpu\": \"A800\", \"node\": "
            "\"dgx-a800\", \"fabric\": \"ib-hdr-200\"}",
            "{\"schema\": 1, \"n_nodes\": 2, \"gpu\": \"A800\"}",
            "{\"n_nodes\": 2, \"gpu\": \"A800\"}",
            "{\"schema\": 1, \"gpu\": \"A800\"}",
            "{\"schema\": 1, \"n_nodes\": 2}",
            "{\"schema\": 1, \"n_nodes\": 2, \"gpu\": \"A800\", \"x\": 1}",
            "{\"schema\": 1, \"n_nodes\": 0, \"gpu\": \"A800\"}",
            "{\"schema\": 2, \"n_nodes\": 2, \"gpu\": \"A800\"}",
            "{\"schema\": 1, \"n_nodes\": 99999999, \"gpu\": \"A800\"}",
            "{\"schema\": 1, \"n_nodes\": 2, \"gpu\": 3}",
    };
    json_doc schema = run("schema cluster");

    (void)state;
    assert_true(reader_takes(files[0]));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (is_valid(schema.root, files[i]) != reader_takes(files[i]))
            fail_msg("reader and schema differ over %s", files[i]);
    json_close(&schema);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_checker_finds_each_kind_of_difference),
            cmocka_unit_test(a_failure_is_as_promised),
            cmocka_unit_test(a_fit_is_as_promised),
            cmocka_unit_test(a_plan_is_as_promised),
            cmocka_unit_test(an_estimate_is_as_promised),
            cmocka_unit_test(explanations_are_as_promised),
            cmocka_unit_test(advice_is_as_promised),
            cmocka_unit_test(a_sweep_is_as_promised),
            cmocka_unit_test(exports_and_imports_are_as_promised),
            cmocka_unit_test(a_backtest_is_as_promised),
            cmocka_unit_test(a_page_is_as_promised),
            cmocka_unit_test(a_calibration_is_as_promised),
            cmocka_unit_test(measurements_are_as_promised),
            cmocka_unit_test(validations_are_as_promised),
            cmocka_unit_test(shapes_are_as_promised),
            cmocka_unit_test(lists_are_as_promised),
            cmocka_unit_test(the_cluster_schema_is_what_the_reader_wants),
    };

    assert_true(argc > 0);
    self = argv[0];
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
