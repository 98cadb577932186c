/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_grammar.c - random words of plans and pins, from the table of them. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "commands/grammar.h"
#include "spec/plan_words.h"

enum { VALUE = 96 };

/* What a plan that is being drawn has used up. */
typedef struct shares {
    draw_source *d;
    const grammar_size *size;
    int n_gpus; /* that no axis has taken yet */
    int n_layers;
    int pp, vp;
    char value[VALUE];
} shares;

/* A power of two that divides n. */
static int divisor(draw_source *d, int n, int largest)
{
    int power = draw_power(d, largest);

    while (power > 1 && n % power != 0)
        power /= 2;
    return power;
}

static const char *number(shares *s, int value)
{
    snprintf(s->value, sizeof(s->value), "%d", value);
    return s->value;
}

static const char *draw_tp(shares *s)
{
    int tp = divisor(s->d, s->size->n_heads, 3);

    while (s->n_gpus % tp != 0)
        tp /= 2;
    s->n_gpus /= tp;
    return number(s, tp);
}

static const char *draw_pp(shares *s)
{
    s->pp = divisor(s->d, s->n_gpus, 3);
    s->n_gpus /= s->pp;
    return number(s, s->pp);
}

static const char *draw_cp(shares *s)
{
    const int cp = divisor(s->d, s->n_gpus, 1);

    s->n_gpus /= cp;
    return number(s, cp);
}

static const char *draw_dp(shares *s)
{
    return number(s, s->n_gpus);
}

static const char *draw_ep(shares *s)
{
    return s->size->n_experts == 0 ? NULL
                                   : number(s, divisor(s->d, s->n_gpus, 3));
}

static const char *draw_vp(shares *s)
{
    s->vp = s->pp > 1 && s->size->n_layers % (2 * s->pp) == 0 ? 2 : 1;
    return s->vp > 1 ? number(s, s->vp) : NULL;
}

static const char *draw_shard(shares *s)
{
    return s->n_gpus < 2 ? NULL : number(s, divisor(s->d, s->n_gpus / 2, 3));
}

static const char *draw_layers(shares *s)
{
    const int mean = s->size->n_layers / s->pp;

    if (s->pp == 1 || s->vp > 1 || mean < 2)
        return NULL;
    return number(s, mean - 1 + draw_below(s->d, 2));
}

static const char *draw_group(shares *s)
{
    return s->vp == 1 ? NULL : number(s, s->pp + draw_below(s->d, 3));
}

static const char *draw_schedule(shares *s)
{
    if (s->pp == 1)
        return NULL;
    return s->vp > 1 ? "interleaved"
                     : draw_word(s->d, "1f1b|gpipe|zb-h1|zb-h2", s->value,
                               sizeof(s->value));
}

/* A word of a plan in the order in which they are drawn: once in how many
 * plans it stands there, and its values as a list or by a function; neither
 * for words that are flags. */
static const struct {
    const char *word;
    int one_in;
    const char *values;
    const char *(*draw)(shares *s); /* NULL where it cannot stand */
} rows[] = {
        {"tp", 1, NULL, draw_tp},
        {"pp", 2, NULL, draw_pp},
        {"cp", 6, NULL, draw_cp},
        {"dp", 4, NULL, draw_dp},
        {"ep", 2, NULL, draw_ep},
        {"vp", 4, NULL, draw_vp},
        {"mbs", 2, "1|1|1|2|2|4|8", NULL},
        {"zero", 3, "0|1|1|2|3|3", NULL},
        {"nosp", 8, NULL, NULL},
        {"etp", 30, "1", NULL},
        {"shard", 12, NULL, draw_shard},
        {"first", 12, NULL, draw_layers},
        {"last", 12, NULL, draw_layers},
        {"uneven", 40, NULL, NULL},
        {"group", 20, NULL, draw_group},
        {"recompute", 2,
                "none|selective|full|full|full:1|full:2|selective:mlp|"
                "selective:layernorm|uniform:2",
                NULL},
        {"offload", 5,
                "none|optimizer|optimizer|optimizer:0.5|activations:0.5|"
                "optimizer+parameters|optimizer@nvme",
                NULL},
        {"schedule", 12, NULL, draw_schedule},
        {"order", 20, "tp-cp-ep-dp-pp|tp-cp-ep-pp-dp", NULL},
};

static void append(char *words, size_t n, const char *word, const char *value)
{
    const size_t used = strlen(words);

    snprintf(words + used, n - used, "%s%s%s%s", used > 0 ? "," : "", word,
            value != NULL ? "=" : "", value != NULL ? value : "");
}

static bool has_value(const char *word)
{
    int i = 0;

    while (strcmp(spec_plan_word(i), word) != 0)
        i++;
    return spec_plan_word_has_value(i);
}

void grammar_draw_plan(
        draw_source *d, const grammar_size *size, char *words, size_t n)
{
    shares s = {.d = d, .size = size, .n_gpus = size->n_gpus, .pp = 1, .vp = 1};

    words[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const char *value = NULL;

        if (!draw_one_in(d, rows[i].one_in))
            continue;
        if (rows[i].draw != NULL)
            value = rows[i].draw(&s);
        else if (rows[i].values != NULL)
            value = draw_word(d, rows[i].values, s.value, sizeof(s.value));
        if (value != NULL || !has_value(rows[i].word))
            append(words, n, rows[i].word, value);
    }
}

void grammar_thin_plan(draw_source *d, const char *words, char *fewer, size_t n)
{
    const char *p = words;

    fewer[0] = '\0';
    while (*p != '\0') {
        const int length = (int)strcspn(p, ",");
        const bool is_last = p[length] == '\0';

        if (!draw_one_in(d, 2) || (is_last && fewer[0] == '\0')) {
            char word[VALUE];

            snprintf(word, sizeof(word), "%.*s", length, p);
            append(fewer, n, word, NULL);
        }
        p += length + !is_last;
    }
}
