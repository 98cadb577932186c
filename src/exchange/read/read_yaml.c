/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_yaml.c - YAML as settings; the only file that sees libyaml. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "base/util.h"
#include "exchange/read/read.h"

enum { MAX_DEPTH = 32, MAX_NAME = 512, MAX_ANCHORS = 64, MAX_MERGES = 4 };

/* Settings that an anchor stands for, once its value has ended: those from
 * `first` on have the name of the value before their own. */
typedef struct anchor {
    char word[64];
    char name[MAX_NAME];
    int first, n;
} anchor;

/* An open mapping or list, and where its name ends. */
typedef struct level {
    bool is_list;
    bool have_key;
    int index;
    size_t n_name;   /* of the name so far that belongs to the levels outside */
    char anchor[64]; /* of the level itself; "" = none */
    int first;       /* of its settings */
    int merges[MAX_MERGES]; /* anchors whose keys it has beside its own */
    int n_merges;
} level;

typedef struct reader {
    level levels[MAX_DEPTH];
    int depth;
    char name[MAX_NAME];
    anchor anchors[MAX_ANCHORS];
    int n_anchors;
    exchange_settings *out;
    p3d_error *err;
} reader;

static bool fail_at(reader *r, yaml_mark_t mark, const char *what)
{
    return exchange_fail_at(
            r->err, (int)mark.line + 1, (int)mark.column + 1, "%s", what);
}

/* Append ".part" to the name. */
static bool push_name(reader *r, const char *part, yaml_mark_t mark)
{
    const size_t used = strlen(r->name);

    return snprintf(r->name + used, MAX_NAME - used, "%s%s",
                   used > 0 ? "." : "", part) < (int)(MAX_NAME - used) ||
           fail_at(r, mark, "a name longer than 512 bytes");
}

/* The name of a value: behind its key, or its place in a list. */
static bool name_value(reader *r, yaml_mark_t mark)
{
    level *const top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    char number[16];

    if (top == NULL || !top->is_list)
        return true;
    r->name[top->n_name] = '\0';
    snprintf(number, sizeof(number), "%d", top->index++);
    return push_name(r, number, mark);
}

/* The value is read: the next scalar of a mapping is a key again. */
static void end_value(reader *r)
{
    level *const top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;

    if (top == NULL)
        return;
    top->have_key = false;
    r->name[top->n_name] = '\0';
}

/* Keep what an anchor stands for: the settings from `first` on. */
static bool keep_anchor(
        reader *r, const char *word, int first, yaml_mark_t mark)
{
    anchor *one;

    if (word == NULL || word[0] == '\0')
        return true;
    if (r->n_anchors == MAX_ANCHORS)
        return fail_at(r, mark, "more than 64 anchors");
    one = &r->anchors[r->n_anchors++];
    one->first = first;
    one->n = r->out->n - first;
    return (p3d_copy(one->word, sizeof(one->word), word) &&
                   p3d_copy(one->name, sizeof(one->name), r->name)) ||
           fail_at(r, mark, "an anchor longer than 63 bytes");
}

/* The last anchor of this word counts. @return -1 where there is none */
static int find_anchor(const reader *r, const char *word)
{
    for (int i = r->n_anchors - 1; i >= 0; i--)
        if (strcmp(r->anchors[i].word, word) == 0)
            return i;
    return -1;
}

/* True where a mapping has the key of a name itself: "a" of "a.b". */
static bool has_key(const reader *r, int first, int end, const char *name)
{
    const size_t base = strlen(r->name) + (r->name[0] != '\0');
    const size_t n =
            strlen(name) > base ? base + strcspn(name + base, ".") : base;

    for (int i = first; i < end; i++)
        if (strncmp(r->out->at[i].name, name, n) == 0 &&
                (r->out->at[i].name[n] == '\0' || r->out->at[i].name[n] == '.'))
            return true;
    return false;
}

/* Add what an anchor stands for under the name so far.
 * @param own  first setting of a mapping whose keys count more; -1 = none */
static bool add_anchor(reader *r, const anchor *one, int own, yaml_mark_t mark)
{
    const size_t cut = strlen(one->name);
    const int end = r->out->n;

    for (int i = 0; i < one->n; i++) {
        const exchange_setting from = r->out->at[one->first + i];
        const char *rest = from.name + cut;
        char name[MAX_NAME];

        rest += r->name[0] == '\0' && rest[0] == '.';
        if (snprintf(name, sizeof(name), "%s%s", r->name, rest) >=
                (int)sizeof(name))
            return fail_at(r, mark, "a name longer than 512 bytes");
        if (own >= 0 && has_key(r, own, end, name))
            continue;
        if (!exchange_settings_add(r->out, name, from.value, from.line, r->err))
            return false;
    }
    return true;
}

static bool open_level(
        reader *r, bool is_list, const void *word, yaml_mark_t mark)
{
    level *top;

    if (r->depth == MAX_DEPTH)
        return fail_at(r, mark, "more than 32 levels deep");
    if (!name_value(r, mark))
        return false;
    top = &r->levels[r->depth++];
    *top = (level){
            .is_list = is_list, .n_name = strlen(r->name), .first = r->out->n};
    return word == NULL || p3d_copy(top->anchor, sizeof(top->anchor), word) ||
           fail_at(r, mark, "an anchor longer than 63 bytes");
}

/* The keys of other mappings come behind all of a mapping's own, which count
 * more (https://yaml.org/type/merge.html). */
static bool close_level(reader *r, yaml_mark_t mark)
{
    level *const top = &r->levels[--r->depth];
    bool ok = true;

    r->name[top->n_name] = '\0';
    for (int i = 0; ok && i < top->n_merges; i++)
        ok = add_anchor(r, &r->anchors[top->merges[i]], top->first, mark);
    ok = ok && keep_anchor(r, top->anchor, top->first, mark);
    end_value(r);
    return ok;
}

/* The mapping that a key "<<" is of, or a list behind it. */
static level *find_merging(reader *r)
{
    static const char mark[] = "<<";
    level *const top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    const bool in_list = top != NULL && top->is_list && r->depth > 1;
    level *const of = in_list ? top - 1 : top;
    const char *const key =
            of == NULL ? ""
                       : r->name + of->n_name + (r->name[of->n_name] == '.');
    const size_t n = sizeof(mark) - 1;

    return of != NULL && !of->is_list && strncmp(key, mark, n) == 0 &&
                           (key[n] == '\0' || key[n] == '.')
                   ? of
                   : NULL;
}

static bool read_alias(reader *r, const yaml_event_t *event)
{
    const int i = find_anchor(r, (const char *)event->data.alias.anchor);
    level *const merging = find_merging(r);

    if (i < 0)
        return fail_at(r, event->start_mark, "an alias without its anchor");
    if (merging != NULL) {
        if (merging->n_merges == MAX_MERGES)
            return fail_at(r, event->start_mark, "more than 4 merged mappings");
        merging->merges[merging->n_merges++] = i;
    } else if (!name_value(r, event->start_mark) ||
               !add_anchor(r, &r->anchors[i], -1, event->start_mark)) {
        return false;
    }
    end_value(r);
    return true;
}

static bool read_scalar(reader *r, const yaml_event_t *event)
{
    level *const top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    const char *const text = (const char *)event->data.scalar.value;
    char shown[MAX_NAME];
    bool ok;

    if (strlen(text) != event->data.scalar.length)
        return fail_at(r, event->start_mark, "a value with a NUL byte");
    if (top != NULL && !top->is_list && !top->have_key) {
        top->have_key = true;
        (void)p3d_show(shown, sizeof(shown), text);
        return push_name(r, shown, event->start_mark);
    }
    ok = name_value(r, event->start_mark) &&
         exchange_settings_add(r->out, r->name, text,
                 (int)event->start_mark.line + 1, r->err) &&
         keep_anchor(r, (const char *)event->data.scalar.anchor, r->out->n - 1,
                 event->start_mark);
    end_value(r);
    return ok;
}

/* Directives that libyaml compares with each other, so that many of them take
 * its time, and that no configuration has. */
static bool has_tags(const char *text)
{
    static const char mark[] = "\n%TAG";

    return strncmp(text, mark + 1, sizeof(mark) - 2) == 0 ||
           strstr(text, mark) != NULL;
}

static bool read_event(reader *r, const yaml_event_t *event)
{
    switch ((int)event->type) {
    case YAML_ALIAS_EVENT: return read_alias(r, event);
    case YAML_SCALAR_EVENT: return read_scalar(r, event);
    case YAML_MAPPING_START_EVENT:
        return open_level(
                r, false, event->data.mapping_start.anchor, event->start_mark);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(
                r, true, event->data.sequence_start.anchor, event->start_mark);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: return close_level(r, event->start_mark);
    default: return true;
    }
}

static bool fail_parse(reader *r, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    return fail_at(r, parser->problem_mark, parser->problem);
}

static bool read_whole(
        const char *text, size_t length, exchange_settings *out, p3d_error *err)
{
    reader r = {.out = out, .err = err};
    yaml_parser_t parser;
    bool done = false;
    bool ok = true;

    if (has_tags(text))
        return p3d_fail(err, P3D_DATA, "%%TAG is not read; leave it out");
    if (!yaml_parser_initialize(&parser))
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (ok && !done) {
        yaml_event_t event;

        if (!yaml_parser_parse(&parser, &event)) {
            ok = fail_parse(&r, &parser);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        ok = read_event(&r, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* The braces of a template ("{{ name }}") become other signs, which YAML takes
 * for a part of a value; its lines of control ("{{- if }}", "{% for %}") become
 * comments. Nothing changes its place. */
static void disarm(char *text)
{
    for (char *row = text; *row != '\0';) {
        const size_t n = strcspn(row, "\n");
        char *const first = row + strspn(row, " \t");

        for (char *at = row; at + 1 < row + n; at++)
            if ((*at == '{' || *at == '}') && at[1] == *at) {
                at[0] = at[1] = *at == '{' ? '<' : '>';
                at++;
            }
        if (strncmp(first, "<<-", 3) == 0 || strncmp(first, "{%", 2) == 0)
            *first = '#';
        row += n + (row[n] == '\n');
    }
}

/* A template is no YAML, but what stands outside of its braces may be. */
static bool read_template(
        const char *text, size_t length, exchange_settings *out, p3d_error *err)
{
    char *const copy = malloc(length + 1);
    bool ok;

    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, text, length);
    copy[length] = '\0';
    disarm(copy);
    ok = read_whole(copy, length, out, err);
    free(copy);
    return ok;
}

bool exchange_read_yaml(
        const char *text, size_t length, exchange_settings *out, p3d_error *err)
{
    const int n = out->n;
    p3d_error why = {0};

    if (read_whole(text, length, out, &why))
        return true;
    if (why.code == P3D_DATA &&
            (strstr(text, "{{") != NULL || strstr(text, "{%") != NULL)) {
        exchange_settings_cut(out, n);
        return read_template(text, length, out, err);
    }
    if (err != NULL)
        *err = why;
    return false;
}
