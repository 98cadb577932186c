/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.c - random choices: the generator is splitmix64. */
#include "commands/draw.h"

#include <stdio.h>
#include <string.h>

static uint64_t next(draw_source *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

draw_source draw_begin(uint64_t seed, int number)
{
    draw_source d = {.state = seed};

    d.state = next(&d) + (uint64_t)number;
    d.state = next(&d);
    return d;
}

int draw_below(draw_source *d, int n)
{
    return (int)(next(d) % (uint64_t)n);
}

bool draw_one_in(draw_source *d, int n)
{
    return draw_below(d, n) == 0;
}

int draw_power(draw_source *d, int largest)
{
    const int a = draw_below(d, largest + 1);
    const int b = draw_below(d, largest + 1);

    return 1 << (a < b ? a : b);
}

const char *draw_word(draw_source *d, const char *list, char *buffer, size_t n)
{
    const char *word = list;
    int n_words = 1;

    for (const char *p = list; *p != '\0'; p++)
        n_words += *p == '|';
    for (int i = draw_below(d, n_words); i > 0; i--)
        word = strchr(word, '|') + 1;
    snprintf(buffer, n, "%.*s", (int)strcspn(word, "|"), word);
    return buffer;
}
