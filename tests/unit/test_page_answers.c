/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page_answers.c - pages of whole questions: the answer and its plans at
 * the head, contents that lead somewhere, a front that nothing drawn beats. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "plan3d/framework.h"
#include "plan3d/plan.h"
#include "json/json.h"

enum { PATH = 4096, MAX_POINTS = 256, NAME = 48 };

/* How this test was called. */
static const char *self;

/* Questions that differ in the answer, and what a page says of each. */
static const struct {
    const char *words;
    int n_gpus;
    const char *class; /* of the head */
    const char *title;
    bool has_plans;
} questions[] = {{"7B 16xA100", 16, "yes", "It fits, more than 99", true},
        {"8B 4xRTX-4090", 4, "barely", "It barely fits, 93", true},
        {"7B 8xA100 --plan tp=8,mbs=1 --tokens 1T --price 2", 8, "yes",
                "It fits, more than 99", true},
        {"13B 8xA100 --reserve 8GiB", 8, "yes", "It fits, ", true},
        {"7B 1xH100 --seq 16384", 1, "yes", "It fits, 97", true},
        {"8B 1xH100", 1, "no", "It does not fit: the closest plan misses",
                false}};

enum { N_QUESTIONS = sizeof(questions) / sizeof(questions[0]) };

static char *pages[N_QUESTIONS];

static char *read_all(FILE *pipe)
{
    size_t room = 1 << 16, n = 0;
    char *text = malloc(room);

    assert_non_null(text);
    for (;;) {
        n += fread(text + n, 1, room - 1 - n, pipe);
        text[n] = '\0';
        if (n < room - 1)
            return text;
        text = realloc(text, room *= 2);
        assert_non_null(text);
    }
}

/* What plan3d report prints: this test is build/MODE/tests/unit/test_... */
static char *page_of(const char *question)
{
    char command[2 * PATH];
    FILE *pipe;
    char *text;

    assert_non_null(strrchr(self, '/'));
    snprintf(command, sizeof(command), "'%.*s/../../plan3d' report %s",
            (int)(strrchr(self, '/') - self), self, question);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    text = read_all(pipe);
    assert_true(WIFEXITED(pclose(pipe)));
    return text;
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++)
        pages[i] = page_of(questions[i].words);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++)
        free(pages[i]);
    return 0;
}

static int count(const char *text, const char *words)
{
    int n = 0;

    for (; (text = strstr(text, words)) != NULL; text += strlen(words))
        n++;
    return n;
}

/* The inside of the first element that begins so. */
static char *inside(const char *page, const char *begin, const char *end)
{
    const char *const from = strstr(page, begin);
    const char *const to = from != NULL ? strstr(from, end) : NULL;

    if (to == NULL)
        fail_msg("no %s", begin);
    return strndup(from, (size_t)(to - from));
}

static void the_head_says_the_verdict_and_how_sure(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        char *const head = inside(pages[i], "<header", "</header>");
        char *const title = inside(head, "<h1>", "</h1>");
        char class[64];

        snprintf(class, sizeof(class), "class=\"%s\"", questions[i].class);
        assert_non_null(strstr(head, class));
        assert_non_null(strstr(title, questions[i].title));
        assert_non_null(strstr(head, "% sure"));
        assert_int_equal(strstr(title, "% sure") != NULL,
                strcmp(questions[i].class, "no") != 0);
        assert_int_equal(strstr(head, "class=\"warn\"") != NULL,
                strcmp(questions[i].class, "barely") == 0);
        assert_non_null(strstr(head, " of runs, median "));
        free(title);
        free(head);
    }
}

static void the_head_says_days_and_money_where_they_were_asked(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        char *const head = inside(pages[i], "<header", "</header>");
        const bool is_asked = strstr(questions[i].words, "--tokens") != NULL;

        assert_int_equal(
                strstr(head, ">Time of the training<") != NULL, is_asked);
        assert_int_equal(strstr(head, ">Cost<") != NULL, is_asked);
        assert_int_equal(strstr(head, "<b>USD ") != NULL, is_asked);
        assert_int_equal(strstr(head, " days</b>") != NULL, is_asked);
        free(head);
    }
}

static void three_plans_stand_side_by_side(void **state)
{
    static const char *const heads[] = {
            ">Recommended</th>", ">Fastest</th>", ">Roomiest</th>"};
    static const char *const rows[] = {">step</th>", ">memory free</th>",
            ">to fit</th>", ">unusual settings</th>", ">gain</th>",
            ">risk</th>"};

    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        const bool is_own = strstr(questions[i].words, "--plan") != NULL;
        bool is_unusual;
        char *table;

        assert_int_equal(strstr(pages[i], "<section id=\"plans\"") != NULL,
                questions[i].has_plans);
        if (!questions[i].has_plans)
            continue;
        table = inside(pages[i], "<table class=\"choices\"", "</table>");
        for (size_t k = 0; k < sizeof(heads) / sizeof(heads[0]); k++)
            assert_int_equal(count(table, heads[k]), 1);
        for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
            assert_int_equal(count(table, rows[k]), 1);
        assert_int_equal(count(table, ">This page</th>"), is_own);
        is_unusual = count(table, ">Usual</th>") == 1;
        assert_int_equal(
                count(table, "<td"), 1 + 6 * (3 + is_own + is_unusual));
        free(table);
    }
}

/* A plan to copy is one that --plan reads. */
static void plans_to_copy_are_plans(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        int n = 0;

        for (const char *at = pages[i];
                (at = strstr(at, "<code id=\"plan")) != NULL; n++) {
            char words[P3D_PLAN_WORDS];
            p3d_plan plan;
            p3d_error err = {0};

            at = strchr(at, '>') + 1;
            snprintf(words, sizeof(words), "%.*s", (int)strcspn(at, "<"), at);
            if (!p3d_plan_parse(words, questions[i].n_gpus,
                        p3d_framework_find("megatron-core"), &plan, &err))
                fail_msg("%s: %s", words, err.text);
        }
        assert_in_range(n, 1, 4);
    }
}

static bool has_id(const char *page, const char *id)
{
    char words[NAME + 8];

    snprintf(words, sizeof(words), " id=\"%s\"", id);
    return count(page, words) == 1;
}

static void the_contents_lead_to_every_section(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        char *const contents =
                inside(pages[i], "<nav id=\"contents\"", "</nav>");
        int n = 0;

        for (const char *at = contents; (at = strstr(at, "href=\"#")) != NULL;
                n++) {
            char id[NAME];

            at += strlen("href=\"#");
            snprintf(id, sizeof(id), "%.*s", (int)strcspn(at, "\""), at);
            if (!has_id(pages[i], id))
                fail_msg("no section %s", id);
        }
        assert_int_equal(n, count(pages[i], "<section "));
        free(contents);
    }
}

static void ids_are_unique(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++)
        for (const char *at = pages[i]; (at = strstr(at, " id=\"")) != NULL;) {
            char id[NAME];

            at += strlen(" id=\"");
            snprintf(id, sizeof(id), "%.*s", (int)strcspn(at, "\""), at);
            if (!has_id(pages[i], id))
                fail_msg("%s: id %s twice", questions[i].words, id);
        }
}

static void the_front_comes_before_the_maps(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        const char *const front = strstr(pages[i], "<section id=\"front\"");
        const char *const grid = strstr(pages[i], "<section id=\"grid\"");

        assert_int_equal(front != NULL, questions[i].has_plans);
        assert_true(front == NULL || grid == NULL || front < grid);
    }
}

/* Rules are for those who write them. */
static void reasons_are_in_words(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        assert_null(strstr(pages[i], "<small>rule</small>"));
        assert_null(strstr(pages[i], "PP 64: A1"));
    }
    assert_non_null(strstr(pages[0], "<small>needs "));
    assert_non_null(strstr(pages[1], "<small>barely fits</small>"));
}

/** A point of the page's document. */
typedef struct point {
    const char *words;
    double step_s;
    double margin_bytes;
    bool on_front;
} point;

/* The document stays open: the words are its. */
static int take_points(const char *page, json_doc *doc, point *points)
{
    static const char mark[] = "id=\"plan3d\">";
    const char *const from = strstr(page, mark) + strlen(mark);
    const size_t n_text = (size_t)(strstr(from, "</script>") - from);
    p3d_error err = {0};
    int n = 0;

    if (!json_parse("page", from, n_text, doc, &err))
        fail_msg("%s", err.text);
    for (const json_value *at = json_first(json_get(doc->root, "points"));
            at != NULL; at = json_next(at)) {
        point *const p = &points[n++];
        double on_front = 0;

        assert_true(n <= MAX_POINTS);
        p->words = json_string(json_get(at, "words"));
        assert_true(json_number(json_get(at, "on_front"), &on_front));
        p->on_front = on_front != 0;
        assert_true(json_number(json_get(at, "step_s"), &p->step_s));
        assert_true(
                json_number(json_get(at, "margin_bytes"), &p->margin_bytes));
    }
    return n;
}

/* At least as good in both, and better in one. */
static bool beats(const point *a, const point *b)
{
    return a->step_s <= b->step_s && a->margin_bytes >= b->margin_bytes &&
           (a->step_s < b->step_s || a->margin_bytes > b->margin_bytes);
}

static void no_point_beats_one_of_the_front(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        point points[MAX_POINTS];
        json_doc doc = {0};
        const int n = take_points(pages[i], &doc, points);
        int n_front = 0;

        assert_int_equal(n >= 2, questions[i].has_plans);
        for (int k = 0; k < n; k++) {
            bool beaten = false;

            for (int m = 0; m < n; m++)
                beaten = beaten || beats(&points[m], &points[k]);
            if (points[k].on_front == beaten)
                fail_msg("%s: %s", questions[i].words, points[k].words);
            n_front += points[k].on_front;
        }
        assert_int_equal(n_front > 0, n > 0);
        json_close(&doc);
    }
}

/* What is drawn as on the front is on it, and the plans to choose from are
 * among the points. */
static void what_is_drawn_is_what_was_found(void **state)
{
    (void)state;
    for (int i = 0; i < N_QUESTIONS; i++) {
        point points[MAX_POINTS];
        json_doc doc = {0};
        const int n = take_points(pages[i], &doc, points);
        int n_drawn = 0;

        for (int k = 0; k < n; k++) {
            char words[P3D_PLAN_WORDS + 64];
            const char *tip, *circle;

            snprintf(words, sizeof(words), ": %s\"><circle class=\"",
                    points[k].words);
            tip = strstr(pages[i], words);
            if (tip == NULL)
                continue;
            circle = tip + strlen(words);
            n_drawn++;
            assert_int_equal(strncmp(circle, "dot", 3) == 0,
                    !points[k].on_front && strncmp(circle, "own", 3) != 0);
        }
        assert_int_equal(n_drawn, count(pages[i], "\"><circle class=\""));
        assert_int_equal(n_drawn > 1, questions[i].has_plans);
        json_close(&doc);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_head_says_the_verdict_and_how_sure),
            cmocka_unit_test(
                    the_head_says_days_and_money_where_they_were_asked),
            cmocka_unit_test(three_plans_stand_side_by_side),
            cmocka_unit_test(plans_to_copy_are_plans),
            cmocka_unit_test(the_contents_lead_to_every_section),
            cmocka_unit_test(ids_are_unique),
            cmocka_unit_test(the_front_comes_before_the_maps),
            cmocka_unit_test(reasons_are_in_words),
            cmocka_unit_test(no_point_beats_one_of_the_front),
            cmocka_unit_test(what_is_drawn_is_what_was_found),
    };

    (void)argc;
    self = argv[0];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
