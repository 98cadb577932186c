/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_names.c - a name that means harm, in every file of every target: it
 * stays within its comment, and nothing of it acts on who reads or prints it.
 */
#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "base/util.h"
#include "cli/launch_export.h"
#include "exchange/launch/serving.h"
#include "plan3d/search.h"
#include "report/html/html.h"

/* Each ends a comment, a string or a line for somebody, or hides what follows.
 * At most 95 bytes, as a model's name has. */
static const char *const hostile[] = {
        "a\nevil: 1",
        "a\r\nevil: 1\revil: 2",
        "a\xe2\x80\xa8"
        "evil: 1\xe2\x80\xa9"
        "evil: 2\xc2\x85"
        "evil: 3", /* U+2028, U+2029, U+0085 */
        "\xef\xbb\xbf"
        "a\x0b"
        "b\x0c"
        "evil: 1\x1b]0;evil\x07\x1b[2J\x7f\x08\xc2\x9b"
        "31m",
        ("\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae"
         "live\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9"),
        "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c\xf3\xa0\x81\x85\xef\xb7\x90",
        "bytes \xff\xfe\xc0\xaf\xed\xa0\x80 of nothing",
        "coding: utf-7 +AAo-evil()+AAo-",
        "'; evil; # \"; evil; `evil` $(evil) \\",
        "\"\"\" ''' */ --> ]]> </script><script>evil()</script>",
        "%YAML 9.9\n--- !evil\n...\n#SBATCH --evil",
};
enum { N_HOSTILE = P3D_COUNT_OF(hostile), MOST_KEYS = 64 };

/* Every file of a launch; names may be NULL for those of the problem. */
static void make_files(const exchange_target *target,
        const p3d_problem *problem, const p3d_estimate *estimate,
        const char *name, exchange_files *out)
{
    report_question question = {.problem = *problem, .command = "export"};
    const report_findings findings = {.estimate = estimate};
    p3d_problem *const own = &question.problem;
    report_document *document;
    p3d_error err = {0};

    if (name != NULL) {
        p3d_copy(own->model.name, sizeof(own->model.name), name);
        p3d_copy(own->model.source, sizeof(own->model.source), name);
        p3d_copy(own->cluster.name, sizeof(own->cluster.name), name);
        p3d_copy(own->cluster.gpu.name, sizeof(own->cluster.gpu.name), name);
        p3d_copy(own->cluster.node.name, sizeof(own->cluster.node.name), name);
    }
    document = report_document_create(&question, &findings, &err);
    problem_check(document != NULL, &err);
    problem_check(cli_make_launch(
                          &(cli_launch){document, own, &estimate->plan, target,
                                  cli_usual_launcher(target, &own->cluster), 0},
                          out, &err),
            &err);
    report_document_destroy(document);
}

static void check_shows(const char *what, const char *text, const char *kept)
{
    size_t left = strlen(text);

    while (left > 0) {
        const int n = p3d_utf8_printable(text, left);

        if (n == 0 && strchr(kept, *text) == NULL)
            fail_msg("%s: byte 0x%02x is there", what, (unsigned char)*text);
        text += n > 0 ? n : 1;
        left -= n > 0 ? (size_t)n : 1;
    }
}

/* The next line that is no comment; NULL at the end. */
static const char *next_line(const char **at, size_t *n)
{
    while (**at != '\0') {
        const char *const line = *at;

        *n = strcspn(line, "\n");
        *at += *n + (line[*n] == '\n');
        if (line[strspn(line, " ")] != '#' || strncmp(line, "#!", 2) == 0 ||
                strncmp(line, "#SBATCH", 7) == 0)
            return line;
    }
    return NULL;
}

/* But for comments, the files of two names are the same. */
static void check_same(const char *what, const char *got, const char *want)
{
    size_t n_got = 0;
    size_t n_want = 0;

    for (;;) {
        const char *const line = next_line(&got, &n_got);
        const char *const plain = next_line(&want, &n_want);

        if (line == NULL && plain == NULL)
            return;
        if (line == NULL || plain == NULL || n_got != n_want ||
                strncmp(line, plain, n_got) != 0)
            fail_msg("%s: '%.*s' is there", what, line != NULL ? (int)n_got : 0,
                    line != NULL ? line : "");
    }
}

/* Keys of the outermost object, as libyaml reads them, behind one another. */
static void list_keys(const char *text, p3d_text *out)
{
    yaml_parser_t parser;
    yaml_document_t document;
    const yaml_node_t *root;

    assert_int_equal(yaml_parser_initialize(&parser), 1);
    yaml_parser_set_input_string(
            &parser, (const unsigned char *)text, strlen(text));
    assert_int_equal(yaml_parser_load(&parser, &document), 1);
    root = yaml_document_get_root_node(&document);
    assert_non_null(root);
    assert_int_equal(root->type, YAML_MAPPING_NODE);
    for (const yaml_node_pair_t *p = root->data.mapping.pairs.start;
            p < root->data.mapping.pairs.top; p++)
        p3d_text_add(out, "%s\n",
                (const char *)yaml_document_get_node(&document, p->key)
                        ->data.scalar.value);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
}

static void check_keys(const char *got, const char *want)
{
    p3d_text mine = {0};
    p3d_text plain = {0};

    list_keys(got, &mine);
    list_keys(want, &plain);
    assert_true(plain.length > 0);
    assert_string_equal(p3d_text_get(&mine), p3d_text_get(&plain));
    p3d_text_free(&mine);
    p3d_text_free(&plain);
}

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(end);

    return strlen(name) > n && strcmp(name + strlen(name) - n, end) == 0;
}

/* @return 1 where the file is one of YAML */
static int check_file(
        const char *target, const exchange_file *got, const exchange_file *want)
{
    const char *const text = p3d_text_get(&got->text);
    const char *const plain = p3d_text_get(&want->text);
    char what[128];

    snprintf(what, sizeof(what), "%s: %s", target, got->name);
    assert_string_equal(got->name, want->name);
    check_shows(what, text, "\n");
    check_same(what, text, plain);
    if (ends_in(got->name, ".py"))
        assert_int_equal(strncmp(text, "# -*- coding: utf-8 -*-\n", 24), 0);
    if (!ends_in(got->name, ".yaml") && !ends_in(got->name, ".yml"))
        return 0;
    check_keys(text, plain);
    return 1;
}

static int check_target(const exchange_target *target)
{
    const p3d_framework framework = exchange_target_framework_now(target);
    const char *const cluster = framework.devices == P3D_ON_TPU ? "16xTPU-v5p"
                                : framework.devices == P3D_ON_ASCEND
                                        ? "2x8x910B"
                                        : "2x8xH100-SXM5-80GB";
    /* All of a model is on each GPU of DDP; torchtune builds that of a size. */
    const char *const model = strcmp(target->framework, "ddp") == 0 ? "gpt2"
                              : strcmp(target->framework, "torchtune") == 0
                                      ? "llama-2-7b"
                                      : "llama-3-8b";
    p3d_problem problem = problem_of(model, cluster, target->framework,
            strcmp(model, "gpt2") == 0 ? 1024 : 4096, 64);
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *const search = malloc(sizeof(*search));
    exchange_files plain = {0};
    p3d_error err = {0};
    int n_yaml = 0;

    assert_non_null(search);
    problem.job.framework = &framework;
    problem_check(p3d_search(&problem, &pins, 1, search, &err), &err);
    assert_int_equal(search->n_top, 1);
    make_files(target, &problem, &search->top[0], NULL, &plain);
    for (int i = 0; i < N_HOSTILE; i++) {
        exchange_files files = {0};

        make_files(target, &problem, &search->top[0], hostile[i], &files);
        assert_int_equal(files.n, plain.n);
        for (int f = 0; f < files.n; f++)
            n_yaml += check_file(target->name, &files.at[f], &plain.at[f]);
        exchange_files_free(&files);
    }
    exchange_files_free(&plain);
    free(search);
    return n_yaml;
}

static void names_stay_in_the_comments_of_launch_files(void **state)
{
    int n_yaml = 0;

    (void)state;
    for (int i = 0; exchange_target_at(i) != NULL; i++)
        n_yaml += check_target(exchange_target_at(i));
    /* accelerate, nanotron, hf-fsdp, LLaMA-Factory, axolotl, torchtune,
     * FlagScale and MaxText */
    assert_int_equal(n_yaml, 8 * N_HOSTILE);
}

static void so_they_do_where_a_model_is_served(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-8b", "8xA100", "megatron-core", 8192, 8);
    exchange_serving serving;
    p3d_error err = {0};

    (void)state;
    for (int i = 0; exchange_server_at(i) != NULL; i++) {
        const exchange_server *const server = exchange_server_at(i);
        exchange_files plain = {0};

        assert_true(exchange_serving_find(server, &problem, &serving, &err));
        exchange_serving_export(
                server, &problem, &serving, "model: a\n", &plain);
        for (int k = 0; k < N_HOSTILE; k++) {
            exchange_files files = {0};

            exchange_serving_export(
                    server, &problem, &serving, hostile[k], &files);
            check_file(server->name, &files.at[0], &plain.at[0]);
            exchange_files_free(&files);
        }
        exchange_files_free(&plain);
    }
}

static void strings_of_json_and_html_hold_nothing_that_acts(void **state)
{
    (void)state;
    for (int i = 0; i < N_HOSTILE; i++) {
        p3d_text text = {0};
        json_writer w = {.out = &text};

        json_put_string(&w, NULL, hostile[i]);
        check_shows("JSON", p3d_text_get(&text), "");
        p3d_text_free(&text);
        html_escape(&text, hostile[i]);
        check_shows("HTML", p3d_text_get(&text), "\n");
        assert_null(strpbrk(p3d_text_get(&text), "<>\"'"));
        p3d_text_free(&text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(names_stay_in_the_comments_of_launch_files),
            cmocka_unit_test(so_they_do_where_a_model_is_served),
            cmocka_unit_test(strings_of_json_and_html_hold_nothing_that_acts),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
