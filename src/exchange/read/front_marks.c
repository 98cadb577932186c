/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_marks.c - marks of front ends among settings. */
#include "exchange/read/front_steps.h"

#include <string.h>

#include "base/ascii.h"

enum { MAX_MARK = EXCHANGE_MAX_MARK };

const char *exchange_value_of(const exchange_setting *setting)
{
    return setting->value != NULL ? setting->value : "true";
}

bool exchange_is_word(const char *value, const char *word)
{
    return p3d_same_word(value, word) ||
           (p3d_same_word(word, "true") && strcmp(value, "1") == 0);
}

/* "name", "name=value" or "part.", which stands for all below it. */
static bool is_marked(const exchange_setting *setting, const char *mark)
{
    char name[MAX_MARK];
    const size_t n = strcspn(mark, "=");

    if (n >= sizeof(name) || setting->name[0] == '\0')
        return false;
    memcpy(name, mark, n);
    name[n] = '\0';
    if (n > 0 && name[n - 1] == '.')
        return strncmp(setting->name, name, n) == 0;
    return exchange_same_name(setting->name, name, true) &&
           (mark[n] == '\0' ||
                   exchange_is_word(exchange_value_of(setting), mark + n + 1));
}

static bool has_mark(const exchange_settings *settings, const char *mark)
{
    for (int i = 0; i < settings->n; i++)
        if (is_marked(&settings->at[i], mark))
            return true;
    return false;
}

/* True where one of "a|b" is among the settings. */
static bool has_one(const exchange_settings *settings, const char *marks)
{
    char mark[MAX_MARK];

    while (*marks != '\0') {
        const size_t n = strcspn(marks, "|");

        if (n < sizeof(mark)) {
            memcpy(mark, marks, n);
            mark[n] = '\0';
            if (strcmp(mark, "@one") == 0
                            ? settings->n_nodes * settings->gpus_per_node == 1
                            : has_mark(settings, mark))
                return true;
        }
        marks += n + (marks[n] == '|');
    }
    return false;
}

bool exchange_marks_hold(const exchange_settings *settings, const char *marks)
{
    return marks[0] == '!' ? !has_one(settings, marks + 1)
                           : has_one(settings, marks);
}

void exchange_drop(exchange_setting *setting)
{
    setting->name[0] = '\0';
    setting->used = true;
}
