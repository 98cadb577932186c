/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_python.c - assignments and arguments in Python whose values are
 * literals: "cfg.parallelism.tp = 8", "Plugin(tp_size=8)". Nothing is run. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/read.h"

enum { MAX_DEPTH = 64, MAX_NAME = 256 };

/* Classes whose arguments are fields of a part of a configuration. */
static const struct {
    const char *class;
    const char *part;
} parts[] = {{"ParallelismConfig", "parallelism"},
        {"TrainingConfig", "training"}, {"CompileConfig", "compile"}};

typedef struct reader {
    const char *at;
    int line;
    int depth;
    char call[MAX_DEPTH][MAX_NAME]; /* class of each open bracket; "" = none */
    char name[MAX_NAME];            /* the last name that was read */
    char target[MAX_NAME];          /* of the assignment that is being read */
} reader;

static bool in_name(char c)
{
    return p3d_is_word(c) || c == '.';
}

static void skip_string(reader *r)
{
    const char quote = *r->at;
    const bool is_long = r->at[1] == quote && r->at[2] == quote;

    r->at += is_long ? 3 : 1;
    while (*r->at != '\0') {
        if (*r->at == '\\' && r->at[1] != '\0') {
            r->line += r->at[1] == '\n';
            r->at += 2;
        } else if (*r->at == quote &&
                   (!is_long || (r->at[1] == quote && r->at[2] == quote))) {
            r->at += is_long ? 3 : 1;
            return;
        } else if (*r->at == '\n' && !is_long) {
            return;
        } else {
            r->line += *r->at == '\n';
            r->at++;
        }
    }
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

/* The value of an assignment up to the comma, bracket or line that ends it. */
static void read_value(reader *r, p3d_text *out)
{
    const char *const from = r->at;
    int depth = 0;

    while (*r->at != '\0' && *r->at != '#') {
        if (*r->at == '"' || *r->at == '\'') {
            skip_string(r);
            continue;
        }
        if (strchr("([{", *r->at) != NULL)
            depth++;
        else if (strchr(")]}", *r->at) != NULL && depth-- == 0)
            break;
        else if (depth == 0 && (*r->at == ',' || *r->at == '\n'))
            break;
        r->line += *r->at == '\n';
        r->at++;
    }
    while (r->at > from && p3d_is_space(r->at[-1]) && r->at[-1] != '\n')
        r->at--;
    p3d_text_append(out, from, (size_t)(r->at - from));
}

/* A string that stands in brackets of its own, over several lines. */
static void unwrap(p3d_text *value)
{
    const char *const from =
            value->data + 1 + strspn(value->data + 1, " \t\r\n");
    const size_t n = *from == '"' ? strcspn(from + 1, "\"\n") + 2 : 0;

    if (value->data[0] != '(' || n < 2 || from[n - 1] != '"' ||
            strchr(from + n, '"') != NULL || strchr(from + n, ',') != NULL)
        return;
    memmove(value->data, from, n);
    value->data[n] = '\0';
    value->length = n;
}

/* A string without its quotes; anything else as it is. */
static void unquote(p3d_text *value)
{
    char *const text = value->data;
    const size_t n = value->length;

    if (n < 2 || (text[0] != '"' && text[0] != '\'') || text[n - 1] != text[0])
        return;
    memmove(text, text + 1, n - 2);
    text[n - 2] = '\0';
    value->length = n - 2;
}

/* True for a call with arguments, which are read one by one. */
static bool is_call(const char *value)
{
    size_t n = 0;

    while (in_name(value[n]))
        n++;
    return n > 0 && value[n] == '(' && value[n + 1] != ')';
}

/* "cfg = NAME(cfg)", or that a call alone: what a function changes of the
 * configuration that it is given. @return length of the call; 0 = none */
static size_t handing_on(const char *at)
{
    static const char *const given[] = {"(cfg)", "(config)"};
    size_t n = 0;

    while (in_name(at[n]) && at[n] != '.')
        n++;
    for (int i = 0; n > 0 && i < P3D_COUNT_OF(given); i++)
        if (strncmp(at + n, given[i], strlen(given[i])) == 0)
            return n + strlen(given[i]);
    return 0;
}

static bool add_handing_on(
        const reader *r, const char *at, exchange_settings *out, p3d_error *err)
{
    const size_t n = handing_on(at);
    char call[MAX_NAME + 16];

    if (n == 0 || n >= sizeof(call) || strcmp(r->name, "def") == 0)
        return true;
    memcpy(call, at, n);
    call[n] = '\0';
    return exchange_settings_add(out, "cfg", call, r->line, err);
}

static const char *prefix_of(const reader *r)
{
    const char *const class = r->depth > 0 ? r->call[r->depth - 1] : "";

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        if (strcmp(parts[i].class, class) == 0)
            return parts[i].part;
    }
    return class;
}

static bool add_assignment(reader *r, exchange_settings *out, p3d_error *err)
{
    const char *const prefix = prefix_of(r);
    const int line = r->line;
    char name[2 * MAX_NAME + 2];
    p3d_text value = {0};
    bool ok = true;

    skip_blanks(r);
    if (is_call(r->at)) {
        (void)p3d_copy(r->target, sizeof(r->target), r->name);
        return true;
    }
    read_value(r, &value);
    if (value.length > 0) {
        unwrap(&value);
        unquote(&value);
        snprintf(name, sizeof(name), "%s%s%s", prefix,
                prefix[0] != '\0' ? "." : "", r->name);
        ok = exchange_settings_add(out, name, p3d_text_get(&value), line, err);
    }
    p3d_text_free(&value);
    return ok;
}

/* What is called by position: the flavor of a model of torchtitan, one of
 * Hugging Face in Megatron-Bridge. @return its setting, or NULL */
static const char *setting_of_call(const char *name)
{
    static const char *const calls[][2] = {{"model_registry", "model.flavor"},
            {"from_hf_pretrained", EXCHANGE_LOADED_MODEL},
            {"get_mixed_precision_config", "cfg.mixed_precision"}};
    const char *const dot = strrchr(name, '.');

    for (int i = 0; i < P3D_COUNT_OF(calls); i++)
        if (strcmp(dot != NULL ? dot + 1 : name, calls[i][0]) == 0)
            return calls[i][1];
    return NULL;
}

static bool take_call(reader *r, exchange_settings *out, p3d_error *err)
{
    const char *const setting = setting_of_call(r->name);
    const char *at = r->at + 1;
    char word[MAX_NAME];
    size_t length;

    if (setting == NULL)
        return true;
    at += strspn(at, " \t\r\n");
    length = *at == '"' || *at == '\'' ? strcspn(at + 1, "\"'\n") : 0;
    if (length == 0 || length >= MAX_NAME)
        return true;
    memcpy(word, at + 1, length);
    word[length] = '\0';
    return exchange_settings_add(out, setting, word, r->line, err);
}

/* An opening bracket: of a call, when a name stands before it. */
static void open_bracket(reader *r)
{
    char *const call = r->depth < MAX_DEPTH ? r->call[r->depth] : NULL;
    const char *const dot = strrchr(r->name, '.');

    if (call != NULL)
        (void)p3d_copy(call, MAX_NAME,
                *r->at != '('                  ? ""
                : strcmp(r->name, "dict") == 0 ? r->target
                : dot != NULL                  ? dot + 1
                                               : r->name);
    r->depth += r->depth < MAX_DEPTH;
    r->name[0] = '\0';
    r->at++;
}

static void read_name(reader *r)
{
    size_t n = 0;

    while (in_name(r->at[n]))
        n++;
    r->name[0] = '\0';
    if (n < MAX_NAME) {
        memcpy(r->name, r->at, n);
        r->name[n] = '\0';
    }
    r->at += n;
    skip_blanks(r);
}

bool exchange_read_python(
        const char *text, exchange_settings *out, p3d_error *err)
{
    reader r = {.at = text, .line = 1};

    while (*r.at != '\0') {
        if (*r.at == '#') {
            r.at += strcspn(r.at, "\n");
        } else if (*r.at == '"' || *r.at == '\'') {
            skip_string(&r);
        } else if (in_name(*r.at)) {
            if (!add_handing_on(&r, r.at, out, err))
                return false;
            read_name(&r);
        } else if (strchr("([{", *r.at) != NULL) {
            if (*r.at == '(' && !take_call(&r, out, err))
                return false;
            open_bracket(&r);
        } else if (*r.at == '=' && r.at[1] != '=' && r.name[0] != '\0') {
            r.at++;
            if (!add_assignment(&r, out, err))
                return false;
            r.name[0] = '\0';
        } else {
            r.depth -= strchr(")]}", *r.at) != NULL && r.depth > 0;
            r.line += *r.at == '\n';
            r.name[0] = '\0';
            r.at += r.at[0] == '=' && r.at[1] == '=' ? 2 : 1;
        }
    }
    return true;
}
