/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.c - data types and the GPUs of hardware/gpu. */
#include <string.h>

#include "base/util.h"
#include "plan3d/cluster.h"
#include "spec/hardware.h"

static const struct {
    const char *name;
    int n_bytes;
} dtypes[P3D_N_DTYPES] = {
        [P3D_FP32] = {"fp32", 4},
        [P3D_FP16] = {"fp16", 2},
        [P3D_BF16] = {"bf16", 2},
        [P3D_FP8] = {"fp8", 2},
};

typedef struct gpu_file {
    int schema;
    p3d_gpu gpu;
} gpu_file;

/* clang-format off */
#define GPU(field) offsetof(gpu_file, gpu.field)
static const json_field gpu_fields[] = {
    {"schema", JSON_INT, false, offsetof(gpu_file, schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, true, GPU(name), 1, 48,
        "name of the GPU with its form and memory"},
    {"aliases", JSON_ANY, false, 0, 0, 0,
        "other names"},
    {"vendor", JSON_STRING, false, GPU(vendor), 1, 16,
        "maker"},
    {"architecture", JSON_STRING, true, GPU(architecture), 1, 16,
        "sm80, gfx942, ..."},
    {"calibration", JSON_STRING, true, GPU(calibration), 1, 48,
        "file of hardware/calibration"},
    {"node", JSON_STRING, false, GPU(node), 1, 48,
        "file of hardware/node it usually is in"},
    {"memory_bytes", JSON_INT64, true, GPU(memory_bytes), 1e9, 1e13,
        "memory as marketed, bytes"},
    {"visible_memory_bytes", JSON_INT64, false,
        GPU(visible_memory_bytes), 1e9, 1e13,
        "memory a program can see, bytes"},
    {"hbm_bytes_per_s", JSON_DOUBLE, true, GPU(hbm_bytes_per_s), 1e10, 1e14,
        "rate of that memory, bytes/s"},
    {"fp32_flop_per_s", JSON_DOUBLE, false, GPU(fp32_flop_per_s), 1e11, 1e17,
        "dense peak of fp32, flop/s"},
    {"tf32_flop_per_s", JSON_DOUBLE, false, GPU(tf32_flop_per_s), 1e11, 1e17,
        "dense peak of tf32, flop/s"},
    {"fp16_flop_per_s", JSON_DOUBLE, false, GPU(fp16_flop_per_s), 1e11, 1e17,
        "dense peak of fp16, fp32 sums, flop/s"},
    {"bf16_flop_per_s", JSON_DOUBLE, false, GPU(bf16_flop_per_s), 1e11, 1e17,
        "dense peak of bf16, flop/s"},
    {"fp8_flop_per_s", JSON_DOUBLE, false, GPU(fp8_flop_per_s), 1e11, 1e17,
        "dense peak of fp8, flop/s"},
    {"fp4_flop_per_s", JSON_DOUBLE, false, GPU(fp4_flop_per_s), 1e11, 1e17,
        "dense peak of fp4, flop/s"},
    {"n_sms", JSON_INT, true, GPU(n_sms), 1, 10000,
        "multiprocessors"},
    {"l2_bytes", JSON_INT64, false, GPU(l2_bytes), 1e5, 1e11,
        "second-level cache, bytes"},
    {"boost_hz", JSON_DOUBLE, false, GPU(boost_hz), 1e8, 1e10,
        "clock of the peak rates, Hz"},
    {"nvlink_bytes_per_s_one_way", JSON_DOUBLE, false,
        GPU(nvlink_bytes_per_s_one_way), 1e9, 1e13,
        "to all others in its domain, bytes/s"},
    {"pcie_bytes_per_s_one_way", JSON_DOUBLE, true,
        GPU(pcie_bytes_per_s_one_way), 1e8, 1e12,
        "to the host, bytes/s"},
    {"power_w", JSON_DOUBLE, false, GPU(power_w), 1, 1e4,
        "power limit, W"},
    {"sources", JSON_ANY, false, 0, 0, 0,
        "where each number is from"},
};
/* clang-format on */

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
    };

    return peak_flop_per_s[dtype];
}

static bool check_aliases(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_error *err)
{
    const json_value *const aliases = json_get(object, "aliases");

    if (aliases == NULL)
        return true;
    if (!json_is_array(aliases))
        return json_fail(doc, pointer, err, "\"aliases\" is not an array");
    for (const json_value *a = json_first(aliases); a != NULL;
            a = json_next(a)) {
        if (json_string(a)[0] == '\0')
            return json_fail(doc, pointer, err,
                    "an alias is not a word; write \"aliases\": [\"A800\"]");
    }
    return true;
}

bool spec_gpu_read(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_gpu *out, p3d_error *err)
{
    gpu_file file = {0};

    if (!json_read_fields((json_place){doc, object, pointer},
                JSON_FIELDS(gpu_fields), &file, err) ||
            !check_aliases(doc, object, pointer, err) ||
            !spec_hardware_check_sources(doc, object, pointer, err))
        return false;
    if (file.gpu.visible_memory_bytes == 0)
        file.gpu.visible_memory_bytes = file.gpu.memory_bytes;
    *out = file.gpu;
    return true;
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
             spec_gpu_read(&doc, doc.root, "", out, err);
    }
    json_close(&doc);
    p3d_catalog_free(&catalog);
    return ok;
}
