/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_config.c - finds the JSON of a configuration in a log, and reads it.
 *
 * Source: pytorch/torchtitan@b5bcd76c:torchtitan/trainer.py (222-226: with
 * --debug.print_config, over several lines). */
#include "exchange/read/log_config.h"

#include <string.h>

#include "base/util.h"

static const char *const marks[] = {"Running with configs: {"};

static const char *begin_of(const char *line)
{
    for (int i = 0; i < P3D_COUNT_OF(marks); i++) {
        const char *const at = strstr(line, marks[i]);

        if (at != NULL)
            return at + strlen(marks[i]) - 1;
    }
    return NULL;
}

/* A launcher writes the rank before each line. */
static const char *without_rank(const char *line)
{
    const char *const end = strstr(line, "]:");

    return line[0] == '[' && end != NULL && exchange_log_rank(line) >= 0
                   ? end + 2
                   : line;
}

/* How much deeper a line of JSON leads; strings end in their line. */
static int deeper(const char *text)
{
    bool quoted = false;
    int depth = 0;

    for (; *text != '\0'; text++) {
        if (*text == '\\' && text[1] != '\0')
            text++;
        else if (*text == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (*text == '{' || *text == '[') -
                     (*text == '}' || *text == ']');
    }
    return depth;
}

static bool read(
        exchange_log_config *config, exchange_settings *out, p3d_error *err)
{
    const int n_before = out->n;
    p3d_error cause = {0};

    config->done = true;
    if (exchange_read_json("the log", p3d_text_get(&config->text),
                config->text.length, out, &cause))
        return true;
    exchange_settings_cut(out, n_before);
    return cause.code != P3D_SYSTEM ||
           p3d_fail(err, P3D_SYSTEM, "%s", cause.text);
}

bool exchange_log_config_take(exchange_log_config *config,
        const exchange_log_line *line, exchange_settings *out, p3d_error *err)
{
    const bool begins = config->text.length == 0;
    const char *text;

    if (config->done)
        return true;
    if (!begins && exchange_log_rank(line->text) != config->rank)
        return true;
    text = begins ? begin_of(line->text) : without_rank(line->text);
    if (text == NULL)
        return true;
    if (begins)
        config->rank = exchange_log_rank(line->text);
    p3d_text_add(&config->text, "%s\n", text);
    if (config->text.failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    config->depth += deeper(text);
    return config->depth > 0 || read(config, out, err);
}
