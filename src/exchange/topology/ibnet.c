/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ibnet.c - the output of ibnetdiscover: switches, hosts and the rate of each
 * link. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

/* Gbit/s of a lane. Source: InfiniBand Trade Association, roadmap. */
static const struct {
    const char *word;
    double gbit_per_s;
} rates[] = {{"SDR", 2.5}, {"DDR", 5}, {"QDR", 10}, {"FDR10", 10}, {"FDR", 14},
        {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

/* Hosts that are part of a switch (SHARP). */
static const char AGGREGATION[] = "Aggregation Node";

typedef struct ib_link {
    int from;         /* switch */
    topology_word to; /* guid of a switch, or name of a host */
    bool is_host;
    double bytes_per_s;
    int line;
    int at; /* index of what it leads to */
} ib_link;

typedef struct ib_switch {
    topology_word guid; /* "S-b8599f0300fc6de4" */
    int level;          /* links to the nearest host; 0 = not known */
    int part;           /* union-find */
} ib_switch;

typedef struct ib_reader {
    p3d_error *err;
    int line;
    bool in_switch; /* lines of ports are of the last switch */
    ib_switch *switches;
    int n_switches;
    ib_link *links;
    int n_links;
    int n_hosts;
    int *host_switch;      /* of each host, one it has a link to; owned */
    topology_hosts *hosts; /* whose places are asked for; NULL = none */
} ib_reader;

/* The next text in quotes. @return false when there is none */
static bool quoted(topology_word *line, topology_word *out)
{
    const char *const from = memchr(line->at, '"', line->n);
    const char *to;

    if (from == NULL)
        return false;
    out->at = from + 1;
    to = memchr(out->at, '"', line->n - (size_t)(out->at - line->at));
    if (to == NULL)
        return false;
    out->n = (size_t)(to - out->at);
    line->n -= (size_t)(to + 1 - line->at);
    line->at = to + 1;
    return true;
}

/* "4xHDR" at the end of a line, in bytes/s. */
static bool read_rate(topology_word line, double *out)
{
    int64_t lanes = 0;
    size_t n = 0, used;

    while (line.n > 0 && p3d_is_space(line.at[line.n - 1]))
        line.n--;
    while (n < line.n && !p3d_is_space(line.at[line.n - 1 - n]))
        n++;
    if (n < 4)
        return false;
    line = (topology_word){line.at + line.n - n, n};
    used = p3d_scan_whole(line.at, &lanes);
    if (used == 0 || lanes < 1 || lanes > 12 || line.at[used] != 'x')
        return false;
    line = (topology_word){line.at + used + 1, n - used - 1};
    for (int i = 0; i < P3D_COUNT_OF(rates); i++) {
        if (!topology_word_is(line, rates[i].word))
            continue;
        *out = (double)lanes * rates[i].gbit_per_s * 1e9 / 8;
        return true;
    }
    return false;
}

static bool begins(topology_word line, const char *word)
{
    const size_t n = strlen(word);

    return line.n >= n && memcmp(line.at, word, n) == 0;
}

/* "Switch 41 "S-..." # ..." */
static bool take_switch(ib_reader *r, topology_word line)
{
    topology_word rest = line, guid;
    ib_switch *more;

    if (!quoted(&rest, &guid) || !begins(guid, "S-"))
        return topology_fail(r->err, r->line,
                "no \"S-GUID\" of a switch in '%.*s'", TOPOLOGY_SHOWN(line));
    if (r->n_switches == TOPOLOGY_MAX_SWITCHES)
        return topology_fail(r->err, r->line,
                "more switches than 65536, at '%.*s'", TOPOLOGY_SHOWN(guid));
    more = p3d_grow(r->switches, r->n_switches, sizeof(*more));
    if (more == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    r->switches = more;
    r->switches[r->n_switches] =
            (ib_switch){.guid = guid, .part = r->n_switches};
    r->n_switches++;
    r->in_switch = true;
    return true;
}

/* A host is what its name has before the last blank: "node001 mlx5_0". */
static topology_word host_of(topology_word name)
{
    size_t n = name.n;

    while (n > 0 && name.at[n - 1] != ' ')
        n--;
    return n > 1 ? (topology_word){name.at, n - 1} : name;
}

static bool has(topology_word where, const char *what)
{
    const size_t n = strlen(what);

    for (size_t i = 0; i + n <= where.n; i++)
        if (memcmp(where.at + i, what, n) == 0)
            return true;
    return false;
}

/* "[1] "H-..."[1](..) # "node001 mlx5_0" lid 4 4xHDR" of a switch. */
static bool take_port(ib_reader *r, topology_word line)
{
    topology_word rest = line, peer, name = {"", 0};
    ib_link link = {.from = r->n_switches - 1, .line = r->line};
    ib_link *more;

    if (!quoted(&rest, &peer) ||
            (!begins(peer, "S-") && !begins(peer, "H-") && !begins(peer, "R-")))
        return topology_fail(r->err, r->line,
                "no \"S-GUID\" or \"H-GUID\" of a port's peer in '%.*s'",
                TOPOLOGY_SHOWN(line));
    if (begins(peer, "R-"))
        return true; /* a router leads out of the cluster */
    link.is_host = begins(peer, "H-");
    if (link.is_host && !quoted(&rest, &name))
        return topology_fail(r->err, r->line,
                "no # \"NAME\" of a host in '%.*s'", TOPOLOGY_SHOWN(line));
    if (has(name, AGGREGATION))
        return true;
    link.to = link.is_host ? host_of(name) : peer;
    if (!read_rate(line, &link.bytes_per_s))
        return topology_fail(r->err, r->line,
                "no rate such as 4xHDR at the end of '%.*s'",
                TOPOLOGY_SHOWN(line));
    more = p3d_grow(r->links, r->n_links, sizeof(*more));
    if (more == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    r->links = more;
    r->links[r->n_links++] = link;
    return true;
}

/* Links are read at switches, so ports of hosts say nothing new. */
static bool take_line(ib_reader *r, topology_word line)
{
    static const char *const known[] = {"#", "vendid=", "devid=", "sysimgguid=",
            "switchguid=", "caguid=", "rtguid=", "Chassis ", "Non-Chassis"};

    while (line.n > 0 && p3d_is_space(line.at[line.n - 1]))
        line.n--;
    if (line.n == 0)
        return true;
    if (begins(line, "Switch"))
        return take_switch(r, line);
    if (begins(line, "Ca") || begins(line, "Rt")) {
        r->in_switch = false;
        return true;
    }
    if (begins(line, "["))
        return !r->in_switch || take_port(r, line);
    for (int i = 0; i < P3D_COUNT_OF(known); i++)
        if (begins(line, known[i]))
            return true;
    return topology_fail(r->err, r->line, "no line of ibnetdiscover: '%.*s'",
            TOPOLOGY_SHOWN(line));
}

static bool read_lines(ib_reader *r, const char *text)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");

        r->line++;
        if (!take_line(r, (topology_word){text, n}))
            return false;
        text += n + (text[n] != '\0');
    }
    return true;
}

static int by_target(const void *a, const void *b)
{
    const ib_link *const x = a, *const y = b;

    return x->is_host != y->is_host ? (x->is_host ? -1 : 1)
                                    : topology_word_compare(&x->to, &y->to);
}

static int by_guid(const void *a, const void *b)
{
    return topology_word_compare(a, b);
}

static void find_host(const ib_reader *r, const ib_link *link)
{
    topology_host *const host = topology_find_host(r->hosts, link->to);

    if (host != NULL) {
        host->found = true;
        host->at = link->at;
    }
}

/* Switches move when they are sorted; links come after them by name. */
static bool name_ends(ib_reader *r)
{
    int *const place = malloc(sizeof(*place) * (size_t)r->n_switches);

    if (place == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    qsort(r->switches, (size_t)r->n_switches, sizeof(*r->switches), by_guid);
    for (int i = 0; i < r->n_switches; i++) {
        place[r->switches[i].part] = i;
        r->switches[i].part = i;
    }
    for (int i = 0; i < r->n_links; i++)
        r->links[i].from = place[r->links[i].from];
    free(place);
    qsort(r->links, (size_t)r->n_links, sizeof(*r->links), by_target);
    for (int i = 0; i < r->n_links; i++) {
        ib_link *const link = &r->links[i];
        const ib_switch *found;

        if (link->is_host) {
            r->n_hosts += i == 0 || by_target(link - 1, link) != 0;
            link->at = r->n_hosts - 1;
            find_host(r, link);
            continue;
        }
        found = bsearch(&link->to, r->switches, (size_t)r->n_switches,
                sizeof(*r->switches), by_guid);
        r->line = link->line;
        if (found == NULL)
            return topology_fail(r->err, r->line, "no Switch line has '%.*s'",
                    TOPOLOGY_SHOWN(link->to));
        link->at = (int)(found - r->switches);
    }
    return true;
}

static int part_of(ib_reader *r, int i)
{
    while (r->switches[i].part != i) {
        r->switches[i].part = r->switches[r->switches[i].part].part;
        i = r->switches[i].part;
    }
    return i;
}

static void join(ib_reader *r, int a, int b)
{
    r->switches[part_of(r, a)].part = part_of(r, b);
}

/* Levels by breadth: hosts give 1, then each switch its neighbours one more. */
static int raise_all(ib_reader *r)
{
    bool more = true;
    int level = 1;

    for (int i = 0; i < r->n_links; i++)
        if (r->links[i].is_host)
            r->switches[r->links[i].from].level = 1;
    for (; more; level++) {
        more = false;
        for (int i = 0; i < r->n_links; i++) {
            const ib_link *const l = &r->links[i];

            if (!l->is_host && r->switches[l->from].level == level &&
                    r->switches[l->at].level == 0) {
                r->switches[l->at].level = level + 1;
                more = true;
            }
        }
    }
    return level - 1;
}

/* Tie together what hosts (level 1) and links up to a level reach. */
static void tie(ib_reader *r, int level)
{
    for (int i = 0; i < r->n_links; i++) {
        const ib_link *const l = &r->links[i];

        if (l->is_host) {
            if (r->host_switch[l->at] < 0)
                r->host_switch[l->at] = l->from;
            join(r, r->host_switch[l->at], l->from);
        } else if (level > 1 && r->switches[l->from].level <= level &&
                   r->switches[l->at].level <= level &&
                   r->switches[l->from].level > 0 &&
                   r->switches[l->at].level > 0) {
            join(r, l->from, l->at);
        }
    }
}

/* Hosts below each part, and the links from it up. */
static int count_parts(ib_reader *r, int level, topology_part *parts)
{
    int n = 0;

    for (int i = 0; i < r->n_switches; i++)
        parts[i] = (topology_part){0};
    for (int i = 0; i < r->n_hosts; i++)
        parts[part_of(r, r->host_switch[i])].n_nodes++;
    for (int i = 0; i < r->n_links; i++) {
        const ib_link *const l = &r->links[i];

        if (!l->is_host && r->switches[l->from].level == level &&
                r->switches[l->at].level == level + 1)
            parts[part_of(r, l->from)].up_bytes_per_s += l->bytes_per_s;
    }
    for (int i = 0; i < r->n_switches; i++)
        if (parts[i].n_nodes > 0)
            parts[n++] = parts[i];
    return n;
}

/* Cards of a host: as many as there are links to hosts, of the fastest rate. */
static void count_cards(const ib_reader *r, exchange_topology *out)
{
    int n = 0;

    for (int i = 0; i < r->n_links; i++) {
        if (!r->links[i].is_host)
            continue;
        n++;
        if (r->links[i].bytes_per_s > out->nic_bytes_per_s)
            out->nic_bytes_per_s = r->links[i].bytes_per_s;
    }
    out->n_nics = n / r->n_hosts;
}

static int part_of_host(void *reader, int at)
{
    ib_reader *const r = reader;

    return part_of(r, r->host_switch[at]);
}

static bool add_tiers(ib_reader *r, exchange_topology *out)
{
    topology_part *const parts = malloc(sizeof(*parts) * (size_t)r->n_switches);
    const int n_levels = raise_all(r);
    bool ok = parts != NULL || p3d_fail(r->err, P3D_SYSTEM, "out of memory");

    for (int level = 1; ok && level < n_levels; level++) {
        int n;

        tie(r, level);
        n = count_parts(r, level, parts);
        ok = n < 2 || topology_add_tier(&(topology_level){parts, n, r->hosts,
                                                part_of_host, r},
                              out, r->err);
    }
    free(parts);
    return ok;
}

static bool read_all(ib_reader *r, const char *text, exchange_topology *out)
{
    if (!read_lines(r, text))
        return false;
    if (r->n_switches == 0)
        return p3d_fail(r->err, P3D_DATA, "no switch");
    if (r->n_links > 0 && !name_ends(r))
        return false;
    if (r->n_hosts == 0)
        return p3d_fail(r->err, P3D_DATA, "no host at any switch");
    r->host_switch = malloc(sizeof(*r->host_switch) * (size_t)r->n_hosts);
    if (r->host_switch == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < r->n_hosts; i++)
        r->host_switch[i] = -1;
    out->format = "ibnetdiscover";
    out->n_nodes = r->n_hosts;
    count_cards(r, out);
    return add_tiers(r, out);
}

bool topology_read_ibnet(const char *text, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err)
{
    ib_reader r = {.err = err, .hosts = hosts};
    const bool ok = read_all(&r, text, out);

    free(r.switches);
    free(r.links);
    free(r.host_switch);
    return ok;
}
