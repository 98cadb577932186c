/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_beside.c - reads the options of --beside and sets them in a copy of the
 * arguments. */
#include "cli/sweep_beside.h"

#include <string.h>

/* What two rows of a sweep may differ in beside their lists. */
/* clang-format off */
static const json_option options[] = {
    CLI_PIN_ROW,
    CLI_KIND_ROWS,
    CLI_PLACE_ROWS,
    CLI_TRAINING_ROWS,
};
/* clang-format on */

/* "dtype=fp8" becomes "--dtype=fp8". The words end with a zero each.
 * @return how many */
static int split(const char *words, p3d_text *text)
{
    int n = 0;

    for (const char *at = words + strspn(words, " "); *at != '\0'; n++) {
        const size_t length = strcspn(at, " ");

        p3d_text_add(text, "--");
        p3d_text_append(text, at, length);
        p3d_text_append(text, "", 1);
        at += length;
        at += strspn(at, " ");
    }
    return n;
}

static void set_given(const json_option_given *given, cli_args *out)
{
    for (int i = 0; i < out->n_given; i++)
        if (strcmp(out->given[i].option->field.key, given->option->field.key) ==
                0) {
            out->given[i] = *given;
            return;
        }
    P3D_ASSERT(out->n_given < CLI_MAX_GIVEN);
    out->given[out->n_given++] = *given;
}

/* One option a name, and the last wins: they are as many as options. */
static bool set_all(const cli_args *from, cli_args *out, p3d_error *err)
{
    for (int i = 0; i < from->n_given; i++) {
        const json_option_given *const given = &from->given[i];

        if (!json_option_set(given->option, given->value, out, err))
            return false;
        set_given(given, out);
    }
    return true;
}

/* "dtype=bf16": the values that the other ones take the place of. */
static void add_before(
        const cli_args *args, const cli_args *own, p3d_text *text)
{
    bool first = true;

    for (int i = 0; i < args->n_given; i++) {
        const json_option_given *const given = &args->given[i];

        if (!cli_is_given(own, given->option->field.key))
            continue;
        p3d_text_add(text, "%s%s%s%s", first ? "" : " ",
                given->option->field.key, given->value != NULL ? "=" : "",
                given->value != NULL ? given->value : "");
        first = false;
    }
}

static bool read_words(
        const cli_args *args, p3d_text *text, cli_args *own, p3d_error *err)
{
    const json_option_table table = CLI_TABLE(options);
    const char *argv[CLI_MAX_GIVEN];
    const int n = split(args->beside, text);
    const char *at = p3d_text_get(text);

    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (n == 0 || n > CLI_MAX_GIVEN)
        return p3d_fail(err, P3D_USAGE,
                "write options with blanks between them, such as 'dtype=fp8 "
                "optimizer=muon'");
    for (int i = 0; i < n; i++, at += strlen(at) + 1)
        argv[i] = at;
    return cli_args_parse(table, (cli_line){n, argv, -1}, own, err);
}

bool cli_beside_read(
        const cli_args *args, p3d_text words[2], cli_args *out, p3d_error *err)
{
    p3d_error cause = {.code = P3D_OK};
    cli_args own;

    *out = *args;
    if (!read_words(args, &words[0], &own, &cause) ||
            !set_all(&own, out, &cause))
        return p3d_fail(err, cause.code, "--beside: %.400s", cause.text);
    add_before(args, &own, &words[1]);
    return !words[1].failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}
