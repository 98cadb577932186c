/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions_shell.c - where functions and here-documents of a script begin and
 * end. */
#include "exchange/read/shell_reader.h"

#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { MAX_NAME = 100 };

bool exchange_here_read(const char *at, exchange_here *out)
{
    if (strncmp(at, "<<", 2) != 0 || at[2] == '<')
        return false;
    at += 2 + (at[2] == '-');
    at += strspn(at, " \t");
    out->is_plain = *at == '"' || *at == '\'';
    at += out->is_plain;
    out->end = at;
    for (out->n = 0; p3d_is_word(at[out->n]);)
        out->n++;
    return out->n > 0;
}

const char *exchange_here_end(const char *at, const exchange_here *here)
{
    while (*at != '\0') {
        const char *const line = at + strspn(at, "\t ");

        if (strncmp(line, here->end, here->n) == 0 &&
                strchr("\r\n", line[here->n]) != NULL)
            return at;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    while (p3d_is_word(at[n]) || at[n] == '-' || at[n] == '.')
        n++;
    return p3d_is_digit(at[0]) || n > MAX_NAME ? 0 : n;
}

/* Place behind what is quoted at a place, or behind the one character. */
static const char *skip_quoted(const char *at)
{
    const char mark = *at;

    if (mark == '\\' && at[1] != '\0')
        return at + 2;
    if (mark != '"' && mark != '\'')
        return at + 1;
    for (at++; *at != '\0' && *at != mark; at++)
        at += mark == '"' && *at == '\\' && at[1] != '\0';
    return at + (*at == mark);
}

/* Place behind the lines of here-documents, at the end of whose first line a
 * place is. */
static const char *skip_here(const char *at, exchange_here *here)
{
    const char *const end =
            here->n > 0 ? exchange_here_end(at + 1, here) : NULL;

    here->n = 0;
    return end != NULL ? end + strcspn(end, "\n") : at + 1;
}

/* Place of the "}" that ends the body whose "{" was read; NULL = none. A brace
 * counts where a command begins, as "${NAME}" has some, too. */
static const char *find_brace(const char *at)
{
    exchange_here here = {.n = 0};
    bool begins = true;
    int depth = 1;

    while (*at != '\0') {
        const char c = *at;

        if (begins && c == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        if (begins && c == '}' && --depth == 0)
            return at;
        depth += begins && c == '{' && p3d_is_space(at[1]);
        (void)(here.n > 0 || exchange_here_read(at, &here));
        begins = strchr("\n;&|({", c) != NULL ||
                 (begins && (p3d_is_space(c) || c == '}'));
        at = c == '\n' ? skip_here(at, &here) : skip_quoted(at);
    }
    return NULL;
}

/* True where a command may begin: behind what is before a place. */
static bool may_begin(const char *text, const char *at)
{
    static const char *const words[] = {
            "then", "do", "else", "if", "while", "until", "!", "time"};
    const char *word;

    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    if (at == text || strchr("\n;&|({", at[-1]) != NULL)
        return true;
    for (word = at; word > text && !p3d_is_space(word[-1]) && word[-1] != ';';)
        word--;
    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        if (strlen(words[i]) == (size_t)(at - word) &&
                strncmp(words[i], word, (size_t)(at - word)) == 0)
            return true;
    return false;
}

static bool is_called(const char *text, const char *name, size_t n)
{
    for (const char *at = text; *at != '\0'; at++)
        if (strncmp(at, name, n) == 0 &&
                (at == text || p3d_is_space(at[-1]) ||
                        strchr(";&|(", at[-1])) &&
                strchr(" \t\r\n;&|)", at[n]) != NULL &&
                strncmp(at + n + strspn(at + n, " \t"), "()", 2) != 0 &&
                may_begin(text, at))
            return true;
    return false;
}

/* A function that begins at a place. */
typedef struct head {
    const char *name;
    size_t n;
    const char *body; /* behind its "{" */
} head;

static bool read_head(const char *at, head *out)
{
    static const char word[] = "function";
    const size_t n = sizeof(word) - 1;
    const bool has_word =
            strncmp(at, word, n) == 0 && (at[n] == ' ' || at[n] == '\t');

    if (has_word)
        at += n + strspn(at + n, " \t");
    out->name = at;
    out->n = name_length(at);
    at += out->n;
    at += strspn(at, " \t");
    if (*at == '(') {
        at++;
        at += strspn(at, " \t");
        if (*at++ != ')')
            return false;
    } else if (!has_word) {
        return false;
    }
    at += strspn(at, " \t\r\n");
    out->body = at + 1;
    return out->n > 0 && *at == '{' && p3d_is_space(at[1]);
}

const char *exchange_shell_define(
        exchange_shell_functions *functions, const char *at, int line)
{
    exchange_shell_function *one;
    const char *end;
    head h;

    if (functions->n == EXCHANGE_SHELL_FUNCTIONS || functions->depth > 0 ||
            !read_head(at, &h))
        return NULL;
    end = find_brace(h.body);
    if (end == NULL || !is_called(end + 1, h.name, h.n))
        return NULL;
    one = &functions->at[functions->n++];
    *one = (exchange_shell_function){.line = line};
    for (const char *p = at; p < h.body; p++)
        one->line += *p == '\n';
    p3d_text_append(&one->name, h.name, h.n);
    p3d_text_append(&one->body, h.body, (size_t)(end - h.body));
    return end + 1;
}

const exchange_shell_function *exchange_shell_function_of(
        const exchange_shell_functions *functions, const char *name)
{
    for (int i = functions->n - 1; i >= 0; i--)
        if (strcmp(p3d_text_get(&functions->at[i].name), name) == 0)
            return &functions->at[i];
    return NULL;
}

void exchange_shell_functions_free(exchange_shell_functions *functions)
{
    for (int i = 0; i < functions->n; i++) {
        p3d_text_free(&functions->at[i].name);
        p3d_text_free(&functions->at[i].body);
    }
    functions->n = 0;
}
