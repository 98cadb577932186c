/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_short.c - plans in the short words of tables, "TP8 PP4 VP10 DP2 Z1
 * full:20 +optimizer", which are read as well as written. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/plan_words.h"

/* Letters before a number, and the word that stands for them; some say nothing
 * where the number is 1. */
static const struct {
    const char *letters, *word;
    bool more_than_one;
} numbers[] = {{"TP", "tp", true}, {"PP", "pp", true}, {"VP", "vp", false},
        {"DP", "dp", true}, {"CP", "cp", false}, {"EP", "ep", false},
        {"ETP", "etp", false}, {"mb", "mbs", true}, {"Z", "zero", false},
        {"ZeRO-", "zero", false}};

/* "TP8": its letters are followed by nothing but digits. */
static bool is_number(const char *text, const char *letters)
{
    const size_t n = strlen(letters);

    return strncasecmp(text, letters, n) == 0 && text[n] != '\0' &&
           text[n + strspn(text + n, "0123456789")] == '\0';
}

/* "full", "full:20" */
static bool is_recomputation(const char *text)
{
    static const char *const names[] = {"full", "selective", "uniform"};
    const size_t n = strcspn(text, ":");

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strlen(names[i]) == n && strncasecmp(text, names[i], n) == 0)
            return true;
    return false;
}

static bool is_schedule(const char *text)
{
    const char *name;

    for (int i = 0; (name = spec_plan_value_name(P3D_KEY_schedule, i)) != NULL;
            i++)
        if (p3d_same_word(name, text))
            return true;
    return false;
}

const char *spec_plan_lengthen(const char *text, char *buffer, size_t n)
{
    if (strchr(text, '=') != NULL)
        return text;
    for (int i = 0; i < P3D_COUNT_OF(numbers); i++)
        if (is_number(text, numbers[i].letters)) {
            snprintf(buffer, n, "%s=%s", numbers[i].word,
                    text + strlen(numbers[i].letters));
            return buffer;
        }
    if (text[0] == '+')
        snprintf(buffer, n, "offload=%s", text + 1);
    else if (is_recomputation(text))
        snprintf(buffer, n, "recompute=%s", text);
    else if (is_schedule(text))
        snprintf(buffer, n, "schedule=%s", text);
    else
        return text;
    return buffer;
}

/* Writing. */

/* "tp=8" as "TP8"; a size of 1 says nothing. @return "" = likewise */
static const char *shorten(const char *text, char *buffer, size_t n)
{
    const size_t key = strcspn(text, "=");
    const char *const value = text[key] == '=' ? text + key + 1 : "";

    for (int i = 0; i < P3D_COUNT_OF(numbers); i++) {
        const bool is_it = strlen(numbers[i].word) == key &&
                           strncmp(text, numbers[i].word, key) == 0;

        if (!is_it)
            continue;
        if (strcmp(value, "1") == 0 && numbers[i].more_than_one)
            return "";
        snprintf(buffer, n, "%s%s", numbers[i].letters, value);
        return buffer;
    }
    if (strncmp(text, "offload=", key + 1) == 0)
        snprintf(buffer, n, "+%s", value);
    else if (strncmp(text, "recompute=", key + 1) == 0 ||
             strncmp(text, "schedule=", key + 1) == 0)
        snprintf(buffer, n, "%s", value);
    else
        return text;
    return buffer;
}

const char *spec_plan_print_short(const p3d_plan *plan, char *buffer, size_t n)
{
    char words[P3D_PLAN_WORDS], part[P3D_PLAN_WORDS];
    const bool alone =
            plan->tp == 1 && plan->pp == 1 && plan->dp == 1 && plan->cp == 1;
    size_t used = 0;

    buffer[0] = '\0';
    (void)p3d_plan_print(plan, words, sizeof(words));
    for (char *rest = words, *word; rest != NULL && used < n;) {
        const char *said;

        word = rest;
        rest = strchr(word, ',');
        if (rest != NULL)
            *rest++ = '\0';
        if ((alone && strncmp(word, "zero=", 5) == 0) ||
                (plan->tp > 1 && strcmp(word, "sp") == 0))
            continue;
        said = shorten(word, part, sizeof(part));
        if (said[0] != '\0')
            used += (size_t)snprintf(
                    buffer + used, n - used, "%s%s", used > 0 ? " " : "", said);
    }
    return buffer;
}
