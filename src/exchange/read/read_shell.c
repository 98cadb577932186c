/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_shell.c - the options that a shell script gives to a program, read
 * without running it: variables, arrays and simple arithmetic are followed,
 * everything else is left as it is written. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/read.h"
#include "exchange/read/shell_value.h"

/* One word of a script. */
typedef struct word {
    p3d_text text;
    bool literal; /* it begins with what is written there */
    int line;
} word;

typedef struct reader {
    const char *at;
    int line;
    p3d_shell_variables variables;
    p3d_settings *out;
    p3d_error *err;
    p3d_text name;  /* of the option that is open; empty = none */
    p3d_text value; /* of it so far */
    bool has_value;
    int option_line;
    int cut_line; /* of what is still open where the script ends; 0 = none */
    const char *cut;
    bool failed;
} reader;

/* The script must not end within something: what follows would be missed. */
static void close_with(reader *r, char mark, int line, const char *what)
{
    if (*r->at == mark) {
        r->at++;
    } else if (r->cut_line == 0) {
        r->cut_line = line;
        r->cut = what;
    }
}

static bool ends_word(char c)
{
    return c == '\0' || strchr(" \t\r\n;|&()<>", c) != NULL;
}

static void close_option(reader *r)
{
    if (r->name.length > 0 &&
            !p3d_settings_add(r->out, p3d_text_get(&r->name),
                    r->has_value ? p3d_text_get(&r->value) : NULL,
                    r->option_line, r->err))
        r->failed = true;
    p3d_text_free(&r->name);
    p3d_text_free(&r->value);
    r->has_value = false;
}

/* "--name", "--name=value", and "--name value" in one pair of quotes. */
static void open_option(reader *r, const char *text, int line)
{
    const size_t n = strcspn(text, "= \t");

    close_option(r);
    p3d_text_append(&r->name, text, n);
    r->option_line = line;
    if (text[n] != '\0') {
        p3d_text_add(&r->value, "%s", text + n + 1);
        r->has_value = true;
    }
}

static void add_value(reader *r, const char *text)
{
    if (r->name.length == 0)
        return;
    p3d_text_add(&r->value, "%s%s", r->has_value ? " " : "", text);
    r->has_value = true;
}

/* A word of a command or of an array. Options inside the value of a variable
 * were read where it was set. */
static void take_word(reader *r, const word *w)
{
    const char *const text = p3d_text_get(&w->text);

    if (strncmp(text, "--", 2) == 0 && p3d_is_letter(text[2])) {
        if (w->literal)
            open_option(r, text + 2, w->line);
        else
            close_option(r);
        return;
    }
    if (strcmp(text, "\\") != 0)
        add_value(r, text);
}

static void skip_comment(reader *r)
{
    static const char slurm[] = "#SBATCH";
    const bool is_slurm = strncmp(r->at, slurm, sizeof(slurm) - 1) == 0;

    if (is_slurm) {
        r->at += sizeof(slurm) - 1;
        return; /* its options follow as words */
    }
    while (*r->at != '\0' && *r->at != '\n')
        r->at++;
}

/* Blanks and continued lines. */
static void skip_blanks(reader *r)
{
    for (;;) {
        if (*r->at == '\\' &&
                (r->at[1] == '\n' || (r->at[1] == '\r' && r->at[2] == '\n'))) {
            r->at += r->at[1] == '\n' ? 2 : 3;
            r->line++;
        } else if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') {
            r->at++;
        } else {
            return;
        }
    }
}

static void read_double_quotes(reader *r, word *w)
{
    r->at++;
    while (*r->at != '\0' && *r->at != '"') {
        if (*r->at == '$' || *r->at == '`') {
            r->at = p3d_shell_expand(&r->variables, r->at, &w->text);
            continue;
        }
        if (*r->at == '\\' && r->at[1] != '\0') {
            r->at++;
            if (*r->at == '\n') {
                r->line++;
                r->at++;
                continue;
            }
        }
        r->line += *r->at == '\n';
        p3d_text_append(&w->text, *r->at == '\n' ? " " : r->at, 1);
        r->at++;
    }
    close_with(r, '"', w->line, "quote");
}

static void read_single_quotes(reader *r, word *w)
{
    for (r->at++; *r->at != '\0' && *r->at != '\''; r->at++) {
        r->line += *r->at == '\n';
        p3d_text_append(&w->text, *r->at == '\n' ? " " : r->at, 1);
    }
    close_with(r, '\'', w->line, "quote");
}

static void read_word(reader *r, word *w)
{
    *w = (word){.literal = *r->at != '$' && !(*r->at == '"' && r->at[1] == '$'),
            .line = r->line};
    while (!ends_word(*r->at)) {
        if (*r->at == '"') {
            read_double_quotes(r, w);
        } else if (*r->at == '\'') {
            read_single_quotes(r, w);
        } else if (*r->at == '$' || *r->at == '`') {
            r->at = p3d_shell_expand(&r->variables, r->at, &w->text);
        } else if (*r->at == '\\' && r->at[1] == '\n') {
            break;
        } else {
            r->at += *r->at == '\\' && r->at[1] != '\0';
            p3d_text_append(&w->text, r->at, 1);
            r->at++;
        }
    }
}

/* Length of "NAME=" or "NAME+=" at the start of a command; 0 = none. */
static size_t assignment_length(const char *at)
{
    size_t n = 0;

    if (!p3d_is_word(*at) || p3d_is_digit(*at))
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    if (at[n] == '=')
        return n + 1;
    return at[n] == '+' && at[n + 1] == '=' ? n + 2 : 0;
}

/* Options in a value that is one quoted string: "--a 1 \ --b 2". */
static void take_string(reader *r, const char *text, int line)
{
    while (*text != '\0') {
        const size_t blank = strspn(text, " \t\n");
        const size_t n = strcspn(text + blank, " \t\n");
        word w = {.literal = true, .line = line};

        p3d_text_append(&w.text, text + blank, n);
        if (n > 0)
            take_word(r, &w);
        p3d_text_free(&w.text);
        text += blank + n;
    }
    close_option(r);
}

static void skip_to_word(reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (*r->at == '\n') {
            r->line++;
            r->at++;
        } else if (*r->at == '#') {
            skip_comment(r);
        } else {
            return;
        }
    }
}

static void read_array(reader *r, p3d_text *value)
{
    const int line = r->line;

    r->at++;
    for (;;) {
        word w;

        skip_to_word(r);
        if (*r->at == '\0' || *r->at == ')')
            break;
        if (ends_word(*r->at)) { /* nothing that an array holds */
            r->at++;
            continue;
        }
        read_word(r, &w);
        take_word(r, &w);
        p3d_text_add(value, "%s%s", value->length > 0 ? " " : "",
                p3d_text_get(&w.text));
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_with(r, ')', line, "array");
    close_option(r);
}

static void read_assignment(reader *r, size_t length)
{
    const char *const name = r->at;
    const bool appends = r->at[length - 2] == '+';
    const size_t n = length - 1 - appends;
    p3d_text value = {0};
    const int line = r->line;

    r->at += length;
    if (*r->at == '(') {
        read_array(r, &value);
    } else {
        word w;

        read_word(r, &w);
        value = w.text;
        if (w.literal)
            take_string(r, p3d_text_get(&value), line);
    }
    if (!p3d_shell_set(&r->variables, name, n, p3d_text_get(&value), appends))
        r->failed = true;
    r->failed = r->failed || value.failed;
    p3d_text_free(&value);
}

/* A command up to its end. */
static void read_command(reader *r)
{
    bool first = true;

    for (;;) {
        size_t length;
        word w;

        skip_blanks(r);
        if (*r->at == '#') {
            skip_comment(r);
            skip_blanks(r);
        }
        if (ends_word(*r->at))
            break;
        length = first ? assignment_length(r->at) : 0;
        if (length > 0) {
            read_assignment(r, length);
            continue;
        }
        read_word(r, &w);
        first = first && (strcmp(p3d_text_get(&w.text), "export") == 0 ||
                                 strcmp(p3d_text_get(&w.text), "local") == 0 ||
                                 strcmp(p3d_text_get(&w.text), "declare") == 0);
        take_word(r, &w);
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
    close_option(r);
}

static bool fail_at(int line, p3d_error *err)
{
    if (err != NULL) {
        err->line = line;
        err->column = 1;
    }
    return false;
}

/* What is wrong with the script as a whole. */
static bool check(const reader *r, p3d_error *err)
{
    if (r->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (p3d_shell_too_long(&r->variables)) {
        p3d_fail(err, P3D_DATA,
                "up to here the variables of the script stand for more than "
                "%d MiB of text; write what the launch needs without them",
                P3D_SHELL_EXPANDED >> 20);
        return fail_at(r->line, err);
    }
    if (r->cut_line == 0)
        return true;
    p3d_fail(err, P3D_DATA,
            "the script ends within the %s that begins in this line; is it "
            "whole?",
            r->cut);
    return fail_at(r->cut_line, err);
}

bool p3d_read_shell(const char *text, p3d_settings *out, p3d_error *err)
{
    reader r = {.at = text, .line = 1, .out = out, .err = err};
    bool ok;

    while (*r.at != '\0' && !r.failed && !p3d_shell_too_long(&r.variables)) {
        skip_blanks(&r);
        read_command(&r);
        if (*r.at == '\n')
            r.line++;
        if (*r.at != '\0')
            r.at++;
    }
    ok = check(&r, err);
    p3d_shell_free(&r.variables);
    p3d_text_free(&r.name);
    p3d_text_free(&r.value);
    return ok;
}
