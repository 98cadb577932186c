/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer_rules.c - the invariants of every answer. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "commands/invariants.h"
#include "schema.h"
#include "test.h"

/* With sanitizers a program takes about eight times as long. */
#ifdef TEST_SANITIZED
enum { MOST_CPU_S = 40 };
#else
enum { MOST_CPU_S = 10 };
#endif

enum { MAX_JSON_BYTES = 8 * 1024 * 1024 };

/* "plan3d: ..." and nothing behind it. */
static bool is_one_line(const char *text)
{
    const char *const end = strchr(text, '\n');

    return strncmp(text, "plan3d: ", 8) == 0 && end != NULL && end[1] == '\0';
}

/* The document of a failure says what the line on stderr says. */
static bool is_document_of(const char *message, const answer *a)
{
    return answer_wants_json(&a->line) &&
           answer_number(a, "error.exit_status") == a->status &&
           strstr(message, answer_string(a, "error.message")) != NULL;
}

verdict answer_has_a_documented_status(trial *t, const answer *a)
{
    const bool is_silent = a->out[0] == '\0';

    switch (a->status) {
    case 0:
    case 1:
        /* An answer, beside it what a question was understood as, or a line
         * where no file can be written. */
        if (!is_silent && a->err[0] != '\0' &&
                strncmp(a->err, "= plan3d ", 9) != 0)
            return trial_broken(
                    t, a, NULL, "a message beside the answer: '%s'", a->err);
        break;
    case 2:
    case 3:
        if (!is_one_line(a->err))
            return trial_broken(
                    t, a, NULL, "not one line on stderr: '%s'", a->err);
        if (!is_silent && !is_document_of(a->err, a))
            return trial_broken(t, a, NULL, "not the document of '%s'", a->err);
        break;
    default:
        return trial_broken(
                t, a, NULL, "status %d without a cause: %s", a->status, a->err);
    }
    return INVARIANT_HOLDS;
}

verdict answer_is_never_empty(trial *t, const answer *a)
{
    if (!answer_is_given(a))
        return INVARIANT_SILENT;
    if (a->out[0] == '\0' && (a->status == 0 || !is_one_line(a->err)))
        return trial_broken(t, a, NULL, "status %d, and nothing is said: '%s'",
                a->status, a->err);
    return INVARIANT_HOLDS;
}

/* The schema that the program prints for a command; NULL where it has none. */
static const json_value *schema_of(const char *command)
{
    static struct {
        char command[16];
        json_doc doc;
    } known[24];
    int i = 0;
    line l = {0};
    answer *a;

    while (known[i].command[0] != '\0')
        if (strcmp(known[i++].command, command) == 0)
            return known[i - 1].doc.root;
    P3D_ASSERT(i + 1 < P3D_COUNT_OF(known));
    P3D_ASSERT(p3d_copy(known[i].command, sizeof(known[i].command), command));
    line_add(&l, "schema");
    line_add(&l, "%s", command);
    a = answer_ask(&l);
    if (a->status == 0 &&
            !json_parse("schema", a->out, strlen(a->out), &known[i].doc, NULL))
        known[i].doc.root = NULL;
    answer_free(a);
    return known[i].doc.root;
}

verdict answer_is_as_its_schema_promises(trial *t, const answer *a)
{
    schema_place at = {"", ""};
    const char *const command = line_positional(&a->line, 0);
    const json_value *schema;

    if (!answer_wants_json(&a->line) || a->out[0] == '\0' ||
            strlen(a->out) > MAX_JSON_BYTES)
        return INVARIANT_SILENT;
    if (a->json.root == NULL)
        return trial_broken(t, a, NULL, "no JSON document");
    schema = schema_of(answer_is_given(a) ? command : "error");
    if (schema != NULL && strcmp(command, "schema") != 0 &&
            !schema_check(schema, a->json.root, &at))
        return trial_broken(t, a, NULL, "%s %s", at.pointer, at.what);
    return INVARIANT_HOLDS;
}

/* A word of its own, whatever its case. */
static const char *find_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *p = text; *p != '\0'; p++) {
        if (strncasecmp(p, word, n) == 0 && !isalnum((unsigned char)p[n]) &&
                (p == text || !isalnum((unsigned char)p[-1])))
            return p;
    }
    return NULL;
}

/* A number that is none; not the name of AMD's links. */
static const char *find_no_number(const char *text, const char *word)
{
    const char name[] = "Infinity Fabric";
    const char *found = find_word(text, word);

    while (found != NULL && strncmp(found, name, strlen(name)) == 0)
        found = find_word(found + strlen(name), word);
    return found;
}

verdict answer_has_finite_numbers(trial *t, const answer *a)
{
    static const char *const words[] = {"nan", "inf", "infinity"};

    /* Pages have scripts, which may speak of NaN. */
    if (strcmp(line_positional(&a->line, 0), "report") == 0 &&
            !answer_wants_json(&a->line))
        return INVARIANT_SILENT;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const char *const found = find_no_number(a->out, words[i]);

        if (found != NULL)
            return trial_broken(t, a, NULL, "'%.60s'", found);
    }
    return INVARIANT_HOLDS;
}

static double number_of(const json_value *object, const char *key)
{
    double number = 0;

    if (!json_number(json_get(object, key), &number))
        number = (double)NAN;
    return number;
}

typedef verdict visitor(trial *t, const answer *a, const json_value *object);

/* Every object inside of a value. */
static verdict visit(
        trial *t, const answer *a, const json_value *value, visitor *look)
{
    verdict found = json_is_object(value) ? look(t, a, value) : INVARIANT_HOLDS;

    for (const json_value *m = json_first(value);
            m != NULL && found == INVARIANT_HOLDS; m = json_next(m))
        found = visit(t, a, m, look);
    return found;
}

/* A plan that fits lacks nothing; one that does not lacks something: memory of
 * the GPU, or of the host. */
static verdict look_at_fit(trial *t, const answer *a, const json_value *object)
{
    const double fits = number_of(object, "fits");
    const double missing = number_of(object, "missing_bytes");
    const double margin = number_of(json_get(object, "memory"), "margin_bytes");
    const double host =
            number_of(json_get(object, "memory"), "host_bytes_per_node");
    const bool offloads = host > 0;

    if (isnan(fits) || isnan(margin))
        return INVARIANT_HOLDS;
    if (fits > 0 ? missing > 0 || margin < 0 : missing == 0 && !offloads)
        return trial_broken(t, a, NULL,
                "fits is %s, with %.0f bytes missing, a margin of %.0f, %.0f "
                "on the host: %s",
                fits > 0 ? "true" : "false", missing, margin, host,
                json_string(json_get(object, "words")));
    return INVARIANT_HOLDS;
}

/* The documents about one question and their verdict. */
static verdict look_at_verdict(trial *t, const answer *a)
{
    const bool fits = answer_true(a, "fits");
    const json_value *const plans = answer_at(a, "plans");

    if (fits != (a->status == 0))
        return trial_broken(t, a, NULL, "status %d, and fits is %s", a->status,
                fits ? "true" : "false");
    if (answer_at(a, "closest") != NULL &&
            (fits || answer_true(a, "closest.fits")))
        return trial_broken(t, a, NULL,
                "fits is %s beside closest.fits, which is %s",
                fits ? "true" : "false",
                answer_true(a, "closest.fits") ? "true" : "false");
    if (answer_at(a, "best") != NULL && (!fits || !answer_true(a, "best.fits")))
        return trial_broken(t, a, NULL, "the best plan does not fit");
    for (const json_value *p = json_first(plans); p != NULL; p = json_next(p))
        if (!(number_of(p, "fits") > 0))
            return trial_broken(t, a, NULL, "one of plans does not fit");
    return INVARIANT_HOLDS;
}

verdict answer_never_contradicts_itself(trial *t, const answer *a)
{
    static const char *const judged[] = {"fit", "plan", "estimate"};
    const char *const command = line_positional(&a->line, 0);

    if (!answer_is_given(a) || answer_at(a, "fits") == NULL)
        return INVARIANT_SILENT;
    for (int i = 0; i < P3D_COUNT_OF(judged); i++) {
        const verdict found = strcmp(judged[i], command) == 0
                                      ? look_at_verdict(t, a)
                                      : INVARIANT_HOLDS;

        if (found != INVARIANT_HOLDS)
            return found;
    }
    return visit(t, a, a->json.root, look_at_fit);
}

static double sum_of(const json_value *terms)
{
    double sum = 0;

    for (const json_value *m = json_first(terms); m != NULL; m = json_next(m)) {
        double term = 0;

        if (json_number(m, &term))
            sum += term;
    }
    return sum;
}

/* Terms of memory make its peak, those of time its step. */
static verdict look_at_terms(
        trial *t, const answer *a, const json_value *object)
{
    static const char *const wholes[] = {"step_s", "peak_bytes"};
    const json_value *const terms = json_get(object, "terms");
    const double usable = number_of(object, "usable_bytes");
    const double margin = number_of(object, "margin_bytes");
    const double peak = number_of(object, "peak_bytes");

    for (int i = 0; i < P3D_COUNT_OF(wholes) && terms != NULL; i++) {
        const double whole = number_of(object, wholes[i]);

        if (fabs(sum_of(terms) - whole) > 1e-9 * whole)
            return trial_broken(t, a, NULL, "%s is %.17g, its terms are %.17g",
                    wholes[i], whole, sum_of(terms));
    }
    if (terms != NULL && margin != usable - peak && !isnan(margin))
        return trial_broken(t, a, NULL, "%.0f usable less %.0f is not %.0f",
                usable, peak, margin);
    return INVARIANT_HOLDS;
}

verdict answer_has_terms_that_add_up(trial *t, const answer *a)
{
    if (!answer_is_given(a) || answer_at(a, "fits") == NULL)
        return INVARIANT_SILENT;
    return visit(t, a, a->json.root, look_at_terms);
}

verdict answer_takes_little_time(trial *t, const answer *a)
{
    if (strcmp(line_positional(&a->line, 0), "sweep") == 0 ||
            line_has(&a->line, "verify"))
        return INVARIANT_SILENT;
    if (a->cpu_s > MOST_CPU_S)
        return trial_broken(t, a, NULL, "%.1f s of CPU", a->cpu_s);
    return INVARIANT_HOLDS;
}
