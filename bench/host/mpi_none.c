/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_none.c - instead of mpi.c where the build found no MPI. */
#include "bench/host/transport.h"

static const char *none_refuse(const bench_launch *launch)
{
    return launch->has_pmi ? "this build found none" : "";
}

const bench_transport bench_mpi = {.refuse = none_refuse};
