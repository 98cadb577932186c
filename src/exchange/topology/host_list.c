/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_list.c - lists of hosts in Slurm's words, "node[001-016,20],login". */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

enum { MAX_NAME = 256, MAX_BRACKETS = 4 };

/* A host whose name grows from its pattern. */
typedef struct pattern {
    const topology_list *list;
    char name[MAX_NAME];
} pattern;

static bool expand(pattern *p, topology_word rest, size_t n, int depth);

/* "001-016": the numbers with as many digits. */
static bool read_range(const pattern *p, topology_word range, int64_t *first,
        int64_t *last, int *width)
{
    const size_t digits = p3d_scan_whole(range.at, first);
    size_t used = digits;

    *last = *first;
    *width = (int)digits;
    if (digits > 0 && used < range.n && range.at[used] == '-') {
        const size_t more = p3d_scan_whole(range.at + used + 1, last);

        used = more > 0 ? used + 1 + more : 0;
    }
    if (digits == 0 || used != range.n || *last < *first || digits > 12 ||
            !p3d_is_digit(range.at[0]))
        return topology_fail(p->list->err, p->list->line,
                "no range of numbers: '%.*s'", TOPOLOGY_SHOWN(range));
    return *last - *first < TOPOLOGY_MAX_NODES ||
           topology_fail(p->list->err, p->list->line,
                   "too many names in '%.*s'", TOPOLOGY_SHOWN(range));
}

static bool expand_range(pattern *p, topology_word range, topology_word rest,
        size_t n, int depth)
{
    int64_t first = 0, last = 0;
    int width = 0;

    if (!read_range(p, range, &first, &last, &width))
        return false;
    for (int64_t i = first; i <= last; i++) {
        const int more = snprintf(
                p->name + n, MAX_NAME - n, "%0*lld", width, (long long)i);

        if (more < 0 || n + (size_t)more >= MAX_NAME)
            return topology_fail(p->list->err, p->list->line,
                    "too long a name in '%.*s'", TOPOLOGY_SHOWN(range));
        if (!expand(p, rest, n + (size_t)more, depth + 1))
            return false;
    }
    return true;
}

/* One host, whose name so far has n bytes: what is left of its pattern. */
static bool expand(pattern *p, topology_word rest, size_t n, int depth)
{
    const char *const open = memchr(rest.at, '[', rest.n);
    const size_t plain = open != NULL ? (size_t)(open - rest.at) : rest.n;
    topology_word ranges, after;
    const char *close;

    if (n + plain >= MAX_NAME || depth > MAX_BRACKETS)
        return topology_fail(p->list->err, p->list->line,
                "too long a name: '%.*s'", TOPOLOGY_SHOWN(rest));
    memcpy(p->name + n, rest.at, plain);
    n += plain;
    if (open == NULL)
        return p->list->take(p->list->context, (topology_word){p->name, n});
    close = memchr(open, ']', rest.n - plain);
    if (close == NULL)
        return topology_fail(p->list->err, p->list->line,
                "a '[' without its ']' in '%.*s'", TOPOLOGY_SHOWN(rest));
    after = (topology_word){
            close + 1, rest.n - plain - (size_t)(close + 1 - open)};
    for (ranges = (topology_word){open + 1, 0}; ranges.at <= close;
            ranges.at += ranges.n + 1) {
        ranges.n = strcspn(ranges.at, ",]");
        if (!expand_range(p, ranges, after, n, depth))
            return false;
    }
    return true;
}

/* Commas in brackets part ranges, others hosts. */
bool topology_each_host(const topology_list *list)
{
    pattern p = {.list = list};
    size_t from = 0;
    int depth = 0;

    for (size_t i = 0; i <= list->text.n; i++) {
        const char c = i < list->text.n ? list->text.at[i] : ',';

        depth += (c == '[') - (c == ']');
        if (c != ',' || (depth > 0 && i < list->text.n))
            continue;
        if (i == from)
            return topology_fail(list->err, list->line,
                    "an empty name in '%.*s'", TOPOLOGY_SHOWN(list->text));
        if (!expand(&p, (topology_word){list->text.at + from, i - from}, 0, 0))
            return false;
        from = i + 1;
    }
    return true;
}
