/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_edit.c - a configuration that a script makes of a template by "sed
 * s/A/B/", as those of Megatron-DeepSpeed do. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "exchange/read/follow.h"
#include "exchange/read/shell_reader.h"

enum { MOST_EDITS = 64, MAX_EDIT = 200, MOST_BYTES = 1 << 20 };

/** "s/FROM/TO/" */
typedef struct edit {
    char from[MAX_EDIT];
    char to[MAX_EDIT];
    bool everywhere; /* in a line, not at its first place alone */
} edit;

/** A pipeline of them. */
typedef struct edits {
    edit at[MOST_EDITS];
    int n;
    bool broken;  /* one is not understood */
    bool in_file; /* "-i": the template itself is changed */
    char file[MAX_EDIT];
} edits;

/* A part of "s/A/B/" up to the mark between them. @return behind the mark; NULL
 * where it is no plain text */
static const char *take_part(const char *at, char mark, char *out)
{
    size_t n = 0;

    for (; *at != '\0' && *at != mark; at++) {
        at += *at == '\\' && at[1] == mark;
        if (n + 1 >= MAX_EDIT)
            return NULL;
        out[n++] = *at;
    }
    out[n] = '\0';
    return *at == mark ? at + 1 : NULL;
}

static void take_edit(const char *text, edits *e)
{
    edit one = {.everywhere = false};
    const char mark = text[1];
    const char *at = take_part(text + 2, mark, one.from);

    at = at != NULL ? take_part(at, mark, one.to) : NULL;
    if (at == NULL || one.from[0] == '\0' || e->n == MOST_EDITS ||
            strpbrk(one.from, ".*[]^$\\+?(){}|") != NULL ||
            strpbrk(one.to, "&\\$`") != NULL || at[strspn(at, "g")] != '\0') {
        e->broken = true;
        return;
    }
    one.everywhere = *at == 'g';
    e->at[e->n++] = one;
}

static bool is_edit(const char *text)
{
    return text[0] == 's' && text[1] != '\0' && strchr("/|#,@:", text[1]);
}

static void take_argument(const char *text, edits *e)
{
    if (is_edit(text))
        take_edit(text, e);
    else if (text[0] == '-')
        e->in_file = e->in_file || text[1] == 'i';
    else if (e->file[0] == '\0' && !p3d_copy(e->file, sizeof(e->file), text))
        e->broken = true;
}

/* The words of a command, "sed" itself left out. */
static void take_words(shell_reader *r, edits *e)
{
    for (;;) {
        shell_word w;

        shell_skip_blanks(r);
        if (shell_ends_word(*r->at))
            return;
        shell_read_word(r, &w);
        if (strcmp(p3d_text_get(&w.text), "sed") != 0)
            take_argument(p3d_text_get(&w.text), e);
        r->failed = r->failed || w.text.failed;
        p3d_text_free(&w.text);
    }
}

/* A copy of a text with one edit made. */
static void make_edit(const p3d_text *text, const edit *one, p3d_text *out)
{
    const size_t n = strlen(one->from);
    bool made = false;

    for (const char *at = p3d_text_get(text); *at != '\0';) {
        if ((one->everywhere || !made) && strncmp(at, one->from, n) == 0) {
            p3d_text_add(out, "%s", one->to);
            at += n;
            made = true;
            continue;
        }
        made = made && *at != '\n';
        p3d_text_append(out, at++, 1);
    }
}

static void make_edits(const edits *e, p3d_text *text)
{
    for (int i = 0; i < e->n && !text->failed; i++) {
        p3d_text next = {0};

        make_edit(text, &e->at[i], &next);
        p3d_text_free(text);
        *text = next;
    }
}

static void take_template(shell_reader *r, const edits *e)
{
    p3d_text path = {0}, text = {0};
    p3d_error none = {0};
    char *data = NULL;
    size_t length = 0;

    if (r->out->path != NULL)
        exchange_find_beside(r->out->path, e->file, &path);
    if (path.length > 0 &&
            p3d_read_file(path.data, MOST_BYTES, &data, &length, &none)) {
        p3d_text_add(&text, "%s", data);
        make_edits(e, &text);
        if (!text.failed)
            shell_take_json(r, &text);
    }
    r->failed = r->failed || path.failed || text.failed;
    free(data);
    p3d_text_free(&path);
    p3d_text_free(&text);
}

void shell_read_edits(shell_reader *r)
{
    edits *const e = calloc(1, sizeof(*e)); /* too large for a stack */

    if (e == NULL) {
        r->failed = true;
        return;
    }
    take_words(r, e);
    while (*r->at == '|' && r->at[1] != '|') {
        const char *const next = r->at + 1;

        r->at = next;
        shell_skip_blanks(r);
        if (strncmp(r->at, "sed", 3) != 0 || !shell_ends_word(r->at[3])) {
            e->broken = true;
            r->at = next - 1;
            break;
        }
        take_words(r, e);
    }
    if (!e->broken && !e->in_file && e->n > 0 && e->file[0] != '\0' &&
            *r->at == '>' && !exchange_branches_skip(&r->branches))
        take_template(r, e);
    free(e);
}
