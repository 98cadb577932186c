/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lines.c - a log in parts becomes lines; of these the JSON of a
 * configuration is found, and read.
 *
 * Source: ECMA-48, 5.4 (control sequences: ESC, '[', parameters, a letter from
 * '@' on). A bar of tqdm goes back to the first column with a carriage return:
 * each of its states is a line here. pytorch/torchtitan@b5bcd76c:torchtitan/
 * trainer.py (222-226: with --debug.print_config, over several lines). */
#include "exchange/read/log.h"

#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"

enum { PLAIN, AFTER_ESCAPE, IN_SEQUENCE };

static bool end_line(exchange_log_cutter *c, bool open, p3d_error *err)
{
    const exchange_log_line line = {c->line, c->n, c->number + 1, open};

    if (c->n == 0)
        return true;
    c->line[c->n] = '\0';
    c->n = 0;
    return c->take(c->to, &line, err);
}

/* Where a character leaves a sequence of a terminal. */
static int after(int escape, char c)
{
    if (escape == AFTER_ESCAPE)
        return c == '[' ? IN_SEQUENCE : PLAIN;
    return '@' <= c && c <= '~' ? PLAIN : IN_SEQUENCE;
}

/* Characters that stand in a line as they are. */
static size_t plain_length(const char *part, size_t n)
{
    size_t i = 0;

    while (i < n && (unsigned char)part[i] >= ' ')
        i++;
    return i;
}

static void append(exchange_log_cutter *c, const char *text, size_t n)
{
    const size_t room = sizeof(c->line) - 1 - c->n;

    if (n > room)
        n = room;
    memcpy(c->line + c->n, text, n);
    c->n += n;
}

static bool take_control(exchange_log_cutter *c, char control, p3d_error *err)
{
    bool ok;

    switch (control) {
    case '\0':
        return p3d_fail(err, P3D_DATA,
                "a binary file; write a script, a configuration or a log");
    case '\n':
        ok = end_line(c, false, err);
        c->number++;
        return ok;
    case '\r': return end_line(c, false, err);
    case '\x1b': c->escape = AFTER_ESCAPE; return true;
    default: append(c, " ", 1); return true;
    }
}

bool exchange_log_cut(
        exchange_log_cutter *c, const char *part, size_t n, p3d_error *err)
{
    size_t i = 0;

    while (i < n) {
        const size_t length =
                c->escape == PLAIN ? plain_length(part + i, n - i) : 0;

        if (length > 0) {
            append(c, part + i, length);
            i += length;
        } else if (c->escape != PLAIN && part[i] != '\n') {
            c->escape = after(c->escape, part[i++]);
        } else {
            c->escape = PLAIN;
            if (!take_control(c, part[i++], err))
                return false;
        }
    }
    return true;
}

bool exchange_log_cut_end(exchange_log_cutter *c, p3d_error *err)
{
    return end_line(c, true, err);
}

/* Within the first characters of a line, before what it says. */
enum { MOST_BEFORE = 120 };

/* Source: torchrun --tee (torch/distributed/elastic/multiprocessing/
 * tail_log.py: "[default3]:"), torch/distributed/run.py "[rank3]:", DeepSpeed's
 * log_dist "[Rank 3]", srun --label "3: ". */
int exchange_log_rank(const char *line)
{
    static const char *const marks[] = {"[rank", "[default", "[Rank "};
    int64_t rank;
    const size_t label = p3d_scan_whole(line, &rank);

    if (label > 0 && line[label] == ':' && line[label + 1] == ' ' &&
            rank < INT32_MAX)
        return (int)rank;
    for (int i = 0; i < P3D_COUNT_OF(marks); i++) {
        const char *const at = strstr(line, marks[i]);
        const char *const number = at != NULL ? at + strlen(marks[i]) : line;

        if (at != NULL && at - line < MOST_BEFORE && p3d_is_digit(*number) &&
                number[p3d_scan_whole(number, &rank)] == ']' &&
                rank < INT32_MAX)
            return (int)rank;
    }
    return -1;
}

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
