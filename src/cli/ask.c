/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.c - a question in words becomes a command line: words to tokens, tokens
 * to facts, facts to the command. */
#include "cli/ask.h"

#include <stdlib.h>

#include "cli/ask_command.h"

bool cli_ask_read(
        int n, const char *const *words, cli_asked *out, p3d_error *err)
{
    ask_text *const text = malloc(sizeof(*text));
    ask_facts *const facts = malloc(sizeof(*facts));
    bool ok = text != NULL && facts != NULL;

    if (!ok) {
        free(text);
        free(facts);
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    ok = ask_text_read(n, words, text, err) &&
         ask_facts_read(text, facts, err) && ask_command(facts, out, err);
    ask_text_free(text);
    free(text);
    free(facts);
    return ok;
}
