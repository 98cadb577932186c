/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - a growing list of names and values. */
#include "exchange/read/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/rows.h"

static bool grow(p3d_settings *settings, p3d_error *err)
{
    p3d_setting *at;

    if (settings->n >= P3D_MAX_SETTINGS)
        return p3d_fail(err, P3D_DATA, "more than %d options in the files",
                P3D_MAX_SETTINGS);
    at = p3d_grow(settings->at, settings->n, sizeof(*at));
    if (at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    settings->at = at;
    return true;
}

bool exchange_settings_add(p3d_settings *settings, const char *name,
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
    settings->at[settings->n++] = (p3d_setting){.name = text,
            .value = value != NULL ? text + name_n : NULL,
            .line = line,
            .file = settings->file};
    return true;
}

static char folded(char c)
{
    return c == '_' ? '-' : p3d_lower(c);
}

static bool same_name(const char *a, const char *b, bool loose)
{
    if (!loose)
        return strcmp(a, b) == 0;
    while (*a != '\0' && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

p3d_setting *exchange_settings_find(
        const p3d_settings *settings, const char *name, bool loose)
{
    for (int i = settings->n - 1; i >= 0; i--) {
        if (same_name(settings->at[i].name, name, loose))
            return &settings->at[i];
    }
    return NULL;
}

void exchange_settings_use(p3d_settings *settings, const char *name, bool loose)
{
    for (int i = 0; i < settings->n; i++) {
        if (same_name(settings->at[i].name, name, loose))
            settings->at[i].used = true;
    }
}

void exchange_settings_cut(p3d_settings *settings, int n)
{
    while (settings->n > n) {
        settings->n--;
        free(settings->at[settings->n].name);
    }
}

void exchange_settings_free(p3d_settings *settings)
{
    exchange_settings_cut(settings, 0);
    free(settings->at);
    *settings = (p3d_settings){0};
}
