/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net.c - the table of transports, and what all of them do alike. */
#include "bench/host/net.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/host/transport.h"

/* The first that does not refuse; sockets never do. */
static const bench_transport *const transports[] = {&bench_mpi, &bench_star};

static const bench_transport *choose(
        const bench_launch *launch, const char **why_not)
{
    const char *refusal;
    int i = 0;

    *why_not = "";
    while ((refusal = transports[i]->refuse(launch)) != NULL) {
        *why_not = refusal;
        i++;
    }
    return transports[i];
}

void bench_net_print(const bench_launch *launch, char *out, size_t n)
{
    const char *why_not;
    const bench_transport *const how = choose(launch, &why_not);
    char words[512];

    how->print(launch, words, sizeof(words));
    snprintf(out, n, "%d ranks over %s%s%s", launch->n_ranks, words,
            why_not[0] != '\0' ? "; no MPI: " : "", why_not);
}

bool bench_net_open(
        bench_launch *launch, double timeout_s, bench_net **out, p3d_error *err)
{
    const char *why_not;
    const bench_transport *const how = choose(launch, &why_not);
    bench_net *net;

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
