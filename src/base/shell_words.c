/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_words.c - the words of a command as a shell would split them. */
#include "base/shell_words.h"

#include <string.h>

static const char BLANKS[] = " \t\n";
static const char ACTIVE[] = "$`|&;<>()*?";
static const char ACTIVE_IN_QUOTES[] = "$`";
static const char ESCAPED_IN_QUOTES[] = "\"\\$`";

/* Where the reader is, and where the next byte of a word goes. */
typedef struct splitter {
    const char *at;
    char *to;
    p3d_error *err;
} splitter;

static bool fail_active(splitter *s)
{
    return p3d_fail(s->err, P3D_USAGE,
            "'%c' has a meaning to a shell, and none is here; put it in single "
            "quotes, or the command in a script",
            *s->at);
}

static bool read_single(splitter *s)
{
    const char *const end = strchr(s->at, '\'');

    if (end == NULL)
        return p3d_fail(s->err, P3D_USAGE, "a quote ' is not closed");
    memcpy(s->to, s->at, (size_t)(end - s->at));
    s->to += end - s->at;
    s->at = end + 1;
    return true;
}

static bool read_double(splitter *s)
{
    while (*s->at != '"') {
        if (*s->at == '\0')
            return p3d_fail(s->err, P3D_USAGE, "a quote \" is not closed");
        if (strchr(ACTIVE_IN_QUOTES, *s->at) != NULL)
            return fail_active(s);
        if (*s->at == '\\' && s->at[1] != '\0' &&
                strchr(ESCAPED_IN_QUOTES, s->at[1]) != NULL)
            s->at++;
        *s->to++ = *s->at++;
    }
    s->at++;
    return true;
}

static bool read_word(splitter *s)
{
    while (*s->at != '\0' && strchr(BLANKS, *s->at) == NULL) {
        const char c = *s->at;

        if (strchr(ACTIVE, c) != NULL)
            return fail_active(s);
        if (c == '\'' || c == '"') {
            s->at++;
            if (!(c == '\'' ? read_single(s) : read_double(s)))
                return false;
            continue;
        }
        s->at += c == '\\';
        if (*s->at == '\0')
            return p3d_fail(s->err, P3D_USAGE, "nothing behind the last \\");
        *s->to++ = *s->at++;
    }
    *s->to++ = '\0';
    return true;
}

bool p3d_shell_words_split(
        const char *command, p3d_shell_words *out, p3d_error *err)
{
    splitter s = {.at = command, .to = out->text, .err = err};

    out->n = 0;
    if (strlen(command) >= P3D_MAX_SHELL_TEXT / 2)
        return p3d_fail(err, P3D_USAGE, "longer than %d bytes",
                P3D_MAX_SHELL_TEXT / 2 - 1);
    for (;;) {
        s.at += strspn(s.at, BLANKS);
        if (*s.at == '\0')
            break;
        if (out->n == P3D_MAX_SHELL_WORDS)
            return p3d_fail(
                    err, P3D_USAGE, "more than %d words", P3D_MAX_SHELL_WORDS);
        out->at[out->n++] = s.to;
        if (!read_word(&s))
            return false;
    }
    return out->n > 0 || p3d_fail(err, P3D_USAGE, "no word");
}
