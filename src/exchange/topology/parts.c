/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c - what the readers share: failures, words, and switches as tiers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

bool topology_fail(p3d_error *err, int line, const char *fmt, ...)
{
    char text[P3D_ERROR_TEXT];
    va_list args;

    va_start(args, fmt);
    if (vsnprintf(text, sizeof(text), fmt, args) < 0)
        text[0] = '\0';
    va_end(args);
    if (err != NULL && err->code == P3D_OK) {
        err->line = line;
        err->column = 1;
    }
    return p3d_fail(err, P3D_DATA, "%s", text);
}

bool topology_is_text(
        const char *file, const char *text, size_t n, p3d_error *err)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        return p3d_fail(err, P3D_DATA,
                "%s: the file begins with a byte order mark; save it as UTF-8 "
                "without one",
                file);
    return strlen(text) == n ||
           p3d_fail(err, P3D_DATA, "%s: no text: it has a zero byte", file);
}

int topology_word_compare(const void *a, const void *b)
{
    const topology_word *const x = a, *const y = b;
    const int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);

    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

bool topology_word_is(topology_word word, const char *text)
{
    size_t n = 0;

    while (n < word.n && text[n] != '\0' &&
            p3d_lower(word.at[n]) == p3d_lower(text[n]))
        n++;
    return n == word.n && text[n] == '\0';
}

static int by_nodes(const void *a, const void *b)
{
    const topology_part *const x = a, *const y = b;

    return (x->n_nodes > y->n_nodes) - (x->n_nodes < y->n_nodes);
}

static void place_hosts(const topology_level *level, int tier)
{
    const topology_hosts *const hosts = level->hosts;

    for (int i = 0; hosts != NULL && i < hosts->n; i++)
        if (hosts->at[i].found)
            hosts->at[i].switch_of[tier] =
                    level->switch_of(level->reader, hosts->at[i].at);
}

bool topology_add_tier(
        const topology_level *level, exchange_topology *out, p3d_error *err)
{
    topology_part *const parts = level->parts;
    const int n = level->n;
    const int before =
            out->tiers.n > 0 ? out->tiers.at[out->tiers.n - 1].nodes_below : 1;
    int64_t all = 0, below = 0;
    double least = 0;
    int size = 0;

    if (out->tiers.n == P3D_MAX_TIERS)
        return p3d_fail(
                err, P3D_DATA, "more than %d tiers of switches", P3D_MAX_TIERS);
    qsort(parts, (size_t)n, sizeof(*parts), by_nodes);
    for (int i = 0; i < n; i++)
        all += parts[i].n_nodes;
    for (int i = 0; i < n && 2 * below < all; i++) {
        below += parts[i].n_nodes;
        size = parts[i].n_nodes;
    }
    size -= size % before;
    if (size <= before && out->tiers.n > 0)
        return true; /* a tier that joins no more nodes */
    for (int i = 0; i < n; i++) {
        const double each = parts[i].up_bytes_per_s / parts[i].n_nodes;

        if (2 * parts[i].n_nodes >= size && (least == 0 || each < least))
            least = each;
    }
    place_hosts(level, out->tiers.n);
    out->tiers.at[out->tiers.n++] = (p3d_tier){.nodes_below = size,
            .oversubscription = least > 0 ? 0 : 1,
            .uplink_bytes_per_s = least * size};
    return true;
}
