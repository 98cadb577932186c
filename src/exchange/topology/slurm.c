/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - Slurm's topology.conf: which nodes are below which switch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

enum { MAX_NAME = 256, MAX_BRACKETS = 4 };

/* A switch, or a block of nodes. */
typedef struct slurm_switch {
    topology_word name;
    topology_word nodes;    /* a list of hosts, "node[1-16]" */
    topology_word switches; /* likewise, of those below */
    int line;
    int n_nodes;   /* below, at any height */
    int height;    /* 1 = has nodes */
    int parent;    /* -1 = none */
    int n_waiting; /* of those below, whose height is not known yet */
} slurm_switch;

typedef struct slurm_reader {
    p3d_error *err;
    slurm_switch *at; /* owned */
    int n;
    int64_t n_nodes;
    int line;
} slurm_reader;

/* Whoever takes the names of a list of hosts. */
typedef struct host_taker {
    bool (*take)(slurm_reader *r, topology_word name, int of);
    slurm_reader *reader;
    int of; /* switch that has the list */
    char name[MAX_NAME];
} host_taker;

static bool expand(host_taker *to, topology_word rest, size_t n, int depth);

/* "001-016": the numbers with as many digits. */
static bool expand_range(host_taker *to, topology_word range,
        topology_word rest, size_t n, int depth)
{
    slurm_reader *const r = to->reader;
    int64_t first = 0, last = 0;
    const size_t width = p3d_scan_whole(range.at, &first);
    size_t used = width;

    last = first;
    if (width > 0 && used < range.n && range.at[used] == '-') {
        const size_t more = p3d_scan_whole(range.at + used + 1, &last);

        used = more > 0 ? used + 1 + more : 0;
    }
    if (width == 0 || used != range.n || last < first || width > 12 ||
            !p3d_is_digit(range.at[0]))
        return topology_fail(r->err, r->at[to->of].line,
                "no range of numbers: '%.*s'", TOPOLOGY_SHOWN(range));
    if (last - first >= TOPOLOGY_MAX_NODES)
        return topology_fail(r->err, r->at[to->of].line,
                "too many names in '%.*s'", TOPOLOGY_SHOWN(range));
    for (int64_t i = first; i <= last; i++) {
        const int more = snprintf(
                to->name + n, MAX_NAME - n, "%0*lld", (int)width, (long long)i);

        if (more < 0 || n + (size_t)more >= MAX_NAME)
            return topology_fail(r->err, r->at[to->of].line,
                    "too long a name in '%.*s'", TOPOLOGY_SHOWN(range));
        if (!expand(to, rest, n + (size_t)more, depth + 1))
            return false;
    }
    return true;
}

/* One host, whose name so far has n bytes: what is left of its pattern. */
static bool expand(host_taker *to, topology_word rest, size_t n, int depth)
{
    slurm_reader *const r = to->reader;
    const char *const open = memchr(rest.at, '[', rest.n);
    const size_t plain = open != NULL ? (size_t)(open - rest.at) : rest.n;
    topology_word ranges, after;
    const char *close;

    if (n + plain >= MAX_NAME || depth > MAX_BRACKETS)
        return topology_fail(r->err, r->at[to->of].line,
                "too long a name: '%.*s'", TOPOLOGY_SHOWN(rest));
    memcpy(to->name + n, rest.at, plain);
    n += plain;
    if (open == NULL)
        return to->take(r, (topology_word){to->name, n}, to->of);
    close = memchr(open, ']', rest.n - plain);
    if (close == NULL)
        return topology_fail(r->err, r->at[to->of].line,
                "a '[' without its ']' in '%.*s'", TOPOLOGY_SHOWN(rest));
    after = (topology_word){
            close + 1, rest.n - plain - (size_t)(close + 1 - open)};
    for (ranges = (topology_word){open + 1, 0}; ranges.at <= close;
            ranges.at += ranges.n + 1) {
        ranges.n = strcspn(ranges.at, ",]");
        if (!expand_range(to, ranges, after, n, depth))
            return false;
    }
    return true;
}

/* Each host of a list; commas in brackets part ranges, others hosts. */
static bool each_host(host_taker *to, topology_word list)
{
    slurm_reader *const r = to->reader;
    size_t from = 0;
    int depth = 0;

    for (size_t i = 0; i <= list.n; i++) {
        const char c = i < list.n ? list.at[i] : ',';

        depth += (c == '[') - (c == ']');
        if (c != ',' || (depth > 0 && i < list.n))
            continue;
        if (i == from)
            return topology_fail(r->err, r->at[to->of].line,
                    "an empty name in '%.*s'", TOPOLOGY_SHOWN(list));
        if (!expand(to, (topology_word){list.at + from, i - from}, 0, 0))
            return false;
        from = i + 1;
    }
    return true;
}

static bool take_node(slurm_reader *r, topology_word name, int of)
{
    r->at[of].n_nodes++;
    if (++r->n_nodes > TOPOLOGY_MAX_NODES)
        return topology_fail(r->err, r->at[of].line,
                "more nodes than 1048576, at '%.*s'", TOPOLOGY_SHOWN(name));
    return true;
}

static bool take_below(slurm_reader *r, topology_word name, int of)
{
    const slurm_switch *const found = bsearch(
            &name, r->at, (size_t)r->n, sizeof(*r->at), topology_word_compare);
    slurm_switch *below;

    if (found == NULL)
        return topology_fail(r->err, r->at[of].line,
                "no SwitchName line has the switch '%.*s'",
                TOPOLOGY_SHOWN(name));
    below = &r->at[found - r->at];
    if (below->parent >= 0)
        return topology_fail(r->err, r->at[of].line,
                "below two switches: '%.*s'", TOPOLOGY_SHOWN(name));
    below->parent = of;
    r->at[of].n_waiting++;
    return true;
}

/* A key and its value, up to a blank. */
static bool take_pair(slurm_reader *r, topology_word key, topology_word value)
{
    slurm_switch *const s = &r->at[r->n - 1];
    const bool names = topology_word_is(key, "SwitchName") ||
                       topology_word_is(key, "BlockName");

    if (value.n == 0)
        return topology_fail(
                r->err, r->line, "no value after '%.*s'", TOPOLOGY_SHOWN(key));
    if (names && s->name.n > 0)
        return topology_fail(r->err, r->line,
                "a second name in one line: '%.*s'", TOPOLOGY_SHOWN(value));
    if (names)
        s->name = value;
    else if (topology_word_is(key, "Nodes"))
        s->nodes = value;
    else if (topology_word_is(key, "Switches"))
        s->switches = value;
    else if (!topology_word_is(key, "LinkSpeed"))
        return topology_fail(r->err, r->line,
                "topology.conf has SwitchName, Switches, Nodes, LinkSpeed, "
                "BlockName and BlockSizes, not '%.*s'",
                TOPOLOGY_SHOWN(key));
    return true;
}

static bool add_switch(slurm_reader *r)
{
    slurm_switch *const more = p3d_grow(r->at, r->n, sizeof(*more));

    if (more == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    r->at = more;
    r->at[r->n++] = (slurm_switch){.parent = -1, .line = r->line};
    return true;
}

/* One line without its comment: keys and values. */
static bool take_line(slurm_reader *r, topology_word line)
{
    size_t i = 0;

    if (r->n == TOPOLOGY_MAX_SWITCHES)
        return topology_fail(r->err, r->line,
                "more switches than 65536, at '%.*s'", TOPOLOGY_SHOWN(line));
    if (!add_switch(r))
        return false;
    while (i < line.n) {
        topology_word key, value;

        while (i < line.n && p3d_is_space(line.at[i]))
            i++;
        key = (topology_word){line.at + i, strcspn(line.at + i, "= \t\r\n#")};
        if (i >= line.n)
            break;
        i += key.n;
        if (line.at[i] != '=' || key.n == 0)
            return topology_fail(r->err, r->line, "no KEY=VALUE: '%.*s'",
                    TOPOLOGY_SHOWN(key));
        i++;
        value = (topology_word){line.at + i, strcspn(line.at + i, " \t\r\n#")};
        i += value.n;
        if (!topology_word_is(key, "BlockSizes") && !take_pair(r, key, value))
            return false;
    }
    if (r->at[r->n - 1].name.n == 0)
        r->n--; /* a blank line, or one of sizes */
    else if (r->at[r->n - 1].nodes.n == 0 && r->at[r->n - 1].switches.n == 0)
        return topology_fail(r->err, r->line,
                "neither Nodes nor Switches below '%.*s'",
                TOPOLOGY_SHOWN(r->at[r->n - 1].name));
    return true;
}

static bool read_lines(slurm_reader *r, const char *text)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        const size_t said = strcspn(text, "\n#");

        r->line++;
        if (!take_line(r, (topology_word){text, said}))
            return false;
        text += n + (text[n] != '\0');
    }
    return true;
}

/* Sort by name, then tie together what is below what. */
static bool tie(slurm_reader *r)
{
    host_taker to = {.reader = r};

    qsort(r->at, (size_t)r->n, sizeof(*r->at), topology_word_compare);
    for (int i = 1; i < r->n; i++)
        if (topology_word_compare(&r->at[i - 1].name, &r->at[i].name) == 0)
            return topology_fail(r->err, r->at[i].line,
                    "a second switch '%.*s'", TOPOLOGY_SHOWN(r->at[i].name));
    for (to.of = 0; to.of < r->n; to.of++) {
        to.take = take_node;
        if (r->at[to.of].nodes.n > 0 && !each_host(&to, r->at[to.of].nodes))
            return false;
        to.take = take_below;
        if (r->at[to.of].switches.n > 0 &&
                !each_host(&to, r->at[to.of].switches))
            return false;
    }
    return true;
}

/* Heights from the nodes up. @return the number of switches that got one */
static int raise_all(slurm_reader *r)
{
    int *const ready = malloc(sizeof(*ready) * (size_t)r->n);
    int n = 0;

    if (ready == NULL)
        return -1;
    for (int i = 0; i < r->n; i++) {
        r->at[i].height = 1;
        if (r->at[i].n_waiting == 0)
            ready[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        const slurm_switch *const s = &r->at[ready[i]];
        slurm_switch *const up = s->parent >= 0 ? &r->at[s->parent] : NULL;

        if (up == NULL)
            continue;
        up->n_nodes += s->n_nodes;
        if (up->height <= s->height)
            up->height = s->height + 1;
        if (--up->n_waiting == 0)
            ready[n++] = s->parent;
    }
    free(ready);
    return n;
}

/* Switches of one height make a tier, unless there is but one. */
static bool add_tiers(slurm_reader *r, exchange_topology *out)
{
    topology_part *const parts = malloc(sizeof(*parts) * (size_t)r->n);
    bool ok = parts != NULL || p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    int n = 1;

    for (int height = 1; ok && n > 0; height++) {
        n = 0;
        for (int i = 0; i < r->n; i++)
            if (r->at[i].height == height && r->at[i].n_nodes > 0)
                parts[n++] = (topology_part){.n_nodes = r->at[i].n_nodes};
        ok = n < 2 || topology_add_tier(parts, n, out, r->err);
    }
    free(parts);
    return ok;
}

static bool read_all(slurm_reader *r, const char *text, exchange_topology *out)
{
    int n_raised;

    if (!read_lines(r, text))
        return false;
    if (r->n == 0)
        return p3d_fail(r->err, P3D_DATA, "no switch");
    if (!tie(r))
        return false;
    n_raised = raise_all(r);
    if (n_raised < 0)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < r->n && n_raised < r->n; i++)
        if (r->at[i].n_waiting > 0)
            return topology_fail(r->err, r->at[i].line,
                    "a switch that is below itself: '%.*s'",
                    TOPOLOGY_SHOWN(r->at[i].name));
    out->format = "Slurm topology.conf";
    out->lacks_rates = true;
    out->n_nodes = (int)r->n_nodes;
    return add_tiers(r, out);
}

bool topology_read_slurm(
        const char *text, exchange_topology *out, p3d_error *err)
{
    slurm_reader r = {.err = err};
    const bool ok = read_all(&r, text, out);

    free(r.at);
    return ok;
}
