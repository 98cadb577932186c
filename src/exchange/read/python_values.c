/* SPDX-License-Identifier: GPL-3.0-or-later */
/* python_values.c - names and sums of Python, as far as they are literals. */
#include "exchange/read/python_values.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

/* Of numbers, so that no product of two leaves 63 bits; of brackets and powers
 * within each other. */
static const int64_t most = (int64_t)1 << 31;
enum { MAX_DEPTH = 8 };

/* What is left of a sum. */
typedef struct sum {
    exchange_python_names *names;
    const char *at;
    int depth;
    bool has_argument;
} sum;

/* @return its place; -1 = none */
static int find(const exchange_python_names *names, const char *name, size_t n)
{
    for (int i = names->n - 1; i >= 0; i--)
        if (strlen(names->at[i].name) == n &&
                strncmp(names->at[i].name, name, n) == 0)
            return i;
    return -1;
}

void exchange_python_keep(
        exchange_python_names *names, const exchange_python_name *one)
{
    const int i = find(names, one->name, strlen(one->name));
    exchange_python_name *const had = i >= 0 ? &names->at[i] : NULL;

    if (had != NULL && had->is_global == one->is_global)
        had->is_unsure = had->is_unsure || strcmp(had->value, one->value) != 0;
    else if (names->n < EXCHANGE_MOST_PYTHON_NAMES)
        names->at[names->n++] = *one;
}

void exchange_python_leave(exchange_python_names *names)
{
    int n = 0;

    for (int i = 0; i < names->n; i++)
        if (names->at[i].is_global)
            names->at[n++] = names->at[i];
    names->n = n;
}

/* "args.batch_size": what a parser of arguments gives stands in an object of
 * one of these names. @return length of the object with its point */
static size_t object_length(const char *name)
{
    static const char *const objects[] = {
            "args.", "opts.", "opt.", "script_args.", "FLAGS."};

    for (int i = 0; i < P3D_COUNT_OF(objects); i++)
        if (strncmp(name, objects[i], strlen(objects[i])) == 0)
            return strlen(objects[i]);
    return 0;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    if (!p3d_is_letter(at[0]) && at[0] != '_')
        return 0;
    while (p3d_is_word(at[n]) || at[n] == '.')
        n++;
    return n;
}

/* The literal of a name. @return NULL where it has none, or several */
static const exchange_python_name *literal_of(
        exchange_python_names *names, const char *name, size_t n)
{
    const size_t object = object_length(name);
    const int i = find(names, name + object, n - object);
    exchange_python_name *const one = i >= 0 ? &names->at[i] : NULL;

    if (one == NULL || one->is_unsure || one->is_argument != (object > 0))
        return NULL;
    one->is_taken = true;
    return one;
}

static bool add_up(sum *s, int64_t *out);

static void skip(sum *s)
{
    s->at += strspn(s->at, " ");
}

static bool take(sum *s, const char *sign)
{
    const size_t n = strlen(sign);

    skip(s);
    if (strncmp(s->at, sign, n) != 0 || (n == 1 && s->at[1] == '*'))
        return false;
    s->at += n;
    return true;
}

static bool read_number(sum *s, int64_t *out)
{
    *out = 0;
    while (p3d_is_digit(*s->at) || *s->at == '_') {
        if (*s->at != '_')
            *out = *out * 10 + (*s->at - '0');
        if (*out > most)
            return false;
        s->at++;
    }
    return !p3d_is_letter(*s->at) && *s->at != '.';
}

/* What torch.distributed says of the machines. */
static bool read_world(sum *s, int64_t *out)
{
    const size_t n = name_length(s->at);
    const char *const dot = n > 0 ? memchr(s->at, '.', n) : NULL;
    const char *const name = dot != NULL ? dot + 1 : s->at;
    const bool is_all = strncmp(name, "get_world_size()", 16) == 0;
    const bool is_node = strncmp(name, "get_local_world_size()", 22) == 0;

    if (!is_all && !is_node)
        return false;
    *out = is_all ? s->names->n_gpus : s->names->gpus_per_node;
    s->at = name + (is_all ? 16 : 22);
    return *out > 0;
}

static bool read_named(sum *s, int64_t *out)
{
    const size_t n = name_length(s->at);
    const exchange_python_name *const one =
            n > 0 ? literal_of(s->names, s->at, n) : NULL;
    sum inner = {.names = s->names, .depth = s->depth};

    if (one == NULL)
        return false;
    s->at += n;
    s->has_argument = s->has_argument || one->is_argument;
    inner.at = one->value;
    return add_up(&inner, out) && *inner.at == '\0';
}

static bool read_atom(sum *s, int64_t *out)
{
    skip(s);
    if (strncmp(s->at, "int(", 4) == 0)
        s->at += 3;
    if (*s->at == '(') {
        s->at++;
        return add_up(s, out) && take(s, ")");
    }
    if (p3d_is_digit(*s->at))
        return read_number(s, out);
    return read_world(s, out) || read_named(s, out);
}

static bool multiply(int64_t *out, int64_t by)
{
    *out *= by;
    return *out <= most * 1024;
}

static bool read_power(sum *s, int64_t *out)
{
    int64_t base, exponent;

    if (!read_atom(s, out))
        return false;
    if (!take(s, "**"))
        return true;
    base = *out;
    if (!read_atom(s, &exponent) || exponent > 62 || base > most)
        return false;
    for (*out = 1; exponent > 0; exponent--)
        if (*out > most || !multiply(out, base))
            return false;
    return true;
}

static bool read_product(sum *s, int64_t *out)
{
    int64_t other;

    if (!read_power(s, out))
        return false;
    for (;;) {
        const bool divides = take(s, "//");

        if (!divides && !take(s, "*"))
            return true;
        if (!read_power(s, &other) || other > most || *out > most * 1024 ||
                (divides && other == 0))
            return false;
        if (divides)
            *out /= other;
        else if (*out > most || !multiply(out, other))
            return false;
    }
}

static bool add_up(sum *s, int64_t *out)
{
    int64_t other;
    bool ok = ++s->depth <= MAX_DEPTH && read_product(s, out);

    while (ok) {
        const bool takes = take(s, "-");

        if (!takes && !take(s, "+"))
            break;
        ok = read_product(s, &other);
        if (ok)
            *out += takes ? -other : other;
    }
    s->depth--;
    return ok && *out >= 0;
}

static void put(p3d_text *value, const char *text)
{
    p3d_text_cut(value, 0);
    p3d_text_add(value, "%s", text);
}

/* "opts.length or LENGTH": what counts where the argument is not given. */
static void take_default(const exchange_python_names *names, p3d_text *value)
{
    char *const or = strstr(value->data, " or ");
    const size_t n = name_length(value->data);
    char rest[EXCHANGE_PYTHON_VALUE];

    if (or == NULL || n != (size_t)(or -value->data) ||
            object_length(value->data) == 0 ||
            find(names, value->data + object_length(value->data),
                    n - object_length(value->data)) >= 0 ||
            !p3d_copy(rest, sizeof(rest), or +strlen(" or ")))
        return;
    put(value, rest);
}

bool exchange_python_value(exchange_python_names *names, p3d_text *value)
{
    const exchange_python_name *one;
    sum s = {.names = names};
    int64_t number = 0;
    char text[32];
    size_t n;

    if (value->failed || value->length == 0 ||
            value->length >= EXCHANGE_PYTHON_VALUE)
        return false;
    take_default(names, value);
    n = name_length(value->data);
    one = n == value->length ? literal_of(names, value->data, n) : NULL;
    if (one != NULL) {
        const bool is_argument = one->is_argument;

        put(value, one->value);
        n = name_length(value->data);
        if (n == 0 || n < value->length)
            (void)exchange_python_value(names, value);
        return is_argument;
    }
    s.at = value->data;
    if (!add_up(&s, &number) || *s.at != '\0')
        return false;
    snprintf(text, sizeof(text), "%lld", (long long)number);
    put(value, text);
    return s.has_argument;
}
