/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ports.h - processes that meet at ports, as those of torchrun do. */
#ifndef PLAN3D_TESTS_PORTS_H
#define PLAN3D_TESTS_PORTS_H

#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/util.h"
#include "bench/host/ranks.h"

/* One that nothing uses now. */
static inline int ports_free(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);

    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    close(fd);
    return ntohs(at.sin_port);
}

/* The processes of bench_launch_fork(), without the sockets that it gives
 * them. */
static inline void ports_fork(int n_ranks, bench_launch *launch)
{
    const int port = ports_free();
    p3d_error err = {0};

    assert_true(bench_launch_fork(n_ranks, launch, &err));
    for (int i = 0; i < n_ranks; i++)
        if (launch->is_paired && launch->sockets[i] >= 0)
            close(launch->sockets[i]);
    launch->is_paired = false;
    launch->port = port;
    launch->job = (uint64_t)port;
    assert_true(p3d_copy(launch->host, sizeof(launch->host), "127.0.0.1"));
}

#endif
