/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page.c - the page of plan3d report: well formed, complete, with the
 * numbers of the estimate; and read back. */
#include "report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/util.h"
#include "exchange/read/page.h"
#include "plan3d/search.h"
#include "problem.h"
#include "report/html/html.h"
#include "report/text/spans.h"
#include "report/text/text.h"

enum { MAX_DEPTH = 64, MAX_IDS = 512, NAME = 48 };

static const char hostile[] = "</script><script>\"'&\001";

/** A page, and what it was made of. */
typedef struct instance {
    p3d_problem problem;
    p3d_search_result found;
    report_document *document;
    report_page page;
    report_option options[2];
    report_cell cells[4];
    report_point points[2];
    report_scale scales[2];
    report_swing swings[2];
    report_target targets[2];
    report_file file;
    p3d_text html;
} instance;

static void fill_around(instance *x)
{
    const report_answer *const a = x->document->estimate;
    report_page *const page = &x->page;

    for (int i = 0; i < 4; i++)
        x->cells[i] = (report_cell){.tp = 1 + i / 2, .pp = 1 + i % 2};
    x->cells[0].legal = x->cells[0].fits = true;
    x->cells[0].step_s = a->step_s;
    x->cells[1].legal = true;
    x->cells[1].missing_bytes = 1 << 30;
    (void)p3d_copy(x->cells[2].rule, sizeof(x->cells[2].rule), "B1");
    (void)p3d_copy(x->cells[2].reason, JSON_LINE, "<no>");
    x->points[0] = (report_point){"tp=1", 1.0, 1 << 30, true, true, 0.99};
    x->points[1] = (report_point){"tp=2", 1.05, 2 << 29, false, false, 0.5};
    x->scales[0] = (report_scale){.n_gpus = 4, .reason = "<no>"};
    x->scales[1] = (report_scale){.n_gpus = 8,
            .legal = true,
            .fits = true,
            .step_s = 1,
            .tokens_per_s = 1000,
            .efficiency_frac = 1};
    x->swings[0] = (report_swing){
            "gemm", "run it", 0.1, a->step_s * 0.9, a->step_s * 1.1};
    x->swings[1] = (report_swing){"host", "run it", 0.1, a->step_s, a->step_s};
    x->file = (report_file){"launch.sh", "echo '<b>' && true\n", true};
    x->targets[0] = (report_target){.name = "megatron",
            .title = "Megatron-LM",
            .versions = "1",
            .can = true,
            .fits = true,
            .step_s = 1,
            .files = {&x->file, 1}};
    x->targets[1] = (report_target){
            .name = "jax", .title = "JAX", .versions = "1", .reason = "<no>"};
    x->options[0] = (report_option){"seq", "2048"};
    x->options[1] = (report_option){"dropout", NULL};
    page->cells = (json_list){x->cells, 4};
    page->points = (json_list){x->points, 2};
    page->scales = (json_list){x->scales, 2};
    page->swings = (json_list){x->swings, 2};
    page->targets = (json_list){x->targets, 2};
    page->origin = (report_origin){.model = hostile,
            .model_text = "{\"<\": \"</script>\"}",
            .cluster = "8xH100",
            .plan = a->words,
            .options = {x->options, 2}};
    page->document = x->document;
}

static int set_up(void **state)
{
    instance *const x = calloc(1, sizeof(*x));
    const p3d_pins pins = p3d_pins_free();
    report_question question = {.command = "report",
            .model_word = hostile,
            .cluster_word = "8xH100",
            .options = ""};
    report_findings findings = {.search = &x->found, .explain = true};
    p3d_estimate estimate;
    p3d_error err = {0};

    x->problem = problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    (void)p3d_copy(x->problem.model.name, sizeof(x->problem.model.name),
            "<b>\"'&\377");
    estimate = problem_estimate(&x->problem, "tp=2,pp=2,vp=2,mbs=1");
    problem_check(p3d_search(&x->problem, &pins, 1, &x->found, &err), &err);
    question.problem = x->problem;
    findings.estimate = &estimate;
    x->document = report_document_create(&question, &findings, &err);
    problem_check(x->document != NULL, &err);
    fill_around(x);
    problem_check(report_page_print(&x->page, &x->html, &err), &err);
    *state = x;
    return 0;
}

static int tear_down(void **state)
{
    instance *const x = *state;

    report_document_destroy(x->document);
    p3d_text_free(&x->html);
    free(x);
    return 0;
}

/* A word of letters, digits and dashes into a buffer. */
static const char *take_name(const char *at, char name[NAME])
{
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

    n = n < NAME - 1 ? n : NAME - 1;
    memcpy(name, at, n);
    name[n] = '\0';
    return at + n;
}

/* Behind the '>' of a tag, whose attributes are in double quotes. */
static const char *end_of_tag(const char *at)
{
    bool quoted = false;

    for (; *at != '\0' && (quoted || *at != '>'); at++)
        quoted = quoted != (*at == '"');
    assert_int_equal(*at, '>');
    return at + 1;
}

static void tags_are_closed_in_order(void **state)
{
    const instance *const x = *state;
    char open[MAX_DEPTH][NAME];
    int depth = 0;
    const char *at = p3d_text_get(&x->html) + strlen("<!DOCTYPE html>");

    while ((at = strchr(at, '<')) != NULL) {
        char name[NAME] = "";
        const bool closes = at[1] == '/';
        const char *const begin = take_name(at + 1 + closes, name);
        const char *const end = end_of_tag(begin);

        assert_true(name[0] != '\0');
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(name, open[--depth]);
        } else if (end[-2] != '/' && strcmp(name, "meta") != 0 &&
                   strcmp(name, "br") != 0) {
            assert_true(depth < MAX_DEPTH);
            memcpy(open[depth++], name, NAME);
        }
        at = end;
        /* What is in these is no HTML. */
        if (!closes &&
                (strcmp(name, "script") == 0 || strcmp(name, "style") == 0))
            at = strstr(
                    at, strcmp(name, "script") == 0 ? "</script" : "</style");
    }
    assert_int_equal(depth, 0);
}

static void ids_are_unique_and_labels_have_their_targets(void **state)
{
    const instance *const x = *state;
    char ids[MAX_IDS][NAME];
    int n = 0;

    for (const char *at = p3d_text_get(&x->html);
            (at = strstr(at, " id=\"")) != NULL && n < MAX_IDS; n++) {
        at = take_name(at + 5, ids[n]);
        for (int i = 0; i < n; i++)
            assert_string_not_equal(ids[i], ids[n]);
    }
    assert_in_range(n, 20, MAX_IDS - 1);
    for (const char *at = p3d_text_get(&x->html);
            (at = strstr(at, "aria-labelledby=\"")) != NULL;) {
        char name[NAME];
        int found = 0;

        at = take_name(at + strlen("aria-labelledby=\""), name);
        for (int i = 0; i < n; i++)
            found += strcmp(ids[i], name) == 0;
        assert_int_equal(found, 1);
    }
}

static void every_figure_is_there(void **state)
{
    static const char *const ids[] = {"verdict", "memory", "step", "pipeline",
            "ranks", "grid", "front", "scaling", "swings", "proof", "basis",
            "launches", "memory-figure", "step-figure", "pipeline-figure",
            "grid-figure", "front-figure", "scaling-figure", "swings-figure"};
    const instance *const x = *state;

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        char id[64];

        snprintf(id, sizeof(id), " id=\"%s\"", ids[i]);
        if (strstr(p3d_text_get(&x->html), id) == NULL)
            fail_msg("no%s", id);
    }
}

static void nothing_gets_out_of_its_place(void **state)
{
    const instance *const x = *state;
    const char *const html = p3d_text_get(&x->html);
    int n_scripts = 0;

    for (const char *at = html; (at = strstr(at, "<script")) != NULL; at++)
        n_scripts++;
    assert_int_equal(n_scripts, 2);
    assert_null(strstr(html, "<no>"));
    assert_null(strstr(html, "<b>\""));
    assert_non_null(strstr(html, "echo &#39;&lt;b&gt;&#39; &amp;&amp; true"));
    assert_null(strstr(html, "http://"));
    assert_null(strstr(html, "https://"));
    assert_null(strstr(html, "nan"));
}

/* The digest of what stands between two marks is in the policy. */
static void check_digest(const char *html, const char *directive,
        const char *begin, const char *end)
{
    const char *const policy =
            strstr(html, "<meta http-equiv=\"Content-Security-Policy\" "
                         "content=\"default-src 'none'; ");
    const char *const from = strstr(html, begin);
    const char *const to = from != NULL ? strstr(from, end) : NULL;
    char digest[P3D_SHA256_TEXT];
    char want[128];

    assert_true(policy != NULL && to != NULL && policy < from);
    p3d_sha256(
            from + strlen(begin), (size_t)(to - from) - strlen(begin), digest);
    snprintf(want, sizeof(want), "%s 'sha256-%s';", directive, digest);
    assert_non_null(strstr(policy, want));
}

static void nothing_else_runs(void **state)
{
    const instance *const x = *state;
    const char *const html = p3d_text_get(&x->html);

    check_digest(html, "style-src", "<style>", "</style>");
    check_digest(html, "script-src", "<script>", "</script>");
    assert_null(strstr(html, "unsafe"));
    assert_null(strstr(html, " style="));
    assert_null(strstr(html, " onclick="));
}

static void numbers_are_those_of_the_estimate(void **state)
{
    const instance *const x = *state;
    const report_answer *const a = x->document->estimate;
    const report_span step = report_step_span(a);
    char text[4 * HTML_CELL];

    snprintf(text, sizeof(text), "<dd><b>%s s</b><span>%s s in 80 %% of runs",
            step.value.text, report_ends_words(&step, (p3d_style){0}).text);
    assert_non_null(strstr(p3d_text_get(&x->html), text));
    snprintf(text, sizeof(text), "of %s GiB usable",
            html_gib(a->found.usable_bytes).text);
    assert_non_null(strstr(p3d_text_get(&x->html), text));
    for (int i = 0; i < a->found.plan.pp; i++) {
        snprintf(text, sizeof(text), ">%s GiB, ",
                html_gib(a->stages[i].peak_bytes).text);
        assert_non_null(strstr(p3d_text_get(&x->html), text));
    }
}

static void the_question_comes_back(void **state)
{
    const instance *const x = *state;
    exchange_page page = {.model = NULL};
    p3d_error err = {0};

    assert_true(exchange_page_is(p3d_text_get(&x->html)));
    problem_check(
            exchange_page_read("p", p3d_text_get(&x->html), &page, &err), &err);
    assert_string_equal(page.model, hostile);
    assert_string_equal(page.model_text, x->page.origin.model_text);
    assert_string_equal(page.cluster, "8xH100");
    assert_null(page.cluster_text);
    assert_string_equal(page.plan, x->document->estimate->words);
    assert_int_equal(page.n_options, 2);
    assert_string_equal(page.options[0].name, "seq");
    assert_string_equal(page.options[0].value, "2048");
    assert_null(page.options[1].value);
    exchange_page_free(&page);
}

static void the_document_has_the_estimate(void **state)
{
    static const char mark[] = "id=\"plan3d\">";
    const instance *const x = *state;
    const char *const from =
            strstr(p3d_text_get(&x->html), mark) + strlen(mark);
    json_doc doc = {0};
    p3d_error err = {0};
    double step_s = 0;

    problem_check(
            json_parse("p", from, (size_t)(strstr(from, "</script>") - from),
                    &doc, &err),
            &err);
    assert_true(json_number(
            json_get(json_get(json_get(json_get(doc.root, "document"),
                                      "estimate"),
                             "time"),
                    "step_s"),
            &step_s));
    assert_true(step_s == x->document->estimate->step_s);
    json_close(&doc);
}

/* Cut anywhere, a page is refused with one line. */
static void a_page_that_was_cut_is_refused(void **state)
{
    const instance *const x = *state;
    const char *const html = p3d_text_get(&x->html);
    const size_t begin = (size_t)(strstr(html, "id=\"plan3d\"") - html) + 12;
    const size_t end = (size_t)(strstr(html + begin, "</script>") - html);
    char *const copy = malloc(x->html.length + 1);

    assert_non_null(copy);
    for (size_t n = begin; n < end; n += 97) {
        exchange_page page = {.model = NULL};
        p3d_error err = {0};

        memcpy(copy, html, n);
        copy[n] = '\0';
        assert_false(exchange_page_read("p", copy, &page, &err));
        test_check_error(&err, P3D_DATA, "the page was cut");
        memcpy(copy + n, "</script>", sizeof("</script>"));
        err = (p3d_error){0};
        assert_false(exchange_page_read("p", copy, &page, &err));
        assert_int_equal(err.code, P3D_DATA);
        assert_true(err.text[0] != '\0');
    }
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(tags_are_closed_in_order),
            cmocka_unit_test(ids_are_unique_and_labels_have_their_targets),
            cmocka_unit_test(every_figure_is_there),
            cmocka_unit_test(nothing_gets_out_of_its_place),
            cmocka_unit_test(nothing_else_runs),
            cmocka_unit_test(numbers_are_those_of_the_estimate),
            cmocka_unit_test(the_question_comes_back),
            cmocka_unit_test(the_document_has_the_estimate),
            cmocka_unit_test(a_page_that_was_cut_is_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
