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
