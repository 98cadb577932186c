/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unsized.c - what makes a model the model and changes no size: positions,
 * activation, and the router's scores. Launch files say it.
 *
 * Source: transformers src/transformers/modeling_rope_utils.py (008e5743),
 * activations.py (ACT2CLS);
 * models/deepseek_v3/modeling_deepseek_v3.py, models/deepseek_v2,
 * models/qwen3_moe there (norm_topk_prob). */
#include <math.h>
#include <string.h>

#include "spec/family.h"
#include "spec/sizes.h"

/* A number above 0 that stands in an object. */
static double number_of(const json_value *object, const char *key)
{
    double value = 0;

    return object != NULL && json_is_object(object) &&
                           json_number(json_get(object, key), &value) &&
                           value > 0 && value < 1e12
                   ? value
                   : 0;
}

/* The row of a word in a table; -1 = none. */
static int row_of(const char *word, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        if (words[i] != NULL && strcmp(words[i], word) == 0)
            return i;
    }
    return -1;
}

static const char *const kinds[P3D_N_ROTARY_KINDS] = {
        [P3D_ROTARY_PLAIN] = "default",
        [P3D_ROTARY_LINEAR] = "linear",
        [P3D_ROTARY_LLAMA3] = "llama3",
        [P3D_ROTARY_YARN] = "yarn"};

static p3d_rotary_kind kind_of(const json_value *scaling)
{
    const char *word = json_string(json_get(scaling, "rope_type"));
    int row;

    if (word[0] == '\0')
        word = json_string(json_get(scaling, "type"));
    if (word[0] == '\0') /* of objects by kind of layer */
        return P3D_ROTARY_PLAIN;
    /* Sections of several positions, beside usual ones. */
    if (strcmp(word, "mrope") == 0)
        return P3D_ROTARY_PLAIN;
    row = row_of(word, kinds, P3D_N_ROTARY_KINDS);
    return row < 0 ? P3D_ROTARY_OTHER : (p3d_rotary_kind)row;
}

static void read_yarn(const json_value *scaling, p3d_rotary *rotary)
{
    const json_value *const rounds = json_get(scaling, "truncate");
    double is_rounded = 1;
    const double first = number_of(scaling, "original_max_position_embeddings");

    if (first <= P3D_MAX_POSITIONS)
        rotary->first_positions = (int)first;
    rotary->beta_fast = number_of(scaling, "beta_fast");
    rotary->beta_slow = number_of(scaling, "beta_slow");
    rotary->mscale = number_of(scaling, "mscale");
    rotary->mscale_all_dim = number_of(scaling, "mscale_all_dim");
    rotary->exact_range = rounds != NULL && json_number(rounds, &is_rounded) &&
                          is_rounded < 1;
}

static void read_rotary(const json_value *object, p3d_rotary *rotary)
{
    const json_value *const parameters = json_get(object, "rope_parameters");
    const json_value *const scaling = json_get(object, "rope_scaling");
    const json_value *const from = scaling != NULL ? scaling : parameters;

    if (rotary->base <= 0)
        rotary->base = number_of(parameters, "rope_theta");
    if (number_of(parameters, "partial_rotary_factor") > 0)
        rotary->share = number_of(parameters, "partial_rotary_factor");
    if (rotary->share >= 1)
        rotary->share = 0;
    if (from == NULL || !json_is_object(from))
        return;
    rotary->kind = kind_of(from);
    if (rotary->kind == P3D_ROTARY_PLAIN)
        return;
    rotary->factor = number_of(from, "factor");
    if (rotary->kind == P3D_ROTARY_YARN)
        read_yarn(from, rotary);
}

/* GELU and its approximations, SiLU, ReLU, its square. */
static const struct {
    const char *word;
    p3d_activation plain, of_gate;
} functions[] = {
        {"gelu", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"gelu_new", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"gelu_fast", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"gelu_python", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"gelu_pytorch_tanh", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"gelu_accurate", P3D_ACTIVATION_USUAL, P3D_ACTIVATION_OTHER},
        {"silu", P3D_ACTIVATION_OTHER, P3D_ACTIVATION_USUAL},
        {"swish", P3D_ACTIVATION_OTHER, P3D_ACTIVATION_USUAL},
        {"relu", P3D_ACTIVATION_RELU, P3D_ACTIVATION_OTHER},
        {"relu2", P3D_ACTIVATION_SQUARED_RELU, P3D_ACTIVATION_OTHER},
};

static void read_activation(const json_value *object, p3d_model *model)
{
    /* Gemma: the second counts, where a file has both. */
    static const char *const keys[] = {"hidden_activation", "hidden_act",
            "activation_function", "mlp_hidden_act"};
    const char *word = "";

    for (int i = 0; word[0] == '\0' && i < P3D_COUNT_OF(keys); i++)
        word = json_string(json_get(object, keys[i]));
    if (word[0] == '\0')
        return;
    model->activation = P3D_ACTIVATION_OTHER;
    for (int i = 0; i < P3D_COUNT_OF(functions); i++) {
        if (strcmp(functions[i].word, word) == 0)
            model->activation = model->gated_mlp ? functions[i].of_gate
                                                 : functions[i].plain;
    }
}

static void read_router(const json_value *object, p3d_model *model)
{
    static const char *const scores[P3D_N_ROUTER_SCORES] = {
            [P3D_SCORE_SOFTMAX] = "softmax",
            [P3D_SCORE_SIGMOID] = "sigmoid",
            [P3D_SCORE_SQRT_SOFTPLUS] = "sqrtsoftplus"};
    static const char *const keys[] = {
            "scoring_func", "score_function", "moe_router_activation_func"};
    p3d_router *const router = &model->router;

    if (fabs(router->scale - 1) < 1e-12)
        router->scale = 0;
    /* A bias that balances is added to scores of each expert by itself. */
    if (model->router_correction)
        router->score = P3D_SCORE_SIGMOID;
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        const int row = row_of(json_string(json_get(object, keys[i])), scores,
                P3D_N_ROUTER_SCORES);

        if (row >= 0)
            router->score = (p3d_router_score)row;
    }
    /* DeepSeek-V2-Lite: the best experts of all groups. */
    if (strcmp(json_string(json_get(object, "topk_method")), "greedy") == 0 ||
            model->expert_groups <= 1)
        model->expert_groups = model->routed_groups = 0;
}

void spec_read_unsized(const json_value *object, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    read_rotary(object, &model->rotary);
    read_activation(object, model);
    if (model->n_experts == 0) {
        model->router = (p3d_router){0};
        return;
    }
    model->router.keeps_scores = !draft->adds_up;
    if (draft->by_sequence)
        model->router.balance = P3D_BALANCE_SEQUENCE;
    read_router(object, model);
}
