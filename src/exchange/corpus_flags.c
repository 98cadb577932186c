/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_flags.c - settings that stand in the notes of a measured run. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/corpus_parts.h"

/* The number after a word of the notes ("mtp-num-layers=1"), or otherwise. */
static int number_after(const char *notes, const char *word, int otherwise)
{
    const char *const said = strstr(notes, word);

    return said == NULL ? otherwise
                        : (int)strtol(said + strlen(word), NULL, 10);
}

static bool says(const p3d_corpus_row *row, const char *word)
{
    return strstr(row->notes, word) != NULL;
}

/* The functional tests of Megatron-LM run with CUBLAS_WORKSPACE_CONFIG=:4096:8
 * (225 of 271 files model_config.yaml): 8 pieces of 4 MiB on every GPU. */
enum { TEST_CUBLAS_BYTES = 8 * 4096 * 1024 };

/* Those that defer the output matrix's gradient set --wgrad-deferral-limit 2.*/
enum { TEST_DEFERRED = 2 };

p3d_meter p3d_corpus_unstated_meter(const p3d_corpus_row *row)
{
    /* FlagPerf@1b5a030 training/nvidia/nvidia_monitor.py:78 reads nvidia-smi;
     * the text of the gist names max_memory_allocated. */
    static const struct {
        const char *ref;
        p3d_meter meter;
    } known[] = {{"FlagOpen/FlagPerf", P3D_METER_DEVICE},
            {"chenyaofo", P3D_METER_ALLOCATED}};

    for (int i = 0; i < P3D_COUNT_OF(known); i++) {
        if (strstr(row->ref, known[i].ref) != NULL)
            return known[i].meter;
    }
    return P3D_METER_RESERVED;
}

bool p3d_corpus_is_test(const p3d_corpus_row *row)
{
    return strstr(row->ref, "tests/functional_tests") != NULL;
}

static void set_test(const p3d_corpus_row *row, p3d_job *job)
{
    if (!p3d_corpus_is_test(row))
        return;
    job->cublas_bytes = TEST_CUBLAS_BYTES;
    job->separate_experts = !says(row, "moe-grouped-gemm");
    if (job->deferred_logits > 0)
        job->deferred_logits = TEST_DEFERRED;
}

/* Performance recipes that overlap tensor-parallel communication without saying
 * so in the table: NeMo-Framework-Launcher@26e42fa9 launcher_scripts/conf;
 * Megatron-Bridge@067f987 scripts/performance (but not in nvfp4). */
static bool recipe_overlaps(const p3d_corpus_row *row)
{
    static const struct {
        const char *source;
        const char *model;
    } recipes[] = {
            {"nemo-docs", "LLAMA2-70B"},
            {"nemo-docs", "LLAMA3-70B"},
            {"nemo-docs", "GPT3-20B"},
            {"megatron-bridge", "LLAMA3_70B"},
            {"megatron-bridge", "LLAMA3.1_405B"},
    };

    for (int i = 0; i < P3D_COUNT_OF(recipes); i++) {
        if (strcmp(row->source, recipes[i].source) == 0 &&
                strstr(row->model, recipes[i].model) != NULL)
            return true;
    }
    return false;
}

static void set_optimizer(const p3d_corpus_row *row, p3d_job *job)
{
    static const struct {
        const char *word;
        p3d_optimizer optimizer;
    } words[] = {{"Muon optimizer", P3D_MUON}, {"optimizer=muon", P3D_MUON},
            {"8bit AdamW", P3D_ADAM_8BIT}, {"AdamW8bit", P3D_ADAM_8BIT}};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        if (says(row, words[i].word))
            job->optimizer = words[i].optimizer;
    }
    if (says(row, "main-grads-dtype=bf16") || says(row, "bf16 main gradients"))
        job->gradient_dtype = P3D_STATE_IN_16;
    if (says(row, "exp-avg-dtype=bf16"))
        job->moment_dtype = P3D_STATE_IN_16;
    if (says(row, "store-param-remainders"))
        job->master_dtype = P3D_STATE_IN_16;
    /* Ablations that are added one after the other. */
    job->optimizer_in_backward = says(row, "optim in bwd") ||
                                 says(row, "optimizer-in-backward") ||
                                 says(row, "step \"+activation offload\"") ||
                                 says(row, "step \"+8bit AdamW\"");
}

void p3d_corpus_flags(const p3d_corpus_row *row, p3d_corpus_case *out)
{
    p3d_job *const job = &out->problem.job;
    p3d_plan *const plan = &out->plan;
    const int replicas = plan->dp * plan->cp;
    const int instances =
            number_after(row->notes, "num-distributed-optimizer-instances=", 1);

    set_optimizer(row, job);
    job->fp8_weights = says(row, "fp8-param-gather");
    job->tp_overlap = says(row, "tp-comm-overlap") || recipe_overlaps(row);
    job->n_mtp_layers = number_after(row->notes, "mtp-num-layers=", 0);
    if (says(row, "defer-embedding-wgrad-compute"))
        job->deferred_logits = number_after(
                row->notes, "wgrad-deferral-limit=", (int)row->global_batch);
    /* SimuMax@4dcaae5 docs/b200/b200_real_repro_guide.md:286. */
    if (strstr(row->ref, "MooreThreads/SimuMax") != NULL ||
            says(row, "cp-comm-type=a2a"))
        job->cp_comm = P3D_CP_ALL_TO_ALL;
    set_test(row, job);
    plan->uneven = plan->vp > 1;
    plan->first_layers =
            number_after(row->notes, "decoder-first-pipeline-num-layers=", 0);
    plan->last_layers =
            number_after(row->notes, "decoder-last-pipeline-num-layers=", 0);
    if (instances > 1 && replicas % instances == 0)
        plan->shard = replicas / instances;
}
