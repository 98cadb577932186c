/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grammar.c - random command lines, most of which the program answers. */
#include "commands/grammar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/cluster.h"
#include "plan3d/workload.h"
#include "report/report.h"
#include "spec/abilities.h"

enum { WORD = 160 };

/* A model and a cluster, and how well the one fills the other. */
typedef struct pair {
    char model[WORD];
    char cluster[WORD];
    grammar_size size;
    char gpu[WORD];
    double load; /* bytes of the states over those of the GPUs, roughly */
} pair;

/* Numbers of GPUs, the usual ones more often. */
static const int gpu_counts[] = {1, 1, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8,
        16, 16, 16, 3, 6, 12, 24, 32};

static void pick(draw_source *d, p3d_folder folder, char word[WORD])
{
    p3d_catalog catalog = {0};

    P3D_ASSERT(p3d_catalog_open(folder, &catalog, NULL));
    snprintf(word, WORD, "%s", catalog.names[draw_below(d, catalog.n_names)]);
    p3d_catalog_free(&catalog);
}

grammar_size grammar_size_of(const char *model, const char *cluster)
{
    p3d_model m;
    p3d_cluster c;

    P3D_ASSERT(p3d_model_find(model, &m, NULL));
    P3D_ASSERT(p3d_cluster_find(cluster, &c, NULL));
    return (grammar_size){.n_gpus = c.n_gpus,
            .n_layers = m.n_layers,
            .n_heads = m.n_heads,
            .n_experts = m.n_experts};
}

/* "8xA100", or the same with its nodes: "2x4xA100". */
static void say_cluster(
        draw_source *d, int n_gpus, const p3d_gpu *gpu, char word[WORD])
{
    int per_node = draw_power(d, 3);

    while (n_gpus % per_node != 0)
        per_node /= 2;
    if (draw_one_in(d, 4))
        snprintf(
                word, WORD, "%dx%dx%s", n_gpus / per_node, per_node, gpu->name);
    else
        snprintf(word, WORD, "%dx%s", n_gpus, gpu->name);
}

/* Most run the frameworks of CUDA: few lines that name a framework have an
 * answer on others. */
static void pick_gpu(draw_source *d, char word[WORD], p3d_gpu *gpu)
{
    do {
        pick(d, P3D_GPUS, word);
        P3D_ASSERT(p3d_gpu_find(word, gpu, NULL));
    } while (strcmp(spec_usual_framework(gpu), "megatron-core") != 0 &&
             !draw_one_in(d, 4));
}

static bool draw_pair(draw_source *d, pair *out)
{
    const int n_gpus = gpu_counts[draw_below(d, P3D_COUNT_OF(gpu_counts))];
    const double state_bytes = 18;
    p3d_model model;
    p3d_cluster cluster;
    p3d_gpu gpu;

    pick(d, P3D_MODELS, out->model);
    pick_gpu(d, out->gpu, &gpu);
    P3D_ASSERT(p3d_model_find(out->model, &model, NULL));
    say_cluster(d, n_gpus, &gpu, out->cluster);
    if (!p3d_cluster_find(out->cluster, &cluster, NULL))
        return false;
    out->size = grammar_size_of(out->model, out->cluster);
    out->load = state_bytes * (double)p3d_total_params(&model) /
                ((double)n_gpus * (double)gpu.visible_memory_bytes);
    return true;
}

/* Half of the problems are near the edge of what fits, the rest is small. */
static pair draw_problem(draw_source *d)
{
    const bool near = draw_one_in(d, 2);
    pair best = {.load = HUGE_VAL};

    for (int i = 0; i < 4; i++) {
        pair other;

        while (!draw_pair(d, &other))
            continue;
        if (i == 0 || (near ? fabs(log(other.load)) < fabs(log(best.load))
                            : other.load < best.load))
            best = other;
    }
    return best;
}

/* A model by its name, sometimes by its file. */
static void add_model(draw_source *d, const pair *problem, line *l)
{
    p3d_catalog catalog = {0};
    char path[1200] = "";

    if (draw_one_in(d, 12)) {
        P3D_ASSERT(p3d_catalog_open(P3D_MODELS, &catalog, NULL));
        snprintf(path, sizeof(path), "%s/%s.json", catalog.directory,
                problem->model);
        p3d_catalog_free(&catalog);
    }
    line_add(l, "%s",
            path[0] != '\0' && strlen(path) < LINE_WORD ? path
                                                        : problem->model);
}

static void add_problem(draw_source *d, const cli_command *command, line *l)
{
    const pair problem = draw_problem(d);

    add_model(d, &problem, l);
    line_add(l, "%s", problem.cluster);
    grammar_add_options(d, command, &problem.size, l);
}

/* One thing is explained, and options that belong to another go. */
static void add_explained(draw_source *d, const cli_command *command, line *l)
{
    static const struct {
        const char *topic;
        const char *drop[6];
    } topics[] = {
            {NULL, {"not", "draws", "seed", "compare", "with"}},
            {"memory", {"not", "draws", "seed", "compare", "with"}},
            {"why", {"plan", "draws", "seed", "compare", "with"}},
            {"sensitivity", {"not", "compare", "with"}},
            {"evidence", {"not", "draws", "seed", "compare", "with"}},
            {"error", {"not", "draws", "seed", "compare", "with"}},
            {"--compare", {"not", "draws", "seed", "plan"}},
    };
    const int i = draw_below(d, P3D_COUNT_OF(topics));
    const pair problem = draw_problem(d);

    add_model(d, &problem, l);
    line_add(l, "%s", problem.cluster);
    grammar_add_options(d, command, &problem.size, l);
    for (int k = 0; k < 6 && topics[i].drop[k] != NULL; k++)
        line_drop(l, topics[i].drop[k]);
    if (topics[i].topic != NULL && topics[i].topic[0] != '-')
        line_add(l, "%s", topics[i].topic);
    if (topics[i].topic != NULL && topics[i].topic[0] == '-' &&
            !line_has(l, "compare")) {
        char words[LINE_WORD / 2];

        grammar_draw_plan(d, &problem.size, words, sizeof(words));
        line_set(l, "compare", words);
    }
}

/* A type of GPU stands for clusters of the sizes that an option names. */
static void add_sweep(draw_source *d, const cli_command *command, line *l)
{
    const pair problem = draw_problem(d);
    const int cluster = l->n + 1;

    add_model(d, &problem, l);
    line_add(l, "%s", problem.cluster);
    grammar_add_options(d, command, &problem.size, l);
    if (line_has(l, "gpus") || line_has(l, "deadline"))
        snprintf(l->words[cluster], LINE_WORD, "%s", problem.gpu);
}

/* Nothing is started and nothing is written. */
static void add_dry_run(draw_source *d, const cli_command *command, line *l)
{
    add_problem(d, command, l);
    line_set(l, "dry-run", NULL);
}

static void add_sentence(draw_source *d, const cli_command *command, line *l)
{
    const pair problem = draw_problem(d);
    line options = {0};

    (void)command;
    l->n = 0;
    line_add(l, "%s", draw_one_in(d, 2) ? "will" : "does");
    line_add(l, "%s", problem.model);
    line_add(l, "fit");
    line_add(l, "on");
    line_add(l, "%d", problem.size.n_gpus);
    line_add(l, "%s", problem.gpu);
    grammar_add_options(
            d, cli_command_find("fit", NULL), &problem.size, &options);
    for (int i = 0; i < options.n; i++)
        line_add(l, "%s", options.words[i]);
}

static const char *command_word(int i)
{
    return cli_command_at(i) != NULL ? cli_command_at(i)->name : NULL;
}

static const char *shell_word(int i)
{
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};

    return shells[i];
}

static void add_word(draw_source *d, const cli_command *command, line *l)
{
    static const struct {
        const char *command;
        p3d_words *word;
    } lists[] = {{"list", report_list_name}, {"schema", cli_schema_word},
            {"help", command_word}, {"man", command_word},
            {"completion", shell_word}};
    const grammar_size none = {.n_gpus = 1};
    int n = 0;

    for (int i = 0; i < P3D_COUNT_OF(lists); i++) {
        if (strcmp(lists[i].command, command->name) != 0)
            continue;
        while (lists[i].word(n) != NULL)
            n++;
        line_add(l, "%s", lists[i].word(draw_below(d, n)));
    }
    grammar_add_options(d, command, &none, l);
}

/* The commands, how often each is drawn, and how its words are. Those that
 * read files of measurements are not drawn; import is asked about what export
 * has written. */
static const struct {
    const char *command;
    int weight;
    void (*add)(draw_source *d, const cli_command *command, line *l);
} commands[] = {
        {"fit", 24, add_problem},
        {"plan", 20, add_problem},
        {"estimate", 24, add_problem},
        {"explain", 8, add_explained},
        {"shapes", 3, add_problem},
        {"trace", 2, add_problem},
        {"report", 1, add_problem},
        {"advise", 6, add_problem},
        {"sweep", 1, add_sweep},
        {"export", 8, add_dry_run},
        {"validate", 1, add_dry_run},
        {"fit", 1, add_sentence},
        {"list", 1, add_word},
        {"schema", 1, add_word},
        {"help", 1, add_word},
        {"man", 1, add_word},
        {"completion", 1, add_word},
        {"version", 1, add_word},
};

void grammar_draw(draw_source *d, line *out)
{
    const cli_command *command;
    int weight = 0;
    int i = 0;

    for (int k = 0; k < P3D_COUNT_OF(commands); k++)
        weight += commands[k].weight;
    weight = draw_below(d, weight);
    while (weight >= commands[i].weight)
        weight -= commands[i++].weight;
    command = cli_command_find(commands[i].command, NULL);
    P3D_ASSERT(command != NULL);
    *out = (line){.n = 0};
    line_add(out, "%s", command->name);
    commands[i].add(d, command, out);
    out->spaced = draw_one_in(d, 3);
}
