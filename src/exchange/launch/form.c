/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form.c - the options of a table as arguments, JSON, YAML or Python. */
#include <string.h>

#include "base/util.h"
#include "exchange/launch/target.h"

/* Where a writer is. */
typedef struct writer {
    p3d_text *out;
    p3d_form form;
    const char *open; /* name of the last option: its objects are open */
    bool started;     /* something was written, so a comma comes first */
    bool in_call;
    bool under; /* a statement of Python */
} writer;

/* Objects that two names share: dots up to which they are equal. */
static int shared_depth(const char *a, const char *b)
{
    int depth = 0;

    for (; *a != '\0' && *a == *b; a++, b++)
        depth += *a == '.';
    return depth;
}

static int depth_of(const char *name)
{
    int depth = 0;

    for (; *name != '\0'; name++)
        depth += *name == '.';
    return depth;
}

static void indent(const writer *w, int depth)
{
    p3d_text_repeat(w->out, ' ', 2 * depth);
}

/* Close the objects of JSON that the next option is not in. */
static void close_objects(writer *w, int from, int to)
{
    for (int depth = from; depth > to; depth--) {
        p3d_text_add(w->out, "\n");
        indent(w, depth);
        p3d_text_add(w->out, "}");
    }
}

/* Open the objects on the way to an option, and write its key. */
static void open_objects(writer *w, const char *name)
{
    const int shared = w->open != NULL ? shared_depth(w->open, name) : 0;
    const bool json = w->form == P3D_FORM_JSON;
    const char *key = name;
    int depth = 0;

    if (json && w->open != NULL)
        close_objects(w, depth_of(w->open), shared);
    for (const char *dot = strchr(key, '.'); dot != NULL;
            dot = strchr(key, '.')) {
        if (depth >= shared) {
            if (json)
                p3d_text_add(w->out, w->started ? ",\n" : "\n");
            indent(w, depth + json);
            p3d_text_add(w->out, json ? "\"%.*s\": {" : "%.*s:\n",
                    (int)(dot - key), key);
            w->started = false;
        }
        depth++;
        key = dot + 1;
    }
    if (json)
        p3d_text_add(w->out, w->started ? ",\n" : "\n");
    indent(w, depth + json);
    p3d_text_add(w->out, json ? "\"%s\": " : "%s: ", key);
    w->open = name;
    w->started = true;
}

/* YAML reads these bare words as something else than text. */
static bool yaml_quotes(const char *value)
{
    static const char *const taken[] = {
            "", "true", "false", "yes", "no", "on", "off", "null", "~"};

    for (int i = 0; i < P3D_COUNT_OF(taken); i++) {
        if (p3d_same_word(taken[i], value))
            return true;
    }
    return strpbrk(value, ":#{}[]&*!|>'\"%@`,") != NULL ||
           strchr("-? 0123456789", value[0]) != NULL;
}

static void put_python(
        const p3d_option *option, const char *value, p3d_text *out)
{
    if (option->kind == P3D_OPTION_BOOL)
        p3d_text_add(out, "%s", strcmp(value, "true") == 0 ? "True" : "False");
    else if (exchange_option_quoted(option))
        p3d_text_add(out, "\"%s\"", value);
    else
        p3d_text_add(out, "%s", value);
}

static void end_call(writer *w)
{
    if (w->in_call)
        p3d_text_add(w->out, ")\n");
    w->in_call = false;
}

static void put_head(writer *w, const p3d_option *head)
{
    const char *const name = head->name;

    switch (w->form) {
    case P3D_FORM_ARGUMENTS: p3d_text_add(w->out, "    # %s\n", name); break;
    case P3D_FORM_FIELDS:
        w->under = head->raw;
        p3d_text_add(w->out, "    %s%s\n", w->under ? "" : "# ", name);
        break;
    case P3D_FORM_CALLS:
        end_call(w);
        p3d_text_add(w->out, "%s(\n", name);
        w->in_call = true;
        break;
    case P3D_FORM_JSON:
    case P3D_FORM_YAML: break;
    }
}

/* A word that bash reads as one. */
static void put_shell(const char *value, p3d_text *out)
{
    if (value[0] == '\0')
        return;
    if (strpbrk(value, " *|()[]$&;<>#'\"\\`!?~") != NULL)
        p3d_text_add(out, " '%s'", value);
    else
        p3d_text_add(out, " %s", value);
}

static void put_option(writer *w, const p3d_option *option, const char *value)
{
    const char *const dot = strrchr(option->name, '.');

    switch (w->form) {
    case P3D_FORM_ARGUMENTS:
        p3d_text_add(w->out, "    --%s", option->name);
        if (option->raw)
            p3d_text_add(w->out, " %s", value);
        else
            put_shell(value, w->out);
        p3d_text_add(w->out, "\n");
        return;
    case P3D_FORM_FIELDS:
        p3d_text_add(w->out, "    %scfg.%s = ", w->under ? "    " : "",
                option->name);
        put_python(option, value, w->out);
        p3d_text_add(w->out, "\n");
        return;
    case P3D_FORM_CALLS:
        p3d_text_add(w->out, "    %s=", dot == NULL ? option->name : dot + 1);
        put_python(option, value, w->out);
        p3d_text_add(w->out, ",\n");
        return;
    case P3D_FORM_JSON:
        open_objects(w, option->name);
        p3d_text_add(w->out, exchange_option_quoted(option) ? "\"%s\"" : "%s",
                value);
        return;
    case P3D_FORM_YAML:
        open_objects(w, option->name);
        p3d_text_add(w->out,
                exchange_option_quoted(option) && yaml_quotes(value) ? "'%s'\n"
                                                                     : "%s\n",
                value);
        return;
    }
}

void exchange_form_write(const p3d_option_table *table,
        const p3d_launch *launch, const p3d_launch *defaults, p3d_text *out)
{
    writer w = {.out = out, .form = table->form};
    const bool json = table->form == P3D_FORM_JSON;
    p3d_text value = {0};

    if (json)
        p3d_text_add(out, "{");
    for (int i = 0; i < table->n_options; i++) {
        const p3d_option *const option = &table->options[i];

        if (option->kind == P3D_OPTION_HEAD) {
            put_head(&w, option);
            continue;
        }
        p3d_text_free(&value);
        if (exchange_option_print(option, launch, defaults, &value))
            put_option(&w, option, p3d_text_get(&value));
    }
    end_call(&w);
    if (json && w.open != NULL)
        close_objects(&w, depth_of(w.open), 0);
    if (json)
        p3d_text_add(out, "\n}\n");
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}
