/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spares.c - nodes that wait to take the place of broken ones. */
#include "cost/spares.h"

/** Erlang's B of one line more. */
static double one_more(double busy, int n, double load)
{
    return load * busy / (n + load * busy);
}

double cost_waiting_frac(int n_spares, double load)
{
    double busy = 1;

    for (int n = 1; n <= n_spares + 1; n++)
        busy = one_more(busy, n, load);
    return busy;
}

/* 1 - B is concave in s, so the quotient has one valley. */
int cost_spares(int n_nodes, double load)
{
    double busy = one_more(1, 1, load);
    double hours = n_nodes / (1 - busy);
    int s = 0;

    while (s < n_nodes) {
        double more;

        busy = one_more(busy, s + 2, load);
        more = (n_nodes + s + 1) / (1 - busy);
        if (more >= hours)
            break;
        hours = more;
        s++;
    }
    return s;
}
