/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - ranks from the environment, or by starting processes. */
#include "bench/host/launch.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/units.h"

enum { DEFAULT_PORT = 29510, MAX_RANKS = 131072 };

/* The variables of one launcher. */
typedef struct launcher {
    const char *rank;
    const char *n_ranks;
    const char *local_rank;
    const char *n_local; /* NULL = it does not say */
} launcher;

/* torchrun comes first: it is started by the others. Sources:
 * pytorch torch/distributed/run.py (environment variables); srun(1), output
 * environment variables; Open MPI FAQ, "running"; MPICH's hydra, PMI. */
static const launcher launchers[] = {
        {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL},
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
};

typedef struct limits {
    int64_t min, max;
} limits;

static bool read_int(bench_env *env, const char *name, limits valid, int *out,
        p3d_error *err)
{
    const char *const text = env(name);
    p3d_error cause = {0};
    int64_t value;

    if (text == NULL || text[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "%s is not set; start all ranks with srun, mpirun or torchrun, "
                "or one process with --gpus",
                name);
    if (!p3d_parse_count(text, valid.min, valid.max, &value, &cause))
        return p3d_fail(err, P3D_DATA, "%s: %s", name, cause.text);
    *out = (int)value;
    return true;
}

static const launcher *find_launcher(bench_env *env)
{
    for (int i = 0; i < P3D_COUNT_OF(launchers); i++)
        if (env(launchers[i].rank) != NULL && env(launchers[i].n_ranks) != NULL)
            return &launchers[i];
    return NULL;
}

bool bench_first_host(const char *list, char *out, size_t n)
{
    const size_t prefix = strcspn(list, "[,");
    const char *const range = list + prefix;
    const int digits = *range == '[' ? (int)strcspn(range + 1, "-,]") : 0;
    const char *const close = *range == '[' ? strchr(range, ']') : NULL;
    const char *const suffix = close != NULL ? close + 1 : "";
    const int length = snprintf(out, n, "%.*s%.*s%.*s", (int)prefix, list,
            digits, digits > 0 ? range + 1 : "", (int)strcspn(suffix, ",["),
            suffix);

    return length > 0 && (size_t)length < n;
}

static bool find_host(
        bench_env *env, const launcher *from, bench_launch *got, p3d_error *err)
{
    const char *const address = env("MASTER_ADDR");
    const char *const nodes = env("SLURM_STEP_NODELIST");
    int n_local = 0;

    if (address != NULL && address[0] != '\0') {
        if (!p3d_copy(got->host, sizeof(got->host), address))
            return p3d_fail(err, P3D_DATA, "MASTER_ADDR is too long");
        return true;
    }
    if (nodes != NULL && bench_first_host(nodes, got->host, sizeof(got->host)))
        return true;
    if (from->n_local != NULL && env(from->n_local) != NULL &&
            !read_int(
                    env, from->n_local, (limits){1, MAX_RANKS}, &n_local, err))
        return false;
    if (n_local != got->n_ranks)
        return p3d_fail(err, P3D_DATA,
                "MASTER_ADDR is not set; set it to the host of rank 0");
    p3d_copy(got->host, sizeof(got->host), "127.0.0.1");
    return true;
}

bool bench_launch_read(bench_env *env, bench_launch *out, p3d_error *err)
{
    const launcher *const from = find_launcher(env);
    bench_launch got = {.n_ranks = 1, .port = DEFAULT_PORT};

    if (from == NULL) {
        *out = got;
        return true;
    }
    if (!read_int(env, from->n_ranks, (limits){1, MAX_RANKS}, &got.n_ranks,
                err) ||
            !read_int(env, from->rank, (limits){0, got.n_ranks - 1}, &got.rank,
                    err))
        return false;
    if (got.n_ranks > 1 &&
            (!read_int(env, from->local_rank, (limits){0, got.n_ranks - 1},
                     &got.local_rank, err) ||
                    !find_host(env, from, &got, err)))
        return false;
    if (env("MASTER_PORT") != NULL &&
            !read_int(env, "MASTER_PORT", (limits){1, 65535}, &got.port, err))
        return false;
    *out = got;
    return true;
}

/* A port that nothing uses now. */
static bool find_port(int *out, p3d_error *err)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);
    const bool ok = fd >= 0 &&
                    bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
                    getsockname(fd, (struct sockaddr *)&at, &n) == 0;

    if (fd >= 0)
        close(fd);
    *out = ntohs(at.sin_port);
    return ok || p3d_fail(err, P3D_SYSTEM, "no port of this host is free: %s",
                         strerror(errno));
}

bool bench_launch_fork(int n_ranks, bench_launch *out, p3d_error *err)
{
    bench_launch got = {.n_ranks = n_ranks};

    p3d_copy(got.host, sizeof(got.host), "127.0.0.1");
    if (n_ranks > 1 && !find_port(&got.port, err))
        return false;
    for (int rank = 1; rank < n_ranks; rank++) {
        const pid_t pid = fork();

        if (pid < 0) {
            p3d_fail(err, P3D_SYSTEM, "cannot start a process: %s",
                    strerror(errno));
            (void)bench_launch_end(&got, false);
            return false;
        }
        if (pid == 0) {
            got.rank = got.local_rank = rank;
            got.n_children = 0;
            break;
        }
        got.children[got.n_children++] = pid;
    }
    *out = got;
    return true;
}

/* The process's exit status, or -1 after a signal. */
static int wait_for(long pid)
{
    int status = 0;
    pid_t got;

    do {
        got = waitpid((pid_t)pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    return got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool bench_launch_end(bench_launch *launch, bool ok)
{
    bool all_ok = true;

    for (int i = 0; i < launch->n_children && !ok; i++)
        kill((pid_t)launch->children[i], SIGTERM);
    for (int i = 0; i < launch->n_children; i++)
        all_ok = wait_for(launch->children[i]) == 0 && all_ok;
    launch->n_children = 0;
    return all_ok;
}
