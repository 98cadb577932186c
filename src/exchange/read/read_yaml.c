/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_yaml.c - YAML as settings; the only file that sees libyaml. */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/utf8.h"
#include "base/util.h"
#include "exchange/read/read.h"

enum { MAX_DEPTH = 32, MAX_NAME = 512 };

/* An open mapping or list, and where its name ends. */
typedef struct level {
    bool is_list;
    bool have_key;
    int index;
    size_t n_name; /* of the name so far that belongs to the levels outside */
} level;

typedef struct reader {
    level levels[MAX_DEPTH];
    int depth;
    char name[MAX_NAME];
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

static bool check_anchor(reader *r, const void *anchor, yaml_mark_t mark)
{
    return anchor == NULL ||
           fail_at(r, mark, "anchors are not read; write the value out");
}

static bool open_level(
        reader *r, bool is_list, const void *anchor, yaml_mark_t mark)
{
    if (!check_anchor(r, anchor, mark))
        return false;
    if (r->depth == MAX_DEPTH)
        return fail_at(r, mark, "more than 32 levels deep");
    if (!name_value(r, mark))
        return false;
    r->levels[r->depth++] =
            (level){.is_list = is_list, .n_name = strlen(r->name)};
    return true;
}

static bool read_scalar(reader *r, const yaml_event_t *event)
{
    level *const top = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    const char *const text = (const char *)event->data.scalar.value;
    char shown[MAX_NAME];
    bool ok;

    if (!check_anchor(r, event->data.scalar.anchor, event->start_mark))
        return false;
    if (strlen(text) != event->data.scalar.length)
        return fail_at(r, event->start_mark, "a value with a NUL byte");
    if (top != NULL && !top->is_list && !top->have_key) {
        top->have_key = true;
        (void)p3d_show(shown, sizeof(shown), text);
        return push_name(r, shown, event->start_mark);
    }
    ok = name_value(r, event->start_mark) &&
         exchange_settings_add(r->out, r->name, text,
                 (int)event->start_mark.line + 1, r->err);
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
    case YAML_ALIAS_EVENT:
        return fail_at(r, event->start_mark,
                "aliases are not read; write the value out");
    case YAML_SCALAR_EVENT: return read_scalar(r, event);
    case YAML_MAPPING_START_EVENT:
        return open_level(
                r, false, event->data.mapping_start.anchor, event->start_mark);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(
                r, true, event->data.sequence_start.anchor, event->start_mark);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        r->depth--;
        r->name[r->levels[r->depth].n_name] = '\0';
        end_value(r);
        return true;
    default: return true;
    }
}

static bool fail_parse(reader *r, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    return fail_at(r, parser->problem_mark, parser->problem);
}

bool exchange_read_yaml(
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
