/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net.c - the table of transports, and what all of them do alike. */
#include "bench/host/net.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/host/transport.h"

typedef struct way {
    const char *name;
    const bench_transport *how; /* NULL = not in this program */
    const char *unexpected;     /* why not, where it does not say */
} way;

static way way_of(const bench_launch *launch, bench_rendezvous which)
{
    const way ways[BENCH_N_MEET] = {
            [BENCH_MEET_MPI] = {"MPI", &bench_mpi,
                    "no launcher with PMI started these ranks"},
            [BENCH_MEET_NCCL] = {"NCCL", launch->over_nccl,
                    "this program has none"},
            [BENCH_MEET_SOCKETS] = {"sockets", &bench_star, ""},
    };

    return ways[which];
}

static const char *why_not(const bench_launch *launch, way w)
{
    return w.how != NULL ? w.how->refuse(launch) : "";
}

/* The first that does not refuse, or the one that the user wants; one rank
 * meets nobody.
 * @param why  what was better, and why it is not there; else what is wrong
 * @return NULL when the one wanted is not there */
static const bench_transport *choose(
        const bench_launch *launch, char *why, size_t n)
{
    const bool is_free =
            launch->rendezvous == BENCH_MEET_AUTO || launch->n_ranks == 1;
    const bench_rendezvous first =
            is_free ? BENCH_MEET_MPI : launch->rendezvous;
    const bench_rendezvous last =
            is_free ? BENCH_MEET_SOCKETS : launch->rendezvous;
    size_t used = 0;

    why[0] = '\0';
    for (bench_rendezvous i = first; i <= last; i++) {
        const way w = way_of(launch, i);
        const char *const refusal = why_not(launch, w);

        if (refusal == NULL)
            return w.how;
        if (used < n && (refusal[0] != '\0' || !is_free))
            used += (size_t)snprintf(why + used, n - used, "; no %s: %s",
                    w.name, refusal[0] != '\0' ? refusal : w.unexpected);
    }
    return NULL;
}

void bench_net_print(const bench_launch *launch, char *out, size_t n)
{
    char why[256];
    const bench_transport *const how = choose(launch, why, sizeof(why));
    char words[512];

    out[0] = '\0';
    if (how == NULL)
        return;
    how->print(launch, words, sizeof(words));
    snprintf(out, n, "%d ranks over %s%s", launch->n_ranks, words, why);
}

bool bench_net_open(
        bench_launch *launch, double timeout_s, bench_net **out, p3d_error *err)
{
    char why[256];
    const bench_transport *const how = choose(launch, why, sizeof(why));
    bench_net *net;

    if (how == NULL)
        return p3d_fail(err, P3D_DATA, "--rendezvous %s%s",
                bench_rendezvous_word((int)launch->rendezvous), why);
    if (!how->open(launch, timeout_s, &net, err))
        return false;
    net->tokens = malloc((size_t)net->n_ranks);
    if (net->tokens == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (net->tokens == NULL || !bench_net_barrier(net, err)) {
        bench_net_close(net, false);
        return false;
    }
    *out = net;
    return true;
}

void bench_net_close(bench_net *net, bool ok)
{
    if (net == NULL)
        return;
    free(net->tokens);
    net->how->close(net, ok);
}

void bench_net_wait_up_to(bench_net *net, double timeout_s)
{
    if (net != NULL)
        net->timeout_s = timeout_s;
}

void bench_net_rest(bench_net *net)
{
    if (net != NULL && net->how->rest != NULL)
        net->how->rest(net);
}

bool bench_net_broadcast(bench_net *net, void *data, size_t n, p3d_error *err)
{
    return net->how->broadcast(net, data, n, err);
}

bool bench_net_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err)
{
    return net->how->gather(net, data, n, all, err);
}

bool bench_net_barrier(bench_net *net, p3d_error *err)
{
    char token = 'b';

    return bench_net_gather(net, &token, 1, net->tokens, err) &&
           bench_net_broadcast(net, &token, 1, err);
}
