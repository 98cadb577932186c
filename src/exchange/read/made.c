/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.c - what plan3d export wrote at the head of its files: the program that
 * they are for, whose plan may stand in a file beside the script, and the
 * model, which the script has from outside. */
#include <string.h>

#include "base/util.h"
#include "exchange/launch/target.h"
#include "exchange/read/read.h"

enum { MAX_LINE = 200, MOST_LINES = 8 };

/* The rest of a line that begins so. @return NULL for others */
static char *take_line(const char *line, const char *begin, char *copy)
{
    const size_t n = strlen(begin);
    const size_t length = strcspn(line, "\n");

    if (length >= MAX_LINE || strncmp(line, begin, n) != 0)
        return NULL;
    memcpy(copy, line, length);
    copy[length] = '\0';
    return copy + n;
}

static const exchange_target *find_title(const char *title)
{
    for (int i = 0; exchange_target_at(i) != NULL; i++)
        if (strcmp(exchange_target_at(i)->title, title) == 0)
            return exchange_target_at(i);
    return NULL;
}

static bool put(exchange_settings *out, const char *name, const char *value,
        p3d_error *err)
{
    if (!exchange_settings_add(out, name, value, 1, err))
        return false;
    out->at[out->n - 1].used = true;
    return true;
}

/* "# Made by plan3d 0.1.0 for TITLE." */
static const exchange_target *read_program(const char *line)
{
    char copy[MAX_LINE];
    char *const rest = take_line(line, "# Made by plan3d ", copy);
    char *const title = rest != NULL ? strstr(rest, " for ") : NULL;
    char *const end = title != NULL ? strrchr(title, '.') : NULL;

    if (end == NULL || end[1] != '\0')
        return NULL;
    *end = '\0';
    return find_title(title + strlen(" for "));
}

/* "# model: NAME, cluster: 64 x A100" */
static const char *read_model(const char *line, char *copy)
{
    char *const name = take_line(line, "# model: ", copy);
    char *const end = name != NULL ? strstr(name, ", cluster: ") : NULL;

    if (end == NULL)
        return NULL;
    *end = '\0';
    return name;
}

/* DeepSpeed's JSON the script names itself. */
static const char *find_file(const exchange_target *target)
{
    for (int i = 0; i < target->n_tables; i++) {
        const char *const file = target->tables[i].file;

        if (file != NULL && strstr(file, ".json") == NULL)
            return file;
    }
    return NULL;
}

bool exchange_read_made(
        const char *text, exchange_settings *out, p3d_error *err)
{
    const exchange_target *target = NULL;
    char copy[MAX_LINE];

    for (int i = 0; i < MOST_LINES && *text != '\0'; i++) {
        const char *const model =
                target != NULL ? read_model(text, copy) : NULL;

        if (target == NULL)
            target = read_program(text);
        if (model != NULL)
            return put(out, EXCHANGE_MADE_MODEL, model, err) &&
                   (find_file(target) == NULL ||
                           put(out, EXCHANGE_MADE_FILE, find_file(target),
                                   err));
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return true;
}
