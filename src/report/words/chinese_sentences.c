/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_sentences.c - Chinese words of sentences made elsewhere. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_sentences[] = {
    /* Errors that others stand in. */
    {"plan %.100s: %s: %s", "方案 %s：%s：%s"},

    /* Why the files of a launch cannot say a plan. */
    {"there is no place for %s", "没有地方写 %s"},
    {"the value of %s is computed, or has no such word",
     "%s 的值是算出来的，或没有这样的写法"},
    {"%s is said beside the files, by --set", "%s 由 --set 在文件之外给出"},
    {"with it the files say %.200s", "改后文件的方案是 %s"},
    {"with it the files say another job", "改后文件的任务不同"},
    {"a log says what ran; give the file that started it, too",
     "日志只记录运行过的；请同时给出启动它的文件"},
    {"it is a change of several files; join them, or change them one by one",
     "要改几个文件；请合并，或逐个修改"},

    /* Changes of the question. */
    {"sequences of %d tokens", "序列缩短到 %d token"},
    {"%d GPUs instead of %d, in nodes of %d",
     "用 %d 个 GPU 代替 %d 个，每节点 %d 个"},
    {"%d GPUs instead of %d", "用 %d 个 GPU 代替 %d 个"},
    {"%d x %s instead of %s", "换成 %d x %s，代替 %s"},
    {"framework %s (weights and moments in 16 bit)",
     "换成框架 %s（权重和动量为 16 位）"},
    {"framework %s", "换成框架 %s"},

    /* The walk of advise. */
    {"%s; not possible: %s: %s", "%s；不可行：%s：%s"},
    {"%s: stage %d needs %s of %s: it fits",
     "%s：stage %s 需要 %s / %s，放得下"},
    {"%s: stage %d needs %s of %s: too little is left to be sure",
     "%s：stage %s 需要 %s / %s，剩余太少，没有把握"},
    {"%s: fits the GPU, but the host memory is too small",
     "%s：GPU 放得下，但主机内存不够"},
    {"from an earlier plan: %.60s", "从前面的方案出发：%s"},
    {"micro batch %d -> %d", "微批次 %d -> %d"},
    {"TP -> %d, PP %d -> %d, interleaved", "TP -> %d，PP %d -> %d，交错"},
    {"TP %d -> %d, DP up, micro batch -> %d",
     "TP %d -> %d，DP 增大，微批次 -> %d"},
    {"%s: stage %d needs %s of %s: out of memory%s",
     "%s：stage %s 需要 %s / %s，显存不足%s"},
    {"; the largest: %.40s, %s, %.0f %%", "；最大的是%s，%s，占 %s%%"},
    {"%.1f GiB are free", "还空 %s GiB"},
    {"%s %.1f %% of the step", "%s单步的 %s%%"},
    {"%s: %.3f s -> %.3f s, %s", "%s：%s s -> %s s，%s"},
    {"recompute %.20s -> %.24s", "重计算 %s -> %s"},

    /* Rules of legality that refuse a plan. */
    {"tp*pp*dp*cp = %lld, but the cluster has %d GPUs; leave dp out to have "
     "it derived, or let nodes be idle (--idle)",
     "tp*pp*dp*cp = %lld，而集群有 %d 个 GPU；去掉 dp 由程序推出，或允许节点"
     "闲置（--idle）"},
    {"etp=%d x ep=%d x pp=%d = %lld does not divide %d GPUs; try ep=%d",
     "etp=%d x ep=%d x pp=%d = %lld 不整除 %d 个 GPU；试试 ep=%d"},
    {"pp=%d: %s has no pipeline parallelism; try pp=1",
     "pp=%d：%s 没有流水线并行；试试 pp=1"},
    {"tp=%d: %s has no tensor parallelism; try tp=1",
     "tp=%d：%s 没有张量并行；试试 tp=1"},
    {"cp=%d: %s has no context parallelism; try cp=1",
     "cp=%d：%s 没有上下文并行；试试 cp=1"},
    {"ulysses=%d does not divide cp=%d; try ulysses=%d",
     "ulysses=%d 不整除 cp=%d；试试 ulysses=%d"},
    {"ep=%d: %s has no expert parallelism; try ep=1",
     "ep=%d：%s 没有专家并行；试试 ep=1"},
    {"dp=%d x mbs=%d needs %lld sequences per step, but the batch has %lld",
     "dp=%d x mbs=%d 每步需要 %lld 条序列，而全局批大小只有 %lld"},
    {"a batch of %lld sequences is not a multiple of dp=%d x mbs=%d; try a "
     "batch of %lld or %lld",
     "全局批大小 %lld 不是 dp=%d x mbs=%d 的倍数；试试 %lld 或 %lld"},
    {"a micro-batch of mbs=%d has %lld tokens on a rank, more than the %lld "
     "that plan3d counts; try mbs=1",
     "微批次 mbs=%d 在一个 rank 上有 %lld token，超过 plan3d 能计的 %lld；试"
     "试 mbs=1"},
    {"eager attention has %lld scores on a rank, more than the %lld that "
     "plan3d counts; try --attention flash",
     "eager 注意力在一个 rank 上有 %lld 个分数，超过 plan3d 能计的 %lld；试"
     "试 --attention flash"},
    {"zero=%d: %s does not support it%s; try zero=%s",
     "zero=%d：%s%s不支持；试试 zero=%s"},
    {"offload=%s: %s %s; try offload=%s",
     "offload=%s：%s %s；试试 offload=%s"},
    {"offload=optimizer+parameters needs zero=3, not zero=%d; try %s%s",
     "offload=optimizer+parameters 需要 zero=3，而非 zero=%d；试试 %s%s"},
    {"offload=optimizer: %s does not support it with zero=%d; try zero=%s",
     "offload=optimizer：%s 在 zero=%d 时不支持；试试 zero=%s"},
    {"offload=optimizer@nvme: node %s states no nvme_bytes; write them into a "
     "cluster file",
     "offload=optimizer@nvme：节点 %s 没有给出 nvme_bytes；写进集群文件"},
    {"shard=%d: %d copies of the states do not divide the %d replicas of the "
     "experts; leave it out",
     "shard=%d：%d 份状态不整除专家的 %d 个副本；去掉它"},
    {"shard=%d: zero=0 shares no states, and %s has no stage that groups of "
     "replicas share; leave it out",
     "shard=%d：zero=0 不切分状态，%s 也没有可由副本组分片的级别；去掉它"},
    {"shard=%d: zero=0 shares no states; try zero=%s",
     "shard=%d：zero=0 不切分状态；试试 zero=%s"},
    {"shard=%d: %s shares the states of zero=%d by all replicas; leave it out",
     "shard=%d：%s 在 zero=%d 时由所有副本分片；去掉它"},
    {"shard=%d: %lld replicas are not divisible by %d; try shard=%d",
     "shard=%d：%lld 个副本不能被 %d 整除；试试 shard=%d"},
    {"order=%s: %s does not support it; leave it out", "order=%s：%s 不支持；去掉它"},
    {"order=%s: experts need etp*ep = tp*cp, not %d and %d; leave it out",
     "order=%s：专家需要 etp*ep = tp*cp，而非 %d 和 %d；去掉它"},
    {"ep=%d with tp=%d needs sp; try sp",
     "ep=%d 与 tp=%d 同用时需要 sp；试试 sp"},
    {"ep=%d: the model has no experts; try ep=1",
     "ep=%d：模型没有专家；试试 ep=1"},
    {"etp=%d: with ep=1 it is that of tp; try etp=%d",
     "etp=%d：ep=1 时它等于 tp；试试 etp=%d"},
    {"ep=%d: %d experts are not divisible by %d; try ep=%d",
     "ep=%d：%d 个专家不能被 %d 整除；试试 ep=%d"},
    {"etp=%d: experts with biases are not split; try etp=1 with ep > 1",
     "etp=%d：带偏置的专家不切分；试试 etp=1 且 ep > 1"},
    {"ep=%d: DeepEP runs on 2, 4, 8, 16, 24, 32, 64, 128, 144 or 160 ranks, "
     "not %d; try ep=%d",
     "ep=%d：DeepEP 只支持 2、4、8、16、24、32、64、128、144 或 160 个 rank"
     "，而非 %d；试试 ep=%d"},
    {"ep=%d: %s does not send tokens by %s; try --dispatcher alltoall",
     "ep=%d：%s 不用 %s 分发 token；试试 --dispatcher alltoall"},
    {"--moe-overlap with pp=%d needs chunks; try vp=2",
     "--moe-overlap 在 pp=%d 时需要多个模型块；试试 vp=2"},
    {"ulysses=%d: an all-to-all does not divide %d key/value heads of a rank "
     "by %d; try ulysses=%d",
     "ulysses=%d：all-to-all 不能把一个 rank 的 %d 个 KV 头分成 %d 份；试试 "
     "ulysses=%d"},
    {"tp=%d: %d attention heads are not divisible by %d; try tp=%d",
     "tp=%d：%d 个注意力头不能被 %d 整除；试试 tp=%d"},
    {"tp=%d: %d key/value heads are divided neither by %d nor %d by them; try "
     "tp=%d",
     "tp=%d：%d 个 KV 头不能被 %d 整除，%d 也不能被其整除；试试 tp=%d"},
    {"tp=%d: %d key/value heads are not divisible by %d, and %s does not copy "
     "them; try tp=%d",
     "tp=%d：%d 个 KV 头不能被 %d 整除，而 %s 不复制 KV 头；试试 tp=%d"},
    {"tp=%d: MLP width %d is not divided by %d; try tp=%d",
     "tp=%d：MLP 宽度 %d 不能被 %d 整除；试试 tp=%d"},
    {"etp=%d: expert width %d is not divided by %d; try etp=%d",
     "etp=%d：专家宽度 %d 不能被 %d 整除；试试 etp=%d"},
    {"tp=%d: width %d of the shared experts is not divided by %d; try tp=%d",
     "tp=%d：共享专家宽度 %d 不能被 %d 整除；试试 tp=%d"},
    {"cp=%d: a sequence of %d tokens is not a multiple of 2 x %d; try cp=%d",
     "cp=%d：序列 %d token 不是 2 x %d 的倍数；试试 cp=%d"},
    {"sp: %d tokens (%d / cp=%d) are not divisible by tp=%d; try tp=%d",
     "sp：%d token（%d / cp=%d）不能被 tp=%d 整除；试试 tp=%d"},
    {"a sequence of %d tokens, but the model has learned %d positions; try %d "
     "tokens",
     "序列 %d token，而模型只学习了 %d 个位置；试试 %d token"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d; try uneven",
     "%d 层不能按 pp=%d x vp=%d 均分；试试 uneven"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d; try pp=%d",
     "%d 层不能按 pp=%d x vp=%d 均分；试试 pp=%d"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d",
     "%d 层不能按 pp=%d x vp=%d 均分"},
    {"schedule=%s: %s does not support it; try %s", "schedule=%s：%s 不支持；试试 %s"},
    {"schedule=%s updates the weights with gradients of older ones; say "
     "--async if that is allowed",
     "schedule=%s 用旧权重的梯度更新权重；若允许，加上 --async"},
    {"schedule=%s needs pp > 1; try schedule=1f1b",
     "schedule=%s 需要 pp > 1；试试 schedule=1f1b"},
    {"schedule=%s keeps two whole versions of the weights, not shares of "
     "zero=%d; try %s",
     "schedule=%s 保留两份完整权重，而非 zero=%d 的分片；试试 %s"},
    {"vp=%d needs pp > 1; try vp=1", "vp=%d 需要 pp > 1；试试 vp=1"},
    {"schedule=%s runs one chunk per rank, not vp=%d; try %s",
     "schedule=%s 每个 rank 只有一个模型块，而非 vp=%d；试试 %s"},
    {"schedule=%s needs vp > 1; try schedule=1f1b",
     "schedule=%s 需要 vp > 1；试试 schedule=1f1b"},
    {"schedule=%s needs vp=2, not vp=%d; try vp=2",
     "schedule=%s 需要 vp=2，而非 vp=%d；试试 vp=2"},
    {"group=%lld: at least pp=%d and at most all %lld micro-batches run in a "
     "row; try group=%d",
     "group=%lld：连续运行的微批次至少 pp=%d 个，至多全部 %lld 个；试试 "
     "group=%d"},
    {"interleaving needs micro-batches in a multiple of pp=%d, not %lld; try "
     "vp=1",
     "交错调度需要微批次数是 pp=%d 的倍数，而非 %lld；试试 vp=1"},
    {"interleaving needs micro-batches in a multiple of pp=%d, not %lld; try "
     "vp=1, or group=%lld",
     "交错调度需要微批次数是 pp=%d 的倍数，而非 %lld；试试 vp=1 或 group="
     "%lld"},
    {"schedule=%s needs %lld micro-batches, not %lld; try schedule=1f1b,vp=1",
     "schedule=%s 需要 %lld 个微批次，而非 %lld；试试 schedule=1f1b,vp=1"},
    {"group=%d: only schedule=interleaved runs micro-batches in groups",
     "group=%d：只有 schedule=interleaved 成组运行微批次"},
    {"recompute=full:%d: a %s has only %d layers; try recompute=full",
     "recompute=full:%d：每个%s只有 %d 层；试试 recompute=full"},
    {"recompute=uniform:%d: a %s has only %d layers; try recompute=uniform:%d",
     "recompute=uniform:%d：每个%s只有 %d 层；试试 recompute=uniform:%d"},
    {"recompute=selective:%s: %s recomputes it not alone; try recompute=%s",
     "recompute=selective:%s：%s 不单独重计算它；试试 recompute=%s"},
    {"recompute=uniform:%d: with multi-token prediction (--mtp) layers are "
     "recomputed one by one; try recompute=full",
     "recompute=uniform:%d：多 token 预测（--mtp）时逐层重计算；试试 "
     "recompute=full"},
    {"only recompute=full takes a number of layers (%d)",
     "只有 recompute=full 可以指定层数（%d）"},
    {"recompute=full:%d: a number of layers is at least 1; try recompute=full",
     "recompute=full:%d：层数至少为 1；试试 recompute=full"},
    {"first=%d,last=%d: %s shares the layers out by itself; leave them out",
     "first=%d,last=%d：%s 自行分配各层；去掉它们"},
    {"cp=%d: context parallelism needs a fused kernel, not eager attention; "
     "try cp=1",
     "cp=%d：上下文并行需要融合的 kernel，而非 eager 注意力；试试 cp=1"},
    {"ep=%d: %s needs RDMA between nodes, which %s has not; try --dispatcher "
     "alltoall",
     "ep=%d：%s 需要节点间 RDMA，而 %s 没有；试试 --dispatcher alltoall"},
    {"ep=%d: %s leaves the node from sm90 on; %s is %s; try ep=%d",
     "ep=%d：%s 从 sm90 起才能跨节点；%s 是 %s；试试 ep=%d"},
    {"tp=%d: %s does not communicate beside the products; leave out "
     "--tp-overlap",
     "tp=%d：%s 的通信不与矩阵乘重叠；去掉 --tp-overlap"},
    {"tp=%d: --tp-overlap reaches %d GPUs that share a node; try tp=%d",
     "tp=%d：--tp-overlap 只到同节点的 %d 个 GPU；试试 tp=%d"},
    {"zero=%d: %s does not communicate beside the passes; leave out "
     "--dp-overlap",
     "zero=%d：%s 的通信不与前向反向重叠；去掉 --dp-overlap"},
    {"%s does not run the exchange of experts beside another micro-batch; "
     "leave out --moe-overlap",
     "%s 的专家通信不与另一个微批次重叠；去掉 --moe-overlap"},
    {"%s needs NVLink between all GPUs of a node, which %s has not; try "
     "--dispatcher alltoall",
     "%s 需要节点内所有 GPU 之间有 NVLink，而 %s 没有；试试 --dispatcher "
     "alltoall"},
    {"%s=%d: an all-to-all does not divide %d heads of a rank by %d; try %s=%d",
     "%s=%d：all-to-all 不能把一个 rank 的 %d 个头分成 %d 份；试试 %s=%d"},
    {"%s has no CUDA graphs; leave out --cuda-graphs",
     "%s 没有 CUDA graph；去掉 --cuda-graphs"},
    {"%s, and %s calls no other; try another framework",
     "%s，而 %s 不调用其他 kernel；换一个框架"},
    {"%s computes in fp16 and bf16, not in fp32",
     "%s 用 fp16 和 bf16 计算，不用 fp32"},
    {"%s takes heads of at most %d on %s, not %d",
     "%s 的头维度至多 %d（%s），而非 %d"},
    {"%s; try --dispatcher alltoall", "%s；试试 --dispatcher alltoall"},
    {"%s has no fp8; try --dtype %s", "%s 没有 fp8；试试 --dtype %s"},
    {"%s has no %s; try --dtype %s", "%s 没有 %s；试试 --dtype %s"},
    {"%s; try --attention %s", "%s；试试 --attention %s"},
    {"%s does not call %s", "%s 不调用 %s"},
    {"%s; try --dtype %s", "%s；试试 --dtype %s"},
    {"%s has no %s; try %s", "%s 没有 %s；试试 %s"},
    {"%s needs %s; try %s", "%s 需要 %s；试试 %s"},
    {"tp=%d x pp=%d x cp=%d x dp=%d does not divide %d GPUs",
     "tp=%d x pp=%d x cp=%d x dp=%d 不整除 %d 个 GPU"},

    /* What a slower plan takes longer by. */
    {"%s +%.3g s", "%s +%s s"},

    /* Errors, with what they are about first. */
    {"; did you mean '%s'?", "；是不是“%s”？"},
    {"; did you mean %s?", "；是不是 %s？"},
    {"unknown model '%s'%s (or write the path of a config.json)",
     "没有名为“%s”的模型%s（或写 config.json 的路径）"},
    {"unknown model '%s'%s", "没有名为“%s”的模型%s"},
    {"no model of '%s' stands for a size; write a name or the path of a "
     "config.json",
     "没有“%s”规模的模型；写模型名或 config.json 的路径"},
    {"no known shape is near '%s' (%s parameters), the nearest is '%s'; write "
     "a name or the path of a config.json",
     "没有接近“%s”（参数量 %s）的已知模型，最近的是“%s”；写模型名或 "
     "config.json 的路径"},
    {"unknown GPU '%s'%s", "没有名为“%s”的 GPU%s"},
    {"unknown option '%s'%s", "没有选项“%s”%s"},
    {"unknown word '%s' in a plan%s", "方案中没有“%s”这个词%s"},
    {"not understood: '%s'%s", "看不懂“%s”%s"},
    {"'%.80s' does not say how many GPUs; write 64xA800",
     "“%s”没有说明多少个 GPU；写 64xA800"},
    {"'%.80s' names no GPU; write 64xA800", "“%s”没有指明 GPU；写 64xA800"},
    {"'%.80s' has the type first; write %.20sx%.*s",
     "“%s”把型号写在了前面；写 %sx%s"},
    {"'%.80s' has no x between count and type; write %.*sx%.60s",
     "“%s”的数目和型号之间没有 x；写 %sx%s"},
    {"'%.*s' is not a whole number of GPUs; write 64xA800",
     "“%s”不是整数个 GPU；写 64xA800"},
    {"a cluster of %lld GPUs; write at least 1, such as 1xA800",
     "集群有 %s 个 GPU；至少写 1，如 1xA800"},
    {"more than %d GPUs, the most that plan3d plans for",
     "超过 %s 个 GPU，plan3d 至多规划这么多"},
    {"%d GPUs do not fill nodes of %d; write %dx%s or %dx%s%s",
     "%s 个 GPU 填不满每节点 %s 个的节点；写 %sx%s 或 %sx%s%s"},
    {"option '--%s' takes no value", "选项“--%s”不带值"},
    {"option '--%s' needs a value: --%s %s", "选项“--%s”需要一个值：--%s %s"},
    {"option '--%s' is given twice", "选项“--%s”给了两次"},
    {"one argument too many: '%.60s'", "多了一个参数：“%s”"},
    {"%s missing; add for example '%s'", "缺少%s；例如加上“%s”"},
    {"see 'plan3d %s --help'", "见“plan3d %s --help”"},
    {"tp=%d x pp=%d x cp=%d does not divide %d GPUs; write sizes whose "
     "product does",
     "tp=%s x pp=%s x cp=%s 不整除 %s 个 GPU；写乘积能整除的数"},
    {"; write one of%s", "；写以下之一：%s"},
    {"%s: %.1f %% %s than predicted", "%1$s：比预测%3$s %2$s%%"},
    {"a step takes %.1f %% %s than predicted", "一步比预测%2$s %1$s%%"},
    {"another plan is the fastest, and this one takes %.1f %% longer",
     "另有更快的方案，此方案多用 %s%%"},
    {"the plan is not predicted to fit: %s are missing",
     "预测此方案放不下：还差 %s"},
    {"%s is missing", "缺少 %s"},
    {"--%s: %.400s", "--%s：%s"},
    {"%s '%.60s'%s", "%s“%s”%s"},

    {NULL, NULL},
};
/* clang-format on */
