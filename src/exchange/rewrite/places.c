/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c - options of a file replaced, taken out and put in, by syntax. */
#include "exchange/rewrite/places.h"

#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { LONG_LINE = 90 /* of a command: what is added goes to the next */ };

static bool find(const exchange_said_at *said, exchange_place *out)
{
    switch (said->syntax) {
    case EXCHANGE_IN_SHELL: return exchange_shell_place(said, out);
    case EXCHANGE_IN_JSON: return exchange_json_find(said, out);
    case EXCHANGE_IN_PYTHON:
    case EXCHANGE_IN_YAML:
    case EXCHANGE_IN_TOML: return exchange_line_find(said, out);
    case EXCHANGE_IN_LOG: break; /* it says what ran */
    }
    return false;
}

/* The text with n bytes at a place replaced. */
static bool splice(
        const char *text, size_t at, size_t n, const char *put, p3d_text *out)
{
    p3d_text_append(out, text, at);
    p3d_text_append(out, put, strlen(put));
    p3d_text_append(out, text + at + n, strlen(text + at + n));
    return !out->failed;
}

/* Texts that a syntax would read as something else, or as several. */
static bool needs_quotes(exchange_syntax syntax, const char *value)
{
    static const char *const taken[] = {
            "", "true", "false", "yes", "no", "on", "off", "null", "~"};

    if (syntax == EXCHANGE_IN_SHELL)
        return strpbrk(value, " *|()[]$&;<>#'\"\\`!?~") != NULL;
    if (syntax != EXCHANGE_IN_YAML)
        return true;
    for (int i = 0; i < P3D_COUNT_OF(taken); i++)
        if (p3d_same_word(taken[i], value))
            return true;
    return strpbrk(value, ":#{}[]&*!|>'\"%@`,") != NULL ||
           strchr("-? 0123456789", value[0]) != NULL;
}

static void put_value(
        exchange_syntax syntax, const exchange_new_value *value, p3d_text *out)
{
    const bool in_yaml_or_shell =
            syntax == EXCHANGE_IN_YAML || syntax == EXCHANGE_IN_SHELL;
    const char *const mark = in_yaml_or_shell ? "'" : "\"";
    const char *word = value->text != NULL ? value->text : "true";
    const bool quotes = value->quoted && needs_quotes(syntax, word);

    if (syntax == EXCHANGE_IN_PYTHON && !quotes)
        word = strcmp(word, "true") == 0    ? "True"
               : strcmp(word, "false") == 0 ? "False"
                                            : word;
    p3d_text_add(out, "%s%s%s", quotes ? mark : "", word, quotes ? mark : "");
}

bool exchange_place_set(const exchange_said_at *said,
        const exchange_new_value *value, p3d_text *out)
{
    exchange_place place;
    p3d_text put = {0};
    bool ok;

    if (!find(said, &place) || place.value_n == 0)
        return false;
    if (said->syntax == EXCHANGE_IN_SHELL)
        place = exchange_shell_source(said->text, &place);
    if (place.value_n == 0)
        return false;
    if (place.quoted)
        p3d_text_add(&put, "%s", value->text);
    else
        put_value(said->syntax, value, &put);
    ok = !put.failed && splice(said->text, place.value, place.value_n,
                                p3d_text_get(&put), out);
    p3d_text_free(&put);
    return ok;
}

static bool is_blank(const char *text, size_t from, size_t to)
{
    while (from < to && p3d_is_space(text[from]))
        from++;
    return from >= to;
}

/* Where the blanks before a place begin, in its line. */
static size_t before_blanks(const char *text, size_t at)
{
    while (at > 0 && strchr(" \t", text[at - 1]) != NULL)
        at--;
    return at;
}

/* "\" and the end of the line, behind a place. */
static bool goes_on(const char *text, size_t at)
{
    at += strspn(text + at, " \t");
    return text[at] == '\\' && (text[at + 1] == '\n' || text[at + 1] == '\r');
}

/* The line before goes on in this one. */
static bool is_continued(const char *text, size_t line)
{
    size_t at = line;

    while (at > 0 && strchr("\r\n", text[at - 1]) != NULL)
        at--;
    return at > 0 && at < line && text[at - 1] == '\\';
}

/* What goes with an option of a script: its quotes where they hold no more, and
 * its line. */
static void widen_in_shell(const char *text, size_t *from, size_t *to)
{
    size_t line, end;

    if (*from > 0 && strchr("\"'", text[*from - 1]) != NULL &&
            text[*to] == text[*from - 1] &&
            (*from < 2 || text[*from - 2] != '=')) {
        --*from;
        ++*to;
    }
    line = exchange_line_begin(text, *from);
    end = exchange_line_end(text, *to);
    if (is_blank(text, line, *from) && goes_on(text, *to)) {
        *from = line;
        *to = end + (text[end] == '\n');
    } else if (is_blank(text, line, *from) && is_blank(text, *to, end)) {
        if (is_continued(text, line)) { /* the last one of its command */
            *from = line;
            while (*from > 0 && strchr("\\ \t\r\n", text[*from - 1]) != NULL)
                --*from;
        } else {
            *from = line;
            *to = end + (text[end] == '\n');
        }
    } else if (is_blank(text, line, *from) || text[*from - 1] == '(' ||
               strchr("\"'", text[*from - 1]) != NULL) {
        *to += strspn(text + *to, " \t");
    } else {
        *from = before_blanks(text, *from);
    }
}

/* A member of an object, with the comma that parts it from the others. */
static void widen_in_object(const char *text, size_t *from, size_t *to)
{
    const size_t next = *to + strspn(text + *to, " \t\r\n");
    size_t before = *from;

    while (before > 0 && p3d_is_space(text[before - 1]))
        before--;
    if (text[next] == ',') {
        const bool alone =
                before < *from && memchr(text + before, '\n', *from - before);

        *from = alone ? before : *from;
        *to = next + 1;
        if (!alone)
            *to += strspn(text + *to, " \t");
    } else if (before > 0 && text[before - 1] == ',') {
        *from = before - 1;
    } else {
        *from = before;
    }
}

static void widen_in_lines(const char *text, size_t *from, size_t *to)
{
    const size_t line = exchange_line_begin(text, *from);
    const size_t end = exchange_line_end(text, *to);
    size_t behind = *to + (text[*to] == ',');

    behind += strspn(text + behind, " \t\r");
    if (is_blank(text, line, *from) && (behind >= end || text[behind] == '#')) {
        *from = line;
        *to = end + (text[end] == '\n');
    } else {
        widen_in_object(text, from, to);
    }
}

bool exchange_place_remove(const exchange_said_at *said, p3d_text *out)
{
    exchange_place place;
    size_t from, to;

    if (!find(said, &place))
        return false;
    from = place.begin;
    to = place.end;
    if (said->syntax == EXCHANGE_IN_SHELL)
        widen_in_shell(said->text, &from, &to);
    else if (said->syntax == EXCHANGE_IN_JSON)
        widen_in_object(said->text, &from, &to);
    else
        widen_in_lines(said->text, &from, &to);
    return splice(said->text, from, to - from, "", out);
}

/* More than a word in quotes begins or ends here. */
static size_t behind_quotes(const char *text, const exchange_place *place)
{
    const size_t begin = place->begin;
    const bool own = begin > 0 && strchr("\"'", text[begin - 1]) != NULL &&
                     text[place->end] == text[begin - 1] &&
                     (begin < 2 || text[begin - 2] != '=');

    return place->end + own;
}

static bool add_in_shell(const exchange_said_at *after,
        const exchange_place *place, const char *name,
        const exchange_new_value *value, p3d_text *out)
{
    const char *const text = after->text;
    const bool is_override = strchr(after->name, '.') != NULL;
    const size_t line = exchange_line_begin(text, place->begin);
    const size_t at = behind_quotes(text, place);
    const size_t end = exchange_line_end(text, at);
    const bool first = is_blank(text, line, before_blanks(text, place->begin));
    const size_t added =
            strlen(name) + (value->text != NULL ? strlen(value->text) : 0);
    p3d_text put = {0};
    bool ok;

    if (first && (goes_on(text, at) || (is_blank(text, at, end) &&
                                               !is_continued(text, line)))) {
        p3d_text_add(&put, "%s\n", goes_on(text, at) ? " \\" : "");
        p3d_text_append(&put, text + line, strspn(text + line, " \t"));
    } else if (end - line + added > LONG_LINE &&
               (is_continued(text, line) || text[end - 1] == '\\')) {
        p3d_text_add(&put, " \\\n");
        p3d_text_append(&put, text + line, strspn(text + line, " \t"));
    } else {
        p3d_text_add(&put, " ");
    }
    p3d_text_add(&put, "%s%s", is_override ? "" : "--", name);
    if (value->text != NULL) {
        p3d_text_add(&put, is_override ? "=" : " ");
        put_value(EXCHANGE_IN_SHELL, value, &put);
    } else if (is_override) {
        p3d_text_add(&put, "=true");
    }
    ok = !put.failed && splice(text, at, 0, p3d_text_get(&put), out);
    p3d_text_free(&put);
    return ok;
}

static size_t parent_length(const char *name)
{
    const char *const dot = strrchr(name, '.');

    return dot != NULL ? (size_t)(dot - name) : 0;
}

/* What a name is under the parent of another one; NULL = not under it. */
static const char *below(const char *name, const char *sibling)
{
    const size_t n = parent_length(sibling);

    if (n == 0)
        return name;
    return strncmp(name, sibling, n) == 0 && name[n] == '.' ? name + n + 1
                                                            : NULL;
}

/* The blanks that a line begins with, if nothing else stands before a place. */
static int indent_of(const char *text, const exchange_place *place)
{
    const size_t line = exchange_line_begin(text, place->begin);

    return is_blank(text, line, place->begin) ? (int)(place->begin - line) : -1;
}

static bool add_in_json(const exchange_said_at *after,
        const exchange_place *place, const char *name,
        const exchange_new_value *value, p3d_text *out)
{
    const char *const text = after->text;
    const int indent = indent_of(text, place);
    const char *part = below(name, after->name);
    p3d_text put = {0};
    int depth = 0;
    bool ok;

    if (part == NULL)
        return false;
    p3d_text_add(&put, indent < 0 ? ", " : ",\n");
    p3d_text_repeat(&put, ' ', indent < 0 ? 0 : indent);
    for (const char *dot = strchr(part, '.'); dot != NULL;
            dot = strchr(part, '.')) {
        p3d_text_add(&put, "\"%.*s\": {", (int)(dot - part), part);
        part = dot + 1;
        depth++;
    }
    p3d_text_add(&put, "\"%s\": ", part);
    put_value(EXCHANGE_IN_JSON, value, &put);
    p3d_text_repeat(&put, '}', depth);
    ok = !put.failed && splice(text, place->end, 0, p3d_text_get(&put), out);
    p3d_text_free(&put);
    return ok;
}

static void put_yaml(const char *part, int indent,
        const exchange_new_value *value, p3d_text *put)
{
    for (const char *dot = strchr(part, '.'); dot != NULL;
            dot = strchr(part, '.')) {
        p3d_text_repeat(put, ' ', indent);
        p3d_text_add(put, "%.*s:\n", (int)(dot - part), part);
        part = dot + 1;
        indent += 2;
    }
    p3d_text_repeat(put, ' ', indent);
    p3d_text_add(put, "%s: ", part);
    put_value(EXCHANGE_IN_YAML, value, put);
}

/* "cfg.part.name" as the line of the other option writes its own name. */
static bool put_python(const exchange_said_at *after,
        const exchange_place *place, const char *name,
        const exchange_new_value *value, p3d_text *put)
{
    const char *const text = after->text;
    const size_t n = place->value - place->quoted - place->begin;
    const bool spaced = memchr(text + place->begin, ' ', n) != NULL;
    const bool is_field = memchr(text + place->begin, '.', n) != NULL;
    const char *const written = is_field ? name : below(name, after->name);

    if (written == NULL || indent_of(text, place) < 0 ||
            (!is_field && strchr(written, '.') != NULL))
        return false;
    p3d_text_repeat(put, ' ', indent_of(text, place));
    p3d_text_add(put, "%s%s", written, spaced ? " = " : "=");
    put_value(EXCHANGE_IN_PYTHON, value, put);
    p3d_text_add(put, text[place->end] == ',' ? "," : "");
    return true;
}

static bool put_toml(const exchange_said_at *after, const char *name,
        const exchange_new_value *value, p3d_text *put)
{
    const char *const part = below(name, after->name);

    if (part == NULL || strchr(part, '.') != NULL)
        return false;
    p3d_text_add(put, "%s = ", part);
    put_value(EXCHANGE_IN_TOML, value, put);
    return true;
}

/* A line behind that of another option. */
static bool add_line(const exchange_said_at *after, const exchange_place *place,
        const char *name, const exchange_new_value *value, p3d_text *out)
{
    const char *const text = after->text;
    const int indent = indent_of(text, place);
    const size_t end = exchange_line_end(text, place->end);
    const char *const part = below(name, after->name);
    p3d_text put = {0};
    bool ok = indent >= 0;

    p3d_text_add(&put, "\n");
    if (after->syntax == EXCHANGE_IN_PYTHON)
        ok = ok && put_python(after, place, name, value, &put);
    else if (after->syntax == EXCHANGE_IN_TOML)
        ok = ok && put_toml(after, name, value, &put);
    else if (part != NULL && ok)
        put_yaml(part, indent, value, &put);
    else
        ok = false;
    ok = ok && !put.failed && splice(text, end, 0, p3d_text_get(&put), out);
    p3d_text_free(&put);
    return ok;
}

bool exchange_place_add(const exchange_said_at *after, const char *name,
        const exchange_new_value *value, p3d_text *out)
{
    exchange_place place;

    if (!find(after, &place))
        return false;
    if (after->syntax == EXCHANGE_IN_SHELL)
        return add_in_shell(after, &place, name, value, out);
    if (after->syntax == EXCHANGE_IN_JSON)
        return add_in_json(after, &place, name, value, out);
    return add_line(after, &place, name, value, out);
}
