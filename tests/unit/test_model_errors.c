/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_errors.c - what is wrong with a model file, said at its place. */
#include "model_files.h"

/* What is wrong, where the message points, and what it says. */
typedef struct refusal {
    const char *text;
    const char *pointer;
    int line;
    int column;
    const char *words;
} refusal;

static void check_refusals(const refusal *rows, int n)
{
    for (int i = 0; i < n; i++) {
        p3d_model model = {.hidden = -7};
        p3d_error err = {0};

        if (load_text(rows[i].text, &model, &err))
            fail_msg("loads: %s", rows[i].text);
        test_check_error(&err, P3D_DATA, rows[i].words);
        assert_string_equal(err.pointer, rows[i].pointer);
        assert_non_null(strstr(err.file, "/config.json"));
        if (rows[i].line > 0) {
            assert_int_equal(err.line, rows[i].line);
            assert_int_equal(err.column, rows[i].column);
        }
        assert_int_equal(model.hidden, -7);
    }
}

static void a_family_that_is_not_known_is_refused_with_a_hint(void **state)
{
    /* clang-format off */
    static const refusal rows[] = {
        {"{\n  \"model_type\": \"qwen4\"\n}\n", "/model_type", 2, 3,
         "model_type 'qwen4' is not supported; did you mean 'qwen2'?"},
        {"{\"model_type\": \"whisper-large\"}\n", "/model_type", 1, 2,
         "model_type 'whisper-large' is not supported; write llama, or "
         "that of a model of 'plan3d list models'"},
        {"{\"model_type\": \"new\", \"text_config\": {\"model_type\": \"x\"}}",
         "/text_config/model_type", 1, 39, "model_type 'x' is not supported"},
        {"{\"model_type\": \"new\", \"text_config\": {}}",
         "/text_config", 1, 23,
         "'model_type' is missing, so the family is not known; write"},
        {"{\"model_type\": 7}\n", "/model_type", 1, 2,
         "'model_type' is not a string; write one such as \"llama\""},
        {"{\"dim\": 4096}\n", "", 1, 1, "'model_type' is missing"},
        {"{\"model_type\": \"llama4\"}\n", "", 1, 1,
         "'text_config' is missing, where 'llama4' has its decoder; write"},
        {"[]", "", 1, 1, "this is not a model; write an object"},
    };
    /* clang-format on */

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void a_size_that_is_missing_or_absurd_is_refused(void **state)
{
    /* clang-format off */
    static const refusal rows[] = {
        {"{\"model_type\": \"llama\"}\n", "", 1, 1,
         "the width of the residual stream is missing; "
         "write \"hidden_size\": and a number"},
        {"{\"model_type\": \"llama\", \"hidden_size\": 64}\n", "", 1, 1,
         "the number of decoder layers is missing"},
        {"{\"model_type\": \"llama\", \"hidden_size\": 64,"
         " \"n_layers\": 2}\n", "", 1, 1,
         "the number of query heads is missing"},
        {"{\"model_type\": \"llama\", \"hidden_size\": 64,"
         " \"n_layers\": 2, \"n_head\": 2, \"vocab_size\": null}\n", "", 1, 1,
         "the number of tokens in the vocabulary is missing"},
        {LLAMA(",\n\"head_dim\": \"128\""), "/head_dim", 2, 1,
         "'128' is a string; write a whole number from 1 to 4096"},
        {LLAMA(",\n\"intermediate_size\": -1"), "/intermediate_size", 2, 1,
         "'-1' is out of range; write a whole number from 1 to"},
        {LLAMA(",\n\"intermediate_size\": 1.5"), "/intermediate_size", 2, 1,
         "'1.5' is not a whole number"},
        {LLAMA(",\n\"max_position_embeddings\": 4294967296"),
         "/max_position_embeddings", 2, 1, "is out of range"},
        {LLAMA(",\n\"tie_word_embeddings\": 1"), "/tie_word_embeddings", 2, 1,
         "'1' is a number; write true or false"},
        {"{\"model_type\": \"gpt2\", \"n_embd\": 64, \"n_layer\": 1025}\n",
         "/n_layer", 1, 38, "'1025' is out of range; write a whole number "
         "from 1 to 1024"},
    };
    /* clang-format on */

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void sizes_that_contradict_each_other_are_refused(void **state)
{
    /* clang-format off */
    static const refusal rows[] = {
        {LLAMA(",\n\"num_key_value_heads\": 5"), "/num_key_value_heads", 2, 1,
         "5 key/value heads do not divide 16 query heads; write "
         "\"num_key_value_heads\": and a divisor"},
        {"{\"model_type\": \"mistral\", \"hidden_size\": 64, \"n_layer\": 1,"
         " \"vocab_size\": 9,\n\"n_head\": 4}\n", "/n_head", 2, 1,
         "8 key/value heads (the default of the class) do not divide 4"},
        {"{\"model_type\": \"llama\", \"hidden_size\": 64, \"n_layer\": 1,"
         " \"vocab_size\": 9,\n\"n_heads\": 3}\n", "/n_heads", 2, 1,
         "3 heads do not divide the hidden size 64; write a divisor of it, "
         "or \"head_dim\": and a number"},
        {"{\"model_type\": \"gpt2\", \"hidden_size\": 64, \"n_layer\": 1,"
         " \"vocab_size\": 9, \"n_head\": 3}\n", "/n_head", 0, 0,
         "3 heads do not divide the hidden size 64; write a divisor of it"},
        {"{\"model_type\": \"mixtral\", \"num_experts_per_tok\": 9,"
         " \"num_local_experts\": 8," SHAPE "}\n", "/num_experts_per_tok",
         1, 27, "a token cannot visit 9 of 8 experts; write 1 to 8"},
        {"{\"model_type\": \"mixtral\", \"hidden_size\": 64, \"n_layer\": 1,"
         " \"vocab_size\": 9, \"n_head\": 8, \"intermediate_size\": 1048576}",
         "/intermediate_size", 0, 0,
         "experts of width 1048576 are out of range; write 1 to 262144"},
    };
    /* clang-format on */

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void lists_of_layers_are_checked(void **state)
{
    /* clang-format off */
    static const refusal rows[] = {
        {"{\"model_type\": \"gemma2\",\n\"layer_types\": \"full\"," SHAPE "}",
         "/layer_types", 2, 1,
         "'layer_types' is not a list; write [...] with layers"},
        {"{\"model_type\": \"gemma2\",\n\"layer_types\":"
         " [\"linear_attention\"]," SHAPE "}", "/layer_types/0", 2, 17,
         "'linear_attention' is a kind of layer that plan3d cannot plan; "
         "write full_attention"},
        {"{\"model_type\": \"gemma2\",\n\"layer_types\":"
         " [\"full_attention\"]," SHAPE "}", "/layer_types/1", 2, 1,
         "'layer_types' does not have 4 words; write one word for each layer"},
        {"{\"model_type\": \"qwen2\",\n\"layer_types\": [\"full_attention\","
         " \"full_attention\", \"full_attention\", \"sliding_attention\"],"
         SHAPE "}", "/layer_types", 2, 1,
         "'layer_types' has windowed layers, but the model has no window; "
         "write \"sliding_window\": and a number of tokens"},
        {"{\"model_type\": \"qwen3_moe\", \"mlp_only_layers\": [0, -1],"
         SHAPE "}", "/mlp_only_layers/1", 0, 0,
         "this is not the number of a layer; write a whole number"},
        {"{\"model_type\": \"qwen3_moe\", \"mlp_only_layers\": [4],"
         SHAPE "}", "/mlp_only_layers/0", 0, 0,
         "there is no such layer; write the number of a layer"},
        {"{\"model_type\": \"llama4_text\", \"no_rope_layers\": [1],"
         SHAPE "}", "/no_rope_layers/1", 0, 0,
         "there is not one number for each layer; write 0 or 1 per layer"},
        {"{\"model_type\": \"llama4_text\", \"moe_layers\": {}," SHAPE "}",
         "/moe_layers", 0, 0, "'moe_layers' is not a list"},
        {"{\"model_type\": \"mpt\", \"attn_config\": 1," SHAPE "}",
         "/attn_config", 0, 0, "'attn_config' is not an object; write"},
        {"{\"model_type\": \"dbrx\", \"ffn_config\": 1," SHAPE "}",
         "/ffn_config", 0, 0, "'ffn_config' is not an object; write {...}"},
        {"{\"model_type\": \"mpt\", \"attn_config\":\n{\"alibi\": 1}," SHAPE
         "}", "/attn_config/alibi", 2, 2, "write true or false"},
        {"{\"model_type\": \"mpt\", \"expansion_ratio\": 64,"
         " \"d_model\": 262144, \"n_layers\": 1, \"n_heads\": 64,"
         " \"vocab_size\": 9}", "/expansion_ratio", 0, 0,
         "64 times the hidden size 262144 is no width; write a ratio such"},
    };
    /* clang-format on */

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void a_file_that_is_not_json_is_refused_at_its_place(void **state)
{
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    assert_false(load_text("{\"model_type\":\n  llama}", &model, &err));
    assert_int_equal(err.code, P3D_DATA);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 3);
}

static void files_of_ours_are_read_strictly(void **state)
{
    /* clang-format off */
    static const refusal rows[] = {
        {CARD(", \"Aliases\": []"), "/plan3d/Aliases", 0, 0,
         "unknown key 'Aliases'; did you mean 'aliases'?"},
        {CARD(", \"aliases\": \"gpt\""), "/plan3d/aliases", 0, 0,
         "'aliases' is not a list; write [\"another name\"]"},
        {CARD(", \"aliases\": [\"x\", 2]"), "/plan3d/aliases/1", 0, 0,
         "this alias is not a name; write a string"},
        {CARD(", \"training\": 4096"), "/plan3d/training", 0, 0,
         "this is not an object; write {...}"},
        {CARD(", \"training\": {\"batch_sequences\": 8, \"source\": \"a\"}"),
         "/plan3d/training", 0, 0, "'sequence_length' is missing"},
        {CARD(", \"training\": {\"sequence_length\": 8}"), "/plan3d/training",
         0, 0, "'source' is missing"},
        {CARD(", \"training\": {\"sequence_length\": 0, \"source\": \"a\"}"),
         "/plan3d/training/sequence_length", 0, 0, "1 to 134217728"},
        {CARD(", \"training\": {\"sequence_length\": 8, \"source\": \"a\","
              " \"batch_sequences\": 1000000001}"),
         "/plan3d/training/batch_sequences", 0, 0, "1 to 1000000000"},
        {CARD(", \"training\": {\"sequence_length\": 8, \"source\": \"a\","
              " \"batch_sequence\": 1}"),
         "/plan3d/training/batch_sequence", 0, 0,
         "did you mean 'batch_sequences'?"},
        {CARD(", \"training\": {\"sequence_length\": 8, \"source\": \"\"}"),
         "/plan3d/training/source", 0, 0, "the source is empty"},
        {CARD("}, \"n_embed_\": 1, \"z\": {"), "/n_embed_", 0, 0,
         "unknown key 'n_embed_'; did you mean 'n_embed'?"},
        {CARD("}, \"Vocab_size\": 1, \"z\": {"), "/Vocab_size", 0, 0,
         "unknown key 'Vocab_size'; did you mean 'vocab_size'?"},
        {CARD("}, \"a/zzzzzzzzzzzzzzz\": 1, \"z\": {"), "/a~1zzzzzzzzzzzzzzz",
         0, 0, "unknown key 'a/zzzzzzzzzzzzzzz'; remove it, or add it to"},
        {"{\"plan3d\": {\"schema\": 2, \"name\": \"a\", \"parameters\": 1,"
         " \"source\": \"\"}}", "/plan3d/schema", 0, 0,
         "schema 2 is newer than this plan3d; write 1"},
        {"{\"plan3d\": {\"schema\": 1, \"name\": \"a\", \"source\": \"\"}}",
         "/plan3d", 0, 0, "'parameters' is missing"},
        {"{\"plan3d\": {\"schema\": 1, \"name\": \"\", \"parameters\": 1,"
         " \"source\": \"\"}}", "/plan3d/name", 0, 0,
         "the name is empty; write the file's name without .json"},
        {"{\"plan3d\": {\"schema\": 1, \"name\": \"a\", \"parameters\": 1,"
         " \"source\": \"\"}, \"model_type\": \"gemma3\","
         " \"text_config\": {\"hiden_size\": 1}}", "/text_config/hiden_size",
         0, 0, "unknown key 'hiden_size'; did you mean 'hidden_size'?"},
    };
    /* clang-format on */

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
    assert_string_equal(load(CARD("")).name, "a");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        TEST(a_family_that_is_not_known_is_refused_with_a_hint),
        TEST(a_size_that_is_missing_or_absurd_is_refused),
        TEST(sizes_that_contradict_each_other_are_refused),
        TEST(lists_of_layers_are_checked),
        TEST(a_file_that_is_not_json_is_refused_at_its_place),
        TEST(files_of_ours_are_read_strictly),
    };
    /* clang-format on */

    return cmocka_run_group_tests(tests, NULL, NULL);
}
