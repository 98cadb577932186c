/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_sentences.c - Chinese words of sentences made elsewhere. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_sentences[] = {
    /* Errors that others stand in. */
    {"%s; these can: --to %s", "%s；这些可以：--to %s"},
    {"plan %.100s is not legal: %s", "方案 %s 不合法：%s"},

    /* Why the files of a launch cannot say a plan. */
    {"there is no place for %s", "没有地方写 %s"},
    {"the value of %s is computed, or has no such word",
     "%s 的值是算出来的，或没有这样的写法"},
    {"%s is said beside the files, by --set", "%s 由 --set 在文件之外给出"},
    {"with it the files say %.200s", "改后文件的方案是 %s"},
    {"with it the files say another job", "改后文件的任务不同"},
    {"a log says what ran; give the file that started it, too",
     "日志只记录运行过的；请同时给出启动它的文件"},
    {"it is a change of two files named %.100s; rename one",
     "它要改动两个都叫 %.100s 的文件；请改名其一"},

    /* What an answer on the files of a launch lacks, and is of. */
    {"the actor's step: answers are generated, and reference and rew"
     "ard models run, before it",
     "actor 的一步：在它之前生成回答，并运行参考模型和奖励模型"},
    {"the actor's step: answers are generated, and the reference mod"
     "el runs, before it",
     "actor 的一步：在它之前生成回答，并运行参考模型"},
    {"the policy's step: answers are generated, and reference and re"
     "ward models run, before it",
     "策略模型的一步：在它之前生成回答，并运行参考模型和奖励模型"},
    {"the policy's step: answers are generated before it; each seque"
     "nce counts with its largest length",
     "策略模型的一步：在它之前生成回答；每条序列按最大长度计"},
    {"each sequence counts with its largest length",
     "每条序列按最大长度计"},
    {"the reference model's weights, which stay on the GPUs",
     "一直留在 GPU 上的参考模型权重"},
    {"the critic, whose states stay on the GPUs",
     "状态一直留在 GPU 上的 critic"},
    {"the reward model, which stays on the GPUs",
     "一直留在 GPU 上的奖励模型"},
    {"the engines that generate, which stay on the GPUs",
     "一直留在 GPU 上的生成引擎"},
    {"%s: %.3g GiB of each are left to it", "%s：每个 GPU 为它留出 %s GiB"},
    {"training on texts: llamafactory-cli dpo has two of each, and a reference "
     "model",
     "在文本上的训练：llamafactory-cli dpo 每条有两份，并有参考模型"},
    {"the teachers are on GPUs of their own, and answer before the step",
     "教师模型在自己的 GPU 上，在这一步之前给出回答"},
    {"the student's step: answers are generated, and the teacher runs, before "
     "it",
     "学生模型的一步：在它之前生成回答，并运行教师模型"},
    {"the critic is trained in a step of its own, which is not counted",
     "critic 在自己的一步中训练，未计入"},
    {"sharding by an accelerate configuration, if the launch has one"
     ": no file says so, and whole states in each replica are counte"
     "d",
     "accelerate 配置中的切分（若启动时有）：没有文件写明，按每个副"
     "本存全部状态计"},
    {"weights loaded in 16 bit: those of fp32 with autocast are coun"
     "ted",
     "以 16 位加载的权重：按 fp32 加 autocast 计"},
    {"what a program of its own sets beside the options of its sections, "
     "which are taken for the Trainer's",
     "自有程序在其各节选项之外所设的内容；这些选项按 Trainer 的含义"
     "理解"},
    {"torch.compile: the kernels of layers are counted as those that "
     "torchtitan compiles",
     "torch.compile：各层的内核按 torchtitan 编译出的内核计算"},
    {"an older TRL, whose default is fp32: today's, bf16, is counted",
     "较旧的 TRL 默认 fp32：按现在的默认 bf16 计"},
    {"an older TRL, whose default is no recomputation: today's, of a"
     "ll layers, is counted",
     "较旧的 TRL 默认不重计算：按现在的默认（所有层重计算）计"},
    {"recomputation of the modules that are named: none is counted",
     "所列模块的重计算：未计入"},
    {"recomputation of a part of the layers: none is counted",
     "部分层的重计算：未计入"},
    {"recomputation by a budget of memory, which torch.compile choos"
     "es: none is counted",
     "由 torch.compile 按显存预算选择的重计算：未计入"},
    {"an optimizer that is not AdamW",
     "不是 AdamW 的优化器"},
    {"what the script changes of the model's layers: those of its na"
     "me are counted",
     "脚本对模型各层的改动：按该名字的模型计"},
    {"micro-batches that are filled up to a number of tokens",
     "按 token 数装满的微批次"},
    {"images, which are cut with their sequence: %d of %d tokens are"
     " counted",
     "随序列截断的图像：计入 %2$s 个 token 中的 %1$s 个"},
    {"attention and MLP side by side: one behind the other is counted",
     "并行的注意力与 MLP：按先后相接计"},
    {"another head than that of words, which is counted",
     "不是词表输出的头：按词表输出计"},
    {"the pipeline, which runs empty %lld times a step: once is counted",
     "每步排空 %s 次的流水线：计入一次"},
    {"adapters whose rank the experts of a token divide",
     "秩按每个 token 的专家数划分的适配器"},
    {"states in the types of Transformer Engine's Adam: those of PyTo"
     "rch's are counted",
     "Transformer Engine 的 Adam 所用类型的状态：按 PyTorch 的计"},
    {"launched as %.100s has it", "按 %.100s 中的命令启动"},
    {"its GPUs alone: %lld of the cluster's %lld",
     "仅它自己的 GPU：集群 %2$s 个中的 %1$s 个"},
    {"%s, the only file of its folder that says a training",
     "%s：它所在目录中唯一给出训练的文件"},
    {"the GPUs that generate are others than the actor's",
     "生成用的 GPU 不是 actor 的 GPU"},
    {"recomputation, which the program has: none is counted; --set r"
     "ecompute-granularity=full counts that of all layers",
     "程序自己的重计算：未计入；--set recompute-granularity=full 计"
     "入所有层的重计算"},

    /* Numbers and files of the command line. */
    {", or %dx%dx%s for %d nodes of %d",
     "，或 %1$dx%2$dx%3$s，即 %4$d 个节点、每个 %5$d 个"},
    {"'%s' is not a number; write for example %s", "“%s”不是数；例如 %s"},
    {"'%s' has the unknown unit '%s'; use one of %s",
     "“%s”的单位“%s”不认识；请用 %s 之一"},
    {"'%s' has the unknown unit '%s'; did you mean %.*s%s?",
     "“%s”的单位“%s”不认识；是不是 %s%s？"},
    {"'%s' has a space in it; write %.*s%s", "“%s”中有空格；请写 %s%s"},
    {"'%s' is not more than 0; write for example %s", "“%s”不大于 0；例如 %s"},
    {"'%s' is not a whole number of bytes", "“%s”不是整数字节"},
    {"'%s' is not a whole number", "“%s”不是整数"},
    {"'%s' is out of range; write a number from %s to %s",
     "“%s”超出范围；请写 %s 到 %s 之间的数"},
    {"'%s' does not say how many GPUs; write 8..1024x%s, or add --gpus "
     "8..1024",
     "“%s”没有说多少个 GPU；请写 8..1024x%s，或加上 --gpus 8..1024"},

    /* Questions. */
    {"a node of %s has %d GPUs, not %.0f; ask about a number of nodes, such as "
     "'2 nodes of %.0f %s'",
     "%s 的节点有 %s 个 GPU，不是 %s 个；请写明节点数，例如“2 nodes of %s %s”"},

    /* Changes of the question. */
    {"sequences of %d tokens", "序列缩短到 %d token"},
    {"%d GPUs instead of %d, in nodes of %d",
     "用 %d 个 GPU 代替 %d 个，每节点 %d 个"},
    {"%d GPUs instead of %d", "用 %d 个 GPU 代替 %d 个"},
    {"%d x %s instead of %s", "换成 %d x %s，代替 %s"},
    {"framework %s (--framework %s; weights and moments in 16 bit)",
     "换成框架 %s（--framework %s；权重和动量为 16 位）"},
    {"framework %s (--framework %s)", "换成框架 %s（--framework %s）"},

    /* The walk of advise. */
    {"%s; not possible: %s", "%s；不可行：%s"},
    {"%s: stage %d needs %s of %s: it fits",
     "%s：stage %s 需要 %s / %s，放得下"},
    {"%s: stage %d needs %s of %s: too little is left to be sure",
     "%s：stage %s 需要 %s / %s，剩余太少，没有把握"},
    {"%s: fits the GPU, but the host memory is too small",
     "%s：GPU 放得下，但主机内存不够"},
    {"from an earlier plan: %.60s", "从前面的方案出发：%s"},
    {"larger micro-batch: %d -> %d", "增大微批次：%d -> %d"},
    {"smaller micro-batch: %d -> %d", "减小微批次：%d -> %d"},
    {"more stages, interleaved: PP %d -> %d, TP %d -> %d",
     "增加 stage 并交错：PP %d -> %d，TP %d -> %d"},
    {"more replicas: DP %d -> %d, TP %d -> %d, micro-batch %d",
     "增加副本：DP %d -> %d，TP %d -> %d，微批次 %d"},
    {"split sequences further: CP %d -> %d, TP %d -> %d, ZeRO 3",
     "序列切得更细：CP %d -> %d，TP %d -> %d，ZeRO 3"},
    {"replicas alone: DP %d -> %d, TP %d -> 1, ZeRO 3",
     "只用副本：DP %d -> %d，TP %d -> 1，ZeRO 3"},
    {"%s: %s %d -> %d, %s %d -> %d", "%s：%s %d -> %d，%s %d -> %d"},
    {"%s: EP %d -> %d", "%s：EP %d -> %d"},
    {"%s: ZeRO %d -> %d", "%s：ZeRO %d -> %d"},
    {"%s: stage %d needs %s of %s: out of memory%s",
     "%s：stage %s 需要 %s / %s，显存不足%s"},
    {"; the largest: %.40s, %s, %.0f %%", "；最大的是%s，%s，占 %s%%"},
    {"as %.1f GiB are free", "因为还空 %s GiB"},
    {"to save %s, %.1f %% of the step", "为节省%s（占单步的 %s%%）"},
    {"%s: %.3g s -> %.3g s, %s", "%s：%s s -> %s s，%s"},
    {"recompute less: %.20s -> %.24s", "少重计算：%s -> %s"},

    /* Rules of legality that reject a plan. */
    {"no plan is legal: %s", "没有合法的方案：%s"},
    {"tp=%d x pp=%d x cp=%d does not divide %d GPUs; write sizes whose product "
     "does",
     "tp=%d x pp=%d x cp=%d 不整除 %d 个 GPU；请写乘积能整除的大小"},
    {"tp*pp*dp*cp = %lld, but the cluster has %d GPUs; leave dp out to have "
     "it derived",
     "tp*pp*dp*cp = %lld，而集群有 %d 个 GPU；去掉 dp 由程序推出"},
    {"%s; leave out a value of --pin", "%s；请去掉 --pin 的一个取值"},
    {"%s needs sm%d%s%s%s; %s is %s", "%1$s 需要 sm%2$s%3$s%4$s%5$s；%6$s 是 %7$s"},
    {"tp=%d x pp=%d x cp=%d x dp=%d does not divide %d GPUs",
     "tp=%d x pp=%d x cp=%d x dp=%d 不整除 %d 个 GPU"},
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
     "zero=%d：%s %s不支持；试试 zero=%s"},
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
    {"hosts sorted by switch", "主机按交换机排序"},
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
    {"%s does not send tokens by %s; try --dispatcher alltoall, or "
     "--framework generic",
     "%s 不用 %s 分发 token；试试 --dispatcher alltoall 或 --framework "
     "generic"},
    {"--moe-overlap with pp=%d needs chunks; try vp=2",
     "--moe-overlap 在 pp=%d 时需要多个模型块；试试 vp=2"},
    {"ulysses=%d: an all-to-all does not divide %d key/value heads of a rank "
     "by %d; try ulysses=%d",
     "ulysses=%d：all-to-all 不能把一个 rank 的 %d 个 KV 头分成 %d 份；试试 "
     "ulysses=%d"},
    {"cp=%d: layers without attention are not divided by sequence; try cp=1",
     "cp=%d：没有注意力的层不能按序列切分；试试 cp=1"},
    {"tp=%d: %d heads of the layers without attention are not divisible by %d; "
     "try tp=%d",
     "tp=%d：没有注意力的层的 %d 个头不能被 %d 整除；试试 tp=%d"},
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
    {"pp=%d: layers take more than what the layer before them gives "
     "(embeddings for each layer, keys and values of another, an encoder's "
     "output, further residual streams), and no pipeline hands that on; try "
     "pp=1",
     "pp=%d：有的层不只取前一层的输出（还取每层的嵌入、别层的 key 和 value、编码器的输出、别的残差流），"
     "没有流水线传递它们；试试 pp=1"},
    {"cp=%d: layers attend to an encoder's output, which no framework divides; "
     "try cp=1",
     "cp=%d：有的层对编码器的输出做注意力，没有框架切分它；试试 cp=1"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d; try uneven",
     "%d 层不能按 pp=%d x vp=%d 均分；试试 uneven"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d; try pp=%d",
     "%d 层不能按 pp=%d x vp=%d 均分；试试 pp=%d"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d with %s; leave it "
     "out",
     "%1$d 层不能按 pp=%2$d x vp=%3$d 和 %4$s 均分；去掉它"},
    {"%d layers are not shared out evenly by pp=%d x vp=%d",
     "%d 层不能按 pp=%d x vp=%d 均分"},
    {"schedule=%s: %s does not support it; try %s", "schedule=%s：%s 不支持；试试 %s"},
    {"schedule=%s updates the weights with gradients of older ones; say "
     "--async if that is allowed",
     "schedule=%s 用旧权重的梯度更新权重；若允许，加上 --async"},
    {"schedule=%s needs pp > 1; try schedule=1f1b",
     "schedule=%s 需要 pp > 1；试试 schedule=1f1b"},
    {"schedule=%s keeps whole versions of the weights, not shares of "
     "zero=%d; try %s",
     "schedule=%s 保留多份完整权重，而非 zero=%d 的分片；试试 %s"},
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
     "recompute=full:%1$d：只有 %3$d 层（每个%2$s）；试试 recompute=full"},
    {"recompute=uniform:%d: a %s has only %d layers; try recompute=uniform:%d",
     "recompute=uniform:%1$d：只有 %3$d 层（每个%2$s）；试试 recompute="
     "uniform:%4$d"},
    {"recompute=selective:%s: the model has no such module; try "
     "recompute=selective",
     "recompute=selective:%s：模型没有这个模块；试试 recompute=selective"},
    {"recompute=selective:%s: %s does not recompute it in fp8 by the recipe "
     "delayed; try --fp8-recipe current",
     "recompute=selective:%s：%s 在 fp8 的 delayed 方案下不重计算它；试试 "
     "--fp8-recipe current"},
    {"recompute=selective:%s: CUDA graphs (--cuda-graphs) replay no dropout of "
     "a module that is recomputed; leave out --dropout",
     "recompute=selective:%s：CUDA graph（--cuda-graphs）不能重放被重计算模块的 "
     "dropout；去掉 --dropout"},
    {"offload=optimizer: %s keeps weights in fp8 beside it by the recipe "
     "delayed alone; try --fp8-recipe delayed, or --fp8-copies",
     "offload=optimizer：%s 只有用 delayed 方案时才能同时保留 fp8 权重；试试 "
     "--fp8-recipe delayed 或 --fp8-copies"},
    {"zero=%d: %s does not run --optimizer %s with it; try zero=1",
     "zero=%d：%s 在此阶段不能用 --optimizer %s；试试 zero=1"},
    {"tp=%d: --tp-overlap needs sequence parallelism; try sp",
     "tp=%d：--tp-overlap 需要序列并行；试试 sp"},
    {"--moe-overlap: %s has no experts; leave it out",
     "--moe-overlap：%s 没有专家；去掉它"},
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
    {"%s: %s shares the layers out by itself; leave it out",
     "%s：%s 自行分配各层；去掉它"},
    {"cp=%d: context parallelism needs a fused kernel, not eager attention; "
     "try cp=1",
     "cp=%d：上下文并行需要融合的 kernel，而非 eager 注意力；试试 cp=1"},
    {"ep=%d: %s needs GPUDirect RDMA between nodes, which %s has not; try "
     "--dispatcher alltoall",
     "ep=%d：%s 需要节点间 GPUDirect RDMA，而 %s 没有；试试 --dispatcher alltoall"},
    {"ep=%d: %s leaves the node from sm90 on; %s is %s; try ep=%d",
     "ep=%d：%s 从 sm90 起才能跨节点；%s 是 %s；试试 ep=%d"},
    {"tp=%d: %s does not communicate beside the products; leave out "
     "--tp-overlap",
     "tp=%d：%s 的通信不与矩阵乘重叠；去掉 --tp-overlap"},
    {"%s does not wrap modules by their size; leave out --fsdp-unit",
     "%s 不按大小包裹模块；去掉 --fsdp-unit"},
    {"units by size are known of dense models that are trained whole; try "
     "--fsdp-unit whole, or leave it out",
     "只知道整体训练的稠密模型按大小划分的单元；试试 --fsdp-unit whole，或去掉它"},
    {"%s does not share out the inputs that recomputation keeps; leave out "
     "--partition-activations",
     "%s 不分摊重计算保留的输入；去掉 --partition-activations"},
    {"sp: inputs of layers are shared out already; try nosp, or leave out "
     "--partition-activations",
     "sp：各层的输入已经切分；试试 nosp，或去掉 --partition-activations"},
    {"tp=1: there is no rank to share inputs of layers with; leave out "
     "--partition-activations",
     "tp=1：没有其他 rank 可以分摊各层的输入；去掉 --partition-activations"},
    {"tp=%d,pp=%d,ep=%d: the groups of ZeRO++ are of all GPUs; try 1 of each",
     "tp=%d,pp=%d,ep=%d：ZeRO++ 的通信组覆盖全部 GPU；三者都取 1 试试"},
    {"shard=%d: ZeRO++ shares states among all replicas; leave it out",
     "shard=%d：ZeRO++ 在全部副本间切分状态；去掉它"},
    {"hpz=%d of --compress does not divide the %d GPUs; write a divisor, as "
     "many as a node has",
     "--compress 的 hpz=%d 不能整除 %d 个 GPU；请写一个约数，如每节点的 GPU 数"},
    {"%s has no %s; leave out --compress, or try --framework %s",
     "%s 不支持 %s；去掉 --compress，或试试 --framework %s"},
    {"zero=%d: %s goes with zero=%d alone; try that",
     "zero=%d：%s 只能与 zero=%d 同用；试试它"},
    {"--optimizer %s: 1-bit Adam is Adam; leave it out",
     "--optimizer %s：1-bit Adam 就是 Adam；去掉该选项"},
    {"PowerSGD is planned for dense decoders that are trained in full; leave "
     "out --compress",
     "PowerSGD 只支持全参数训练的稠密解码器模型；去掉 --compress"},
    {"recompute=%s: --partition-activations shares out what recompute=full "
     "keeps; try that",
     "recompute=%s：--partition-activations 分摊 recompute=full 保留的输入；"
     "试试 recompute=full"},
    {"tp=%d: --tp-overlap reaches %d GPUs that share a node; try tp=%d",
     "tp=%d：--tp-overlap 只到同节点的 %d 个 GPU；试试 tp=%d"},
    {"no library of collectives joins %s and %s; name pools of one maker",
     "没有集合通信库能连接 %s 和 %s；请写同一厂商的资源池"},
    {"%s does not run on %s; try --framework %s",
     "%s 不能在 %s 上运行；试试 --framework %s"},
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
    {"%s has no fp8 by the recipe %s; leave out --fp8-recipe",
     "%s 的 fp8 没有 %s 方案；去掉 --fp8-recipe"},
    {"%s; leave out --fp8-recipe", "%s；去掉 --fp8-recipe"},
    {"--fp8-recipe %s needs --dtype fp8, this is %s",
     "--fp8-recipe %s 需要 --dtype fp8，这里是 %s"},
    {"%s has no %s; try --dtype %s", "%s 没有 %s；试试 --dtype %s"},
    {"%s; try --attention %s", "%s；试试 --attention %s"},
    {"%s does not call %s", "%s 不调用 %s"},
    {"%s; try --dtype %s", "%s；试试 --dtype %s"},
    {"%s has no %s; try %s", "%s 没有 %s；试试 %s"},
    {"%s needs %s; try %s", "%s 需要 %s；试试 %s"},

    /* What a slower plan takes longer by. */
    {"%s +%.3g s", "%s +%s s"},

    /* Errors, with what they are about first. */
    {"; did you mean '%s'?", "；是不是“%s”？"},
    {"; did you mean %s?", "；是不是 %s？"},
    {"unknown model '%s'%s (or write the path of a config.json)",
     "没有名为“%s”的模型%s（或写 config.json 的路径）"},
    {"unknown model '%s'%s", "没有名为“%s”的模型%s"},
    {"no model of '%s' has a size; write a name or the path of a config.json",
     "没有“%s”规模的模型；写模型名或 config.json 的路径"},
    {"no known model is of size '%s'; nearest: %s; write a name or the path of "
     "a config.json",
     "没有规模为“%s”的已知模型；最近的：%s；写模型名或 config.json 的路径"},
    {"unknown GPU '%s'%s", "没有名为“%s”的 GPU%s"},
    {"unknown command '%.60s'%s", "没有命令“%s”%s"},
    {"unknown target '%.60s'%s", "没有目标“%s”%s"},
    {"unknown option '%s'%s", "没有选项“%s”%s"},
    {"unknown word '%s' in a plan%s", "方案中没有“%s”这个词%s"},
    {"%d words are not understood: %s", "看不懂 %s 个词：%#s"},
    {"which network? name two of 'plan3d list fabrics' to compare, such as "
     "'with ib-hdr-200 or ib-ndr-400'",
     "哪种网络？请从“plan3d list fabrics”中写两种来比较，例如“ib-hdr-200还是ib-ndr-"
     "400”"},
    {"not understood: '%s'%s", "看不懂“%s”%s"},
    {"the largest model is asked for, and '%s' is there already; leave one out",
     "问的是最大的模型，又给了“%s”；请去掉一个"},
    {"'%.80s' does not say how many; write 8x%.60s",
     "“%s”没有说明多少个；写 8x%s"},
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
    {"the model is missing; '%s' is 'plan3d %s'",
     "缺少模型；“%s”即“plan3d %s”"},
    {"a node of %s has %d GPUs, not %.0f; write '%.0f %s', or the nodes with "
     "a file of the cluster",
     "%s 的节点有 %s 个 GPU，不是 %s 个；写“%s %s”，或用集群文件说明节点"},
    {"%s missing; add for example '%s'", "缺少%s；例如加上“%s”"},
    {"see 'plan3d %s --help'", "见“plan3d %#s --help”"},
    {"; write one of%s", "；写以下之一：%s"},
    {"%s: %.1f %% %s than predicted", "%1$s：比预测%3$s %2$s%%"},
    {"a step takes %.1f %% %s than predicted", "一步比预测%2$s %1$s%%"},
    {"another plan is the fastest, and this one takes %.1f %% longer",
     "另有更快的方案，此方案多用 %s%%"},
    {"the plan is not predicted to fit: %s are missing",
     "预测此方案放不下：还差 %s"},
    {"; see 'plan3d list %s'", "；见“plan3d list %s”"},
    {": %s", "：%s"},
    {"%s is missing", "缺少 %s"},
    {"%.20s or %d", "%s 或 %s"},
    /* Why a traced step differs. */
    {"no kernel of this kind is in the trace: its name may be new, and it "
     "then stands among the memory-bound kernels",
     "轨迹里没有这类 kernel：可能是新的名字，那么它算在访存 kernel 里"},
    {"%.0f kernels a step that the plan has not: is the model another?",
     "每步有 %s 个方案里没有的 kernel：是不是另一个模型？"},
    {"%.0f kernels a step, %.0f planned: are model, batch, recomputation and "
     "fusion those of the run?",
     "每步 %s 个 kernel，计划 %s 个：模型、批大小、重计算和融合与运行的一致吗？"},
    {"the kernels take %.2f times as long as planned: plan3d calibrate fits "
     "constants to the trace",
     "这些 kernel 的时间是计划的 %s 倍：plan3d calibrate 可按此轨迹拟合常数"},
    {"no kernel is named after the optimizer: it stands among the "
     "memory-bound kernels",
     "没有以优化器命名的 kernel：它算在访存 kernel 里"},
    {"the update of the weights is %.0f kernels: is it fused, and are the "
     "states sharded as planned?",
     "权重更新有 %s 个 kernel：是否融合，状态是否按计划切分？"},
    {"no collective is in the trace: is it of one GPU, or of kernels with "
     "names of their own?",
     "轨迹里没有集合通信：是单个 GPU 的，还是 kernel 用了别的名字？"},
    {"%.3g s of communication a step, of which %.3g s is hidden; its kernels "
     "also wait for slower ranks",
     "每步通信 %s s，其中 %s s 被隐藏；其 kernel 也等待较慢的 rank"},
    {"%.3g s of communication a step is hidden; less is exposed than "
     "planned: links are faster, or messages smaller",
     "每步隐藏了 %s s 通信；未隐藏的比计划少：链路更快，或消息更小"},
    {"%.3g s of waiting in %.0f transfers a step, %.3g s with a kernel "
     "launched and none running: are the stages of equal time, and is this the "
     "slowest one?",
     "每步 %s 秒在 %s 次传输中等待，%s 秒已下发 kernel 而无 kernel 运行："
     "各 stage 耗时相等吗，这是最慢的吗？"},
    {"%.0f transfers a step: are they of the planned bytes, and between the "
     "planned nodes?",
     "每步有 %s 次传输：字节数和所在节点与方案一致吗？"},
    {"waiting for other stages may stand as idle time, or this stage is the "
     "slowest one",
     "等待其他 stage 可能算作空闲，或者这是最慢的 stage"},
    {"%.0f copies a step that the plan has not: data without pinned memory, "
     "or values that the host asks for",
     "每步有 %s 次方案里没有的拷贝：数据不在锁页内存里，或主机在取值"},
    {"%.0f copies a step: are host memory and PCIe as fast as the cluster "
     "says?",
     "每步 %s 次拷贝：主机内存和 PCIe 与集群所写的一样快吗？"},
    {"%.0f gaps a step, the longest %.3g s: the host launches too slowly or "
     "waits (data, synchronisation, the profiler itself)",
     "每步 %s 个空隙，最长 %s s：主机发射太慢或在等待（数据、同步、性能分析器本身）"},
    {"the host launches ahead of the GPU",
     "主机的发射领先于 GPU"},
    {"the trace names no steps and counts as one: --trace-steps says how many "
     "there are",
     "轨迹没有标出步，整个算作一步：用 --trace-steps 说明有几步"},
    {"all-to-all, rings of context parallelism and transfers between stages "
     "are the same kernels: those that the trace does not tell apart stand in "
     "the lines of the pipeline",
     "all-to-all、上下文并行的环和 stage 之间的传输用同样的 kernel：轨迹没有区分的都"
     "算在流水线一行"},
    {"CUDA graphs that are recorded as a whole, and stand as idle time: %lld; "
     "record with --cuda-graph-trace=node",
     "整体记录、因而算作空闲的 CUDA graph：%s 个；请用 --cuda-graph-trace=node 记录"},
    {"steps take %.3g to %.3g s, and their mean is compared; trace steps "
     "after the warm-up",
     "各步用时 %s 到 %s s，比较的是平均值；请跟踪预热之后的步"},
    {"the trace is of a job of %d ranks, the plan of %d GPUs",
     "轨迹来自 %s 个 rank 的任务，方案是 %s 个 GPU 的"},
    {"no GEMM has its shape in the trace; PyTorch's profiler records shapes "
     "with record_shapes=True, for rows that calibrate fits",
     "轨迹里没有矩阵乘的形状；PyTorch 的性能分析器用 record_shapes=True 记录形状，"
     "calibrate 才有可拟合的行"},
    {"%lld kernels of other GPUs are left out",
     "去掉了其他 GPU 的 %s 个 kernel"},
    {"the trace does not name its GPU",
     "轨迹没有写明 GPU"},
    {"of %d collectives %d are on one of the traced ranks alone, or not "
     "equally often on each: their waiting is not known",
     "%s 次集合通信中有 %s 次只在一个轨迹里，或各 rank 次数不同：不知道等了多久"},
    {"not all traces say their rank, which is then their place in --trace",
     "有的轨迹没有写明 rank，就按在 --trace 里的位置算"},
    /* A network that is otherwise. */
    {"network cards of %s twice as fast", "%s 的网卡快一倍"},
    {"links of %s and %s twice as fast", "%s 与 %s 之间的链路快一倍"},
    {NULL, NULL},
};
/* clang-format on */
