/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.c - the hosts of a job in the order of ranks, and the stretches of them
 * that lie below the same switches. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/util.h"
#include "exchange/topology/reader.h"

enum { MAX_BYTES = 64 << 20 };

/* "node001" of "node001.cluster": programs name hosts with and without their
 * domain. An address stays as it is. */
static topology_word without_domain(topology_word name)
{
    const char *const dot = memchr(name.at, '.', name.n);

    if (dot != NULL && dot > name.at && !p3d_is_digit(name.at[0]))
        name.n = (size_t)(dot - name.at);
    return name;
}

/* A host that is listed once more for each of its ranks counts once. */
static bool take_host(void *context, topology_word full_name)
{
    topology_hosts *const hosts = context;
    const topology_word name = without_domain(full_name);
    const topology_host *const last =
            hosts->n > 0 ? &hosts->at[hosts->n - 1] : NULL;
    topology_host *more;
    char *own;

    if (last != NULL && topology_word_compare(&last->name, &name) == 0)
        return true;
    if (hosts->n == TOPOLOGY_MAX_NODES)
        return topology_fail(hosts->err, hosts->line,
                "more nodes than 1048576, at '%.*s'", TOPOLOGY_SHOWN(name));
    more = p3d_grow(hosts->at, hosts->n, sizeof(*more));
    if (more != NULL)
        hosts->at = more;
    own = more != NULL ? malloc(name.n + 1) : NULL;
    if (own == NULL)
        return p3d_fail(hosts->err, P3D_SYSTEM, "out of memory");
    memcpy(own, name.at, name.n);
    own[name.n] = '\0';
    hosts->at[hosts->n] = (topology_host){.name = {own, name.n},
            .owned_name = own,
            .rank = hosts->n,
            .line = hosts->line};
    hosts->n++;
    return true;
}

/* Behind the name: nothing, "slots=8" and the like, or a number. */
static bool check_rest(const topology_hosts *hosts, topology_word rest)
{
    size_t n = 0;

    while (rest.n > 0 && p3d_is_space(*rest.at))
        rest = (topology_word){rest.at + 1, rest.n - 1};
    while (n < rest.n && !p3d_is_space(rest.at[n]))
        n++;
    return n == 0 || p3d_is_digit(rest.at[0]) || rest.at[0] == ':' ||
           memchr(rest.at, '=', rest.n) != NULL ||
           topology_fail(hosts->err, hosts->line,
                   "a second name in the line, '%.*s'; write one in each line, "
                   "or commas between",
                   TOPOLOGY_SHOWN(((topology_word){rest.at, n})));
}

/* "node001 slots=8  # of a hostfile", "node001:8", "node[001-016]". */
static bool take_line(topology_hosts *hosts, topology_word line)
{
    const size_t said = strcspn(line.at, "#\n");
    size_t from = 0, n = 0;

    line.n = said < line.n ? said : line.n;
    while (from < line.n && p3d_is_space(line.at[from]))
        from++;
    while (from + n < line.n && !p3d_is_space(line.at[from + n]) &&
            line.at[from + n] != ':')
        n++;
    return n == 0 ||
           (check_rest(hosts,
                    (topology_word){line.at + from + n, line.n - from - n}) &&
                   topology_each_host(
                           &(topology_list){.text = {line.at + from, n},
                                   .line = hosts->line,
                                   .take = take_host,
                                   .context = hosts,
                                   .err = hosts->err}));
}

static int by_name(const void *a, const void *b)
{
    const topology_host *const x = a, *const y = b;
    const int order = topology_word_compare(&x->name, &y->name);

    return order != 0 ? order : x->rank - y->rank;
}

static int by_rank(const void *a, const void *b)
{
    const topology_host *const x = a, *const y = b;

    return x->rank - y->rank;
}

static bool read_lines(topology_hosts *hosts, const char *text)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");

        hosts->line++;
        if (!take_line(hosts, (topology_word){text, n}))
            return false;
        text += n + (text[n] != '\0');
    }
    if (hosts->n == 0)
        return topology_fail(hosts->err, 1,
                "no host; write one in each line, in the order of ranks");
    qsort(hosts->at, (size_t)hosts->n, sizeof(*hosts->at), by_name);
    for (int i = 1; i < hosts->n; i++)
        if (topology_word_compare(&hosts->at[i - 1].name, &hosts->at[i].name) ==
                0)
            return topology_fail(hosts->err, hosts->at[i].line,
                    "a second time the host '%.*s'; list the ranks of a host "
                    "together",
                    TOPOLOGY_SHOWN(hosts->at[i].name));
    return true;
}

void topology_hosts_free(topology_hosts *hosts)
{
    if (hosts == NULL)
        return;
    for (int i = 0; i < hosts->n; i++)
        free(hosts->at[i].owned_name);
    free(hosts->at);
    free(hosts);
}

topology_hosts *topology_hosts_parse(
        const char *file, const char *text, p3d_error *err)
{
    topology_hosts *const hosts = calloc(1, sizeof(*hosts));
    p3d_error cause = {0};

    if (hosts == NULL) {
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    hosts->err = &cause;
    (void)p3d_copy(hosts->file, sizeof(hosts->file), file);
    if (read_lines(hosts, text)) {
        hosts->err = NULL;
        return hosts;
    }
    topology_hosts_free(hosts);
    (void)p3d_fail_file(err, file, &cause);
    return NULL;
}

topology_hosts *topology_hosts_open(const char *word, p3d_error *err)
{
    topology_hosts *hosts;
    p3d_error cause = {0};
    char *text = NULL;
    size_t n = 0;

    if (strpbrk(word, "[,") != NULL)
        return topology_hosts_parse("--hosts", word, err);
    if (!p3d_read_file(word, MAX_BYTES, &text, &n, &cause)) {
        if (cause.code == P3D_DATA && strchr(word, '/') == NULL)
            (void)p3d_fail(err, P3D_DATA,
                    "--hosts %s: no such file; a list has brackets or commas, "
                    "such as node[01-16]",
                    word);
        else
            (void)p3d_fail_file(err, p3d_file_name(word), &cause);
        return NULL;
    }
    hosts = topology_is_text(p3d_file_name(word), text, n, err)
                    ? topology_hosts_parse(p3d_file_name(word), text, err)
                    : NULL;
    free(text);
    return hosts;
}

topology_host *topology_find_host(topology_hosts *hosts, topology_word name)
{
    const topology_word wanted = without_domain(name);

    return hosts == NULL ? NULL
                         : bsearch(&wanted, hosts->at, (size_t)hosts->n,
                                   sizeof(*hosts->at), topology_word_compare);
}

/* Number the switches of a tier in the order of ranks. */
static bool number_switches(topology_hosts *hosts, int tier, p3d_error *err)
{
    int *const numbers = calloc(TOPOLOGY_MAX_SWITCHES, sizeof(*numbers));
    int n = 0;

    if (numbers == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < hosts->n; i++) {
        int *const number = &numbers[hosts->at[i].switch_of[tier]];

        if (*number == 0)
            *number = ++n;
        hosts->at[i].switch_of[tier] = *number - 1;
    }
    free(numbers);
    return n <= P3D_MAX_STRETCHES ||
           p3d_fail(err, P3D_DATA,
                   "the hosts are below %d switches, more than %d; write "
                   "--placement random",
                   n, P3D_MAX_STRETCHES);
}

static bool is_same_place(const topology_host *a, const topology_host *b)
{
    return memcmp(a->switch_of, b->switch_of, sizeof(a->switch_of)) == 0;
}

/* Hosts come in the order of ranks. */
static bool add_stretches(
        const topology_hosts *hosts, p3d_tiers *out, p3d_error *err)
{
    for (int i = 0; i < hosts->n; i++) {
        const topology_host *const host = &hosts->at[i];
        const bool begins = i == 0 || !is_same_place(host - 1, host);

        if (begins && out->n_stretches == P3D_MAX_STRETCHES)
            return topology_fail(err, host->line,
                    "neighbours change the switch more than %d times; sort "
                    "the hosts, or write --placement random",
                    P3D_MAX_STRETCHES);

        p3d_stretch *const to = &out->stretches[begins ? out->n_stretches++
                                                       : out->n_stretches - 1];

        to->n_nodes++;
        for (int tier = 0; tier < out->n; tier++)
            to->switch_of[tier] = (uint16_t)host->switch_of[tier];
    }
    out->placement = P3D_PLACEMENT_HOSTS;
    return true;
}

static bool place(topology_hosts *hosts, exchange_topology *out, p3d_error *err)
{
    qsort(hosts->at, (size_t)hosts->n, sizeof(*hosts->at), by_rank);
    for (int i = 0; i < hosts->n; i++)
        if (!hosts->at[i].found)
            return topology_fail(err, hosts->at[i].line,
                    "no node of the topology has the name '%.*s'",
                    TOPOLOGY_SHOWN(hosts->at[i].name));
    out->n_hosts = hosts->n;
    if (out->tiers.n == 0)
        return true; /* one switch for all */
    for (int tier = 0; tier < out->tiers.n; tier++)
        if (!number_switches(hosts, tier, err))
            return false;
    return add_stretches(hosts, &out->tiers, err);
}

bool topology_place_hosts(
        topology_hosts *hosts, exchange_topology *out, p3d_error *err)
{
    p3d_error cause = {0};

    if (out->n_gpus > 0)
        return p3d_fail(err, P3D_DATA,
                "--hosts needs the switches of Slurm's topology.conf or of "
                "ibnetdiscover, and --topology is of a node");
    return place(hosts, out, &cause) || p3d_fail_file(err, hosts->file, &cause);
}
