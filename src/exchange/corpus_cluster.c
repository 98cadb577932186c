/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_cluster.c - the cluster of a run: GPU by name, network by its text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/corpus_parts.h"
#include "spec/hardware.h"

enum { MAX_KNOWN = 64 };

struct p3d_corpus_hardware {
    int n_clusters;
    int n_fabrics;
    struct {
        char word[64];
        bool known;
        p3d_cluster cluster; /* of one GPU in its default node */
        p3d_node node;       /* the whole node */
    } clusters[MAX_KNOWN];
    struct {
        char name[48];
        bool known;
        p3d_fabric fabric;
    } fabrics[MAX_KNOWN];
};

p3d_corpus_hardware *p3d_corpus_hardware_create(p3d_error *err)
{
    p3d_corpus_hardware *const hardware = calloc(1, sizeof(*hardware));

    if (hardware == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    return hardware;
}

void p3d_corpus_hardware_destroy(p3d_corpus_hardware *hardware)
{
    free(hardware);
}

/* Index of a GPU's entry, made when it is new; -1 when there is no room. */
static int find_gpu(p3d_corpus_hardware *h, const char *gpu)
{
    const int n = h->n_clusters;
    p3d_cluster *cluster;
    char words[80];

    for (int i = 0; i < n; i++) {
        if (strcmp(h->clusters[i].word, gpu) == 0)
            return i;
    }
    if (n == MAX_KNOWN || strlen(gpu) >= sizeof(h->clusters[0].word))
        return -1;
    cluster = &h->clusters[n].cluster;
    snprintf(words, sizeof(words), "1x%s", gpu);
    p3d_copy(h->clusters[n].word, sizeof(h->clusters[n].word), gpu);
    h->clusters[n].known =
            gpu[0] != '\0' && p3d_cluster_find(words, cluster, NULL) &&
            p3d_node_load(cluster->node.name, &h->clusters[n].node, NULL);
    return h->n_clusters++;
}

static const p3d_fabric *find_fabric(p3d_corpus_hardware *h, const char *name)
{
    int i = 0;

    while (i < h->n_fabrics && strcmp(h->fabrics[i].name, name) != 0)
        i++;
    if (i == MAX_KNOWN)
        return NULL;
    if (i == h->n_fabrics) {
        p3d_copy(h->fabrics[i].name, sizeof(h->fabrics[i].name), name);
        h->fabrics[i].known =
                p3d_fabric_load(name, &h->fabrics[i].fabric, NULL);
        h->n_fabrics++;
    }
    return h->fabrics[i].known ? &h->fabrics[i].fabric : NULL;
}

/* Files of hardware/fabric by kind and rate of an adapter. */
static const struct {
    const char *kind;
    int gbit_per_s;
    const char *file;
} fabric_files[] = {
        {"opa", 100, "opa-100"},
        {"roce", 25, "roce-25"},
        {"roce", 50, "roce-50"},
        {"roce", 100, "roce-100"},
        {"roce", 200, "roce-200"},
        {"roce", 400, "roce-400"},
        {"ib", 100, "ib-edr-100"},
        {"ib", 200, "ib-hdr-200"},
        {"ib", 400, "ib-ndr-400"},
        {"ib", 800, "ib-xdr-800"},
};

/* Rate of one adapter and their number, from what is stated. */
static void share_out(const p3d_interconnect *in, p3d_cluster *c)
{
    const double node_bit_per_s =
            in->gpu_bit_per_s > 0 ? in->gpu_bit_per_s * c->node.gpus_per_node
                                  : in->node_bit_per_s;
    double nic_bit_per_s = in->nic_bit_per_s;
    int n = in->n_nics > 0 ? in->n_nics : c->node.nics_per_node;

    if (n < 1)
        n = 1;
    if (in->gpu_bit_per_s > 0)
        n = c->node.gpus_per_node;
    /* Omni-Path has one rate only, so the rate of the node gives the count. */
    if (nic_bit_per_s == 0 && in->kind != NULL &&
            strcmp(in->kind, "opa") == 0) {
        nic_bit_per_s = 1e11;
        if (node_bit_per_s > 0)
            n = (int)lrint(node_bit_per_s / nic_bit_per_s);
    } else if (node_bit_per_s > 0 && nic_bit_per_s == 0) {
        nic_bit_per_s = node_bit_per_s / n;
    }
    c->node.nics_per_node = n < 1 ? 1 : n;
    if (nic_bit_per_s > 0)
        c->fabric.nic_bytes_per_s_one_way = nic_bit_per_s / 8;
}

/* The node's own network, changed by what the text says. */
static void set_network(
        const char *text, p3d_corpus_hardware *h, p3d_cluster *c)
{
    const p3d_interconnect in = p3d_interconnect_read(text);
    double rate;

    share_out(&in, c);
    rate = c->fabric.nic_bytes_per_s_one_way;
    for (int i = 0; in.kind != NULL && i < P3D_COUNT_OF(fabric_files); i++) {
        const p3d_fabric *fabric;

        if (strcmp(fabric_files[i].kind, in.kind) != 0 ||
                fabs(rate * 8e-9 - fabric_files[i].gbit_per_s) > 0.5)
            continue;
        fabric = find_fabric(h, fabric_files[i].file);
        if (fabric != NULL)
            c->fabric = *fabric;
    }
}

bool p3d_corpus_cluster(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_cluster *out,
        p3d_corpus_reason *reason)
{
    const int i = find_gpu(hardware, row->gpu);
    int n_gpus;
    int per_node;

    if (i < 0 || !hardware->clusters[i].known)
        return p3d_corpus_refuse(reason, "GPU '%.40s' is not known", row->gpu);
    if (row->n_gpus < 1 || row->n_gpus > P3D_MAX_GPUS)
        return p3d_corpus_refuse(reason, "n_gpus is not stated");
    n_gpus = (int)row->n_gpus;
    per_node = p3d_corpus_or(
            row->gpus_per_node, hardware->clusters[i].node.gpus_per_node);
    if (per_node < 1 || per_node > n_gpus)
        per_node = n_gpus;
    if (n_gpus % per_node != 0)
        return p3d_corpus_refuse(
                reason, "%d GPUs do not fill nodes of %d", n_gpus, per_node);
    *out = hardware->clusters[i].cluster;
    p3d_cluster_shape(
            out, &hardware->clusters[i].node, n_gpus / per_node, per_node);
    set_network(row->interconnect, hardware, out);
    return true;
}
