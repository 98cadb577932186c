/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option.c - the value of one option, from and to the launch's field. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "exchange/launch/launch.h"
#include "plan3d/units.h"

static const void *field_of(const p3d_option *option, const p3d_launch *launch)
{
    return (const char *)launch + option->offset;
}

static int read_int(const p3d_option *option, const p3d_launch *launch)
{
    int value;

    memcpy(&value, field_of(option, launch), sizeof(value));
    return value;
}

static bool read_bool(const p3d_option *option, const p3d_launch *launch)
{
    bool value;

    memcpy(&value, field_of(option, launch), sizeof(value));
    return value;
}

static int64_t read_count(const p3d_option *option, const p3d_launch *launch)
{
    int64_t value;

    memcpy(&value, field_of(option, launch), sizeof(value));
    return value;
}

static double read_real(const p3d_option *option, const p3d_launch *launch)
{
    double value;

    memcpy(&value, field_of(option, launch), sizeof(value));
    return value;
}

static bool print_word(
        const p3d_option *option, const p3d_launch *launch, p3d_text *out)
{
    const int value = read_int(option, launch);

    if (value < 0 || value >= option->n_words || option->words[value] == NULL)
        return false;
    p3d_text_add(out, "%s", option->words[value]);
    return true;
}

/* A real number reads back equal, and as a real number: "1.0", not "1". */
static void print_real(double value, p3d_text *out)
{
    char number[P3D_NUMBER_BUFFER];

    p3d_print_shortest(number, sizeof(number), value);
    p3d_text_add(
            out, "%s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
}

static bool print_value(
        const p3d_option *option, const p3d_launch *launch, p3d_text *out)
{
    switch (option->kind) {
    case P3D_OPTION_HEAD: return false;
    case P3D_OPTION_FIXED:
        p3d_text_add(out, "%s", option->text != NULL ? option->text : "");
        return true;
    case P3D_OPTION_FLAG: return read_bool(option, launch);
    case P3D_OPTION_UNFLAG: return !read_bool(option, launch);
    case P3D_OPTION_MEANS: return read_int(option, launch) == option->value;
    case P3D_OPTION_BOOL:
        p3d_text_add(out, "%s", read_bool(option, launch) ? "true" : "false");
        return true;
    case P3D_OPTION_INT:
        p3d_text_add(out, "%d", read_int(option, launch));
        return true;
    case P3D_OPTION_COUNT:
        p3d_text_add(out, "%lld", (long long)read_count(option, launch));
        return true;
    case P3D_OPTION_REAL:
        print_real(read_real(option, launch), out);
        return true;
    case P3D_OPTION_WORD: return print_word(option, launch, out);
    case P3D_OPTION_CHARS:
        p3d_text_add(out, "%s", (const char *)field_of(option, launch));
        return ((const char *)field_of(option, launch))[0] != '\0';
    }
    return false;
}

static bool is_default(const p3d_option *option, const p3d_launch *launch,
        const p3d_launch *defaults)
{
    p3d_text mine = {0};
    p3d_text usual = {0};
    const bool is_said = print_value(option, launch, &mine);
    const bool is_usual = print_value(option, defaults, &usual);
    const bool same = is_said == is_usual &&
                      strcmp(p3d_text_get(&mine), p3d_text_get(&usual)) == 0;

    p3d_text_free(&mine);
    p3d_text_free(&usual);
    return same;
}

bool exchange_option_print(const p3d_option *option, const p3d_launch *launch,
        const p3d_launch *defaults, p3d_text *out)
{
    if (option->when != NULL && !option->when(launch))
        return false;
    if (option->shy && is_default(option, launch, defaults))
        return false;
    return print_value(option, launch, out);
}

bool exchange_option_quoted(const p3d_option *option)
{
    return !option->raw && (option->kind == P3D_OPTION_WORD ||
                                   option->kind == P3D_OPTION_CHARS);
}

/* Reading. */

static bool fail_value(const p3d_option *option, const char *value,
        const char *what, p3d_error *err)
{
    return p3d_fail(err, P3D_DATA, "%s: '%.60s' is not understood; write %s",
            option->name, value == NULL ? "" : value, what);
}

static bool parse_bool(
        const p3d_option *option, const char *value, bool *out, p3d_error *err)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"false", false}, {"yes", true}, {"no", false},
            {"on", true}, {"off", false}, {"1", true}, {"0", false}};

    for (int i = 0; value != NULL && i < P3D_COUNT_OF(words); i++) {
        if (p3d_same_word(words[i].word, value)) {
            *out = words[i].value;
            return true;
        }
    }
    return fail_value(option, value, "true or false", err);
}

/* One factor, "4096", "4_096" of Python and YAML, "5e8" of JSON.
 * @return what follows it, or NULL */
static const char *parse_factor(const char *text, int64_t *out)
{
    char digits[P3D_NUMBER_MAX + 1];
    size_t n = 0;
    p3d_decimal number;
    bool exact = false;

    for (; *text != '\0' && strchr("* \t", *text) == NULL; text++) {
        if (*text == '_')
            continue;
        if (n + 1 >= sizeof(digits))
            return NULL;
        digits[n++] = *text;
    }
    digits[n] = '\0';
    if (n == 0 || p3d_scan_decimal(digits, &number) != n ||
            !p3d_decimal_integer(&number, 0, 1, out, &exact) || !exact)
        return NULL;
    return text + strspn(text, " \t");
}

/* A whole number, or a product of some: "8 * 2048". */
static bool parse_count(const p3d_option *option, const char *value,
        int64_t max, int64_t *out, p3d_error *err)
{
    const char *at;
    int64_t product = 0;
    int64_t factor = 0;

    at = value != NULL ? parse_factor(value, &product) : NULL;
    while (at != NULL && *at == '*') {
        at = parse_factor(at + 1 + strspn(at + 1, " \t"), &factor);
        product = product < 0 || factor < 0 ? -1 : p3d_mul(product, factor);
    }
    if (at == NULL || *at != '\0')
        return fail_value(option, value, "a whole number", err);
    if (product < option->value || product > max)
        return p3d_fail(err, P3D_DATA,
                "%s: %.60s is out of range; write %d to %lld", option->name,
                value, option->value, (long long)max);
    *out = product;
    return true;
}

/* True for the words that stand for "not given"; "auto" is that of
 * transformers in the files of DeepSpeed. */
static bool is_none(const char *value)
{
    return value != NULL &&
           (p3d_same_word(value, "none") || p3d_same_word(value, "null") ||
                   p3d_same_word(value, "auto") || strcmp(value, "~") == 0);
}

/* A field has the type that its kind of option says. */
static void set(const p3d_option *option, p3d_launch *launch, const void *value,
        size_t n)
{
    memcpy((char *)launch + option->offset, value, n);
}

static bool parse_word(const p3d_option *option, const char *value,
        p3d_launch *launch, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};

    for (int i = 0; value != NULL && i < option->n_words; i++) {
        if (option->words[i] == NULL)
            continue;
        if (p3d_same_word(option->words[i], value)) {
            set(option, launch, &i, sizeof(i));
            return true;
        }
        p3d_nearest_offer(&nearest, option->words[i]);
    }
    if (is_none(value))
        return true;
    if (value == NULL || nearest.best[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "%s: plan3d has no model of the value '%.60s'", option->name,
                value == NULL ? "" : value);
    return p3d_fail(err, P3D_DATA, "%s: unknown value '%.60s'%s", option->name,
            value, p3d_did_you_mean(&nearest, ""));
}

static bool parse_number(const p3d_option *option, const char *value,
        p3d_launch *launch, p3d_error *err)
{
    const bool is_int = option->kind == P3D_OPTION_INT;
    int64_t count = 0;

    if (!parse_count(option, value, is_int ? INT32_MAX : (int64_t)1 << 53,
                &count, err))
        return false;
    if (is_int)
        set(option, launch, &(int){(int)count}, sizeof(int));
    else
        set(option, launch, &count, sizeof(count));
    return true;
}

static bool parse_chars(const p3d_option *option, const char *value,
        p3d_launch *launch, p3d_error *err)
{
    if (value == NULL ||
            !p3d_copy((char *)launch + option->offset, P3D_LAYOUT, value))
        return fail_value(option, value, "fewer than 8192 bytes", err);
    return true;
}

static bool parse_real(const p3d_option *option, const char *value,
        p3d_launch *launch, p3d_error *err)
{
    p3d_error cause = {0};
    double number = 0;

    if (value == NULL || !p3d_parse_number(value, 0, 1e18, &number, &cause))
        return fail_value(option, value, "a number from 0 to 1e18", err);
    set(option, launch, &number, sizeof(number));
    return true;
}

bool exchange_option_parse(const p3d_option *option, const char *value,
        p3d_launch *launch, p3d_error *err)
{
    bool flag = option->kind != P3D_OPTION_UNFLAG;
    int number = option->value;

    switch (option->kind) {
    case P3D_OPTION_HEAD:
    case P3D_OPTION_FIXED: return true;
    case P3D_OPTION_FLAG:
    case P3D_OPTION_UNFLAG:
        set(option, launch, &flag, sizeof(flag));
        return true;
    case P3D_OPTION_MEANS:
        set(option, launch, &number, sizeof(number));
        return true;
    case P3D_OPTION_BOOL:
        if (is_none(value))
            return true;
        if (!parse_bool(option, value, &flag, err))
            return false;
        set(option, launch, &flag, sizeof(flag));
        return true;
    case P3D_OPTION_INT:
    case P3D_OPTION_COUNT:
        return is_none(value) || parse_number(option, value, launch, err);
    case P3D_OPTION_REAL:
        return is_none(value) || parse_real(option, value, launch, err);
    case P3D_OPTION_WORD: return parse_word(option, value, launch, err);
    case P3D_OPTION_CHARS:
        return is_none(value) || parse_chars(option, value, launch, err);
    }
    return true;
}
