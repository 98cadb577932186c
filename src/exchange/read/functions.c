/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - files of Python with several configurations: the one that was
 * asked for, with those that it begins from. */
#include "exchange/read/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"

enum {
    MAX_FUNCTIONS = 512,
    MAX_NAME = 128,
    MAX_DEPTH = 8,
    MOST_NAMED = 8,
    MOST_TAKEN = 256
};

typedef struct function {
    char name[MAX_NAME];
    int first, last; /* lines */
} function;

typedef struct functions {
    function at[MAX_FUNCTIONS];
    int n;
    int from;  /* settings of the file */
    int until; /* what is behind them was taken */
    int n_taken;
    exchange_settings *settings;
} functions;

static size_t word_length(const char *at)
{
    size_t n = 0;

    while (p3d_is_word(at[n]))
        n++;
    return n;
}

/* Functions that begin in the first column; one ends where anything else
 * does. */
static void find_functions(const char *text, functions *f)
{
    bool is_open = false;
    int line = 1;

    for (const char *at = text; *at != '\0'; line++) {
        const size_t n = word_length(at + strspn(at, " "));
        const bool is_def = strncmp(at, "def ", 4) == 0;

        if (is_open && n > 0 && *at != ' ')
            is_open = false;
        if (is_def && f->n < MAX_FUNCTIONS) {
            const size_t length = word_length(at + 4);
            function *const one = &f->at[f->n];

            if (length > 0 && length < MAX_NAME) {
                memcpy(one->name, at + 4, length);
                one->name[length] = '\0';
                one->first = line;
                f->n++;
                is_open = true;
            }
        }
        if (is_open)
            f->at[f->n - 1].last = line;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
}

static const function *find(const functions *f, const char *name, size_t n)
{
    for (int i = 0; i < f->n; i++)
        if (strlen(f->at[i].name) == n && strncmp(f->at[i].name, name, n) == 0)
            return &f->at[i];
    return NULL;
}

static const function *function_of(const functions *f, int line)
{
    for (int i = 0; i < f->n; i++)
        if (line >= f->at[i].first && line <= f->at[i].last)
            return &f->at[i];
    return NULL;
}

/* The function that "config = NAME(...)" begins from. */
static const function *begun_from(
        const functions *f, const exchange_setting *setting)
{
    const size_t n = setting->value != NULL ? word_length(setting->value) : 0;

    return n > 0 && setting->value[n] == '(' ? find(f, setting->value, n)
                                             : NULL;
}

/* Append what a function says behind what it begins from.
 * @return false when memory runs out or there is no room */
static bool take(functions *f, const function *one, int depth, p3d_error *err)
{
    if (++f->n_taken > MOST_TAKEN)
        return p3d_fail(err, P3D_DATA,
                "function '%.60s' begins from more than %d others", one->name,
                (int)MOST_TAKEN);
    for (int i = f->from; i < f->until; i++) {
        const exchange_setting setting = f->settings->at[i];
        const function *const base = begun_from(f, &setting);

        if (setting.line < one->first || setting.line > one->last)
            continue;
        if (base != NULL && base != one && depth < MAX_DEPTH) {
            if (!take(f, base, depth + 1, err))
                return false;
        } else if (!exchange_settings_add(f->settings, setting.name,
                           setting.value, setting.line, err)) {
            return false;
        }
    }
    return true;
}

/* Names of variables, which functions share, and of nothing that is set. */
static bool is_local(const char *name)
{
    return strchr(name, '.') == NULL;
}

static bool same_name_elsewhere(const functions *f, int i)
{
    const exchange_setting *const one = &f->settings->at[i];
    const function *const mine = function_of(f, one->line);

    for (int k = f->from; k < i; k++) {
        const exchange_setting *const other = &f->settings->at[k];
        const bool is_mine =
                other->line >= mine->first && other->line <= mine->last;

        if (!is_mine && strcmp(other->name, one->name) == 0 &&
                function_of(f, other->line) != NULL)
            return true;
    }
    return false;
}

/* True where two functions set the same option. */
static bool is_ambiguous(const functions *f)
{
    for (int i = f->from; i < f->until; i++) {
        if (!is_local(f->settings->at[i].name) &&
                function_of(f, f->settings->at[i].line) != NULL &&
                same_name_elsewhere(f, i))
            return true;
    }
    return false;
}

static bool fail_choice(const functions *f, const char *asked, p3d_error *err)
{
    p3d_text names = {0};
    int n = 0;

    for (int i = 0; i < f->n; i++) {
        if (f->at[i].name[0] == '_')
            continue;
        if (n++ < MOST_NAMED)
            p3d_text_add(&names, "%s%.60s", n > 1 ? ", " : "", f->at[i].name);
    }
    if (n > MOST_NAMED)
        p3d_text_add(&names, " and %d more", n - MOST_NAMED);
    if (asked != NULL)
        p3d_fail(err, P3D_DATA, "no function '%.60s' in the file; it has %s",
                asked, p3d_text_get(&names));
    else
        p3d_fail(err, P3D_DATA,
                "the functions of the file set the same options; write "
                "--function NAME, one of %s",
                p3d_text_get(&names));
    p3d_text_free(&names);
    return false;
}

/* Leave the settings that no function has, and those that were taken. */
static void forget_rest(functions *f)
{
    for (int i = f->from; i < f->until; i++) {
        exchange_setting *const setting = &f->settings->at[i];

        if (function_of(f, setting->line) == NULL)
            continue;
        setting->name[0] = '\0';
        setting->used = true;
    }
}

static bool choose(functions *f, p3d_error *err)
{
    const char *const asked = f->settings->function;
    const function *const one =
            asked != NULL ? find(f, asked, strlen(asked)) : NULL;

    if (asked != NULL ? one == NULL : is_ambiguous(f))
        return fail_choice(f, asked, err);
    if (one == NULL)
        return true;
    f->settings->chose = true;
    if (!take(f, one, 0, err))
        return false;
    forget_rest(f);
    return true;
}

bool exchange_choose_function(
        const char *text, int from, exchange_settings *settings, p3d_error *err)
{
    functions *const f = calloc(1, sizeof(*f)); /* too large for a stack */
    bool ok;

    if (f == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    f->from = from;
    f->until = settings->n;
    f->settings = settings;
    find_functions(text, f);
    ok = choose(f, err);
    free(f);
    return ok;
}
