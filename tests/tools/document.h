/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - what the tools that write tables ask of the program: commands
 * with --json, and values of their documents. */
#ifndef P3D_TESTS_DOCUMENT_H
#define P3D_TESTS_DOCUMENT_H

#include <cjson/cJSON.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/command.h"

enum { DOCUMENT_MAX_LINE = 1024, DOCUMENT_MAX_ARGUMENTS = 48 };

/** A number, or 0 and 1 of a boolean; not-a-number where there is none. */
static inline double document_number(const cJSON *object, const char *name)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsBool(item) ? cJSON_IsTrue(item) : cJSON_GetNumberValue(item);
}

/** A text; "" where there is none. */
static inline const char *document_text(const cJSON *object, const char *name)
{
    const char *const value = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(object, name));

    return value != NULL ? value : "";
}

/** A member; NULL where there is none. */
static inline const cJSON *document_part(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/** Cut what is before the separator off the rest; NULL = nothing is left. */
static inline char *document_cut(char **rest, char separator)
{
    char *const word = *rest;
    char *end;

    if (word == NULL)
        return NULL;
    end = strchr(word, separator);
    *rest = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return word;
}

/** Cut a line of a table into its columns, in place.
 *  @return false where there are fewer */
static inline bool document_split(char *line, char **columns, int n)
{
    char *rest = line;

    rest[strcspn(rest, "\n")] = '\0';
    for (int i = 0; i < n; i++)
        columns[i] = document_cut(&rest, '\t');
    return columns[n - 1] != NULL;
}

/**
 * Run a command with --json.
 *
 * @param words  NULL-terminated arguments, the command first
 * @param options  more of them, between blanks
 * @return the document, to be given to cJSON_Delete(); NULL where the answer is
 *         none
 */
static inline cJSON *document_ask(const char *const *words, const char *options)
{
    const char *argv[DOCUMENT_MAX_ARGUMENTS];
    char copy[DOCUMENT_MAX_LINE];
    char *rest = copy;
    char *out = NULL;
    cJSON *document = NULL;
    int n = 0;

    while (words[n] != NULL) {
        argv[n] = words[n];
        n++;
    }
    argv[n++] = "--json";
    p3d_copy(copy, sizeof(copy), options);
    for (char *word; n < DOCUMENT_MAX_ARGUMENTS &&
                     (word = document_cut(&rest, ' ')) != NULL;)
        if (word[0] != '\0')
            argv[n++] = word;
    if (p3d_command(n, argv, &out, NULL) <= 1 && out != NULL)
        document = cJSON_Parse(out);
    p3d_command_free(out);
    return document;
}

#endif
