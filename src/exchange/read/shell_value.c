/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_value.c - uses of variables, and arithmetic, of a shell script. */
#include "exchange/read/shell_value.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { MAX_DEPTH = 32, MAX_DIGITS = 32 };

/* Arithmetic: whole numbers, + - * / % and parentheses. */
typedef struct sum {
    const p3d_shell_variables *variables;
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
    const p3d_text *const value = p3d_shell_get(s->variables, s->at, n);
    sum inner = {.at = ""};
    int64_t number;

    if (value != NULL && value->length < MAX_DIGITS)
        inner.at = p3d_text_get(value);
    s->at += n;
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
        p3d_shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '(', ')');
    sum s = {.variables = variables, .at = at + 3};
    const int64_t value = read_sum(&s);

    skip(&s);
    if (s.wrong || strncmp(s.at, "))", 2) != 0 || s.at + 2 != end)
        return as_written(at, end, out);
    p3d_text_add(out, "%lld", (long long)value);
    return end;
}

/* ${NAME}, ${NAME:-word}, ${NAME[@]} */
static const char *expand_braces(
        p3d_shell_variables *variables, const char *at, p3d_text *out)
{
    const char *const end = closing(at + 1, '{', '}');
    const size_t n = name_length(at + 2);
    const char *const rest = at + 2 + n;
    const p3d_text *const value = p3d_shell_get(variables, at + 2, n);

    if (n == 0 || end[-1] != '}')
        return as_written(at, end, out);
    if (value != NULL && (rest + 1 == end || strchr(":-[", *rest) != NULL)) {
        p3d_shell_put(variables, value, out);
    } else if (strncmp(rest, ":-", 2) == 0) {
        const char *word = rest + 2;

        while (word < end - 1) {
            if (*word == '$' && name_length(word + 1) > 0) {
                const char *const after =
                        p3d_shell_expand(variables, word, out);

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
        p3d_shell_variables *variables, const char *at, p3d_text *out)
{
    const size_t n = name_length(at + 1);
    const p3d_text *value;

    if (*at == '`') {
        const char *const end = strchr(at + 1, '`');

        return as_written(at, end != NULL ? end + 1 : at + strlen(at), out);
    }
    if (strncmp(at, "$((", 3) == 0)
        return expand_arithmetic(variables, at, out);
    if (at[1] == '(')
        return as_written(at, closing(at + 1, '(', ')'), out);
    if (at[1] == '{')
        return expand_braces(variables, at, out);
    value = p3d_shell_get(variables, at + 1, n);
    if (n == 0 || value == NULL)
        return as_written(at,
                at + 1 + n +
                        (n == 0 && at[1] != '\0' &&
                                strchr("@*#?!$0123456789", at[1]) != NULL),
                out);
    p3d_shell_put(variables, value, out);
    return at + 1 + n;
}
