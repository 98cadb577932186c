/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_value.c - variables and arithmetic of a shell script. */
#include "exchange/shell_value.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/rows.h"
#include "base/util.h"

enum {
    MAX_VARIABLES = 4096,
    MAX_VALUE = 1 << 16, /* of a variable, so that none can grow for ever */
    MAX_DEPTH = 32
};

static p3d_shell_variable *find(
        const p3d_shell_values *values, const char *name)
{
    for (int i = 0; i < values->n; i++) {
        if (strcmp(values->at[i].name, name) == 0)
            return &values->at[i];
    }
    return NULL;
}

/* NULL when it is not set. */
static const char *value_of(const p3d_shell_values *values, const char *name)
{
    const p3d_shell_variable *const variable = find(values, name);

    return variable != NULL ? variable->value : NULL;
}

static p3d_shell_variable *add(p3d_shell_values *values, const char *name)
{
    p3d_shell_variable *const at = p3d_grow(values->at, values->n, sizeof(*at));
    p3d_shell_variable *variable;

    if (at == NULL)
        return NULL;
    values->at = at;
    variable = &values->at[values->n++];
    *variable = (p3d_shell_variable){.value = NULL};
    (void)p3d_copy(variable->name, sizeof(variable->name), name);
    return variable;
}

bool p3d_shell_set(p3d_shell_values *values, const char *name,
        const char *value, bool append)
{
    p3d_shell_variable *variable = find(values, name);
    p3d_text text = {0};
    char *copy;

    if (variable == NULL && values->n == MAX_VARIABLES)
        return true;
    if (append && variable != NULL)
        p3d_text_add(&text, "%s ", variable->value);
    p3d_text_add(&text, "%s", value);
    copy = text.failed || text.length > MAX_VALUE ? strdup("$")
                                                  : strdup(p3d_text_get(&text));
    p3d_text_free(&text);
    if (copy == NULL ||
            (variable == NULL && (variable = add(values, name)) == NULL)) {
        free(copy);
        return false;
    }
    free(variable->value);
    variable->value = copy;
    return true;
}

void p3d_shell_free(p3d_shell_values *values)
{
    for (int i = 0; i < values->n; i++)
        free(values->at[i].value);
    free(values->at);
    *values = (p3d_shell_values){0};
}

/* Arithmetic: whole numbers, + - * / % and parentheses. */
typedef struct sum {
    const p3d_shell_values *values;
    const char *at;
    int depth;
    bool wrong;
} sum;

static int64_t read_sum(sum *s);

static void skip(sum *s)
{
    while (p3d_is_space(*s->at))
        s->at++;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    if (p3d_is_digit(at[0]))
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    return n;
}

static int64_t read_digits(sum *s)
{
    int64_t value = 0;

    if (!p3d_is_digit(*s->at))
        s->wrong = true;
    for (; p3d_is_digit(*s->at); s->at++)
        value = p3d_add(p3d_mul(value, 10), *s->at - '0');
    return value;
}

/* A variable's value must be a plain number. */
static int64_t read_variable(sum *s, size_t n)
{
    char name[128] = "";
    const char *value;
    sum inner;
    int64_t number;

    memcpy(name, s->at, n < sizeof(name) ? n : sizeof(name) - 1);
    s->at += n;
    value = value_of(s->values, name);
    inner = (sum){.values = s->values, .at = value != NULL ? value : ""};
    number = read_digits(&inner);
    s->wrong = s->wrong || inner.wrong || *inner.at != '\0';
    return number;
}

static int64_t read_factor(sum *s)
{
    int64_t value;
    bool braces;
    size_t n;

    skip(s);
    if (*s->at == '(' && s->depth < MAX_DEPTH) {
        s->depth++;
        s->at++;
        value = read_sum(s);
        s->depth--;
        skip(s);
        s->wrong = s->wrong || *s->at != ')';
        s->at += *s->at == ')';
        return value;
    }
    s->at += *s->at == '$';
    braces = *s->at == '{';
    s->at += braces;
    n = name_length(s->at);
    value = n > 0 ? read_variable(s, n) : read_digits(s);
    s->wrong = s->wrong || (braces && *s->at != '}');
    s->at += braces && *s->at == '}';
    return value;
}

static int64_t read_product(sum *s)
{
    int64_t value = read_factor(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || sign == '\0' || strchr("*/%", sign) == NULL)
            return value;
        s->at++;
        next = read_factor(s);
        if (sign == '*')
            value = p3d_mul(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else if (next <= 0)
            s->wrong = true;
        else
            value = sign == '/' ? value / next : value % next;
    }
}

static int64_t read_sum(sum *s)
{
    int64_t value = read_product(s);

    for (;;) {
        char sign;
        int64_t next;

        skip(s);
        sign = *s->at;
        if (s->wrong || (sign != '+' && sign != '-'))
            return value;
        s->at++;
        next = read_product(s);
        if (sign == '+')
            value = p3d_add(value < 0 ? 0 : value, next < 0 ? 0 : next);
        else
            value -= next;
        s->wrong = s->wrong || value < 0;
    }
}

/* Place behind the bracket that closes the one at a place; the end of the
 * text where there is none. */
static const char *closing(const char *at, char open, char close)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static const char *as_written(const char *from, const char *to, p3d_text *out)
{
    p3d_text_append(out, from, (size_t)(to - from));
    return to;
}

static const char *expand_arithmetic(
        const p3d_shell_values *values, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '(', ')');
    sum s = {.values = values, .at = at + 3};
    const int64_t value = read_sum(&s);

    skip(&s);
    if (s.wrong || strncmp(s.at, "))", 2) != 0 || s.at + 2 != end)
        return as_written(at, end, out);
    p3d_text_add(out, "%lld", (long long)value);
    return end;
}

/* ${NAME}, ${NAME:-word}, ${NAME[@]} */
static const char *expand_braces(
        const p3d_shell_values *values, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '{', '}');
    const size_t n = name_length(at + 2);
    const char *const rest = at + 2 + n;
    char name[128] = "";
    const char *value;

    memcpy(name, at + 2, n < sizeof(name) ? n : sizeof(name) - 1);
    value = value_of(values, name);
    if (n == 0 || end[-1] != '}')
        return as_written(at, end, out);
    if (value != NULL && (rest + 1 == end || strchr(":-[", *rest) != NULL)) {
        p3d_text_add(out, "%s", value);
    } else if (strncmp(rest, ":-", 2) == 0) {
        const char *word = rest + 2;

        while (word < end - 1) {
            if (*word == '$' && name_length(word + 1) > 0) {
                const char *const after = p3d_shell_expand(values, word, out);

                word = after;
            } else {
                p3d_text_append(out, word++, 1);
            }
        }
    } else {
        return as_written(at, end, out);
    }
    return end;
}

const char *p3d_shell_expand(
        const p3d_shell_values *values, const char *at, p3d_text *out)
{
    const size_t n = name_length(at + 1);
    char name[128] = "";
    const char *value;

    if (*at == '`') {
        const char *const end = strchr(at + 1, '`');

        return as_written(at, end != NULL ? end + 1 : at + strlen(at), out);
    }
    if (strncmp(at, "$((", 3) == 0)
        return expand_arithmetic(values, at, out);
    if (at[1] == '(')
        return as_written(at, closing(at + 1, '(', ')'), out);
    if (at[1] == '{')
        return expand_braces(values, at, out);
    memcpy(name, at + 1, n < sizeof(name) ? n : sizeof(name) - 1);
    value = value_of(values, name);
    if (n == 0 || value == NULL)
        return as_written(at,
                at + 1 + n +
                        (n == 0 && at[1] != '\0' &&
                                strchr("@*#?!$0123456789", at[1]) != NULL),
                out);
    p3d_text_add(out, "%s", value);
    return at + 1 + n;
}
