/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_text.c - the words of a script: blanks, quotes, and what is kept of
 * them in variables. */
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/shell_reader.h"

void shell_close_with(shell_reader *r, char mark, int line, const char *what)
{
    if (*r->at == mark) {
        r->at++;
    } else if (r->cut_line == 0) {
        r->cut_line = line;
        r->cut = what;
    }
}

bool shell_ends_word(char c)
{
    return c == '\0' || strchr(" \t\r\n;|&()<>", c) != NULL;
}

void shell_skip_blanks(shell_reader *r)
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

static void append(shell_reader *r, shell_word *w, const char *letter)
{
    p3d_text_append(&w->text, letter, 1);
    p3d_text_append(&r->written, letter, 1);
}

/* A character in quotes. */
static void append_quoted(shell_reader *r, shell_word *w)
{
    const bool ends_line = *r->at == '\n' && !r->keeps_lines;

    r->line += *r->at == '\n';
    append(r, w, ends_line ? " " : r->at);
}

/* What stands for a variable; one with options was read where it was set. */
static void append_expanded(shell_reader *r, shell_word *w)
{
    const size_t from = w->text.length;
    const char *put;

    shell_take_variable(r, r->at);
    r->at = exchange_shell_expand(&r->variables, r->at, &w->text);
    put = p3d_text_get(&w->text) + from;
    if (!w->text.failed && strstr(put, "--") == NULL &&
            strchr(put, '=') == NULL)
        p3d_text_add(&r->written, "%s", put);
}

static void read_double_quotes(shell_reader *r, shell_word *w)
{
    r->at++;
    while (*r->at != '\0' && *r->at != '"') {
        if (*r->at == '$' || *r->at == '`') {
            append_expanded(r, w);
            continue;
        }
        if (*r->at == '\\' && r->at[1] != '\0') {
            r->at++;
            if (*r->at == '\n' && !r->keeps_lines) {
                r->line++;
                r->at++;
                continue;
            }
            if (*r->at == '\n')
                p3d_text_add(&w->text, "\\");
        }
        append_quoted(r, w);
        r->at++;
    }
    shell_close_with(r, '"', w->line, "quote");
}

static void read_single_quotes(shell_reader *r, shell_word *w)
{
    for (r->at++; *r->at != '\0' && *r->at != '\''; r->at++)
        append_quoted(r, w);
    shell_close_with(r, '\'', w->line, "quote");
}

void shell_read_word(shell_reader *r, shell_word *w)
{
    r->variables.is_idle = exchange_branches_skip(&r->branches);
    p3d_text_cut(&r->written, 0);
    *w = (shell_word){
            .literal = *r->at != '$' && !(*r->at == '"' && r->at[1] == '$'),
            .line = r->line};
    while (!shell_ends_word(*r->at)) {
        if (*r->at == '"') {
            read_double_quotes(r, w);
        } else if (*r->at == '\'') {
            read_single_quotes(r, w);
        } else if (*r->at == '$' || *r->at == '`') {
            append_expanded(r, w);
        } else if (*r->at == '\\' && r->at[1] == '\n') {
            break;
        } else {
            r->at += *r->at == '\\' && r->at[1] != '\0';
            append(r, w, r->at);
            r->at++;
        }
    }
}

/* True for "$1" and "$#", which nothing stands for where the script is called
 * without arguments. */
static bool is_argument(const char *text)
{
    text += strspn(text, "${");
    return p3d_is_digit(text[0]) || text[0] == '#';
}

/* A variable of a branch that may not run has no value that is known, but for
 * one from before where the script is called without arguments. */
void shell_keep(shell_reader *r, const char *name, size_t n, const char *value,
        bool appends)
{
    const char *const doubt = exchange_branches_doubt(&r->branches);

    if (exchange_branches_skip(&r->branches))
        return;
    if (doubt != NULL && is_argument(doubt) &&
            exchange_shell_find(&r->variables, name, n) != NULL)
        return;
    if (!exchange_shell_set(&r->variables, name, n,
                doubt != NULL ? doubt : value, appends && doubt == NULL))
        r->failed = true;
}

void shell_take_json(shell_reader *r, const p3d_text *text)
{
    static const char *const marks[] = {"\"zero_optimization\"",
            "\"train_micro_batch_size_per_gpu\"", "\"train_batch_size\""};
    const int from = r->out->n;
    const char *const data = p3d_text_get(text);
    p3d_error none = {0};
    bool is_one = false;

    for (int i = 0; i < P3D_COUNT_OF(marks); i++)
        is_one = is_one || strstr(data, marks[i]) != NULL;
    if (!is_one || strpbrk(data, "$`") != NULL)
        return;
    if (!exchange_read_json("", data, text->length, r->out, &none))
        exchange_settings_cut(r->out, from);
    for (int i = from; i < r->out->n; i++) {
        r->out->at[i].line = r->line;
        r->out->at[i].column = 0;
    }
}
