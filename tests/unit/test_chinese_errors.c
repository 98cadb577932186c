/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chinese_errors.c - errors as they are printed leave no English behind in
 * Chinese: sentences in sentences, hints behind them, lists. */
#include "test.h"

#include <string.h>

#include "base/util.h"
#include "report/words/words.h"

static const p3d_style chinese = {.lang = P3D_CHINESE};

/* Words of English with one blank between them that stand in no quotes: more
 * than one is a sentence of which a part was forgotten. Options, names with
 * other letters and words of plans are none. */
static bool has_english(const char *text)
{
    int n_words = 0;

    for (const char *at = text; *at != '\0';) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        const char *const quoted =
                strncmp(at, "“", 3) == 0 ? strstr(at, "”") : NULL;

        if (quoted != NULL || n == 0) {
            at = quoted != NULL ? quoted : at + 1;
            n_words = 0;
        } else if (at[n] != '\0' && strchr(" ,;:.", at[n]) == NULL) {
            at += n + strcspn(at + n, " ");
            n_words = 0;
        } else {
            n_words += n > 1;
            if (n_words > 1)
                return true;
            at += n + (at[n] == ' ');
        }
    }
    return false;
}

static void english_is_found(void **state)
{
    (void)state;
    assert_true(has_english("文件无法 be read"));
    assert_true(has_english("请写 one of text, json"));
    assert_false(has_english("请写 tp=8,pp=2 或 “be read”，每步 4096 token"));
    assert_false(has_english("请写 text, json"));
}

/* As they are printed. */
static const char *const errors[] = {
        "--lora: the rank '0' is no number from 1 to 65536; write r=16",
        "--lora: unknown target 'z'; write all-linear, or some of q, k, v, "
        "o, gate, up, down, experts",
        "--freeze: unknown part 'foo'; did you mean 'experts'?",
        "--seq: '0' is out of range; write a whole number from 1 to 64",
        "--reserve: '3' has no unit; write 3GB or 3GiB",
        "--gpu-mtbf: '5' has no unit; write 5s, 5min or 5h",
        "--format: unknown word 'foo'; write one of text, json, csv",
        "--framework: verl is a target of 'plan3d export', estimated with "
        "the costs of a framework; write megatron-core",
        "--framework: hf is a target of 'plan3d export', estimated with "
        "the costs of a framework; write fsdp2 or ddp",
        "--purchase-price and --amortize go together; write --amortize 4y "
        "too",
        "nothing to explain about 'foo'; write one of memory, why",
        "no schema of 'foo'; did you mean 'fit'?",
        "12 GPUs do not fill nodes of 8; write 8xA800 or 16xA800, or "
        "2x6xA800 for 2 nodes of 6",
        "9 GPUs do not fill nodes of 8; write 8xA800 or 16xA800",
        "unknown fabric 'foo'; see 'plan3d list fabrics'",
        "fabric '1x1e30 Gb/s RoCE': out of range from '1e30 Gb/s RoCE' on; a "
        "node has 1 to 64 adapters of 0.1 to 10000 Gb/s each",
        "fabric '0.1 Gb/s per node': 0.0125 Gb/s an adapter are out of range; "
        "a node has 1 to 64 adapters of 0.1 to 10000 Gb/s each",
        "fabric 'tcp GDR': with RDMA and GPUDirect, or without? TCP has "
        "neither, and GPUDirect needs RDMA",
        "fabric 'RoCE': the node has no network of its own; say the kind and "
        "the rate, as '8x400 Gb/s RoCE'",
        "fabric 'ib 400 xx': not understood from 'xx' on; name a file of "
        "'plan3d list fabrics', or say what a node has, as '8x400 Gb/s "
        "RoCE' or '400 Gb/s per GPU'",
        "unknown word 'foo' in a plan; write tp, pp, dp or nosp",
        "'tp=x': 'x' is not a whole number; write tp=2",
        "'sp=3': sp takes on or off; write sp or nosp",
        "'uneven=3': uneven takes on or off; write uneven",
        "'recompute=foo': unknown value 'foo'; write none, selective, full "
        "or uniform:2",
        "'schedule=foo': unknown value 'foo'; write 1f1b, gpipe or naive",
        "plan ep=2 is not legal: ep=2: the model has no experts; try ep=1",
        "no plan is legal: tp=3 x pp=1 x cp=1 x dp=1 does not divide 64 "
        "GPUs",
        "fp8 needs sm89 or later; A800-SXM4-80GB is sm80; "
        "try --dtype bf16",
        "FlashAttention 1 needs sm75 to sm90; B200 is sm100; try "
        "--attention flash2",
        "offload=optimizer: DDP has no offload of the optimizer; try "
        "offload=none",
        "/x/y: there is no directory '/x'; make it first, or write to "
        "another",
        "a.json: cannot be written: No space left on device; write to "
        "another directory",
        "a.json is a symbolic link; plan3d writes and replaces only files: "
        "write another name",
        "the file cannot be read: Input/output error",
        "'x' is a string; write a whole number from 1 to 262144",
        "this is an array; write a number of at least 0",
        "'4096.5' is not a whole number; write a whole number from 1 to 8",
        "unexpected ''' where a key should be; write it in double quotes",
        "unexpected '}'; write ',' or ']'",
        "key 'n_nodes' is missing: nodes",
        "column step_s: 'x' is not a number; leave it empty when it is not "
        "known",
        "3 fields, but the header names 2",
        "the files of Megatron-LM say no model, no length of a sequence, "
        "no size of a micro-batch; add the file that says that, or write "
        "--model MODEL --seq N --set micro-batch-size=N",
        "num-layers: 'x' is not understood; write a whole number",
        "the script ends within the quote that begins in this line; is it "
        "whole?",
        "s.sh:3: the script ends within the quote that begins in this "
        "line; is it whole?",
        "model_type 'bert' is not supported: it has the layers of an "
        "encoder with a head of its own, which plan3d does not plan; write "
        "another model",
        "interrupted before the page was made",
        "the price is missing; add for example 'at $2 per GPU hour'",
        "--price: 2 prices for 1 cluster; write one price, or one for each "
        "cluster",
        "cannot start 'plan3d-bench': Permission denied",
        "see 'plan3d plan --help'",
};

static void errors_have_no_english_left(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(errors); i++) {
        const report_sentence said = report_say_made(chinese, errors[i]);

        if (has_english(said.text) || strcmp(said.text, errors[i]) == 0)
            fail_msg("English is left: %s", said.text);
    }
}

/* What a person typed or is to type stays, though it is a word of a table. */
static void words_to_type_stay(void **state)
{
    static const char *const rows[][2] = {
            {"see 'plan3d plan --help'", "见“plan3d plan --help”"},
            {"--compare stands without a word such as 'memory'; leave one of "
             "them out",
                    "--compare 不能与“memory”这样的词同用；请去掉其中一个"},
            {"'schedule=full': unknown value 'full'; write none or model",
                    "“schedule=full”：没有取值“full”；请写 none 或 model"},
            {"--price: 2 prices for 3 clusters; write one price, or one for "
             "each cluster",
                    "--price：2 个价格对应 3 个集群；请写一个价格，或每个集群"
                    "一个"},
            {"unexpected '1' after a key; write ':'",
                    "多出“1”，在键之后；请写“:”"},
            {"the document ends inside the '{' of line 1; add '}'",
                    "文档在第 1 行的“{”中结束；请加上“}”"},
            {"control character 0x1f in a string; write '\\u001f'",
                    "字符串中有控制字符 0x1f；请写“\\u001f”"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                report_say_made(chinese, rows[i][0]).text, rows[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(english_is_found),
            cmocka_unit_test(errors_have_no_english_left),
            cmocka_unit_test(words_to_type_stay),
    };

    return cmocka_run_group_tests_name("chinese_errors", tests, NULL, NULL);
}
