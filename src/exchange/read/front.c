/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - the options of front ends under the names of their targets. */
#include "exchange/read/front.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { MAX_MARK = 200, MAX_MODEL = 120, PRESET = -1 /* a line */ };

static const char *value_of(const exchange_setting *setting)
{
    return setting->value != NULL ? setting->value : "true";
}

static bool is_word(const char *value, const char *word)
{
    return p3d_same_word(value, word) ||
           (p3d_same_word(word, "true") && strcmp(value, "1") == 0);
}

/* "name", "name=value" or "part.", which stands for all below it. */
static bool is_marked(const exchange_setting *setting, const char *mark)
{
    char name[MAX_MARK];
    const size_t n = strcspn(mark, "=");

    if (n >= sizeof(name) || setting->name[0] == '\0')
        return false;
    memcpy(name, mark, n);
    name[n] = '\0';
    if (n > 0 && name[n - 1] == '.')
        return strncmp(setting->name, name, n) == 0;
    return exchange_same_name(setting->name, name, true) &&
           (mark[n] == '\0' || is_word(value_of(setting), mark + n + 1));
}

static bool has_mark(const exchange_settings *settings, const char *mark)
{
    for (int i = 0; i < settings->n; i++)
        if (is_marked(&settings->at[i], mark))
            return true;
    return false;
}

/* True where one of "a|b" is among the settings. */
static bool has_one(const exchange_settings *settings, const char *marks)
{
    char mark[MAX_MARK];

    while (*marks != '\0') {
        const size_t n = strcspn(marks, "|");

        if (n < sizeof(mark)) {
            memcpy(mark, marks, n);
            mark[n] = '\0';
            if (has_mark(settings, mark))
                return true;
        }
        marks += n + (marks[n] == '|');
    }
    return false;
}

static bool is_it(const exchange_front *front, const exchange_settings *from)
{
    for (int i = 0; i < EXCHANGE_FRONT_MARKS; i++) {
        const char *const marks = front->marks[i];

        if (marks == NULL)
            continue;
        if (marks[0] == '!' ? has_one(from, marks + 1) : !has_one(from, marks))
            return false;
    }
    return true;
}

static void drop(exchange_setting *setting)
{
    setting->name[0] = '\0';
    setting->used = true;
}

static void take_prefix(exchange_settings *settings, const char *prefix)
{
    const size_t n = prefix != NULL ? strlen(prefix) : 0;

    for (int i = 0; n > 0 && i < settings->n; i++) {
        char *const name = settings->at[i].name;

        if (strncmp(name, prefix, n) == 0)
            memmove(name, name + n, strlen(name + n) + 1);
    }
}

/* Hydra adds an option with "+", and adds or sets it with "++". */
static void take_plus(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++) {
        char *const name = settings->at[i].name;
        const size_t n = strspn(name, "+");

        memmove(name, name + n, strlen(name + n) + 1);
    }
}

/* A setting under another name stands where the old one did. */
static bool replace(exchange_settings *settings, int i,
        const exchange_rename *row, p3d_error *err)
{
    exchange_setting moved;
    const exchange_setting old = settings->at[i];

    if (!exchange_settings_add(settings, row->to,
                row->value != NULL ? row->value : old.value, old.line, err))
        return false;
    moved = settings->at[settings->n - 1];
    moved.file = old.file;
    settings->at[settings->n - 1] = old;
    settings->at[i] = moved;
    exchange_settings_cut(settings, settings->n - 1);
    return true;
}

/* What a setting says beside: the tokenizer a vocabulary. */
static bool imply(
        exchange_settings *settings, const exchange_rename *row, p3d_error *err)
{
    const exchange_setting *const said =
            exchange_settings_find(settings, row->to, true);

    return (said != NULL && !p3d_same_word(value_of(said), "none")) ||
           exchange_settings_add(settings, row->to, row->value, PRESET, err);
}

static bool rename_one(exchange_settings *settings, int i,
        const exchange_rename *row, p3d_error *err)
{
    exchange_setting *const setting = &settings->at[i];

    if (setting->name[0] == '\0' ||
            !exchange_same_name(setting->name, row->from, true) ||
            (row->is != NULL && !is_word(value_of(setting), row->is)))
        return true;
    if (row->implies)
        return imply(settings, row, err);
    if (row->to != NULL)
        return replace(settings, i, row, err);
    drop(setting);
    return true;
}

static bool rename_all(exchange_settings *settings, const exchange_front *front,
        p3d_error *err)
{
    for (int k = 0; k < front->n_renames; k++) {
        const int n = settings->n;

        for (int i = 0; i < n; i++)
            if (!rename_one(settings, i, &front->renames[k], err))
                return false;
    }
    return true;
}

/* A whole number from 1 on; NULL = none. */
static exchange_setting *find_count(
        const exchange_settings *settings, const char *name, int64_t *out)
{
    exchange_setting *const found =
            exchange_settings_find(settings, name, true);

    *out = 0;
    for (const char *p = found != NULL ? value_of(found) : ""; *p != '\0';
            p++) {
        if (!p3d_is_digit(*p) || *out > INT32_MAX)
            return NULL;
        *out = 10 * *out + (*p - '0');
    }
    return *out > 0 ? found : NULL;
}

/* An option of the target, of two of the files. */
static bool combine(exchange_settings *settings, const exchange_combined *row,
        p3d_error *err)
{
    int64_t a, b;
    exchange_setting *const first = find_count(settings, row->parts[0], &a);
    exchange_setting *const second = find_count(settings, row->parts[1], &b);
    char value[32];

    if (first == NULL || second == NULL)
        return true;
    snprintf(value, sizeof(value), "%lld",
            (long long)(row->is_sum ? a + b : p3d_mul(a, b)));
    drop(second);
    return replace(settings, (int)(first - settings->at),
            &(exchange_rename){.to = row->to, .value = value}, err);
}

static bool combine_all(exchange_settings *settings,
        const exchange_front *front, p3d_error *err)
{
    for (int i = 0; i < front->n_combined; i++)
        if (!combine(settings, &front->combined[i], err))
            return false;
    return true;
}

/* "auto" is left to what the front end says elsewhere. */
static void drop_auto(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++)
        if (p3d_same_word(value_of(&settings->at[i]), "auto"))
            drop(&settings->at[i]);
}

static bool preset(exchange_settings *settings, const exchange_front *front,
        p3d_error *err)
{
    for (int i = 0; i < front->n_presets; i++) {
        const exchange_preset *const row = &front->presets[i];

        if (exchange_settings_find(settings, row->name, true) == NULL &&
                !exchange_settings_add(
                        settings, row->name, row->value, PRESET, err))
            return false;
    }
    return true;
}

static bool has_needs(const exchange_settings *settings,
        const exchange_front *front, p3d_error *err)
{
    for (int i = 0; i < EXCHANGE_FRONT_NEEDS; i++) {
        const exchange_need *const need = &front->needs[i];

        if (need->names != NULL && !has_one(settings, need->names))
            return p3d_fail(err, P3D_DATA, "the files of %s say no %s",
                    front->title, need->what);
    }
    return true;
}

/* The value that "${name}" stands for in files of YAML, or the default of
 * "${NAME:default}"; NULL = neither. */
static const char *referred(
        const exchange_settings *settings, const char *value, p3d_text *out)
{
    const size_t n = strlen(value);
    const char *colon;
    const exchange_setting *found;

    if (n < 4 || n > MAX_MARK || strncmp(value, "${", 2) != 0 ||
            strcspn(value, "}") != n - 1)
        return NULL;
    p3d_text_cut(out, 0);
    p3d_text_append(out, value + 2, n - 3);
    if (out->failed)
        return NULL;
    colon = strchr(out->data, ':');
    if (colon != NULL)
        return p3d_is_word(colon[1]) ? colon + 1 : NULL;
    found = strchr(out->data, '.') != NULL
                    ? exchange_settings_find(settings, out->data, false)
                    : NULL;
    return found != NULL ? found->value : NULL;
}

static bool resolve(exchange_settings *settings, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < settings->n; i++) {
        p3d_text word = {0};
        const char *const value =
                settings->at[i].value != NULL
                        ? referred(settings, settings->at[i].value, &word)
                        : NULL;

        if (value != NULL && value != settings->at[i].value)
            ok = replace(settings, i,
                    &(exchange_rename){
                            .to = settings->at[i].name, .value = value},
                    err);
        p3d_text_free(&word);
    }
    return ok;
}

bool exchange_front_apply(
        exchange_settings *settings, const exchange_front **out, p3d_error *err)
{
    *out = NULL;
    take_plus(settings);
    if (!resolve(settings, err))
        return false;
    for (int i = 0; exchange_front_at(i) != NULL; i++) {
        const exchange_front *const front = exchange_front_at(i);

        if ((front->target != NULL && *out != NULL) || !is_it(front, settings))
            continue;
        take_prefix(settings, front->prefix);
        if (!combine_all(settings, front, err) ||
                !rename_all(settings, front, err))
            return false;
        if (front->target != NULL)
            *out = front;
    }
    if (*out == NULL)
        return true;
    drop_auto(settings);
    return has_needs(settings, *out, err) && preset(settings, *out, err);
}

bool exchange_front_knows(const char *name)
{
    for (int i = 0; exchange_front_at(i) != NULL; i++) {
        const exchange_front *const front = exchange_front_at(i);

        const size_t n = front->prefix != NULL ? strlen(front->prefix) : 0;
        const char *const own =
                n > 0 && strncmp(name, front->prefix, n) == 0 ? name + n : name;

        for (int k = 0; k < front->n_renames; k++)
            if (exchange_same_name(front->renames[k].from, own, true))
                return true;
    }
    return false;
}

/* What names of models have beside the sizes: how they were trained on, and the
 * form of their files. */
static void cut_endings(p3d_text *name)
{
    static const char *const endings[] = {".yaml", "-instruct", "-base", "-hf",
            "-chat", "-it", "-2507", "-thinking", "-bf16", "-sft"};

    for (int i = 0; i < P3D_COUNT_OF(endings); i++) {
        const size_t n = strlen(endings[i]);

        if (name->length > n &&
                p3d_same_word(name->data + name->length - n, endings[i])) {
            p3d_text_cut(name, name->length - n);
            i = -1;
        }
    }
}

/* "llama3_1_70b" of functions and files is "llama3.1-70b". */
static void mend_lines(p3d_text *name)
{
    for (size_t i = 1; i + 1 < name->length; i++)
        if (name->data[i] == '_')
            name->data[i] = p3d_is_digit(name->data[i - 1]) &&
                                            p3d_is_digit(name->data[i + 1]) &&
                                            name->data[i + 2] == '_'
                                    ? '.'
                                    : '-';
}

static const exchange_setting *find_model(
        const exchange_front *front, const exchange_settings *settings)
{
    const char *marks = front->model;

    while (marks != NULL && *marks != '\0') {
        const size_t n = strcspn(marks, "|");
        char name[MAX_MARK];
        const exchange_setting *found = NULL;

        if (n < sizeof(name)) {
            memcpy(name, marks, n);
            name[n] = '\0';
            found = exchange_settings_find(settings, name, true);
        }
        if (found != NULL && found->value != NULL)
            return found;
        marks += n + (marks[n] == '|');
    }
    return NULL;
}

void exchange_front_model(const exchange_front *front,
        const exchange_settings *settings, const exchange_setting **said,
        p3d_text *name)
{
    static const char *const beginnings[] = {"Meta-", "lora_", "qlora_"};
    const char *word;
    bool is_code; /* "torchtune.models.llama3.llama3_8b" */
    size_t n;

    *said = find_model(front, settings);
    if (*said == NULL)
        return;
    n = strcspn((*said)->value, " ");
    is_code = strncmp((*said)->value, "torchtune.", 10) == 0;
    while (n > 0 && (*said)->value[n - 1] == '/')
        n--;
    for (word = (*said)->value + n;
            word > (*said)->value && word[-1] != (is_code ? '.' : '/');
            word--) {
    }
    for (int i = 0; i < P3D_COUNT_OF(beginnings); i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            word += strlen(beginnings[i]);
    p3d_text_append(name, word, (size_t)((*said)->value + n - word));
    if (name->failed || name->length == 0 || name->length > MAX_MODEL)
        return;
    cut_endings(name);
    if (strchr(name->data, '-') == NULL)
        mend_lines(name);
}

bool exchange_is_preset(const exchange_setting *setting)
{
    return setting->line == PRESET && setting->name[0] != '\0';
}
