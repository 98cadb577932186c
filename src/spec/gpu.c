/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.c - data types, and the GPUs of hardware/gpu: by a name that people
 * write, and by the name that a driver has. */
#include "plan3d/cluster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/abilities.h"
#include "spec/hardware.h"

static const struct {
    const char *name;
    int n_bytes;
} dtypes[P3D_N_DTYPES] = {
        [P3D_FP32] = {"fp32", 4},
        [P3D_FP16] = {"fp16", 2},
        [P3D_BF16] = {"bf16", 2},
        [P3D_FP8] = {"fp8", 2},
        [P3D_NVFP4] = {"nvfp4", 2},
};

const char *p3d_dtype_name(p3d_dtype dtype)
{
    if ((unsigned)dtype >= P3D_N_DTYPES)
        return "";
    return dtypes[dtype].name;
}

int p3d_dtype_bytes(p3d_dtype dtype)
{
    if ((unsigned)dtype >= P3D_N_DTYPES)
        return 0;
    return dtypes[dtype].n_bytes;
}

int p3d_gpu_sm(const p3d_gpu *gpu)
{
    if (gpu == NULL)
        return 0;

    const char *const digits = strncmp(gpu->architecture, "sm", 2) == 0
                                       ? gpu->architecture + 2
                                       : "";
    const size_t n = strspn(digits, "0123456789");
    int sm = 0;

    for (size_t i = 0; i < n && n <= 3; i++)
        sm = sm * 10 + (digits[i] - '0');
    return sm;
}

/* By the first letters of an architecture: what runs there, the framework that
 * answers where none is named, and what joins the GPUs of a node. */
static const struct kind {
    const char *architecture;
    p3d_devices devices;
    const char *framework, *link, *noun;
} kinds[] = {
        {"gfx", P3D_ON_CUDA, "megatron-core", "Infinity Fabric", "GPU"},
        {"ascend", P3D_ON_ASCEND, "mindspeed", "HCCS", "NPU"},
        {"gaudi", P3D_ON_GAUDI, "generic", "Ethernet", "HPU"},
        {"tpu", P3D_ON_TPU, "maxtext", "ICI", "TPU"},
        {"", P3D_ON_CUDA, "megatron-core", "NVLink", "GPU"},
};

static const struct kind *kind_of(const p3d_gpu *gpu)
{
    int i = 0;

    while (strncmp(gpu->architecture, kinds[i].architecture,
                   strlen(kinds[i].architecture)) != 0)
        i++;
    return &kinds[i];
}

bool spec_framework_runs_on(const p3d_framework *framework, const p3d_gpu *gpu)
{
    const p3d_devices devices = kind_of(gpu)->devices;

    if (framework->devices != P3D_ON_ANY)
        return framework->devices == devices;
    return devices != P3D_ON_TPU ||
           framework->standing == P3D_FRAMEWORK_PROFILE;
}

const char *spec_usual_framework(const p3d_gpu *gpu)
{
    return kind_of(gpu)->framework;
}

const char *p3d_gpu_link(const p3d_gpu *gpu)
{
    return gpu == NULL ? "NVLink" : kind_of(gpu)->link;
}

const char *p3d_gpu_noun(const p3d_gpu *gpu)
{
    return gpu == NULL ? "GPU" : kind_of(gpu)->noun;
}

double p3d_gpu_peak_flop_per_s(const p3d_gpu *gpu, p3d_dtype dtype)
{
    if (gpu == NULL || (unsigned)dtype >= P3D_N_DTYPES)
        return 0;

    const bool has_tf32 = gpu->tf32_flop_per_s > 0;
    const double peak_flop_per_s[P3D_N_DTYPES] = {
            [P3D_FP32] = has_tf32 ? gpu->tf32_flop_per_s : gpu->fp32_flop_per_s,
            [P3D_FP16] = gpu->fp16_flop_per_s,
            [P3D_BF16] = gpu->bf16_flop_per_s,
            [P3D_FP8] = gpu->fp8_flop_per_s,
            /* The format is NVIDIA's: fp4 of others has other scales. */
            [P3D_NVFP4] = p3d_gpu_sm(gpu) > 0 ? gpu->fp4_flop_per_s : 0,
    };

    return peak_flop_per_s[dtype];
}

/* Finding a GPU: "a800 80gb", "A800-80GB" and "A800_80GB" are one word. */

typedef enum match { NO_MATCH, PLURAL_MATCH, FULL_MATCH } match;

static const char *skip_separators(const char *text)
{
    return text + strspn(text, "-_ ");
}

static match match_name(const char *word, const char *name)
{
    char w[2] = "";
    char n[2] = "";

    for (;;) {
        word = skip_separators(word);
        name = skip_separators(name);
        w[0] = *word;
        n[0] = *name;
        if (w[0] == '\0' || !p3d_same_word(w, n))
            break;
        word++;
        name++;
    }
    if (n[0] != '\0')
        return NO_MATCH;
    if (w[0] == '\0')
        return FULL_MATCH;
    return p3d_same_word(word, "s") ? PLURAL_MATCH : NO_MATCH;
}

bool spec_same_name(const char *word, const char *name)
{
    return match_name(word, name) != NO_MATCH;
}

/* The best match so far. */
typedef struct gpu_search {
    const char *word;
    match match;
    int index; /* into the catalog */
    p3d_nearest nearest;
} gpu_search;

static void search_name(gpu_search *search, const char *name, int index)
{
    const match found = match_name(search->word, name);

    p3d_nearest_offer(&search->nearest, name);
    if (found > search->match) {
        search->match = found;
        search->index = index;
    }
}

/* Offer the name and the aliases that stand in a file. */
static bool search_file(gpu_search *search, const p3d_catalog *catalog,
        int index, p3d_error *err)
{
    char path[2048];
    json_doc doc = {0};

    p3d_catalog_path(catalog, index, path, sizeof(path));
    if (!json_open(path, &doc, err))
        return false;
    search_name(search, json_string(json_get(doc.root, "name")), index);
    for (const json_value *a = json_first(json_get(doc.root, "aliases"));
            a != NULL; a = json_next(a))
        search_name(search, json_string(a), index);
    json_close(&doc);
    return true;
}

static bool search_catalog(
        gpu_search *search, const p3d_catalog *catalog, p3d_error *err)
{
    for (int i = 0; i < catalog->n_names; i++) {
        if (match_name(search->word, catalog->names[i]) == FULL_MATCH) {
            search->match = FULL_MATCH;
            search->index = i;
            return true;
        }
    }
    for (int i = 0; i < catalog->n_names; i++) {
        if (!search_file(search, catalog, i, err))
            return false;
        if (search->match == FULL_MATCH)
            return true;
    }
    if (search->match != NO_MATCH)
        return true;
    return p3d_fail(err, P3D_DATA, "unknown GPU '%s'%s", search->word,
            p3d_did_you_mean(&search->nearest, "; see 'plan3d list gpus'"));
}

bool p3d_gpu_find(const char *word, p3d_gpu *out, p3d_error *err)
{
    if (word == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    gpu_search search = {.word = word, .nearest = {.word = word}};
    p3d_catalog catalog = {0};
    char path[2048];
    json_doc doc = {0};
    bool ok = false;

    if (!p3d_catalog_open(P3D_GPUS, &catalog, err))
        return false;
    if (search_catalog(&search, &catalog, err)) {
        p3d_catalog_path(&catalog, search.index, path, sizeof(path));
        ok = spec_hardware_open_path(path, &doc, err) &&
             spec_gpu_read(&(json_place){&doc, doc.root, ""}, out, err);
    }
    json_close(&doc);
    p3d_catalog_free(&catalog);
    return ok;
}

/* Drivers differ in what they keep for themselves; the memories of two GPUs of
 * one name are at least a tenth apart. */
static const double MEMORY_TOLERANCE_FRAC = 0.05;

static const char SEPARATORS[] = " -_";

/* True when one of the words of a name is this one, of n bytes. */
static bool has_word(const char *name, const char *word, size_t n)
{
    while (*name != '\0') {
        const size_t length = strcspn(name, SEPARATORS);
        char own[48];
        char other[48];

        snprintf(own, sizeof(own), "%.*s", (int)length, name);
        snprintf(other, sizeof(other), "%.*s", (int)n, word);
        if (p3d_same_word(own, other))
            return true;
        name += length;
        name += strspn(name, SEPARATORS);
    }
    return false;
}

/* Words of the GPU's name that the device's has; 0 = another GPU. */
static int n_common_words(const char *gpu, const char *device)
{
    int n = 0;

    while (*gpu != '\0') {
        const size_t length = strcspn(gpu, SEPARATORS);

        n += has_word(device, gpu, length);
        gpu += length;
        gpu += strspn(gpu, SEPARATORS);
    }
    return n;
}

static bool is_alike(const p3d_gpu *gpu, const p3d_machine *device)
{
    const double visible = (double)gpu->visible_memory_bytes;

    return (gpu->n_sms == 0 || device->n_sms == 0 ||
                   gpu->n_sms == device->n_sms) &&
           (device->memory_bytes == 0 ||
                   fabs((double)device->memory_bytes - visible) <
                           MEMORY_TOLERANCE_FRAC * visible);
}

/* The GPUs that are most like a device. */
typedef struct likeness {
    int most; /* words in common; 0 = none is like it */
    int n;    /* GPUs with so many */
    p3d_gpu first;
    p3d_gpu last;
} likeness;

static bool find_likeness(
        const p3d_machine *device, likeness *out, p3d_error *err)
{
    p3d_catalog catalog = {0};
    bool ok = p3d_catalog_open(P3D_GPUS, &catalog, err);

    *out = (likeness){.most = 0};
    for (int i = 0; ok && i < catalog.n_names; i++) {
        p3d_gpu gpu = {0};
        int n;

        ok = p3d_gpu_find(catalog.names[i], &gpu, err);
        n = ok && is_alike(&gpu, device)
                    ? n_common_words(gpu.name, device->name)
                    : 0;
        if (n > out->most)
            *out = (likeness){.most = n, .first = gpu};
        if (n > 0 && n == out->most) {
            out->n++;
            out->last = gpu;
        }
    }
    p3d_catalog_free(&catalog);
    return ok;
}

bool p3d_gpu_of_device(const p3d_machine *device, p3d_gpu *out, p3d_error *err)
{
    if (device == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    likeness like;

    if (!find_likeness(device, &like, err))
        return false;
    if (like.most == 0)
        return p3d_fail(err, P3D_DATA,
                "no GPU of 'plan3d list gpus' is like '%.90s'; write its name "
                "with --gpu",
                device->name);
    if (like.n > 1 && device->memory_bytes == 0 && device->n_sms == 0)
        return p3d_fail(err, P3D_DATA,
                "'%.90s' may be %s or %s; write which with --gpu", device->name,
                like.first.name, like.last.name);
    *out = like.first;
    return true;
}

bool p3d_gpu_may_be(const p3d_gpu *gpu, const p3d_machine *device, bool *out,
        p3d_error *err)
{
    if (gpu == NULL || device == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    likeness like;

    if (!find_likeness(device, &like, err))
        return false;
    *out = like.most > 0 && is_alike(gpu, device) &&
           n_common_words(gpu->name, device->name) == like.most;
    return true;
}
