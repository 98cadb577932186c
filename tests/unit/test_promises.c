/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_promises.c - what docs/json.md promises of all documents: version, ends
 * of ranges, shares, and money that is that of the text. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/command.h"
#include "plan3d/version.h"
#include "json/json.h"

enum { MOST_WORDS = 24, LINE = 400 };

/* What a command line prints, its words divided by blanks. Release it with
 * p3d_command_free(). */
static char *print(const char *words)
{
    const char *argv[MOST_WORDS];
    char line[LINE];
    char *out, *err;
    int argc = 0;

    assert_true(p3d_copy(line, sizeof(line), words));
    for (char *at = line; *at != '\0'; at += strspn(at, " ")) {
        assert_true(argc < MOST_WORDS);
        argv[argc++] = at;
        at += strcspn(at, " ");
        if (*at != '\0')
            *at++ = '\0';
    }
    assert_true(p3d_command(argc, argv, &out, &err) <= 1);
    assert_string_equal(err, "");
    p3d_command_free(err);
    return out;
}

static json_doc ask(const char *words)
{
    char *const text = print(words);
    json_doc doc = {0};
    p3d_error err = {0};

    if (!json_parse(words, text, strlen(text), &doc, &err))
        fail_msg("%s: %s", words, err.text);
    p3d_command_free(text);
    assert_string_equal(json_string(json_get(doc.root, "schema")), P3D_SCHEMA);
    assert_string_equal(json_string(json_get(doc.root, "schema_version")),
            P3D_SCHEMA_VERSION);
    return doc;
}

static double number(const json_value *object, const char *key)
{
    double value = -1;

    if (!json_number(json_get(object, key), &value))
        fail_msg("%s is no number", key);
    return value;
}

/* Of the plan that --plan names: 0 none, 1 all. */
static void check_offload(const char *command, const char *words, double frac)
{
    char line[LINE];
    json_doc doc;
    const json_value *plan;

    snprintf(line, sizeof(line), "%s --json --plan tp=4,pp=4,zero=1%s", command,
            words);
    doc = ask(line);
    plan = json_get(json_get(doc.root, "estimate"), "plan");
    CHECK_REL(number(plan, "offload_frac"), frac, 1e-12);
    json_close(&doc);
}

static void a_share_of_what_is_offloaded_is_a_share(void **state)
{
    static const char *const commands[] = {"estimate 13B 64xA800",
            "explain 13B 64xA800 memory",
            "export 13B 64xA800 --to megatron --dry-run"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(commands); i++) {
        check_offload(commands[i], "", 0);
        check_offload(commands[i], ",offload=optimizer", 1);
        check_offload(commands[i], ",offload=optimizer:0.5", 0.5);
    }
}

static const char training[] =
        "13B 64xA800 --tokens 1T --price 1.3 --energy-price 0.1 "
        "--purchase-price 20000 --amortize 4y --repair 3d";

/* "... USD 61.4 per billion tokens" of the text. */
static void check_usd(const char *more)
{
    char line[LINE], words[LINE];
    double usd;
    const json_value *estimate;
    json_doc doc;
    char *text;

    snprintf(line, sizeof(line), "estimate --plan tp=4,pp=4 %s", more);
    text = print(line);
    snprintf(line, sizeof(line), "estimate --json --plan tp=4,pp=4 %s", more);
    doc = ask(line);
    estimate = json_get(doc.root, "estimate");
    usd = number(estimate, "billion_tokens_usd");
    snprintf(words, sizeof(words), "USD %.3g (", usd);
    if (strstr(text, words) == NULL)
        fail_msg("the text does not have '%s'", words);
    p3d_command_free(text);
    json_close(&doc);
}

static void the_price_of_tokens_is_that_of_the_text(void **state)
{
    (void)state;
    check_usd("13B 64xA800 --price 1.3");
    check_usd("13B 64xA800 --price 1.3 --tokens 1T");
    check_usd(training);
}

/* Every key with ends of a range lies in it. @return how many there are */
static int check_ranges(const json_value *object)
{
    int n = 0;

    for (const json_value *at = json_first(object); at != NULL;
            at = json_next(at)) {
        const char *const key = json_key(at);
        char high[LINE];
        double low;

        if (strncmp(key, "low_", 4) != 0 || !json_number(at, &low))
            continue;
        snprintf(high, sizeof(high), "high_%s", key + 4);
        if (!(low < number(object, key + 4) &&
                    number(object, key + 4) < number(object, high)))
            fail_msg("%s is not between its ends", key + 4);
        n++;
    }
    return n;
}

static void numbers_lie_between_the_ends_of_their_ranges(void **state)
{
    char line[LINE];
    const json_value *found;
    json_doc doc;

    (void)state;
    snprintf(line, sizeof(line), "estimate --json --plan tp=4,pp=4 %s",
            training);
    doc = ask(line);
    found = json_get(doc.root, "estimate");
    assert_int_equal(check_ranges(found), 3);
    found = json_get(found, "training");
    assert_int_equal(check_ranges(found), 10);
    CHECK_REL(number(found, "total_usd"),
            number(found, "rent_usd") + number(found, "energy_usd") +
                    number(found, "purchase_usd"),
            1e-12);
    CHECK_REL(number(found, "rent_usd"), 1.3 * number(found, "gpu_h"), 1e-12);
    json_close(&doc);
    snprintf(line, sizeof(line), "sweep --json %s", training);
    doc = ask(line);
    found = json_first(json_get(doc.root, "rows"));
    assert_int_equal(check_ranges(found), 9);
    json_close(&doc);
    doc = ask("sweep --json 13B 64xA800 --price 1.3");
    found = json_first(json_get(doc.root, "rows"));
    assert_int_equal(check_ranges(found), 5);
    json_close(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_share_of_what_is_offloaded_is_a_share),
            cmocka_unit_test(the_price_of_tokens_is_that_of_the_text),
            cmocka_unit_test(numbers_lie_between_the_ends_of_their_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
