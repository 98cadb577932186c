/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster.c - clusters in words, such as 64xA800 or 8x8xH100-80G, and in a JSON
 * file. */
#include "plan3d/cluster.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/util.h"
#include "spec/given.h"
#include "spec/hardware.h"
#include "spec/hardware_rows.h"
#include "spec/network.h"
#include "spec/sizes.h"
#include "spec/slices.h"
#include "spec/tiers.h"

/* Counts and type of `8x8xH100-80G`. */
typedef struct cluster_words {
    int64_t counts[2];
    int n_counts;
    char gpu[64];
} cluster_words;

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

/* Bytes of a times sign: x, X, * or the UTF-8 for U+00D7; 0 = none. */
static int times_length(const char *text)
{
    if (text[0] == 'x' || text[0] == 'X' || text[0] == '*')
        return 1;
    return strncmp(text, "\xc3\x97", 2) == 0 ? 2 : 0;
}

/* Digits and a times sign; the text after them, or NULL. */
static const char *read_count(const char *text, int64_t *count)
{
    const char *p = text;
    int64_t value = 0;

    while (p3d_is_digit(*p))
        value = p3d_add(p3d_mul(value, 10), *p++ - '0');
    if (p == text)
        return NULL;
    p = skip_spaces(p);
    if (times_length(p) == 0)
        return NULL;
    *count = value;
    return skip_spaces(p + times_length(p));
}

/* "80G", "80GB" and "80 GiB" up to a times sign or the end; its length. What
 * ends in "ti" is the name of a GPU: 2080ti. */
static size_t memory_length(const char *text)
{
    size_t n = strspn(text, "0123456789.");

    if (n == 0 || p3d_same_word(text + n, "ti"))
        return 0;
    n += strspn(text + n, " ");
    if (text[n] == '\0' || strchr("GgTtMm", text[n]) == NULL)
        return 0;
    n++;
    n += text[n] == 'i';
    n += text[n] == 'B' || text[n] == 'b';
    return *skip_spaces(text + n) == '\0' || text[n] == ' ' ||
                           times_length(text + n) > 0
                   ? n
                   : 0;
}

/* Bytes before the first times sign, less spaces; 0 when there is none. */
static size_t length_before_times(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0' && times_length(text + n) == 0)
        n++;
    if (text[n] == '\0')
        return 0;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return n;
}

/* Say what is wrong with words that have no type where one is expected. */
static bool fail_type(const char *words, const char *type, p3d_error *err)
{
    const size_t n_memory = memory_length(type);

    if (n_memory > 0)
        return p3d_fail(err, P3D_DATA,
                "'%.*s' is a memory size, not a GPU; it is part of the GPU's "
                "name: write 64xA800-80G",
                (int)n_memory, type);
    return p3d_fail(
            err, P3D_DATA, "'%.80s' names no GPU; write 64xA800", words);
}

/* Say what is wrong with words that do not begin with a count. */
static bool fail_count(const char *words, p3d_error *err)
{
    const size_t n_digits = strspn(words, "0123456789");
    const size_t n_token = length_before_times(words);
    const char *const last = strrchr(words, 'x');

    if (words[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "no cluster given; write GPUs x type, such as 64xA800");
    if (memory_length(words) > 0 || words[n_digits] == '\0')
        return fail_type(words, words, err);
    if (n_token > 0 && strchr("+-.0123456789", words[0]) != NULL)
        return p3d_fail(err, P3D_DATA,
                "'%.*s' is not a whole number of GPUs; write 64xA800",
                n_token < 80 ? (int)n_token : 80, words);
    if (last != NULL && last > words && p3d_is_digit(last[1]) &&
            last[1 + strspn(last + 1, "0123456789")] == '\0')
        return p3d_fail(err, P3D_DATA,
                "'%.80s' has the type first; write %.20sx%.*s", words, last + 1,
                last - words < 60 ? (int)(last - words) : 60, words);
    if (n_digits > 0)
        return p3d_fail(err, P3D_DATA,
                "'%.80s' has no x between count and type; write %.*sx%.60s",
                words, n_digits < 20 ? (int)n_digits : 20, words,
                skip_spaces(words + n_digits));
    return p3d_fail(err, P3D_DATA,
            "'%.80s' does not say how many; write 8x%.60s", words, words);
}

/* "v5p-128", and slices of it: "2xv5p-128". @return whether it is that */
static bool read_slices(const char *words, cluster_words *out)
{
    const char *gpu = NULL, *name = read_count(words, &out->counts[0]);
    const int64_t n = spec_slice_named(name != NULL ? name : words, &gpu);

    if (n == 0)
        return false;
    out->n_counts = name != NULL ? 2 : 1;
    out->counts[out->n_counts - 1] = n;
    (void)p3d_copy(out->gpu, sizeof(out->gpu), gpu);
    return true;
}

static bool read_words(const char *words, cluster_words *out, p3d_error *err)
{
    const char *p = skip_spaces(words);
    cluster_words got = {0};
    const char *next = NULL;
    int64_t count = 0;
    size_t length;

    if (read_slices(p, &got)) {
        *out = got;
        return got.counts[got.n_counts - 1] > 0 ||
               p3d_fail(err, P3D_DATA,
                       "'%.80s' counts TensorCores, two a chip: write an even "
                       "number",
                       p);
    }
    if (read_count(p, &count) == NULL)
        return fail_count(p, err);
    while ((next = read_count(p, &count)) != NULL) {
        if (got.n_counts == P3D_COUNT_OF(got.counts))
            return p3d_fail(err, P3D_DATA,
                    "'%.80s' has too many counts; write nodes x GPUs per node "
                    "x type, such as 8x8xA800",
                    words);
        got.counts[got.n_counts++] = count;
        p = next;
    }
    length = strlen(p);
    while (length > 0 && p[length - 1] == ' ')
        length--;
    if (length == 0 || memory_length(p) > 0)
        return fail_type(words, p, err);
    if (length >= sizeof(got.gpu))
        return p3d_fail(err, P3D_DATA,
                "'%.60s...' is too long for the name of a GPU; write 64xA800",
                p);
    memcpy(got.gpu, p, length);
    *out = got;
    return true;
}

static bool check_count(int64_t n_gpus, p3d_error *err)
{
    if (n_gpus < 1)
        return p3d_fail(err, P3D_DATA,
                "a cluster of %lld GPUs; write at least 1, such as 1xA800",
                (long long)n_gpus);
    if (n_gpus > P3D_MAX_GPUS)
        return p3d_fail(err, P3D_DATA,
                "more than %d GPUs, the most that plan3d plans for",
                P3D_MAX_GPUS);
    return true;
}

/* 63 GPUs in nodes of 8: name the counts nearby that do fill nodes. */
static bool fail_fill(
        int n_gpus, int gpus_per_node, const char *type, p3d_error *err)
{
    const int below = n_gpus - n_gpus % gpus_per_node;
    int fewer = gpus_per_node - 1;
    char or_fewer[160] = "";

    while (n_gpus % fewer != 0)
        fewer--;
    if (fewer > 1)
        snprintf(or_fewer, sizeof(or_fewer), ", or %dx%dx%s for %d nodes of %d",
                n_gpus / fewer, fewer, type, n_gpus / fewer, fewer);
    return p3d_fail(err, P3D_DATA,
            "%d GPUs do not fill nodes of %d; write %dx%s or %dx%s%s", n_gpus,
            gpus_per_node, below, type, below + gpus_per_node, type, or_fewer);
}

static void name_cluster(const p3d_cluster *cluster, char name[96])
{
    memset(name, 0, 96); /* equal clusters are equal in every byte */
    snprintf(name, 96, "%d x %s", cluster->n_gpus, cluster->gpu.name);
}

/* GPUs joined by NVLink when a job uses some of each node's GPUs. */
static int nvlink_domain(const p3d_node *node, int gpus_per_node, int n_gpus)
{
    int domain = node->gpus_per_nvlink_domain;

    if (gpus_per_node < node->gpus_per_node) {
        const int n_nodes = domain / node->gpus_per_node;

        /* A rack keeps its trays, each with fewer GPUs. */
        if (n_nodes > 1)
            domain = n_nodes * gpus_per_node;
        else if (gpus_per_node < domain)
            domain = gpus_per_node;
    }
    return domain < n_gpus ? domain : n_gpus;
}

/* The largest part of n that is at most its root; n = part x rest. */
static int near_root(int n, int degree)
{
    int part = 1;

    for (int64_t i = 2; (degree == 3          ? i * i * i
                                : degree == 2 ? i * i
                                              : i) <= n;
            i++) {
        if (n % i == 0)
            part = (int)i;
    }
    return part;
}

/**
 * Shape a torus of n GPUs: axes as equal as they can be, of whole cubes where n
 * has such.
 *
 * 64, 128, 192 and 256 TPU v5p are 4x4x4, 4x4x8, 4x4x12 and 4x8x8, 128 TPU v5e
 * 8x16. Source: docs.cloud.google.com/tpu/docs/v5p-training and v5e, shapes
 * that can be asked for.
 */
static p3d_torus torus_of(const p3d_node *node, int n)
{
    const int axes = node->torus_axes;
    const int side = node->torus_wraps_at > 0 ? node->torus_wraps_at : 1;
    const int cube = axes == 3 ? side * side * side : side * side;
    const int unit = n % cube == 0 ? side : 1;
    int rest = unit > 1 ? n / cube : n;
    p3d_torus torus = {.n_axes = axes};

    for (int i = 0; i < axes; i++) {
        const int part = near_root(rest, axes - i);

        torus.size[i] = unit * part;
        rest /= part;
    }
    if (torus.size[0] > torus.size[1]) { /* 20 x 16 x 28 */
        const int longer = torus.size[0];

        torus.size[0] = torus.size[1];
        torus.size[1] = longer;
    }
    return torus;
}

void spec_cluster_shape(p3d_cluster *cluster, const p3d_node *node, int n_nodes,
        int gpus_per_node)
{
    const int n_gpus = n_nodes * gpus_per_node;
    const int whole = node->gpus_per_node;
    int joined = n_gpus;

    /* "1x72xGB200": the rack is meant, its nodes are the trays; "2x64xTPU-v5p":
     * two slices. */
    if (node->gpus_per_nvlink_domain > whole && gpus_per_node > whole &&
            gpus_per_node % whole == 0) {
        joined = gpus_per_node;
        gpus_per_node = whole;
    }
    cluster->n_gpus = n_gpus;
    cluster->n_nodes = n_gpus / gpus_per_node;
    cluster->node = *node;
    cluster->node.gpus_per_node = gpus_per_node;
    cluster->node.power_w *= (double)gpus_per_node / whole;
    cluster->node.gpus_per_nvlink_domain =
            nvlink_domain(node, gpus_per_node, joined);
    cluster->torus = torus_of(node, cluster->node.gpus_per_nvlink_domain);
    name_cluster(cluster, cluster->name);
}

static bool shape_by_words(
        p3d_cluster *cluster, const cluster_words *words, p3d_error *err)
{
    const p3d_node node = cluster->node;
    const int64_t first = words->counts[0];
    int64_t n_gpus = first;
    int whole = node.gpus_per_node;

    if (words->n_counts == 2)
        n_gpus = p3d_mul(first, words->counts[1]);
    if (!check_count(n_gpus, err))
        return false;
    if (words->n_counts == 2)
        whole = (int)words->counts[1];
    else if (n_gpus < whole)
        whole = (int)n_gpus;
    if (n_gpus % whole != 0)
        return fail_fill((int)n_gpus, whole, words->gpu, err);
    spec_cluster_shape(cluster, &node, (int)(n_gpus / whole), whole);
    return true;
}

/* Above the rate of its cards a network is not the one that was measured. */
static void set_share(double measured, double cards, double *frac)
{
    if (measured > 0 && cards > 0)
        *frac = measured < cards ? measured / cards : 1;
}

void spec_cluster_calibrate(
        p3d_cluster *cluster, const p3d_calibration *calibration)
{
    const p3d_network_fit *const n = &calibration->network;
    p3d_fabric *const f = &cluster->fabric;
    const double cards = f->nic_bytes_per_s_one_way *
                         cluster->node.nics_per_node /
                         cluster->node.gpus_per_node;

    cluster->calibration = *calibration;
    if (n->latency_s > 0) {
        f->latency_s = n->latency_s;
        f->assumed_latency = false;
    }
    set_share(n->all_reduce_bytes_per_s, cards, &f->all_reduce_frac);
    set_share(n->all_gather_bytes_per_s, cards, &f->all_gather_frac);
    set_share(n->all_to_all_bytes_per_s, cards, &f->p2p_frac);
    if (n->all_reduce_bytes_per_s > 0 && n->all_gather_bytes_per_s > 0 &&
            n->all_to_all_bytes_per_s > 0)
        f->assumed_fracs = false;
}

/* The GPU of a type in its usual node, or in the machine that the type names:
 * then one count is of machines. */
static bool find_type(
        cluster_words *words, p3d_gpu *gpu, p3d_node *node, p3d_error *err)
{
    p3d_nearest nearest = {.word = words->gpu};
    spec_machine machine;

    if (p3d_gpu_find(words->gpu, gpu, NULL))
        return spec_node_load(gpu->node, node, err);
    if (!spec_machine_find(words->gpu, &machine, &nearest, err))
        return false;
    if (machine.n_gpus == 0 && nearest.best[0] != '\0')
        return p3d_fail(err, P3D_DATA, "unknown GPU or node '%s'%s", words->gpu,
                p3d_did_you_mean(&nearest, ""));
    if (machine.n_gpus == 0)
        return p3d_gpu_find(words->gpu, gpu, err);
    if (words->n_counts == 1)
        words->counts[words->n_counts++] = machine.n_gpus;
    if (words->counts[1] > machine.n_gpus)
        return p3d_fail(err, P3D_DATA, "a machine '%s' has %d GPUs, not %lld",
                words->gpu, machine.n_gpus, (long long)words->counts[1]);
    *node = machine.node;
    return p3d_gpu_find(machine.node.gpu, gpu, err);
}

static bool find_by_words(
        const cluster_words *said, p3d_cluster *out, p3d_error *err)
{
    cluster_words words = *said;
    p3d_cluster got = {0};
    p3d_node whole;

    if (!find_type(&words, &got.gpu, &got.node, err) ||
            !spec_fabric_load(got.node.fabric, &got.fabric, err) ||
            !spec_calibration_load(got.gpu.calibration, &got.calibration, err))
        return false;
    whole = got.node;
    if (!shape_by_words(&got, &words, err) ||
            !spec_slices_check(&whole, &got, err))
        return false;
    *out = got;
    return true;
}

static bool is_path(const char *words)
{
    const size_t n = strlen(words);
    struct stat status;

    if (n > 5 && p3d_same_word(words + n - 5, ".json"))
        return true;
    return stat(words, &status) == 0 && !S_ISDIR(status.st_mode);
}

const char *spec_cluster_pool(const char *words, char file[SPEC_PATH])
{
    if (is_path(words))
        return NULL;
    /* A name of a pool may have a colon as well: the first file counts. */
    for (const char *colon = strchr(words, ':');
            colon != NULL && colon - words < SPEC_PATH;
            colon = strchr(colon + 1, ':')) {
        snprintf(file, SPEC_PATH, "%.*s", (int)(colon - words), words);
        if (is_path(file))
            return colon + 1;
    }
    return NULL;
}

bool spec_cluster_is_file(const char *words)
{
    char file[SPEC_PATH];

    return is_path(words) || spec_cluster_pool(words, file) != NULL;
}

/* The node before a job took a part of it, as far as it is still known. */
static p3d_node whole_node(const p3d_cluster *cluster)
{
    const p3d_node *const used = &cluster->node;
    p3d_node node = *used;

    /* A node of the user's own may have the name of one of ours. */
    if (!spec_node_load(used->name, &node, NULL) ||
            node.nics_per_node != used->nics_per_node ||
            node.host_memory_bytes != used->host_memory_bytes ||
            strcmp(node.fabric, used->fabric) != 0 ||
            node.gpus_per_node < used->gpus_per_node)
        node = *used;
    return node;
}

bool p3d_cluster_resize(p3d_cluster *cluster, int n_gpus, p3d_error *err)
{
    if (!spec_cluster_given(cluster))
        return p3d_misuse(err, __func__);

    const p3d_node node = whole_node(cluster);
    int used = cluster->node.gpus_per_node;
    p3d_cluster resized = *cluster;
    char name[96];

    if (!check_count(n_gpus, err))
        return false;
    if (cluster->n_nodes == 1)
        used = node.gpus_per_node; /* one node in part may fill up */
    if (n_gpus < used)
        used = n_gpus;
    if (n_gpus % used != 0)
        return fail_fill(n_gpus, used, cluster->gpu.name, err);
    spec_cluster_shape(&resized, &node, n_gpus / used, used);
    if (!spec_slices_check(&node, &resized, err))
        return false;
    if (resized.tiers.n_stretches > 0 &&
            resized.n_nodes > spec_tiers_hosts(&resized.tiers))
        spec_tiers_forget_hosts(&resized.tiers);
    name_cluster(cluster, name);
    if (strcmp(name, cluster->name) != 0) /* a person's own name */
        p3d_copy(resized.name, sizeof(resized.name), cluster->name);
    *cluster = resized;
    return true;
}

typedef struct cluster_file {
    int schema;
    char name[96];
    int n_nodes;
    int gpus_per_node; /* 0 = all of the node's */
    p3d_terms terms;
    spec_tiers_file network;
} cluster_file;

/* clang-format off */
#define AT(member) offsetof(cluster_file, member)
#define TERM(member, ...) \
    {#member, JSON_DOUBLE, false, AT(terms.member), __VA_ARGS__}
#define PART(key, needed, doc) \
    {#key, JSON_TYPE(ANY, .words = part_types), needed, 0, 0, 0, doc}
static const char *const part_types[] = {"string", "object", NULL};
static const json_field cluster_fields[] = {
    SCHEMA(cluster_file, true),
    MAY(STRING, name, 1, 96, "what people call the cluster"),
    NEEDS(INT, n_nodes, 1, P3D_MAX_GPUS, "nodes"),
    MAY(INT, gpus_per_node, 1, 65536,
        "GPUs that the job uses of a node; absent = all"),
    PART(gpu, true,
        "name of a GPU, or an object like a file of hardware/gpu"),
    PART(node, false,
        "name of a node type, or an object like a file of hardware/node"),
    PART(fabric, false,
        "name of a network, or words as of --fabric, or an object like a file "
        "of hardware/fabric"),
    TERM(usd_per_gpu_h, P3D_MIN_USD, P3D_MAX_USD_PER_GPU_H,
        "price of a GPU-hour"),
    TERM(gpu_mtbf_s, P3D_MIN_GPU_MTBF_S, P3D_MAX_GPU_MTBF_S,
        "of one GPU and its share of all else, between failures that stop a "
        "training"),
    TERM(preempted_every_s, P3D_MIN_PREEMPTED_EVERY_S,
        P3D_MAX_PREEMPTED_EVERY_S,
        "of spot capacity: mean time between the times that all of it is "
        "taken away; absent = never"),
    TERM(away_s, P3D_MIN_AWAY_S, P3D_MAX_AWAY_S,
        "then: mean time until it is back; absent = at once"),
    TERM(notice_s, P3D_MIN_NOTICE_S, P3D_MAX_NOTICE_S,
        "of it, before; absent = none"),
    SPEC_TIERS_FIELDS(cluster_file, network),
};
/* clang-format on */

const json_shape spec_cluster_file_shape = {
        .doc = "a cluster, in place of its words",
        .n_fields = P3D_COUNT_OF(cluster_fields),
        .fields = cluster_fields};

/* In a list of pools it has no number of its schema. */
static const json_shape pool_shape = {.doc = "a pool, in place of its words",
        .n_fields = P3D_COUNT_OF(cluster_fields) - 1,
        .fields = cluster_fields + 1};

/* A part of a cluster: the name of a file, or an object. */
typedef struct cluster_part {
    const json_place *cluster;
    const char *key;
    json_place at;
    char pointer[SPEC_POINTER_MAX];
} cluster_part;

static void find_part(
        const json_place *cluster, const char *key, cluster_part *out)
{
    out->cluster = cluster;
    out->key = key;
    snprintf(out->pointer, sizeof(out->pointer), "%.100s/%s", cluster->pointer,
            key);
    out->at = (json_place){
            cluster->doc, json_get(cluster->value, key), out->pointer};
}

/* The name of a part's file; NULL where an object describes it, or after a
 * failure. Absent, the fallback of `whose` file is taken. */
static const char *name_of_part(const cluster_part *part, const char *fallback,
        const char *whose, const char *example, p3d_error *err)
{
    const json_place *const at = &part->at;

    if (json_is_object(at->value))
        return NULL;
    if (json_is_string(at->value))
        return json_string(at->value);
    if (at->value != NULL)
        json_fail(at->doc, at->pointer, err,
                "neither a name nor an object; write \"%s\": \"%s\"", part->key,
                example);
    else if (fallback[0] != '\0')
        return fallback;
    else
        json_fail(at->doc, part->cluster->pointer, err,
                "neither the cluster nor its %s says the %s; add \"%s\"", whose,
                part->key, part->key);
    return NULL;
}

static bool read_gpu(const json_place *cluster, p3d_gpu *out, p3d_error *err)
{
    cluster_part part;
    const char *name;

    find_part(cluster, "gpu", &part);
    name = name_of_part(&part, "", "", "A800", err);
    return json_is_object(part.at.value)
                   ? spec_gpu_read(&part.at, out, err)
                   : name != NULL && p3d_gpu_find(name, out, err);
}

static bool read_node(const json_place *cluster, const char *fallback,
        p3d_node *out, p3d_error *err)
{
    cluster_part part;
    const char *name;

    find_part(cluster, "node", &part);
    name = name_of_part(&part, fallback, "GPU", "dgx-a100", err);
    return json_is_object(part.at.value)
                   ? spec_node_read(&part.at, out, err)
                   : name != NULL && spec_node_load(name, out, err);
}

/* In words, it is the node's own that they change. */
static bool read_fabric(
        const json_place *cluster, p3d_cluster *out, p3d_error *err)
{
    const char *const own = out->node.fabric;
    cluster_part part;
    const char *name;

    find_part(cluster, "fabric", &part);
    name = name_of_part(&part, own, "node", "ib-hdr-200", err);
    if (json_is_object(part.at.value))
        return spec_fabric_read(&part.at, &out->fabric, err);
    return name != NULL &&
           (own[0] == '\0' || spec_fabric_load(own, &out->fabric, err)) &&
           (name == own || spec_network_set(name, out, err));
}

static bool shape_by_file(const json_place *at, const cluster_file *file,
        p3d_cluster *cluster, p3d_error *err)
{
    const p3d_node node = cluster->node;
    const int used =
            file->gpus_per_node > 0 ? file->gpus_per_node : node.gpus_per_node;
    char pointer[SPEC_POINTER_MAX];

    snprintf(pointer, sizeof(pointer), "%.100s/n_nodes", at->pointer);
    if (p3d_mul(file->n_nodes, used) > P3D_MAX_GPUS)
        return json_fail(at->doc, pointer, err,
                "%d nodes of %d are more than %d GPUs, the most that plan3d "
                "plans for",
                file->n_nodes, used, P3D_MAX_GPUS);
    spec_cluster_shape(cluster, &node, file->n_nodes, used);
    if (!spec_slices_are(&node, cluster)) {
        const spec_slices_nearby near =
                spec_slices_near(&node, cluster->n_gpus);

        return json_fail(at->doc, pointer, err,
                "%d chips are no slice of %s; the nearest have %d and %d",
                cluster->n_gpus, cluster->gpu.name, near.fewer, near.more);
    }
    cluster->terms = file->terms;
    if (file->name[0] != '\0')
        p3d_copy(cluster->name, sizeof(cluster->name), file->name);
    return true;
}

static bool read_parts(const json_place *at, const json_shape *shape,
        cluster_file *file, p3d_cluster *out, p3d_error *err)
{
    p3d_cluster got = {0};

    if (!json_is_object(at->value))
        return json_fail(at->doc, at->pointer, err, "a cluster is an object");
    if (!json_read_fields(*at, shape, file, err) ||
            !read_gpu(at, &got.gpu, err) ||
            !read_node(at, got.gpu.node, &got.node, err) ||
            !spec_calibration_load(
                    got.gpu.calibration, &got.calibration, err) ||
            !shape_by_file(at, file, &got, err) ||
            !read_fabric(at, &got, err) ||
            !spec_tiers_take(at, &file->network, &got, err))
        return false;
    *out = got;
    return true;
}

static bool read_cluster_at(json_place at, const json_shape *shape,
        p3d_cluster *out, p3d_error *err)
{
    cluster_file file = {0};
    const bool ok = read_parts(&at, shape, &file, out, err);

    json_free_lists(shape, &file);
    return ok;
}

bool spec_pool_read(json_place at, p3d_cluster *out, p3d_error *err)
{
    return read_cluster_at(at, &pool_shape, out, err);
}

/* One pool is a cluster like others, in a file like that of several. */
static bool read_only_pool(const json_doc *doc, const json_value *pools,
        p3d_cluster *out, p3d_error *err)
{
    const json_value *const pool = json_first(pools);
    cluster_words words;
    bool ok;

    if (!json_is_array(pools) || pool == NULL || json_next(pool) != NULL)
        return json_fail(doc, "/pools", err,
                "pools of several types; 'plan3d fit', 'plan', 'assign' and "
                "'export --to flagscale' plan for these: name one pool here, "
                "as FILE:POOL");
    if (json_is_string(pool))
        ok = read_words(json_string(pool), &words, err) &&
             find_by_words(&words, out, err);
    else
        ok = spec_pool_read((json_place){doc, pool, "/pools/0"}, out, err);
    return ok && spec_pools_check(doc, out, err);
}

static bool read_cluster(const json_doc *doc, p3d_cluster *out, p3d_error *err)
{
    const json_value *const pools = json_get(doc->root, "pools");

    if (pools != NULL)
        return read_only_pool(doc, pools, out, err);
    return read_cluster_at((json_place){doc, doc->root, ""},
            &spec_cluster_file_shape, out, err);
}

bool p3d_cluster_parse(
        const char *file, const char *text, p3d_cluster *out, p3d_error *err)
{
    if (file == NULL || text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           json_close_after(&doc, read_cluster(&doc, out, err));
}

bool spec_cluster_find(const char *words, p3d_cluster *out, p3d_error *err)
{
    cluster_words got = {0};
    json_doc doc = {0};

    if (spec_cluster_is_file(words))
        return json_open(words, &doc, err) &&
               json_close_after(&doc, read_cluster(&doc, out, err));
    if (strchr(words, '+') != NULL)
        return p3d_fail(err, P3D_DATA,
                "'%.80s' has pools of several types; 'plan3d fit', 'plan', "
                "'explain .. network', 'sweep', 'assign' and 'export --to "
                "flagscale' plan for these: name one pool here",
                words);
    return read_words(words, &got, err) && find_by_words(&got, out, err);
}
