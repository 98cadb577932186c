/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c - the options of a command line and their values. */
#include <string.h>

#include "cli/option_rows.h"
#include "commands/grammar.h"
#include "exchange/launch/serving.h"
#include "exchange/launch/target.h"
#include "plan3d/catalog.h"

enum { VALUE = 256 };

/* Values of options that are no words of a list: those that small problems
 * have. */
static const struct {
    const char *name;
    const char *values;
} values[] = {
        {"seq", "64|128|256|512|512|1024|1024|2048|2048|4096|8192|1000"},
        {"batch", "1|2|4|8|16|32|32|64|64|64|96|96|96|192|256|1024|7"},
        {"tokens", "1B|300B|2T"},
        {"price", "0.4|1.20|2.5"},
        {"top", "1|3|10|40|100"},
        {"reserve", "0GiB|1GiB|2GiB|4GiB|8GiB|10GiB|16GiB|20GiB|40GiB|70GiB"},
        {"sure", "0|0.5|0.8|0.9|0.95|0.99"},
        {"within", "0|0.01|0.02|0.05|0.5"},
        {"idle", "0|1|2|5"},
        {"mtp", "0|1"},
        {"expert-load", "1|1.2|2"},
        {"oversubscription", "1|2|4|7.5"},
        {"rails", "no|yes"},
        {"hosts", "node[01-02]|node01,node03,node02,node04"},
        {"topology", "tests/data/topology/fat-tree.txt"},
        {"leaf-nodes", "1|2|3|16"},
        {"host-time", "0.5|1|2.2"},
        {"host-share", "0|0.3|1"},
        {"gc-interval", "0|5|100"},
        {"draws", "100|200"},
        {"jobs", "1|2|3|7"},
        {"part", "1/1|1/2|2/2|3/7"},
        {"seed", "1|7"},
        {"gpu-mtbf", "2y|5.8y|20000h"},
        {"restart", "5min|1h"},
        {"storage", "100GB/s|2TB/s"},
        {"repair", "12h|3d"},
        {"spares", "0|1|4"},
        {"preempted", "12h|3d"},
        {"away", "10min|1d"},
        {"notice", "2min|1h"},
        {"pue", "1.1|1.5"},
        {"purchase-price", "30000"},
        {"amortize", "4y"},
        {"energy-price", "0.1"},
        {"stage", "0|0|1"},
        {"micro-batches", "1|4|64"},
        {"gpus", "4|4,8|2..8"},
        {"deadline", "30d|1y|512xH100"},
        {"budget", "20K|1M"},
        {"max-gpus", "16|64"},
        {"tolerance", "10%|0.3"},
        {"fsdp-unit", "layer|whole|100M|1B"},
        {"compress",
                "qwz|qgz|hpz=8|qwz,qgz,hpz=8|hpz=4|onebit|powersgd=4|int8"},
        {"sparse-attention",
                "fixed|local:block=32,local=8|bigbird:random=2|"
                "fixed:block=16,local=4,global=1|bslongformer|variable"},
        {"lora", "r=8|r=16,targets=q+v|r=64,base=nf4|r=16,base=8bit|r=16,dora|"
                 "r=32,dropout=0.05,train=head"},
        {"freeze", "embeddings|embeddings,head|attention|norms|mlp"},
        {"lengths", "200,100|500,0"},
        {"filling", "packed|padded"},
        {"reference", "self|precomputed|pairs|kto"},
        {"teacher", "llama-2-13b|llama-3-70b|qwen2.5-14b"},
        {"images", "1|2|8"},
        {"image-tokens", "64|256|576"},
};

/* Options that a random line does not have: files, what waits for them, what
 * takes from a text that rules read, and a language, as they read English. */
static const char *const never[] = {"help", "lang", "out", "force",
        "measurements", "trace", "trace-steps", "sets", "source", "gpu",
        "model", "cluster", "from", "what", "rows", "show", "find", "beside",
        "answer"};

/* Once in how many lines an option is there; the others once in USUAL. */
enum { USUAL = 30 };
static const struct {
    const char *name;
    int one_in;
} odds[] = {
        {"seq", 1}, /* large problems take long */
        {"batch", 1},
        {"framework", 2},
        {"reserve", 8},
        {"sure", 6},
        {"objective", 6},
        {"within", 8},
        {"tokens", 6},
        {"optimizer", 6},
        {"dtype", 12},
        {"pin", 5},
        {"plan", 2},
        {"idle", 6},
        {"json", 4},
        {"format", 6},
        {"top", 3},
        {"attention", 24},
        {"expert-load", 12},
        {"calibration", 300},
        {"lora", 20},
        {"compress", 60},
        {"sparse-attention", 60},
        {"freeze", 60},
        {"lengths", 60},
        {"filling", 400},
        {"reference", 60},
        {"teacher", 100},
        {"images", 200},
        {"image-tokens", 200},
        {"fp8-recipe", 400},
        {"gradient-dtype", 60},
        {"reduce-dtype", 60},
        {"master-dtype", 60},
        {"moment-dtype", 60},
        {"loss", 60},
        {"allocator", 60},
        {"verify", 400},
        {"hosts", 400},
        {"rails", 60},
        {"moe-overlap", 120}, /* of experts alone */
        {"tp-overlap", 60},
        {"partition-activations", 120},
        {"fsdp-unit", 120},
};

/* An option cannot stand without another one, or beside it. */
static const struct {
    const char *name;
    const char *needs;
    const char *bars;
} bonds[] = {
        {"gpu-mtbf", "tokens", NULL},
        {"restart", "tokens", NULL},
        {"storage", "tokens", NULL},
        {"async-save", "tokens", NULL},
        {"repair", "tokens", NULL},
        {"spares", "tokens", NULL},
        {"preempted", "tokens", NULL},
        {"away", "preempted", NULL},
        {"notice", "preempted", NULL},
        {"pue", "tokens", NULL},
        {"purchase-price", "tokens", NULL},
        {"purchase-price", "amortize", NULL},
        {"amortize", "purchase-price", NULL},
        {"energy-price", "tokens", NULL},
        {"deadline", "tokens", "pareto"},
        {"deadline", NULL, "idle"},
        {"budget", "tokens", NULL},
        {"budget", "price", NULL},
        {"max-gpus", "deadline", NULL},
        {"part", NULL, "deadline"},
        {"part", NULL, "pareto"},
        {"part", NULL, "json"},
        {"part", NULL, "format"},
        {"with", "compare", NULL},
        {"json", NULL, "format"},
        {"plan", NULL, "pin"},
        {"lora", NULL, "freeze"},
        {"teacher", NULL, "reference"},
        {"filling", "lengths", NULL},
        {"sure", NULL, "reserve"},
        {"hosts", "topology", "placement"},
        {"topology", NULL, "leaf-nodes"},
        {"topology", NULL, "rails"},
        {"to", NULL, "framework"},
};

static const char *catalog_word(
        draw_source *d, p3d_folder folder, char *buffer, size_t n)
{
    p3d_catalog catalog = {0};

    P3D_ASSERT(p3d_catalog_open(folder, &catalog, NULL));
    p3d_copy(buffer, n, catalog.names[draw_below(d, catalog.n_names)]);
    p3d_catalog_free(&catalog);
    return buffer;
}

static const char *list_word(draw_source *d, p3d_words *word)
{
    int n = 0;

    while (word(n) != NULL)
        n++;
    return word(draw_below(d, n));
}

static const char *target_word(int i)
{
    return exchange_target_at(i) != NULL ? exchange_target_at(i)->name : NULL;
}

static const char *server_word(int i)
{
    return exchange_server_at(i) != NULL ? exchange_server_at(i)->name : NULL;
}

static bool is_plan(const char *name)
{
    static const char *const names[] = {
            "plan", "pin", "not", "compare", "with"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const char *plan_value(draw_source *d, const char *name,
        const grammar_size *size, char buffer[VALUE])
{
    char words[VALUE];

    grammar_draw_plan(d, size, words, sizeof(words));
    if (strcmp(name, "pin") == 0 || strcmp(name, "not") == 0)
        grammar_thin_plan(d, words, buffer, VALUE);
    else
        p3d_copy(buffer, VALUE, words);
    return buffer;
}

/* Most GPUs are no Ascend and no TPU: what runs there alone answers little. */
static const char *framework_word(draw_source *d)
{
    const char *word = list_word(d, spec_framework_word);

    return strstr(word, "mindspeed") == NULL && strstr(word, "maxtext") == NULL
                   ? word
                   : "generic";
}

/* Values of text; NULL where the grammar has none. */
static const char *text_value(draw_source *d, const char *name,
        const grammar_size *size, char buffer[VALUE])
{
    if (is_plan(name))
        return plan_value(d, name, size, buffer);
    if (strcmp(name, "framework") == 0)
        return framework_word(d);
    if (strcmp(name, "to") == 0)
        return list_word(d, draw_one_in(d, 6) ? server_word : target_word);
    if (strcmp(name, "fabric") == 0)
        return catalog_word(d, P3D_FABRICS, buffer, VALUE);
    if (strcmp(name, "calibration") == 0)
        return catalog_word(d, P3D_CALIBRATIONS, buffer, VALUE);
    if (strcmp(name, "launcher") == 0)
        return "srun -N1";
    return NULL;
}

static const char *value_of(draw_source *d, const json_option *option,
        const grammar_size *size, char buffer[VALUE])
{
    if (option->field.type->kind == JSON_KIND_WORD)
        return list_word(d, option->field.type->word);
    for (int i = 0; i < P3D_COUNT_OF(values); i++)
        if (strcmp(values[i].name, option->field.key) == 0)
            return draw_word(d, values[i].values, buffer, VALUE);
    return option->field.type == JSON_TEXT
                   ? text_value(d, option->field.key, size, buffer)
                   : NULL;
}

static bool is_never(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(never); i++)
        if (strcmp(never[i], name) == 0)
            return true;
    return false;
}

static bool add_option(draw_source *d, const json_option *option,
        const grammar_size *size, line *l)
{
    char buffer[VALUE];
    const char *value;

    if (is_never(option->field.key) || option->field.type == JSON_BOOL) {
        if (!is_never(option->field.key))
            line_set(l, option->field.key, NULL);
        return true;
    }
    value = value_of(d, option, size, buffer);
    if (value != NULL)
        line_set(l, option->field.key, value);
    return value != NULL;
}

static int one_in(const json_option *option)
{
    if ((option->field.flags & JSON_REQUIRED) != 0)
        return 1;
    for (int i = 0; i < P3D_COUNT_OF(odds); i++)
        if (strcmp(odds[i].name, option->field.key) == 0)
            return odds[i].one_in;
    return USUAL;
}

static const json_option *find(json_option_table table, const char *name)
{
    for (int i = 0; i < table.n_options; i++)
        if (strcmp(table.options[i].field.key, name) == 0)
            return &table.options[i];
    return NULL;
}

/* What options need, and those that cannot stand beside others. */
static void settle(draw_source *d, json_option_table table,
        const grammar_size *size, line *l)
{
    for (int i = 0; i < P3D_COUNT_OF(bonds); i++) {
        const json_option *const needed =
                bonds[i].needs != NULL ? find(table, bonds[i].needs) : NULL;

        if (!line_has(l, bonds[i].name))
            continue;
        if (bonds[i].bars != NULL)
            line_drop(l, bonds[i].bars);
        if (needed != NULL && !line_has(l, needed->field.key))
            add_option(d, needed, size, l);
    }
}

void grammar_add_options(draw_source *d, const cli_command *command,
        const grammar_size *size, line *l)
{
    for (int i = 0; i < command->table.n_options; i++) {
        const json_option *const option = &command->table.options[i];

        if (!line_has(l, option->field.key) && draw_one_in(d, one_in(option)))
            P3D_ASSERT(add_option(d, option, size, l));
    }
    settle(d, command->table, size, l);
}
