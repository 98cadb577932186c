/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rewrite.c - the options in which two launches differ, changed in the files of
 * the first one. What comes out is read again: places and names are tried, and
 * only what reads as the second launch is kept. */
#include "exchange/rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/read/import.h"
#include "exchange/rewrite/places.h"

enum { MAX_NAME = 256 };

/** An option of the target, and where the files say it. */
typedef struct entry {
    const exchange_table *table;
    const exchange_option *option;
    char name[MAX_NAME]; /* in the file */
    int file;            /* < 0: no file says it */
    bool is_outside;     /* what is given beside the files says it */
    int setting;         /* place in the settings; < 0 = none */
    bool is_left;        /* the files say what is wanted without a change */
} entry;

typedef struct work {
    const exchange_rewrite_question *q;
    exchange_launch *defaults;
    entry *at;
    int n;
    p3d_text texts[EXCHANGE_MOST_FILES];
    exchange_settings fresh[EXCHANGE_MOST_FILES]; /* as the texts are now */
    bool all;          /* say also what both launches have, and no file says */
    p3d_error lacking; /* the first option that could not be changed */
    p3d_error err;
} work;

static bool is_option(const exchange_option *option)
{
    return option->kind != EXCHANGE_HEAD;
}

/* The lines of a function of Python: up to the next that is not indented. */
static bool is_in_function(const char *text, const char *name, int line)
{
    const size_t n = strlen(name);
    bool inside = false;

    for (int i = 1; *text != '\0' && i <= line; i++) {
        const size_t length = strcspn(text, "\n");

        if (strncmp(text, "def ", 4) == 0)
            inside = strncmp(text + 4, name, n) == 0 && text[4 + n] == '(';
        else if (strchr(" \t#)\r\n", *text) == NULL)
            inside = false;
        text += length + (text[length] == '\n');
    }
    return inside;
}

/* What other functions begin from, too, is not to be changed for one of
 * them. */
static bool is_shared(
        const exchange_rewrite_question *q, const exchange_setting *read)
{
    const exchange_text *const file = &q->files[read->file];

    return q->read->function != NULL &&
           exchange_syntax_of(file->path, file->text) == EXCHANGE_IN_PYTHON &&
           !is_in_function(file->text, q->read->function, read->line);
}

/* Where the files say an option, before anything is changed. */
static void find_entry(const exchange_rewrite_question *q, entry *e)
{
    const exchange_setting *const said =
            exchange_import_find(q->said, e->table, e->option);
    const int i = said != NULL ? (int)(said - q->said->at) : -1;

    e->file = e->setting = -1;
    if (said == NULL)
        return;
    e->setting = i;
    if (i >= q->read->n)
        return; /* a default of the front end */
    e->is_outside = q->read->at[i].file >= q->n_files;
    if (!e->is_outside && !is_shared(q, &q->read->at[i]) &&
            p3d_copy(e->name, MAX_NAME, q->read->at[i].name))
        e->file = q->read->at[i].file;
}

static bool find_entries(work *w)
{
    const exchange_target *const target = w->q->target;
    int most = 0;

    for (int t = 0; t < target->n_tables; t++)
        most += target->tables[t].n_options;
    w->at = calloc((size_t)most, sizeof(*w->at));
    w->defaults = calloc(1, sizeof(*w->defaults));
    if (w->at == NULL || w->defaults == NULL)
        return p3d_fail(&w->err, P3D_SYSTEM, "out of memory");
    target->defaults(w->defaults);
    for (int t = 0; t < target->n_tables; t++) {
        for (int i = 0; i < target->tables[t].n_options; i++) {
            entry *const e = &w->at[w->n++];

            e->table = &target->tables[t];
            e->option = &e->table->options[i];
            e->file = -1;
            if (is_option(e->option))
                find_entry(w->q, e);
        }
    }
    return true;
}

/* The texts as they are. */

static bool read_fresh(work *w, int file)
{
    exchange_settings *const fresh = &w->fresh[file];
    exchange_measured measured = {0};
    const exchange_settings *const read = w->q->read;

    exchange_settings_free(fresh);
    fresh->given = read->given;
    fresh->n_given = read->n_given;
    fresh->function = read->function;
    fresh->n_nodes = read->n_nodes;
    fresh->gpus_per_node = read->gpus_per_node;
    return exchange_read_text(
            (exchange_text){w->q->files[file].path,
                    p3d_text_get(&w->texts[file]), w->texts[file].length},
            fresh, &measured, &w->err);
}

static bool begin(work *w)
{
    for (int i = 0; i < w->q->n_files; i++) {
        p3d_text_cut(&w->texts[i], 0);
        p3d_text_append(
                &w->texts[i], w->q->files[i].text, w->q->files[i].length);
        if (w->texts[i].failed)
            return p3d_fail(&w->err, P3D_SYSTEM, "out of memory");
        if (!read_fresh(w, i))
            return false;
    }
    return true;
}

/* A new text takes the place of a file's old one; an empty one does not. */
static bool take(work *w, int file, bool made, p3d_text *text)
{
    const bool ok = made && !text->failed;

    if (ok) {
        p3d_text_free(&w->texts[file]);
        w->texts[file] = *text;
        return read_fresh(w, file);
    }
    p3d_text_free(text);
    return false;
}

/* What the reader says of an option, with the words that are its own. */
typedef struct said_words {
    exchange_said_at at;
    char word[MAX_NAME];
} said_words;

static bool is_truth(const char *value)
{
    return p3d_same_word(value, "true") || p3d_same_word(value, "false");
}

static bool find_said(const work *w, const entry *e, said_words *out)
{
    const exchange_setting *const now =
            e->file >= 0
                    ? exchange_settings_find(&w->fresh[e->file], e->name, false)
                    : NULL;
    const exchange_text *const file = &w->q->files[e->file < 0 ? 0 : e->file];
    size_t n;

    if (now == NULL)
        return false;
    out->at = (exchange_said_at){
            .syntax = exchange_syntax_of(file->path, file->text),
            .text = p3d_text_get(&w->texts[e->file]),
            .name = now->name,
            .value = now->value,
            .line = now->line};
    if (now->value == NULL || out->at.syntax != EXCHANGE_IN_SHELL ||
            exchange_is(e->option, JSON_KIND_STRING))
        return true;
    n = strcspn(now->value, " ");
    if (n >= MAX_NAME)
        return false;
    memcpy(out->word, now->value, n);
    out->word[n] = '\0';
    out->at.value = out->word;
    if ((e->option->kind == EXCHANGE_FLAG ||
                (e->option->kind == EXCHANGE_FIXED &&
                        e->option->text == NULL)) &&
            !is_truth(out->word))
        out->at.value = NULL; /* what follows is nobody's */
    return true;
}

/* Names and values of front ends. */

static const exchange_rename *find_rename(const exchange_front *front,
        const char *from, const char *to, const char *value)
{
    if (from != NULL)
        from += exchange_prefix_length(front, from);
    for (int i = 0; front != NULL && i < front->n_renames; i++) {
        const exchange_rename *const row = &front->renames[i];

        if (row->implies || row->to == NULL ||
                !exchange_same_name(row->to, to, true) ||
                (from != NULL && !exchange_same_name(row->from, from, true)))
            continue;
        if (value != NULL ? row->value != NULL && row->is != NULL &&
                                    p3d_same_word(row->value, value)
                          : row->value == NULL && row->is == NULL)
            return row;
    }
    return NULL;
}

/* "${NAME:8}" of YAML with another default. */
static bool set_default(const char *read, const char *value, char out[MAX_NAME])
{
    const char *const colon = strchr(read, ':');
    const size_t n = colon != NULL ? (size_t)(colon - read) + 1 : 0;

    if (strncmp(read, "${", 2) != 0 || n == 0 ||
            n + strlen(value) + 2 > MAX_NAME)
        return false;
    memcpy(out, read, n);
    memcpy(out + n, value, strlen(value));
    memcpy(out + n + strlen(value), "}", 2);
    return true;
}

/* The words of the file for a value of the target.
 * @return false where it has none */
static bool translate(
        const work *w, const entry *e, const char *value, char out[MAX_NAME])
{
    const bool is_said = e->setting >= 0 && e->setting < w->q->read->n;
    const char *const said = is_said ? w->q->said->at[e->setting].value : NULL;
    const exchange_setting *const read =
            is_said ? &w->q->read->at[e->setting] : NULL;
    const exchange_rename *row;

    if (said == NULL || read->value == NULL)
        return p3d_copy(out, MAX_NAME, value);
    row = find_rename(w->q->front, read->name, e->option->field.key, value);
    if (row != NULL)
        return p3d_copy(out, MAX_NAME, row->is);
    if (strcmp(said, read->value) == 0)
        return p3d_copy(out, MAX_NAME, value);
    return set_default(read->value, value, out);
}

static bool is_quoted(const exchange_option *option)
{
    return !option->raw && (exchange_is(option, JSON_KIND_WORD) ||
                                   exchange_is(option, JSON_KIND_STRING));
}

static bool set(work *w, const entry *e, const char *value)
{
    char words[MAX_NAME];
    exchange_new_value put = {.text = words};
    said_words said;
    p3d_text text = {0};

    if (!translate(w, e, value, words) || !find_said(w, e, &said) ||
            said.at.value == NULL)
        return false;
    /* A front end's own words are as it writes them. */
    put.quoted = strcmp(words, value) == 0 && is_quoted(e->option);
    return take(w, e->file, exchange_place_set(&said.at, &put, &text), &text);
}

/* Files of programs with a value for "none" say that; others leave it out. */
static bool clear(work *w, entry *e)
{
    said_words said;
    p3d_text text = {0};
    bool ok;

    if (!find_said(w, e, &said))
        return false;
    if (said.at.value != NULL && is_truth(said.at.value) &&
            (e->option->kind == EXCHANGE_FLAG ||
                    e->option->kind == EXCHANGE_FIXED) &&
            e->table->form == EXCHANGE_ARGUMENTS)
        return set(w, e, "false");
    if (said.at.syntax == EXCHANGE_IN_YAML &&
            e->table->form == EXCHANGE_ARGUMENTS && set(w, e, "null"))
        return true;
    ok = take(w, e->file, exchange_place_remove(&said.at, &text), &text);
    e->file = ok ? -1 : e->file;
    return ok;
}

/* Options that no file says. */

/* DeepSpeed's JSON is the same with all front ends, and so is accelerate's
 * YAML. */
static bool is_of_target(const work *w, const entry *like)
{
    const exchange_text *const file = &w->q->files[like->file];
    const exchange_syntax syntax = exchange_syntax_of(file->path, file->text);

    return w->q->front == NULL ||
           (like->table->form == EXCHANGE_JSON && syntax == EXCHANGE_IN_JSON) ||
           (like->table->form == EXCHANGE_YAML && syntax == EXCHANGE_IN_YAML &&
                   exchange_settings_find(&w->fresh[like->file],
                           "distributed_type", false) != NULL);
}

/* A front end has options of its own, and those of its target that it hands
 * on. */
static bool has_option(const work *w, const entry *like)
{
    return is_of_target(w, like) || w->q->front->hands_on;
}

/* How a front end says an option: any value, or this one in a word of its own;
 * NULL where it does not. */
static const exchange_rename *own_word(
        const work *w, const entry *e, const char *value)
{
    const exchange_rename *const any =
            find_rename(w->q->front, NULL, e->option->field.key, NULL);

    return any != NULL || value == NULL ? any
                                        : find_rename(w->q->front, NULL,
                                                  e->option->field.key, value);
}

/* The name of an option as that of another one is written: "cfg." before it,
 * "_" for "-". */
static bool name_like(const work *w, const entry *like, const entry *e,
        const exchange_rename *row, char out[MAX_NAME])
{
    const char *const base = row != NULL ? row->from : e->option->field.key;
    const char *const dot = row != NULL ? strchr(base, '.') : NULL;
    const size_t all = strlen(like->name),
                 own = strlen(like->option->field.key);
    size_t n = 0;

    if (all >= own && exchange_same_name(like->name + all - own,
                              like->option->field.key, true))
        n = all - own;
    else
        n = exchange_prefix_length(w->q->front, like->name);
    if (n + strlen(base) >= MAX_NAME || (row == NULL && !has_option(w, like)))
        return false;
    /* "deepspeed_config." is of accelerate's files alone. */
    if (dot != NULL && strncmp(like->name + n, base, (size_t)(dot - base) + 1))
        return false;
    memcpy(out, like->name, n);
    memcpy(out + n, base, strlen(base) + 1);
    if (strchr(like->name + n, '-') == NULL &&
            strchr(like->name + n, '_') != NULL)
        for (char *c = out + n; *c != '\0'; c++)
            *c = *c == '-' ? '_' : *c;
    return true;
}

/* An object that is to be made is there already. */
static bool makes_twice(
        const work *w, int file, const char *sibling, const char *name)
{
    const char *const dot = strrchr(sibling, '.');
    const size_t n = dot != NULL ? (size_t)(dot - sibling) + 1 : 0;
    const char *end;

    if (strncmp(name, sibling, n) != 0)
        return true;
    end = strchr(name + n, '.');
    for (int i = 0; end != NULL && i < w->fresh[file].n; i++)
        if (strncmp(w->fresh[file].at[i].name, name,
                    (size_t)(end - name) + 1) == 0)
            return true;
    return false;
}

static bool add_behind(work *w, const entry *like, entry *e, const char *value)
{
    const exchange_rename *const row = like->file < 0 || is_of_target(w, like)
                                               ? NULL
                                               : own_word(w, e, value);
    const bool is_own = row != NULL && row->is != NULL;
    const exchange_new_value put = {.text = is_own ? row->is : value,
            .quoted = !is_own && is_quoted(e->option)};
    said_words said;
    p3d_text text = {0};
    char name[MAX_NAME];

    if (like->file < 0 || !find_said(w, like, &said) ||
            !name_like(w, like, e, row, name) ||
            (said.at.syntax != EXCHANGE_IN_SHELL &&
                    said.at.syntax != EXCHANGE_IN_PYTHON &&
                    makes_twice(w, like->file, said.at.name, name)) ||
            !take(w, like->file,
                    exchange_place_add(&said.at, name, &put, &text), &text))
        return false;
    memcpy(e->name, name, MAX_NAME);
    e->file = like->file;
    e->setting = -1;
    return true;
}

/* The options before and after one: of its own group, of its table. */
static bool add_in_range(
        work *w, entry *e, const char *value, const entry *from, int step)
{
    for (const entry *like = from + step; like >= w->at && like < w->at + w->n;
            like += step) {
        if (like->table != e->table)
            return false;
        if (add_behind(w, like, e, value))
            return true;
    }
    return false;
}

static bool add_in_group(work *w, entry *e, const char *value, int step)
{
    for (const entry *like = e + step;
            like >= w->at && like < w->at + w->n && like->table == e->table &&
            is_option(like->option);
            like += step)
        if (add_behind(w, like, e, value))
            return true;
    return false;
}

static bool add(work *w, entry *e, const char *value)
{
    return add_in_group(w, e, value, -1) || add_in_group(w, e, value, 1) ||
           add_in_range(w, e, value, e, -1) || add_in_range(w, e, value, e, 1);
}

/* What could not be done counts only where what is read then is not what is
 * wanted: another option may say the same. */
static void lack(work *w, const entry *e)
{
    p3d_fail(&w->lacking, P3D_DATA,
            e->is_outside  ? "%s is said beside the files, by --set"
            : e->file >= 0 ? "the value of %s is computed, or has no such word"
                           : "there is no place for %s",
            e->option->field.key);
}

static bool is_flag(const exchange_option *option)
{
    return option->kind == EXCHANGE_FLAG ||
           (option->kind == EXCHANGE_FIXED && option->text == NULL);
}

static bool is_written(
        const work *w, const entry *e, const exchange_launch *launch)
{
    p3d_text value = {0};
    const bool is =
            exchange_option_print(e->option, launch, w->defaults, &value);

    p3d_text_free(&value);
    return is;
}

/* Another name for what is changed: it is read and never written. */
static bool is_alias(const work *w, const entry *e)
{
    return e->file >= 0 && is_option(e->option) &&
           e->option->kind != EXCHANGE_FIXED &&
           e->option->field.offset >= offsetof(exchange_launch, plan) &&
           !is_written(w, e, w->q->from) && !is_written(w, e, w->q->to);
}

/* A name of older versions for the same, where the files have that. */
static bool set_alias(work *w, const entry *e)
{
    for (int i = 0; i < w->n; i++) {
        exchange_option option = *w->at[i].option;
        p3d_text value = {0};
        bool ok;

        if (!is_alias(w, &w->at[i]) ||
                option.field.offset != e->option->field.offset)
            continue;
        option.when = NULL;
        option.shy = false;
        ok = exchange_option_print(&option, w->q->to, w->defaults, &value) &&
             set(w, &w->at[i], p3d_text_get(&value));
        p3d_text_free(&value);
        return ok;
    }
    return false;
}

/* What a front end sets where its files are silent is to be taken back. */
static bool add_off(work *w, entry *e)
{
    const exchange_front *const front = w->q->front;

    for (int i = 0; front != NULL && i < front->n_presets; i++)
        if (exchange_same_name(
                    front->presets[i].name, e->option->field.key, true))
            return add(w, e, is_flag(e->option) ? "false" : "none");
    return true;
}

/* A switch of a command line is off where it is not there. */
static bool drop_switch(work *w, entry *e, const char *value)
{
    said_words said;

    return p3d_same_word(value, "false") && find_said(w, e, &said) &&
           said.at.value == NULL && clear(w, e);
}

/* @param value  that is wanted; NULL = it is not to be said */
static bool change(work *w, entry *e, const char *value)
{
    if (e->is_outside)
        return false;
    if (value == NULL)
        return e->file < 0 ? add_off(w, e) : clear(w, e);
    if (e->file < 0)
        return set_alias(w, e) || add(w, e, is_flag(e->option) ? NULL : value);
    if (!is_flag(e->option))
        return set(w, e, value) || drop_switch(w, e, value);
    return set(w, e, "true") || find_said(w, e, &(said_words){0});
}

static bool is_changed(const work *w, const entry *e)
{
    p3d_text old = {0}, new = {0};
    const bool was =
            exchange_option_print(e->option, w->q->from, w->defaults, &old);
    const bool is =
            exchange_option_print(e->option, w->q->to, w->defaults, &new);
    const bool differs =
            was != is || strcmp(p3d_text_get(&old), p3d_text_get(&new)) != 0 ||
            (w->all && is && e->file < 0 && !e->is_outside &&
                    e->option->kind != EXCHANGE_FIXED &&
                    e->option->field.offset >= offsetof(exchange_launch, job));

    p3d_text_free(&old);
    p3d_text_free(&new);
    return differs;
}

/* What is to be done about one option. */
static void apply(work *w, entry *e)
{
    p3d_text value = {0};
    const bool is =
            exchange_option_print(e->option, w->q->to, w->defaults, &value);

    if (is_changed(w, e) && !change(w, e, is ? p3d_text_get(&value) : NULL))
        lack(w, e);
    p3d_text_free(&value);
}

static bool is_wanted(work *w)
{
    exchange_text files[EXCHANGE_MOST_FILES];

    for (int i = 0; i < w->q->n_files; i++)
        files[i] = (exchange_text){w->q->files[i].path,
                p3d_text_get(&w->texts[i]), w->texts[i].length};
    return w->q->check(w->q->context, files, &w->err);
}

/* @param without  an alias that is taken out too; NULL = none, w->at + w->n =
 *                 all of them
 * @return false with w->err */
static bool attempt(work *w, const entry *without)
{
    entry *const before = malloc((size_t)w->n * sizeof(*before));
    bool ok;

    w->err = w->lacking = (p3d_error){0};
    if (before == NULL)
        return p3d_fail(&w->err, P3D_SYSTEM, "out of memory");
    memcpy(before, w->at, (size_t)w->n * sizeof(*before));
    ok = begin(w);
    for (int i = 0; ok && without != NULL && i < w->n; i++)
        if (is_alias(w, &w->at[i]) &&
                (without == &w->at[i] || without == w->at + w->n))
            ok = clear(w, &w->at[i]);
    for (int i = 0; ok && i < w->n; i++)
        if (is_option(w->at[i].option) && !w->at[i].is_left)
            apply(w, &w->at[i]);
    if (ok) /* of places that were tried */
        w->err = (p3d_error){0};
    ok = ok && is_wanted(w);
    if (!ok && w->lacking.code != P3D_OK && w->err.code != P3D_SYSTEM)
        w->err = w->lacking;
    memcpy(w->at, before, (size_t)w->n * sizeof(*before));
    free(before);
    return ok;
}

/* The first way that reads as what is wanted. The reason is that of the first,
 * which leaves all other names alone.
 * @param without  see attempt() */
static bool attempt_all(work *w, const entry **without)
{
    bool ok = attempt(w, NULL);
    const p3d_error first = w->err;

    *without = NULL;
    if (ok || first.code == P3D_SYSTEM)
        return ok;
    for (int i = 0; !ok && i <= w->n; i++) {
        if (i < w->n && !is_alias(w, &w->at[i]))
            continue;
        *without = w->at + i;
        ok = attempt(w, *without);
    }
    if (!ok) {
        w->all = true;
        *without = NULL;
        ok = attempt(w, NULL);
    }
    w->err = ok ? w->err : first;
    return ok;
}

/* accelerate takes 1 for each degree that an object of these does not say:
 * accelerate@16cb6eb8 src/accelerate/parallelism_config.py, __post_init__. */
static bool is_in_new_object(const work *w, const entry *e)
{
    const char *const key = e->option->field.key;
    const char *const dot = key != NULL ? strchr(key, '.') : NULL;

    if (dot == NULL || e->table->form != EXCHANGE_YAML)
        return false;
    for (int i = 0; i < w->q->said->n; i++)
        if (strncmp(w->q->said->at[i].name, key, (size_t)(dot - key) + 1) == 0)
            return false;
    return true;
}

/* Options that would be new, and those that the framework works out (-1). */
static bool may_be_left(const work *w, const entry *e)
{
    const exchange_setting *const read =
            e->setting >= 0 && e->setting < w->q->read->n
                    ? &w->q->read->at[e->setting]
                    : NULL;

    return is_option(e->option) && is_changed(w, e) &&
           !is_in_new_object(w, e) &&
           (e->file < 0 || (read != NULL && read->value != NULL &&
                                   strcmp(read->value, "-1") == 0));
}

/* What follows from the others, or is the framework's default, is not
 * written. */
static bool leave_what_follows(work *w, const entry *without)
{
    for (int i = w->n - 1; i >= 0; i--) {
        if (!may_be_left(w, &w->at[i]))
            continue;
        w->at[i].is_left = true;
        w->at[i].is_left = attempt(w, without);
    }
    return attempt(w, without);
}

bool exchange_rewrite(const exchange_rewrite_question *question,
        exchange_rewritten *out, p3d_error *err)
{
    work w = {.q = question};
    p3d_refusal refusal = {.rule = NULL};
    const entry *without = NULL;
    bool ok;

    P3D_ASSERT(question->n_files <= EXCHANGE_MOST_FILES);
    ok = find_entries(&w) && attempt_all(&w, &without) &&
         leave_what_follows(&w, without);
    for (int i = 0; i < question->n_files; i++) {
        exchange_settings_free(&w.fresh[i]);
        if (ok && strcmp(p3d_text_get(&w.texts[i]), question->files[i].text)) {
            out->n_changed++;
            out->changed = i;
        }
        out->texts[i] = w.texts[i];
    }
    free(w.at);
    free(w.defaults);
    if (!ok)
        *err = w.err;
    if (!ok && err->code == P3D_DATA &&
            exchange_target_can_say(
                    question->target, question->from, &refusal) &&
            !exchange_target_can_say(
                    question->target, question->to, &refusal)) {
        *err = (p3d_error){0};
        p3d_fail(err, P3D_DATA, "%s: %s", question->target->title,
                refusal.reason);
    }
    return ok;
}

void exchange_rewritten_free(exchange_rewritten *rewritten)
{
    for (int i = 0; i < EXCHANGE_MOST_FILES; i++)
        p3d_text_free(&rewritten->texts[i]);
    *rewritten = (exchange_rewritten){0};
}

bool exchange_says_same(const exchange_target *target, const exchange_launch *a,
        const exchange_launch *b)
{
    exchange_launch *const defaults = calloc(1, sizeof(*defaults));
    bool same = defaults != NULL;

    if (same)
        target->defaults(defaults);
    for (int t = 0; t < target->n_tables; t++) {
        for (int i = 0; same && i < target->tables[t].n_options; i++) {
            const exchange_option *const o = &target->tables[t].options[i];
            p3d_text x = {0}, y = {0};

            same = exchange_option_print(o, a, defaults, &x) ==
                           exchange_option_print(o, b, defaults, &y) &&
                   strcmp(p3d_text_get(&x), p3d_text_get(&y)) == 0;
            p3d_text_free(&x);
            p3d_text_free(&y);
        }
    }
    free(defaults);
    return same;
}
