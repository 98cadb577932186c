/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - tables of options: the value of one from and to the launch's
 * field, and all of them as arguments, JSON, YAML or Python. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/number_list.h"
#include "base/util.h"
#include "exchange/launch/target.h"
#include "plan3d/units.h"
#include "spec/given.h"

bool exchange_is(const exchange_option *option, json_kind kind)
{
    return option->kind == EXCHANGE_VALUE && option->field.type->kind == kind;
}

/* A real number reads back equal, and as a real number: "1.0", not "1". */
static void print_real(double value, p3d_text *out)
{
    char number[P3D_NUMBER_BUFFER];

    p3d_print_shortest(number, sizeof(number), value);
    p3d_text_add(
            out, "%s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
}

const char *exchange_word(
        const exchange_option *option, const exchange_launch *launch)
{
    const void *const at = (const char *)launch + option->field.offset;
    const int value = *(const int *)at;

    return value >= 0 && value < option->n_words
                   ? json_type_word(option->field.type, value)
                   : NULL;
}

/* Whole numbers and truths are as in JSON. */
static bool print_member(const exchange_option *option,
        const exchange_launch *launch, p3d_text *out)
{
    const void *const at = (const char *)launch + option->field.offset;
    const bool is_word = option->field.type->kind == JSON_KIND_WORD;
    const char *const text = is_word ? exchange_word(option, launch) : at;

    if (is_word || option->field.type == JSON_STRING) {
        p3d_text_add(out, "%s", text != NULL ? text : "");
        return text != NULL && text[0] != '\0';
    }
    if (option->field.type == JSON_DOUBLE)
        print_real(*(const double *)at, out);
    else
        json_put_cell(&option->field, launch, out);
    return true;
}

static bool print_value(const exchange_option *option,
        const exchange_launch *launch, p3d_text *out)
{
    const void *const at = (const char *)launch + option->field.offset;

    switch (option->kind) {
    case EXCHANGE_HEAD: return false;
    case EXCHANGE_FIXED:
        p3d_text_add(out, "%s", option->text != NULL ? option->text : "");
        break;
    case EXCHANGE_FLAG:
        return option->field.type == JSON_BOOL
                       ? *(const bool *)at == (option->value != 0)
                       : *(const int *)at == option->value;
    case EXCHANGE_VALUE: return print_member(option, launch, out);
    }
    return true;
}

static bool is_default(const exchange_option *option,
        const exchange_launch *launch, const exchange_launch *defaults)
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

bool exchange_option_print(const exchange_option *option,
        const exchange_launch *launch, const exchange_launch *defaults,
        p3d_text *out)
{
    if (option->when != NULL && !option->when(launch))
        return false;
    if (option->shy && is_default(option, launch, defaults))
        return false;
    return print_value(option, launch, out);
}

/* Reading. */

static bool fail_value(const exchange_option *option, const char *value,
        const char *what, p3d_error *err)
{
    return p3d_fail(err, P3D_DATA, "%s: '%.60s' is not understood; write %s",
            option->field.key, value == NULL ? "" : value, what);
}

static bool parse_bool(const exchange_option *option, const char *value,
        bool *out, p3d_error *err)
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

/* What a whole number may be, by the table of the struct that it is in. A size
 * that no model has is refused with the others of the model. */
static p3d_bounds bounds_of(const exchange_option *option)
{
    static const struct {
        size_t at;
        const json_shape *members;
    } parts[] = {{offsetof(exchange_launch, model), &spec_model_members},
            {offsetof(exchange_launch, job), &spec_job_members},
            {offsetof(exchange_launch, plan), &spec_plan_sizes}};
    const int64_t exact = (int64_t)1 << 53; /* as a double */
    p3d_bounds bounds = {
            .max = option->field.type == JSON_INT ? INT32_MAX : exact};

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        const json_shape *const members = parts[i].members;

        for (int k = 0; k < members->n_fields; k++) {
            const json_field *const member = &members->fields[k];

            if (parts[i].at + member->offset != option->field.offset)
                continue;
            bounds.min = (int64_t)member->min;
            if (members != &spec_model_members)
                bounds.max = (int64_t)member->max;
        }
    }
    if (option->value != 0)
        bounds.min = option->value;
    return bounds;
}

/* A whole number, or a product of some: "8 * 2048". */
static bool parse_count(const exchange_option *option, const char *value,
        int64_t *out, p3d_error *err)
{
    const p3d_bounds bounds = bounds_of(option);
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
    if (product < bounds.min || product > bounds.max)
        return p3d_fail(err, P3D_DATA,
                "%s: %.60s is out of range; write %lld to %lld",
                option->field.key, value, (long long)bounds.min,
                (long long)bounds.max);
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

static bool parse_word(const exchange_option *option, const char *value,
        int *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};

    for (int i = 0; value != NULL && i < option->n_words; i++) {
        const char *const word = json_type_word(option->field.type, i);

        if (word == NULL)
            continue;
        if (p3d_same_word(word, value)) {
            *out = i;
            return true;
        }
        p3d_nearest_offer(&nearest, word);
    }
    if (is_none(value))
        return true;
    if (value == NULL || nearest.best[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "%s: plan3d has no model of the value '%.60s'",
                option->field.key, value == NULL ? "" : value);
    return p3d_fail(err, P3D_DATA, "%s: unknown value '%.60s'%s",
            option->field.key, value, p3d_did_you_mean(&nearest, ""));
}

static bool parse_int(const exchange_option *option, const char *value,
        int *out, p3d_error *err)
{
    int64_t count = 0;

    if (!parse_count(option, value, &count, err))
        return false;
    *out = (int)count;
    return true;
}

static bool parse_real(const exchange_option *option, const char *value,
        double *out, p3d_error *err)
{
    p3d_error cause = {0};

    return (value != NULL && p3d_parse_number(value, 0, 1e18, out, &cause)) ||
           fail_value(option, value, "a number from 0 to 1e18", err);
}

static bool parse_chars(const exchange_option *option, const char *value,
        char *out, p3d_error *err)
{
    return (value != NULL && p3d_copy(out, EXCHANGE_LAYOUT, value)) ||
           fail_value(option, value, "fewer than 8192 bytes", err);
}

static bool parse_member(const exchange_option *option, const char *value,
        void *at, p3d_error *err)
{
    const json_type *const type = option->field.type;

    if (type->kind == JSON_KIND_WORD)
        return parse_word(option, value, at, err);
    if (is_none(value))
        return true;
    return type == JSON_BOOL     ? parse_bool(option, value, at, err)
           : type == JSON_INT    ? parse_int(option, value, at, err)
           : type == JSON_INT64  ? parse_count(option, value, at, err)
           : type == JSON_DOUBLE ? parse_real(option, value, at, err)
                                 : parse_chars(option, value, at, err);
}

bool exchange_option_parse(const exchange_option *option, const char *value,
        exchange_launch *launch, p3d_error *err)
{
    void *const at = (char *)launch + option->field.offset;

    switch (option->kind) {
    case EXCHANGE_HEAD:
    case EXCHANGE_FIXED: break;
    case EXCHANGE_FLAG:
        if (option->field.type == JSON_BOOL)
            *(bool *)at = option->value != 0;
        else
            *(int *)at = option->value;
        break;
    case EXCHANGE_VALUE: return parse_member(option, value, at, err);
    }
    return true;
}

/* Words and texts have quotes, where a form has any. */
static bool is_quoted(const exchange_option *option)
{
    return !option->raw && (exchange_is(option, JSON_KIND_WORD) ||
                                   exchange_is(option, JSON_KIND_STRING));
}

enum { SECTION_NAME = 128 };

/* Where a writer is. */
typedef struct writer {
    p3d_text *out;
    exchange_form form;
    const char *open; /* name of the last option: its objects are open */
    const char *section;
    char names[2]
              [SECTION_NAME]; /* of options in sections: the last, the next */
    bool started; /* something was written, so a comma comes first */
    bool in_call;
    bool under; /* a statement of Python */
} writer;

/* Objects that two names share: dots up to which they are equal. */
static int shared_depth(const char *a, const char *b)
{
    int depth = 0;

    for (; *a != '\0' && *a == *b; a++, b++)
        depth += *a == '.';
    return depth;
}

static int depth_of(const char *name)
{
    int depth = 0;

    for (; *name != '\0'; name++)
        depth += *name == '.';
    return depth;
}

static void indent(const writer *w, int depth)
{
    p3d_text_repeat(w->out, ' ', 2 * depth);
}

/* Close the objects of JSON that the next option is not in. */
static void close_objects(writer *w, int from, int to)
{
    for (int depth = from; depth > to; depth--) {
        p3d_text_add(w->out, "\n");
        indent(w, depth);
        p3d_text_add(w->out, "}");
    }
}

/* Open the objects on the way to an option, and write its key. */
static void open_objects(writer *w, const char *name)
{
    const int shared = w->open != NULL ? shared_depth(w->open, name) : 0;
    const bool json = w->form == EXCHANGE_JSON;
    const char *key = name;
    int depth = 0;

    if (json && w->open != NULL)
        close_objects(w, depth_of(w->open), shared);
    for (const char *dot = strchr(key, '.'); dot != NULL;
            dot = strchr(key, '.')) {
        if (depth >= shared) {
            if (json)
                p3d_text_add(w->out, w->started ? ",\n" : "\n");
            indent(w, depth + json);
            p3d_text_add(w->out, json ? "\"%.*s\": {" : "%.*s:\n",
                    (int)(dot - key), key);
            w->started = false;
        }
        depth++;
        key = dot + 1;
    }
    if (json)
        p3d_text_add(w->out, w->started ? ",\n" : "\n");
    indent(w, depth + json);
    p3d_text_add(w->out, json ? "\"%s\": " : "%s: ", key);
    w->open = name;
    w->started = true;
}

/* YAML reads these bare words as something else than text. */
static bool yaml_quotes(const char *value)
{
    static const char *const taken[] = {
            "", "true", "false", "yes", "no", "on", "off", "null", "~"};

    for (int i = 0; i < P3D_COUNT_OF(taken); i++) {
        if (p3d_same_word(taken[i], value))
            return true;
    }
    return strpbrk(value, ":#{}[]&*!|>'\"%@`,") != NULL ||
           strchr("-? 0123456789", value[0]) != NULL;
}

static void put_python(
        const exchange_option *option, const char *value, p3d_text *out)
{
    if (exchange_is(option, JSON_KIND_BOOL))
        p3d_text_add(out, "%s", strcmp(value, "true") == 0 ? "True" : "False");
    else if (is_quoted(option))
        p3d_text_add(out, "\"%s\"", value);
    else
        p3d_text_add(out, "%s", value);
}

static void end_call(writer *w)
{
    if (w->in_call)
        p3d_text_add(w->out, ")\n");
    w->in_call = false;
}

static void put_head(writer *w, const exchange_option *head)
{
    const char *const name = head->field.key;

    switch (w->form) {
    case EXCHANGE_ARGUMENTS:
    case EXCHANGE_OVERRIDES:
        p3d_text_add(w->out, name[0] != '\0' ? "    # %s\n" : "%s", name);
        break;
    case EXCHANGE_FIELDS:
        w->under = head->raw;
        p3d_text_add(w->out, "    %s%s\n",
                w->under || head->text != NULL ? "" : "# ", name);
        break;
    case EXCHANGE_CALLS:
        end_call(w);
        p3d_text_add(w->out, "%s(\n", name);
        w->in_call = true;
        break;
    case EXCHANGE_SECTIONS:
        if (head->text != NULL)
            w->section = head->text;
        break;
    case EXCHANGE_JSON:
    case EXCHANGE_YAML: break;
    }
}

/* A word that bash reads as one. */
static void put_shell(const char *value, p3d_text *out)
{
    if (value[0] == '\0')
        return;
    if (strpbrk(value, " *|()[]$&;<>#'\"\\`!?~") != NULL)
        p3d_text_add(out, " '%s'", value);
    else
        p3d_text_add(out, " %s", value);
}

/* name=value, in one pair of quotes where a shell would read parts of it. */
static void put_override(
        const exchange_option *option, const char *value, p3d_text *out)
{
    const bool quoted = !option->raw && strpbrk(value, "[]{},*| ") != NULL;

    p3d_text_add(out, quoted ? "    '%s=%s'\n" : "    %s=%s\n",
            option->field.key, value);
}

static void put_yaml(
        const exchange_option *option, const char *value, p3d_text *out)
{
    p3d_text_add(out,
            is_quoted(option) && yaml_quotes(value) ? "'%s'\n" : "%s\n", value);
}

/* Several words are a list. */
static void put_words(const char *words, p3d_text *out)
{
    p3d_text_add(out, "[");
    for (; *words != '\0'; words++)
        p3d_text_add(out, *words == ' ' ? ", " : "%c", *words);
    p3d_text_add(out, "]\n");
}

/* An argument below the section at hand; a flag is true. */
static void put_in_section(
        writer *w, const exchange_option *option, const char *value)
{
    char *const name = w->open == w->names[0] ? w->names[1] : w->names[0];

    (void)snprintf(name, SECTION_NAME, "%s.%s", w->section, option->field.key);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '-' ? '_' : *at;
    open_objects(w, name);
    if (option->raw && strchr(value, ' ') != NULL)
        put_words(value, w->out);
    else
        put_yaml(option, value[0] != '\0' ? value : "true", w->out);
}

static void put_option(
        writer *w, const exchange_option *option, const char *value)
{
    const char *const dot = strrchr(option->field.key, '.');

    switch (w->form) {
    case EXCHANGE_ARGUMENTS:
        p3d_text_add(w->out, "    --%s", option->field.key);
        if (option->raw)
            p3d_text_add(w->out, " %s", value);
        else
            put_shell(value, w->out);
        p3d_text_add(w->out, "\n");
        return;
    case EXCHANGE_OVERRIDES: put_override(option, value, w->out); return;
    case EXCHANGE_FIELDS:
        p3d_text_add(w->out, "    %scfg.%s = ", w->under ? "    " : "",
                option->field.key);
        put_python(option, value, w->out);
        p3d_text_add(w->out, "\n");
        return;
    case EXCHANGE_CALLS:
        p3d_text_add(
                w->out, "    %s=", dot == NULL ? option->field.key : dot + 1);
        put_python(option, value, w->out);
        p3d_text_add(w->out, ",\n");
        return;
    case EXCHANGE_JSON:
        open_objects(w, option->field.key);
        p3d_text_add(w->out, is_quoted(option) ? "\"%s\"" : "%s", value);
        return;
    case EXCHANGE_YAML:
        open_objects(w, option->field.key);
        put_yaml(option, value, w->out);
        return;
    case EXCHANGE_SECTIONS: put_in_section(w, option, value); return;
    }
}

bool exchange_table_has(
        const exchange_table *table, const exchange_option *option)
{
    for (int i = 0; table->without != NULL && table->without[i] != NULL; i++)
        if (strcmp(table->without[i], option->field.key) == 0)
            return false;
    return true;
}

void exchange_form_write(const exchange_table *table,
        const exchange_launch *launch, const exchange_launch *defaults,
        p3d_text *out)
{
    writer w = {.out = out, .form = table->form};
    const bool json = table->form == EXCHANGE_JSON;
    p3d_text value = {0};

    if (json)
        p3d_text_add(out, "{");
    for (int i = 0; i < table->n_options; i++) {
        const exchange_option *const option = &table->options[i];

        if (option->kind == EXCHANGE_HEAD) {
            if (option->when == NULL || option->when(launch))
                put_head(&w, option);
            continue;
        }
        p3d_text_free(&value);
        if (exchange_table_has(table, option) &&
                exchange_option_print(option, launch, defaults, &value))
            put_option(&w, option, p3d_text_get(&value));
    }
    end_call(&w);
    if (json && w.open != NULL)
        close_objects(&w, depth_of(w.open), 0);
    if (json)
        p3d_text_add(out, "\n}\n");
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}

void exchange_comment_write(const char *lines, p3d_text *out)
{
    while (*lines != '\0') {
        const size_t n = strcspn(lines, "\n");

        p3d_text_add(out, n > 0 ? "# " : "#");
        p3d_text_show(out, lines, n, "");
        p3d_text_append(out, "\n", 1);
        lines += n + (lines[n] == '\n');
    }
}
