/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - Slurm's topology.conf: which nodes are below which switch. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

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
    topology_hosts *hosts; /* whose places are asked for; NULL = none */
    int64_t n_nodes;
    int line;
    int height; /* of the tier that is made */
} slurm_reader;

/* Who takes the names that a switch lists. */
typedef struct host_taker {
    slurm_reader *reader;
    int of;
} host_taker;

static bool take_node(void *context, topology_word name)
{
    const host_taker *const to = context;
    slurm_reader *const r = to->reader;
    topology_host *const host = topology_find_host(r->hosts, name);

    r->at[to->of].n_nodes++;
    if (++r->n_nodes > TOPOLOGY_MAX_NODES)
        return topology_fail(r->err, r->at[to->of].line,
                "more nodes than 1048576, at '%.*s'", TOPOLOGY_SHOWN(name));
    if (host != NULL && host->found)
        return topology_fail(r->err, r->at[to->of].line,
                "below two switches: '%.*s'", TOPOLOGY_SHOWN(name));
    if (host != NULL) {
        host->found = true;
        host->at = to->of;
    }
    return true;
}

static bool take_below(void *context, topology_word name)
{
    const host_taker *const to = context;
    slurm_reader *const r = to->reader;
    const int of = to->of;
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
        const slurm_switch *const s = &r->at[to.of];
        topology_list nodes = {s->nodes, s->line, take_node, &to, r->err};
        topology_list below = {s->switches, s->line, take_below, &to, r->err};

        if ((s->nodes.n > 0 && !topology_each_host(&nodes)) ||
                (s->switches.n > 0 && !topology_each_host(&below)))
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

/* The highest switch above another that is at most as high as the tier. */
static int highest_above(void *reader, int of)
{
    const slurm_reader *const r = reader;

    while (r->at[of].parent >= 0 && r->at[r->at[of].parent].height <= r->height)
        of = r->at[of].parent;
    return of;
}

/* Switches of one height make a tier, unless there is but one. */
static bool add_tiers(slurm_reader *r, exchange_topology *out)
{
    topology_part *const parts = malloc(sizeof(*parts) * (size_t)r->n);
    bool ok = parts != NULL || p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    int n = 1;

    for (r->height = 1; ok && n > 0; r->height++) {
        n = 0;
        for (int i = 0; i < r->n; i++)
            if (r->at[i].height == r->height && r->at[i].n_nodes > 0)
                parts[n++] = (topology_part){.n_nodes = r->at[i].n_nodes};
        ok = n < 2 || topology_add_tier(&(topology_level){parts, n, r->hosts,
                                                highest_above, r},
                              out, r->err);
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

bool topology_read_slurm(const char *text, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err)
{
    slurm_reader r = {.err = err, .hosts = hosts};
    const bool ok = read_all(&r, text, out);

    free(r.at);
    return ok;
}
