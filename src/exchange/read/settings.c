/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - a growing list of names and values that files state. */
#include "exchange/read/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"

static bool grow(exchange_settings *settings, p3d_error *err)
{
    exchange_setting *at;

    if (settings->n >= EXCHANGE_MAX_SETTINGS)
        return p3d_fail(err, P3D_DATA, "more than %d options in the files",
                EXCHANGE_MAX_SETTINGS);
    at = p3d_grow(settings->at, settings->n, sizeof(*at));
    if (at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    settings->at = at;
    return true;
}

bool exchange_settings_add(exchange_settings *settings, const char *name,
        const char *value, int line, p3d_error *err)
{
    const size_t name_n = strlen(name) + 1;
    const size_t value_n = value != NULL ? strlen(value) + 1 : 0;
    char *text;

    if (!grow(settings, err))
        return false;
    text = malloc(name_n + value_n);
    if (text == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(text, name, name_n);
    if (value != NULL)
        memcpy(text + name_n, value, value_n);
    settings->at[settings->n++] = (exchange_setting){.name = text,
            .value = value != NULL ? text + name_n : NULL,
            .line = line,
            .file = settings->file};
    return true;
}

static char folded(char c)
{
    return c == '_' ? '-' : p3d_lower(c);
}

bool exchange_same_name(const char *a, const char *b, bool loose)
{
    if (!loose)
        return strcmp(a, b) == 0;
    while (*a != '\0' && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

bool exchange_asks_for(const char *text, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = strchr(text, '$'); at != NULL;
            at = strchr(at + 1, '$')) {
        const char *const begin = at + 1 + (at[1] == '{');

        if (strncmp(begin, name, n) == 0 && !p3d_is_word(begin[n]))
            return true;
    }
    return false;
}

bool exchange_is_override(const char *text)
{
    const char *const name = text + strspn(text, "+~");
    size_t n = 0;

    while (p3d_is_word(name[n]) || name[n] == '.')
        n++;
    return p3d_is_letter(name[0]) && name[n] == '=' &&
           memchr(name, '.', n) != NULL;
}

exchange_setting *exchange_settings_find(
        const exchange_settings *settings, const char *name, bool loose)
{
    for (int i = settings->n - 1; i >= 0; i--) {
        if (exchange_same_name(settings->at[i].name, name, loose))
            return &settings->at[i];
    }
    return NULL;
}

void exchange_settings_use(
        exchange_settings *settings, const char *name, bool loose)
{
    for (int i = 0; i < settings->n; i++) {
        if (exchange_same_name(settings->at[i].name, name, loose))
            settings->at[i].used = true;
    }
}

void exchange_settings_cut(exchange_settings *settings, int n)
{
    while (settings->n > n) {
        settings->n--;
        free(settings->at[settings->n].name);
    }
}

void exchange_settings_remove(exchange_settings *settings, int first, int n)
{
    for (int i = first; i < first + n; i++)
        free(settings->at[i].name);
    settings->n -= n;
    memmove(&settings->at[first], &settings->at[first + n],
            (size_t)(settings->n - first) * sizeof(*settings->at));
}

/* Of the i-th setting, "name.0", and of those behind it, "name.1", ..: their
 * values in a row, and the name. @return how many; 0 = it is none such */
static int gather_list(
        const exchange_settings *settings, int i, p3d_text *name, p3d_text *all)
{
    const char *const first = settings->at[i].name;
    const size_t length = strlen(first);
    p3d_text next = {0};
    int n = 0;

    if (length < 3 || strcmp(first + length - 2, ".0") != 0)
        return 0;
    p3d_text_append(name, first, length - 2);
    while (i + n < settings->n) {
        const exchange_setting *const one = &settings->at[i + n];

        p3d_text_cut(&next, 0);
        p3d_text_add(&next, "%s.%d", p3d_text_get(name), n);
        if (one->value == NULL || strcmp(one->name, p3d_text_get(&next)) != 0)
            break;
        p3d_text_add(all, "%s%s", n++ > 0 ? " " : "", one->value);
    }
    p3d_text_free(&next);
    return n;
}

/* Let the i-th setting have another name and value, where it stands. */
static bool rename_to(exchange_settings *settings, int i, const char *name,
        const char *value, p3d_error *err)
{
    exchange_setting *at, *made;

    if (!exchange_settings_add(
                settings, name, value, settings->at[i].line, err))
        return false;
    at = &settings->at[i];
    made = &settings->at[--settings->n];
    made->file = at->file;
    made->column = at->column;
    free(at->name);
    *at = *made;
    return true;
}

bool exchange_settings_join(exchange_settings *settings, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < settings->n; i++) {
        p3d_text name = {0}, all = {0};
        const int n = gather_list(settings, i, &name, &all);

        if (n > 0) {
            ok = rename_to(
                    settings, i, p3d_text_get(&name), p3d_text_get(&all), err);
            for (int k = 1; k < n; k++) { /* their places stay */
                settings->at[i + k].name[0] = '\0';
                settings->at[i + k].used = true;
            }
        }
        p3d_text_free(&name);
        p3d_text_free(&all);
    }
    return ok;
}

void exchange_settings_free(exchange_settings *settings)
{
    exchange_settings_cut(settings, 0);
    free(settings->at);
    *settings = (exchange_settings){0};
}

bool exchange_fail_at(
        p3d_error *err, int line, int column, const char *fmt, ...)
{
    char text[2 * P3D_ERROR_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (err != NULL && err->line == 0) {
        err->line = line;
        err->column = column;
    }
    return p3d_fail(err, P3D_DATA, "%s", text);
}
