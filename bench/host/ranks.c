/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.c - the rank of this process, the processes that it started, and an
 * alarm that ends it. */
#include "bench/host/ranks.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "bench/host/record.h"
#include "plan3d/units.h"

enum { DEFAULT_PORT = 29510, MAX_RANKS = 131072 };

const char *bench_rendezvous_word(int which)
{
    static const char *const words[BENCH_N_MEET + 1] = {
            "auto", "mpi", "nccl", "sockets", NULL};

    return words[which];
}

/* The variables of one launcher; NULL = it does not say. */
typedef struct launcher {
    const char *rank;
    const char *n_ranks;
    const char *local_rank;
    const char *n_local;
    const char *nodes;  /* a list that begins with the host of rank 0 */
    const char *job[2]; /* the same on all ranks, and on those of no other */
    const char *store;  /* there = something listens at MASTER_PORT */
    const char *pmi;    /* there = MPI can ask for the other ranks */
} launcher;

/* Each may be started by those after it, whose variables are then still there:
 * torchrun by all, mpirun inside an allocation of Slurm. Slurm's own PMI tells
 * no local rank, hence the second row of PMI. Sources:
 * pytorch torch/distributed/run.py (environment variables); srun(1), output
 * environment variables; Open MPI FAQ, "running"; MPICH's hydra, PMI; slurm
 * src/plugins/mpi/pmi2. mpirun's own daemons are steps of Slurm that leave out
 * the first node: the list of the job is the right one there. */
static const launcher launchers[] = {
        {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE",
                "SLURM_JOB_NODELIST", {"TORCHELASTIC_RUN_ID", "MASTER_PORT"},
                "TORCHELASTIC_RUN_ID", NULL},
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
                "SLURM_JOB_NODELIST", {"PMIX_NAMESPACE", "SLURM_JOB_ID"}, NULL,
                "OMPI_COMM_WORLD_RANK"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
                "SLURM_JOB_NODELIST", {"PMI_JOBID", "SLURM_JOB_ID"}, NULL,
                "PMI_RANK"},
        {"PMI_RANK", "PMI_SIZE", "SLURM_LOCALID", NULL, "SLURM_STEP_NODELIST",
                {"SLURM_JOB_ID", "SLURM_STEP_ID"}, NULL, "PMI_RANK"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL,
                "SLURM_STEP_NODELIST", {"SLURM_JOB_ID", "SLURM_STEP_ID"}, NULL,
                "PMIX_RANK"},
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

/* The first that has set all three; without one, the first that has set two of
 * them, so that what is missing is named. */
static const launcher *find_launcher(bench_env *env)
{
    const launcher *partly = NULL;

    for (int i = 0; i < P3D_COUNT_OF(launchers); i++) {
        const launcher *const l = &launchers[i];

        if (env(l->rank) == NULL || env(l->n_ranks) == NULL)
            continue;
        if (env(l->local_rank) != NULL)
            return l;
        partly = partly != NULL ? partly : l;
    }
    return partly;
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
    const char *const nodes = env(from->nodes);
    int n_local = 0;

    if (address != NULL && address[0] != '\0') {
        if (!p3d_copy(got->host, sizeof(got->host), address))
            return p3d_fail(err, P3D_DATA, "MASTER_ADDR is too long");
        return true;
    }
    if (from->n_local != NULL && env(from->n_local) != NULL &&
            !read_int(
                    env, from->n_local, (limits){1, MAX_RANKS}, &n_local, err))
        return false;
    if (n_local == got->n_ranks)
        return p3d_copy(got->host, sizeof(got->host), "127.0.0.1");
    if (nodes != NULL && bench_first_host(nodes, got->host, sizeof(got->host)))
        return true;
    return got->has_pmi || got->comm_id[0] != '\0' ||
           p3d_fail(err, P3D_DATA,
                   "MASTER_ADDR is not set; set it to the host of rank 0");
}

static bool read_comm_id(bench_env *env, bench_launch *got, p3d_error *err)
{
    const char *const id = env("NCCL_COMM_ID");

    return id == NULL || p3d_copy(got->comm_id, sizeof(got->comm_id), id) ||
           p3d_fail(err, P3D_DATA, "NCCL_COMM_ID is too long");
}

static uint64_t find_job(bench_env *env, const launcher *from)
{
    char words[2 * BENCH_HOST];
    char hash[24];
    const char *const first = env(from->job[0]);
    const char *const second = env(from->job[1]);

    if (first == NULL && second == NULL)
        return 0;
    snprintf(words, sizeof(words), "%.255s %.255s", first != NULL ? first : "",
            second != NULL ? second : "");
    bench_hash(words, strlen(words), hash);
    return strtoull(hash, NULL, 16);
}

int bench_port_at(int first, int i)
{
    enum { LOWEST = 1024, END = 65536 };

    return first + i < END ? first + i : LOWEST + first + i - END;
}

int bench_nccl_port(const bench_launch *launch)
{
    return bench_port_at(launch->port, (int)(launch->job % BENCH_PORTS));
}

/* Ports that were used and closed count as free; what listens does not. */
int bench_free_port(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
            .sin_port = htons((uint16_t)port),
            .sin_addr.s_addr = htonl(INADDR_ANY)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    socklen_t n = sizeof(at);
    int number;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (const struct sockaddr *)&at, n) != 0 ||
            getsockname(fd, (struct sockaddr *)&at, &n) != 0)
        at.sin_port = 0;
    number = errno;
    close(fd);
    errno = number;
    return at.sin_port != 0 ? ntohs(at.sin_port) : -1;
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
    got.has_pmi = from->pmi != NULL && env(from->pmi) != NULL;
    if (!read_comm_id(env, &got, err))
        return false;
    if (got.n_ranks > 1 &&
            (!read_int(env, from->local_rank, (limits){0, got.n_ranks - 1},
                     &got.local_rank, err) ||
                    !find_host(env, from, &got, err)))
        return false;
    if (env("MASTER_PORT") != NULL &&
            !read_int(env, "MASTER_PORT", (limits){1, 65535}, &got.port, err))
        return false;
    if (from->store != NULL && env(from->store) != NULL)
        got.port = bench_port_at(got.port, 1);
    got.job = find_job(env, from);
    *out = got;
    return true;
}

bool bench_raise_files(int n_ranks, p3d_error *err)
{
    enum { OTHERS = 256 };
    const rlim_t need = (rlim_t)n_ranks + OTHERS;
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur >= need)
        return true;
    l.rlim_cur = l.rlim_max < need ? l.rlim_max : need;
    (void)setrlimit(RLIMIT_NOFILE, &l);
    return l.rlim_cur > (rlim_t)n_ranks + OTHERS / 8 ||
           p3d_fail(err, P3D_SYSTEM,
                   "%d ranks need %d files open at once, where at most %d may "
                   "be; raise the hard limit ('ulimit -Hn') on the host of "
                   "rank 0",
                   n_ranks, (int)need, (int)l.rlim_max);
}

/* Where nobody took them. */
static void close_sockets(bench_launch *launch)
{
    const int first = launch->rank == 0 ? 1 : 0;
    const int end = launch->rank == 0 ? launch->n_ranks : 1;

    for (int i = first; i < end && launch->is_paired; i++)
        if (launch->sockets[i] >= 0)
            close(launch->sockets[i]);
    launch->is_paired = false;
}

/* What a further process does first: it does not outlive the one that started
 * it, which may be killed; and it keeps no end of the sockets of others, which
 * would stay open where rank 0 has ended. */
static void begin_child(int rank, pid_t parent, bench_launch *launch, int own)
{
    close_sockets(launch);
    launch->rank = launch->local_rank = rank;
    launch->n_children = 0;
    launch->is_paired = true;
    launch->sockets[0] = own;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(p3d_exit_status(P3D_SYSTEM));
}

/* A process with a socket to it. @return what fork() does */
static pid_t start_child(bench_launch *launch, int rank, int *own)
{
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                ends) != 0)
        return -1;
    launch->sockets[rank] = ends[0];
    pid = fork();
    *own = ends[1];
    if (pid != 0)
        close(ends[1]);
    return pid;
}

bool bench_launch_fork(int n_ranks, bench_launch *out, p3d_error *err)
{
    const pid_t parent = getpid();
    bench_launch got = {.n_ranks = n_ranks,
            .is_paired = n_ranks > 1,
            .host = "127.0.0.1",
            .port = bench_free_port(0)};

    if (n_ranks > 1 && !bench_raise_files(n_ranks, err))
        return false;
    for (int rank = 0; rank < n_ranks; rank++)
        got.sockets[rank] = -1;
    for (int rank = 1; rank < n_ranks; rank++) {
        int own = -1;
        const pid_t pid = start_child(&got, rank, &own);

        if (pid < 0) {
            p3d_fail(err, P3D_SYSTEM, "cannot start a process: %s",
                    strerror(errno));
            (void)bench_launch_end(&got, false);
            return false;
        }
        if (pid == 0) {
            begin_child(rank, parent, &got, own);
            break;
        }
        got.children[got.n_children++] = pid;
    }
    *out = got;
    return true;
}

/* See whether a process has ended, or wait until it has. */
static void reap(bench_launch *launch, int i, int options)
{
    int status = 0;
    pid_t got;

    if (launch->children[i] == 0)
        return;
    do {
        got = waitpid((pid_t)launch->children[i], &status, options);
    } while (got < 0 && errno == EINTR);
    if (got == 0)
        return;
    launch->children[i] = 0;
    if ((got < 0 || status != 0) && launch->lost_rank == 0) {
        launch->lost_rank = i + 1;
        launch->lost_status = status;
    }
}

bool bench_launch_alive(bench_launch *launch, p3d_error *err)
{
    p3d_code code = P3D_SYSTEM;

    for (int i = 0; i < launch->n_children; i++)
        reap(launch, i, WNOHANG);
    if (launch->lost_rank == 0)
        return true;
    if (WIFSIGNALED(launch->lost_status))
        return p3d_fail(err, P3D_SYSTEM, "rank %d was killed by signal %d (%s)",
                launch->lost_rank, WTERMSIG(launch->lost_status),
                strsignal(WTERMSIG(launch->lost_status)));
    if (WEXITSTATUS(launch->lost_status) == p3d_exit_status(P3D_DATA))
        code = P3D_DATA;
    if (WEXITSTATUS(launch->lost_status) == p3d_exit_status(P3D_DEVICE))
        code = P3D_DEVICE;
    return p3d_fail(err, code, "rank %d has ended with status %d",
            launch->lost_rank, WEXITSTATUS(launch->lost_status));
}

bool bench_launch_end(bench_launch *launch, bool ok)
{
    for (int i = 0; i < launch->n_children && !ok; i++)
        if (launch->children[i] > 0)
            kill((pid_t)launch->children[i], SIGTERM);
    for (int i = 0; i < launch->n_children; i++)
        reap(launch, i, 0);
    launch->n_children = 0;
    close_sockets(launch);
    return launch->lost_rank == 0;
}

enum { STATUS = 5 }; /* of P3D_DEVICE; an enumerator is safe in a handler */

/* Only what may be called from a signal handler. */
static void give_up(int signal)
{
    static const char line[] = "plan3d-bench: other ranks do not answer within "
                               "--timeout\n";

    (void)signal;
    (void)!write(STDERR_FILENO, line, sizeof(line) - 1);
    _exit(STATUS);
}

void bench_watchdog(double timeout_s)
{
    struct sigaction action = {.sa_handler = give_up};

    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(timeout_s > 0 ? (unsigned)ceil(timeout_s) : 0);
}
