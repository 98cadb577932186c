/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_sparse.c - which plans may have attention to blocks, where the job
 * asks for it.
 *
 * Source: DeepSpeed@38327e07 deepspeed/ops/sparse_attention/
 * sparse_self_attention.py (fp16, whole sequences of whole blocks, as many
 * heads of keys as of queries), sparsity_config.py; gpt-neox@ea7aefd8
 * megatron/model/transformer.py ("assert not self.sparse"); op_builder/
 * sparse_attn.py there (torch < 2.0, triton 1.0.0); pytorch@1.13.1
 * .circleci/scripts/binary_linux_build.sh (CUDA up to 11.7, sm86). */
#include "plan3d/model.h"
#include "spec/legality.h"

/* What the kernels do not take of a model. */
static const char *model_lacks(const p3d_model *m)
{
    return p3d_model_is_mla(m)                  ? "latent attention"
           : m->n_kv_heads != m->n_heads        ? "grouped queries"
           : m->sees_all                        ? "tokens that see later ones"
           : m->index_topk > 0 || m->window > 0 ? "windows"
           : p3d_model_count_with(m, P3D_LAYER_MIXER) > 0
                   ? "layers without attention"
                   : NULL;
}

bool spec_rule_sparse(const spec_question *q)
{
    const p3d_block_sparse *const sparse = &q->job->sparse;
    const char *const lacks = model_lacks(q->model);

    if (sparse->layout == P3D_SPARSE_NONE)
        return true;
    if (!q->framework->block_sparse)
        return spec_refuse(q,
                "%s has no kernels over blocks; leave out --sparse-attention, "
                "or try --framework deepspeed",
                q->framework->name);
    if (p3d_gpu_sm(&q->cluster->gpu) < 70 || p3d_gpu_sm(&q->cluster->gpu) > 86)
        return spec_refuse(q,
                "kernels over blocks need PyTorch before 2.0, which runs on "
                "sm70 to sm86; %s is %s; leave out --sparse-attention",
                q->cluster->gpu.name, q->cluster->gpu.architecture);
    if (q->job->dtype != P3D_FP16)
        return spec_refuse(q,
                "kernels over blocks compute in fp16 alone; try --dtype fp16");
    if (lacks != NULL)
        return spec_refuse(q,
                "kernels over blocks take no %s; leave out --sparse-attention",
                lacks);
    if (q->job->seq_len % sparse->block != 0)
        return spec_refuse(q,
                "block=%d of --sparse-attention does not divide the sequence "
                "of %d tokens; try --seq %d",
                sparse->block, q->job->seq_len,
                (q->job->seq_len / sparse->block + 1) * sparse->block);
    return q->plan->cp == 1 ||
           spec_refuse(q,
                   "cp=%d: kernels over blocks take whole sequences; try cp=1",
                   q->plan->cp);
}
