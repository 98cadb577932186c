/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_find.c - names, aliases, sizes and paths of models. */
#include "model_files.h"

#include "plan3d/catalog.h"
#include "plan3d/workload.h"
#include "spec/model_file.h"
#include "json/json.h"

static const char small_llama[] = LLAMA("");

static void every_file_of_the_catalog_counts_as_it_says(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    for (int i = 0; i < catalog.n_names; i++) {
        spec_model_card card = {0};
        p3d_model model = {0};
        json_doc doc = {0};
        char path[1200];

        p3d_catalog_path(&catalog, i, path, sizeof(path));
        if (!json_open(path, &doc, &err) ||
                !spec_model_card_read(&doc, &card, &err) ||
                !p3d_model_load(path, &model, &err))
            fail_msg("%s: %s: %s", path, err.pointer, err.text);
        if (p3d_total_params(&model) != card.parameters)
            fail_msg("%s: %lld parameters instead of %lld", path,
                    (long long)p3d_total_params(&model),
                    (long long)card.parameters);
        assert_string_equal(model.name, catalog.names[i]);
        assert_string_equal(model.source, path);
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
}

static void a_model_is_found_by_name_or_alias_in_any_case(void **state)
{
    (void)state;
    assert_string_equal(find("llama-2-70b").name, "llama-2-70b");
    assert_string_equal(find("LLaMA-2-70B").name, "llama-2-70b");
    assert_string_equal(find("openai-community/gpt2").name, "gpt2");
    assert_string_equal(find("OpenAI-community/GPT2").name, "gpt2");
}

/* What Hugging Face users write: who gives a model out, what it was tuned for,
 * when. Layers are those of the model; a part that says more is not dropped. */
static void a_release_is_found_by_what_it_is_of(void **state)
{
    static const char *const releases[][2] = {
            {"Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"},
            {"unsloth/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"},
            {"llama-3-8b-chat-hf", "llama-3-8b"},
            {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
            {"Qwen/Qwen3-30B-A3B-Thinking-2507", "qwen3-30b-a3b"},
            {"EleutherAI/pythia-70m-deduped", "pythia-70m"},
            {"google/gemma-3-4b-it", "gemma-3-4b-it"},
            {"google/gemma-2-9b-it", "gemma-2-9b"}};
    static const char *const others[] = {"Qwen/Qwen2.5-7B-Instruct-1M",
            "codellama/CodeLlama-7b-Python-hf", "a/b/qwen2.5-7b-instruct",
            "Qwen/", "-instruct", "qwen2.5-7b-instructed"};
    p3d_model model;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(releases); i++)
        assert_string_equal(find(releases[i][0]).name, releases[i][1]);
    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        if (p3d_model_find(others[i], &model, NULL))
            fail_msg("%s is taken for %s", others[i], model.name);
}

static void a_model_is_found_by_its_size(void **state)
{
    (void)state;
    assert_string_equal(find("70B").name, "llama-3-70b");
    assert_string_equal(find("70b").name, "llama-3-70b");
    assert_string_equal(find("1.3B").name, "gpt3-1.3b");
    assert_string_equal(find("405b").name, "llama-3.1-405b");
    assert_string_equal(find("125M").name, "gpt3-125m");
    assert_string_equal(find("1T").name, "megatron-1t");
    assert_string_equal(find("2B").name, "gemma-2b");
    assert_string_equal(find("7B").name, "llama-2-7b");
    assert_string_equal(find("13B").name, "llama-2-13b");
    assert_string_equal(find("14B").name, "qwen2.5-14b");
    assert_string_equal(find("32B").name, "qwen2.5-32b");
    assert_string_equal(find("34B").name, "codellama-34b");
    assert_string_equal(find("1B").name, "llama-3.2-1b");
}

/* Where no usual model is of that size, one that is, experts or not. */
static void a_size_is_never_that_of_another_model(void **state)
{
    (void)state;
    assert_string_equal(find("671B").name, "deepseek-v3");
    assert_string_equal(find("685B").name, "deepseek-v3.2");
    assert_string_equal(find("100B").name, "solar-open-100b");
    assert_string_equal(find("235B").name, "qwen3-235b-a22b");
    assert_string_equal(find("120B").name, "gpt-oss-120b");
    assert_string_equal(find("1.5B").name, "qwen2.5-1.5b");
    assert_string_equal(find("0.5B").name, "qwen2.5-0.5b");
    assert_string_equal(find("9B").name, "gemma-2-9b");
    assert_string_equal(find("46.7B").name, "mixtral-8x7b");
}

/* Mistral Small 3.1 has 24.0e9 parameters, 0.44e9 of them in a tower; the
 * language models of such sizes are smaller or larger. */
static void a_size_is_that_of_a_language_model(void **state)
{
    (void)state;
    assert_string_equal(find("24B").name, "mistral-small-24b");
    assert_string_equal(find("72B").name, "qwen2.5-72b");
    assert_int_equal(find("24B").tower.hidden, 0);
    assert_string_equal(
            find("Qwen/Qwen2.5-VL-7B-Instruct").name, "qwen2.5-vl-7b");
    assert_int_equal(find("qwen2.5-vl-7b").tower.n_layers, 32);
}

static void a_size_that_nothing_stands_for_is_refused(void **state)
{
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_model_find("9T", &model, &err));
    test_check_error(&err, P3D_DATA,
            "no known model is of size '9T'; nearest: 'kimi-k2' (1.03T); "
            "write a name or the path of a config.json");
    err = (p3d_error){0};
    assert_false(p3d_model_find("90B", &model, &err));
    test_check_error(&err, P3D_DATA,
            "no known model is of size '90B'; nearest: 'hunyuan-a13b' "
            "(80.4B), 'solar-open-100b' (103B); write a name");
}

static void a_word_that_nothing_has_is_refused_with_a_hint(void **state)
{
    p3d_model model;
    p3d_error err = {0};
    p3d_error far = {0};

    (void)state;
    assert_false(p3d_model_find("lama-2-70b", &model, &err));
    test_check_error(&err, P3D_DATA,
            "unknown model 'lama-2-70b'; did you mean 'llama-2-70b'?");
    assert_false(p3d_model_find("xyzzyplugh", &model, &far));
    test_check_error(&far, P3D_DATA,
            "unknown model 'xyzzyplugh'; write a name of 'plan3d list models', "
            "a size such as 70B, or the path");
}

static void a_path_is_read(void **state)
{
    char path[256];

    (void)state;
    write_file("config.json", small_llama);
    write_file("my-model.json", small_llama);
    assert_string_equal(find(root).name, strrchr(root, '/') + 1);
    snprintf(path, sizeof(path), "%s/", root);
    assert_string_equal(find(path).name, strrchr(root, '/') + 1);
    snprintf(path, sizeof(path), "%s/config.json", root);
    assert_string_equal(find(path).name, strrchr(root, '/') + 1);
    assert_string_equal(find(path).source, path);
    snprintf(path, sizeof(path), "%s/my-model.json", root);
    assert_string_equal(find(path).name, "my-model");
}

static void a_path_that_is_not_there_says_so(void **state)
{
    p3d_model model;
    p3d_error err = {0};
    p3d_error folder = {0};
    char path[256];

    (void)state;
    assert_false(p3d_model_find("./nothing/here.json", &model, &err));
    test_check_error(&err, P3D_DATA, "no such file");
    assert_string_equal(err.file, "./nothing/here.json");
    assert_false(p3d_model_find(root, &model, &folder));
    test_check_error(&folder, P3D_DATA, "no such file");
    snprintf(path, sizeof(path), "%s/config.json", root);
    assert_string_equal(folder.file, path);
}

static void standard_input_is_read(void **state)
{
    char path[256];
    const int keep = dup(STDIN_FILENO);

    (void)state;
    write_file("config.json", small_llama);
    snprintf(path, sizeof(path), "%s/config.json", root);
    assert_non_null(freopen(path, "r", stdin));
    assert_string_equal(find("-").name, "stdin");
    if (keep >= 0) {
        assert_true(dup2(keep, STDIN_FILENO) >= 0);
        close(keep);
    }
}

static void a_name_is_found_without_reading_the_other_files(void **state)
{
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    write_file("models/a.json", CARD(", \"aliases\": [\"first\"]"));
    write_file("models/broken.json", "{");
    assert_int_equal(setenv("PLAN3D_DATA", root, 1), 0);
    assert_string_equal(find("a").name, "a");
    assert_string_equal(find("first").name, "a");
    assert_false(p3d_model_find("second", &model, &err));
    assert_int_equal(err.code, P3D_DATA);
    assert_non_null(strstr(err.file, "broken.json"));
}

static void a_file_without_a_card_is_found_by_its_name_only(void **state)
{
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    write_file("models/b.json", small_llama);
    assert_int_equal(setenv("PLAN3D_DATA", root, 1), 0);
    assert_string_equal(find("b").name, "b");
    assert_false(p3d_model_find("8B", &model, &err));
    test_check_error(&err, P3D_DATA, "has a size; write a name");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        TEST(every_file_of_the_catalog_counts_as_it_says),
        TEST(a_model_is_found_by_name_or_alias_in_any_case),
        TEST(a_release_is_found_by_what_it_is_of),
        TEST(a_model_is_found_by_its_size),
        TEST(a_size_is_never_that_of_another_model),
        TEST(a_size_is_that_of_a_language_model),
        TEST(a_size_that_nothing_stands_for_is_refused),
        TEST(a_word_that_nothing_has_is_refused_with_a_hint),
        TEST(a_path_is_read),
        TEST(a_path_that_is_not_there_says_so),
        TEST(standard_input_is_read),
        TEST(a_name_is_found_without_reading_the_other_files),
        TEST(a_file_without_a_card_is_found_by_its_name_only),
    };
    /* clang-format on */

    return cmocka_run_group_tests(tests, NULL, NULL);
}
