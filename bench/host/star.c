/* SPDX-License-Identifier: GPL-3.0-or-later */
/* star.c - a star of sockets between all ranks: which rank 0 made before it
 * started the others, or by which they meet at the first free one of several
 * ports. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/util.h"
#include "bench/host/transport.h"

typedef struct star {
    bench_net net;
    int fds[]; /* rank 0: one for each rank, [0] unused; else fds[0] */
} star;

static int *fds(bench_net *net)
{
    return ((star *)net)->fds;
}

/* What both sides say first, so that a stranger is not taken for a rank, nor
 * another program for rank 0. */
typedef struct hello {
    char magic[8];
    uint64_t job;
    int32_t rank;
    int32_t n_ranks;
} hello;

static const char MAGIC[8] = "p3dbench";

/* Between two tries to reach rank 0, which may start later; and after a failure
 * to accept, which ends when others close their files. */
static const double RETRY_S = 0.1;

/* For one try to connect, and for the answer: something else may hold a port.
 * Rank 0 hears out one rank after the other. */
static const double TRY_S = 5;
static const double ANSWER_S = 3;
static const double STRANGER_S = 2;

/* How long a child that ended goes unnoticed at most. */
static const double SLICE_S = 0.05;

static void pause_s(double s)
{
    const struct timespec t = {.tv_nsec = (long)(1e9 * s)};

    nanosleep(&t, NULL);
}

static double before(double deadline_s, double within_s)
{
    const double then_s = p3d_now_s() + within_s;

    return then_s < deadline_s ? then_s : deadline_s;
}

/* True when the socket is ready before the deadline, and no process is lost
 * that this one started. */
static bool wait_for(
        const bench_net *net, int fd, short events, double deadline_s)
{
    struct pollfd p = {.fd = fd, .events = events};
    double left_s;
    int n;

    do {
        left_s = deadline_s - p3d_now_s();
        if (left_s <= 0)
            return false;
        n = poll(&p, 1, (int)(1e3 * (left_s < SLICE_S ? left_s : SLICE_S)) + 1);
        if (n == 0 && net->children != NULL &&
                !bench_launch_alive(net->children, NULL))
            return false;
    } while (n == 0 || (n < 0 && errno == EINTR));
    return n > 0;
}

/* A connection, and how long it may take. */
typedef struct wire {
    const bench_net *net;
    int fd;
    double deadline_s;
} wire;

/* Sends or receives all n bytes; 0, or what went wrong. */
static const char *move(wire w, void *data, size_t n, bool out)
{
    char *at = data;

    while (n > 0) {
        ssize_t done;

        if (!wait_for(w.net, w.fd, out ? POLLOUT : POLLIN, w.deadline_s))
            return "does not answer";
        done = out ? send(w.fd, at, n, MSG_NOSIGNAL) : recv(w.fd, at, n, 0);
        if (done == 0)
            return "has ended";
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return strerror(errno);
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        }
    }
    return NULL;
}

/* A process that this one started says more by how it ended than a socket. */
static bool is_alive(const bench_net *net, p3d_error *err)
{
    return net->children == NULL || bench_launch_alive(net->children, err);
}

static bool fail_rank(
        const bench_net *net, int rank, const char *what, p3d_error *err)
{
    if (net->children != NULL)
        pause_s(SLICE_S); /* its files are closed before it has ended */
    return is_alive(net, err) &&
           p3d_fail(err, P3D_SYSTEM, "rank %d %s", rank, what);
}

static void set_up(int fd)
{
    const int on = 1;

    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* On all addresses of this host; IPv6 sockets take IPv4 too. @return -1 with
 * errno */
static int listen_at(int port, int n_ranks)
{
    const struct sockaddr_in6 at6 = {.sin6_family = AF_INET6,
            .sin6_port = htons((uint16_t)port),
            .sin6_addr = in6addr_any};
    const struct sockaddr_in at4 = {.sin_family = AF_INET,
            .sin_port = htons((uint16_t)port),
            .sin_addr.s_addr = htonl(INADDR_ANY)};
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const bool six = fd >= 0;
    const int on = 1, off = 0;
    int got, number;

    if (!six)
        fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    set_up(fd);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (six)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    got = six ? bind(fd, (const struct sockaddr *)&at6, sizeof(at6))
              : bind(fd, (const struct sockaddr *)&at4, sizeof(at4));
    if (got == 0 && listen(fd, n_ranks) == 0)
        return fd;
    number = errno;
    close(fd);
    errno = number;
    return -1;
}

/* The first port that is free, or that this user may have. */
static int open_listener(int first, int n_ranks, p3d_error *err)
{
    int fd = -1;

    errno = EADDRINUSE;
    for (int i = 0; i < BENCH_PORTS && fd < 0 &&
                    (errno == EADDRINUSE || errno == EACCES);
            i++)
        fd = listen_at(bench_port_at(first, i), n_ranks);
    if (fd < 0)
        p3d_fail(err, P3D_SYSTEM,
                "cannot listen on ports %d to %d: %s; set MASTER_PORT to a "
                "free one",
                first, bench_port_at(first, BENCH_PORTS - 1), strerror(errno));
    return fd;
}

/* The lowest rank that is not here yet, or n_ranks. */
static int first_missing(bench_net *net)
{
    int rank = 1;

    while (rank < net->n_ranks && fds(net)[rank] >= 0)
        rank++;
    return rank;
}

/* A rank that gave up and came again is taken once more. */
static bool is_closed(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* @return false with errno, where accept() would fail again at once */
static bool accept_again(double deadline_s)
{
    static const int passing[] = {EMFILE, ENFILE, ENOBUFS, ENOMEM};

    if (errno == EINTR || errno == EAGAIN || errno == ECONNABORTED)
        return true;
    for (int i = 0; i < P3D_COUNT_OF(passing); i++) {
        if (errno == passing[i] && p3d_now_s() + RETRY_S < deadline_s) {
            pause_s(RETRY_S);
            return true;
        }
    }
    return false;
}

/* Whether a connection says hello as a rank of this job does; else it is
 * dropped, for something else may knock at the port. */
static bool hear(bench_net *net, int fd, const hello *mine, hello *got)
{
    return move((wire){net, fd, p3d_now_s() + STRANGER_S}, got, sizeof(*got),
                   false) == NULL &&
           memcmp(got->magic, MAGIC, sizeof(MAGIC)) == 0 &&
           got->job == mine->job;
}

static bool accept_rank(bench_net *net, int listener, const hello *mine,
        double deadline_s, p3d_error *err)
{
    const int fd = accept(listener, NULL, NULL);
    hello got = *mine, answer = *mine;

    if (fd < 0)
        return accept_again(deadline_s) ||
               p3d_fail(err, P3D_SYSTEM,
                       "cannot accept rank %d of %d: %s; see 'ulimit -n' on "
                       "the host of rank 0",
                       first_missing(net), net->n_ranks, strerror(errno));
    set_up(fd);
    if (!hear(net, fd, mine, &got)) {
        close(fd);
        return is_alive(net, err);
    }
    if (got.n_ranks != net->n_ranks || got.rank < 1 ||
            got.rank >= net->n_ranks ||
            (fds(net)[got.rank] >= 0 && !is_closed(fds(net)[got.rank]))) {
        close(fd);
        return p3d_fail(err, P3D_SYSTEM,
                "a process says that it is rank %d of %d, where rank 0 has "
                "%d; start all ranks in one job",
                (int)got.rank, (int)got.n_ranks, net->n_ranks);
    }
    if (fds(net)[got.rank] >= 0)
        close(fds(net)[got.rank]);
    fds(net)[got.rank] = fd;
    if (move((wire){net, fd, deadline_s}, &answer, sizeof(answer), true) !=
            NULL) {
        close(fd);
        fds(net)[got.rank] = -1; /* it comes again, or is missed */
    }
    return true;
}

static bool accept_all(
        bench_net *net, const bench_launch *launch, p3d_error *err)
{
    const double deadline_s = p3d_now_s() + net->timeout_s;
    hello mine = {.job = launch->job, .n_ranks = net->n_ranks};
    const int listener =
            bench_raise_files(net->n_ranks, err)
                    ? open_listener(launch->port, net->n_ranks, err)
                    : -1;
    bool ok = listener >= 0;

    memcpy(mine.magic, MAGIC, sizeof(MAGIC));
    while (ok && first_missing(net) < net->n_ranks) {
        ok = wait_for(net, listener, POLLIN, deadline_s)
                     ? accept_rank(net, listener, &mine, deadline_s, err)
                     : is_alive(net, err) &&
                               p3d_fail(err, P3D_SYSTEM,
                                       "rank %d of %d has not come within "
                                       "%.4g s",
                                       first_missing(net), net->n_ranks,
                                       net->timeout_s);
    }
    if (listener >= 0)
        close(listener);
    return ok;
}

/* One try at one address; -1 when nothing listens there yet. */
static int connect_once(
        const bench_net *net, const struct addrinfo *at, double deadline_s)
{
    const int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    int error = 0;
    socklen_t n = sizeof(error);

    if (fd < 0)
        return -1;
    set_up(fd);
    if (connect(fd, at->ai_addr, at->ai_addrlen) == 0)
        return fd;
    if (errno == EINPROGRESS && wait_for(net, fd, POLLOUT, deadline_s) &&
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0)
        return fd;
    close(fd);
    return -1;
}

static int connect_host(
        const bench_net *net, const char *host, int at_port, double deadline_s)
{
    const struct addrinfo wanted = {
            .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[16];
    int fd = -1;

    snprintf(port, sizeof(port), "%d", at_port);
    if (getaddrinfo(host, port, &wanted, &found) != 0)
        return -1;
    for (const struct addrinfo *at = found; at != NULL && fd < 0;
            at = at->ai_next)
        fd = connect_once(net, at, deadline_s);
    freeaddrinfo(found);
    return fd;
}

/* Say hello, and hear that it is rank 0 who answers. @return NULL, or what went
 * wrong */
static const char *greet(
        const bench_net *net, int fd, const hello *mine, double deadline_s)
{
    hello say = *mine, got = *mine;
    const char *const wrong =
            move((wire){net, fd, deadline_s}, &say, sizeof(say), true);

    if (wrong != NULL)
        return wrong;
    say.rank = 0;
    if (move((wire){net, fd, before(deadline_s, ANSWER_S)}, &got, sizeof(got),
                false) != NULL ||
            memcmp(&got, &say, sizeof(got)) != 0)
        return "something else listens there";
    return NULL;
}

/* All ports once. @return NULL, or what went wrong at the last */
static const char *try_ports(bench_net *net, const bench_launch *launch,
        const hello *mine, double deadline_s)
{
    const char *wrong = "nothing listens there";

    for (int i = 0; i < BENCH_PORTS && p3d_now_s() < deadline_s; i++) {
        const int fd = connect_host(net, launch->host,
                bench_port_at(launch->port, i), before(deadline_s, TRY_S));

        if (fd < 0)
            continue;
        wrong = greet(net, fd, mine, deadline_s);
        if (wrong == NULL) {
            fds(net)[0] = fd;
            return NULL;
        }
        close(fd);
    }
    return wrong;
}

static bool connect_root(
        bench_net *net, const bench_launch *launch, p3d_error *err)
{
    const double deadline_s = p3d_now_s() + net->timeout_s;
    hello mine = {
            .job = launch->job, .rank = net->rank, .n_ranks = net->n_ranks};
    const char *wrong;

    memcpy(mine.magic, MAGIC, sizeof(MAGIC));
    do {
        wrong = try_ports(net, launch, &mine, deadline_s);
        if (wrong == NULL)
            return true;
        pause_s(RETRY_S);
    } while (p3d_now_s() < deadline_s);
    return p3d_fail(err, P3D_SYSTEM,
            "rank 0 does not answer at %.200s ports %d to %d within %.4g s "
            "(%s); check MASTER_ADDR and MASTER_PORT",
            launch->host, launch->port,
            bench_port_at(launch->port, BENCH_PORTS - 1), net->timeout_s,
            wrong);
}

/* It goes wherever processes are started. */
static const char *star_refuse(const bench_launch *launch)
{
    (void)launch;
    return NULL;
}

static void star_print(const bench_launch *launch, char *out, size_t n)
{
    if (launch->is_paired) {
        snprintf(out, n, "sockets of rank 0, which started them");
        return;
    }
    snprintf(out, n, "sockets of rank 0 at %s, the first free port of %d to %d",
            launch->host[0] != '\0' ? launch->host : "an unknown host",
            launch->port, bench_port_at(launch->port, BENCH_PORTS - 1));
}

static void star_close(bench_net *net, bool ok)
{
    (void)ok;
    for (int i = 0; i < net->n_ranks; i++)
        if (fds(net)[i] >= 0)
            close(fds(net)[i]);
    free(net);
}

/* The sockets that the ranks were started with. */
static void take_sockets(bench_net *net, bench_launch *launch)
{
    const int first = net->rank == 0 ? 1 : 0;
    const int end = net->rank == 0 ? net->n_ranks : 1;

    for (int i = first; i < end; i++)
        fds(net)[i] = launch->sockets[i];
    launch->is_paired = false;
}

static bool star_open(
        bench_launch *launch, double timeout_s, bench_net **out, p3d_error *err)
{
    const size_t n = (size_t)launch->n_ranks;
    bool ok = true;
    star *s;

    if ((launch->has_pmi || launch->comm_id[0] != '\0') &&
            launch->host[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "MASTER_ADDR is not set; set it to the host of rank 0");
    s = malloc(sizeof(*s) + n * sizeof(s->fds[0]));
    if (s == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->net = bench_net_head(&bench_star, launch, timeout_s);
    for (size_t i = 0; i < n; i++)
        s->fds[i] = -1;
    if (launch->is_paired)
        take_sockets(&s->net, launch);
    else if (launch->n_ranks > 1)
        ok = launch->rank == 0 ? accept_all(&s->net, launch, err)
                               : connect_root(&s->net, launch, err);
    if (ok)
        *out = &s->net;
    else
        star_close(&s->net, false);
    return ok;
}

static bool star_broadcast(bench_net *net, void *data, size_t n, p3d_error *err)
{
    const double deadline_s = p3d_now_s() + net->timeout_s;
    const char *wrong = NULL;

    if (net->rank > 0) {
        wrong = move((wire){net, fds(net)[0], deadline_s}, data, n, false);
        return wrong == NULL || fail_rank(net, 0, wrong, err);
    }
    for (int rank = 1; rank < net->n_ranks; rank++) {
        wrong = move((wire){net, fds(net)[rank], deadline_s}, data, n, true);
        if (wrong != NULL)
            return fail_rank(net, rank, wrong, err);
    }
    return true;
}

/* send() has no const-correct cousin of move(): a copy keeps data const. */
static bool send_root(
        bench_net *net, const void *data, size_t n, p3d_error *err)
{
    void *const copy = malloc(n);
    const char *wrong;

    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, data, n);
    wrong = move((wire){net, fds(net)[0], p3d_now_s() + net->timeout_s}, copy,
            n, true);
    free(copy);
    return wrong == NULL || fail_rank(net, 0, wrong, err);
}

static bool star_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err)
{
    const double deadline_s = p3d_now_s() + net->timeout_s;

    if (net->rank > 0)
        return send_root(net, data, n, err);
    memcpy(all, data, n);
    for (int rank = 1; rank < net->n_ranks; rank++) {
        const char *const wrong = move((wire){net, fds(net)[rank], deadline_s},
                (char *)all + (size_t)rank * n, n, false);

        if (wrong != NULL)
            return fail_rank(net, rank, wrong, err);
    }
    return true;
}

const bench_transport bench_star = {.refuse = star_refuse,
        .print = star_print,
        .open = star_open,
        .broadcast = star_broadcast,
        .gather = star_gather,
        .close = star_close};
