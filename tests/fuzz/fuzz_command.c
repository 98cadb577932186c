/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_command.c - command lines, an argument a line: read by the tables of
 * every command, and as a question in words. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/options.h"

enum { MAX_ARGUMENTS = 80 };

/* Cut a text into its lines. @return how many */
static int split(char *text, const char *arguments[MAX_ARGUMENTS])
{
    int n = 0;

    while (n < MAX_ARGUMENTS) {
        char *const end = strchr(text, '\n');

        arguments[n++] = text;
        if (end == NULL)
            break;
        *end = '\0';
        text = end + 1;
    }
    return n;
}

/* What is understood is a command with words. */
static bool read_question(int n, const char *const *words)
{
    cli_asked *const asked = malloc(sizeof(*asked));
    p3d_error err = {0};
    bool ok;

    P3D_ASSERT(asked != NULL);
    ok = cli_ask_read(n, words, asked, &err);
    fuzz_check_error(ok, &err);
    P3D_ASSERT(!ok || (asked->n > 1 && asked->n <= CLI_ASKED_WORDS &&
                              cli_command_find(asked->word[0], NULL) != NULL));
    free(asked);
    return ok;
}

bool fuzz_command(const uint8_t *data, size_t n)
{
    char *const text = fuzz_text(data, n);
    const char *arguments[MAX_ARGUMENTS];
    const int n_arguments = split(text, arguments);
    bool any = read_question(n_arguments, arguments);

    for (int i = 0; cli_command_at(i) != NULL; i++) {
        cli_args args = {.n_words = 0};
        p3d_error err = {0};
        const bool ok = cli_args_parse(cli_command_at(i)->table,
                (cli_line){n_arguments, arguments, -1}, &args, &err);

        fuzz_check_error(ok, &err);
        P3D_ASSERT(args.n_words >= 0 && args.n_words <= CLI_MAX_WORDS);
        any = any || ok;
    }
    free(text);
    return any;
}
