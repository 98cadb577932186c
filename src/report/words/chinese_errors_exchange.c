/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_exchange.c - Chinese words of errors
 * of launch files, logs and runs. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_exchange[] = {
    /* src/exchange/launch/deepspeed.c */
    {"Megatron-DeepSpeed's options do not describe the attention of %s",
     "Megatron-DeepSpeed 的选项无法描述 %s 的注意力"},
    {"Megatron-DeepSpeed's options do not describe the experts of %s",
     "Megatron-DeepSpeed 的选项无法描述 %s 的专家"},
    {"Megatron-DeepSpeed's options do not describe the MLP or the norms of %s",
     "Megatron-DeepSpeed 的选项无法描述 %s 的 MLP 或归一化层"},
    {"train_batch_size %lld is not train_micro_batch_size_per_gpu %d x "
     "gradient_accumulation_steps %lld x dp=%d",
     "train_batch_size %s 不等于 train_micro_batch_size_per_gpu %s x "
     "gradient_accumulation_steps %s x dp=%s"},
    /* src/exchange/launch/export.c */
    {"%s does not start under --launcher %s; write slurm or torchrun",
     "%s 不能用 --launcher %s 启动；请写 slurm 或 torchrun"},
    {"%s does not start under --launcher %s; write torchrun: the script is run "
     "on each host by other means",
     "%s 不能用 --launcher %s 启动；请写 torchrun：脚本由其他方式在每台主机上运行"},
    /* src/exchange/launch/fsdp.c */
    /* src/exchange/launch/megatron_layers.c */
    {"recompute-modules: plan3d has no model of '%.*s'",
     "recompute-modules：plan3d 不支持“%s”"},
    {"pipeline-model-parallel-layout: '%.60s' is no layout of pp=%d stages; "
     "write it like Et*39|t*40|t*39L",
     "pipeline-model-parallel-layout：“%s”不是 pp=%s 个 stage 的布局；请写成 "
     "Et*39|t*40|t*39L 这样"},
    {"pipeline-model-parallel-layout: plan3d has no words for the stages of '"
     "%.60s'; it knows even ones, first and last ones of their own and, with "
     "chunks, a shorter one between and one or two without layers at the end",
     "pipeline-model-parallel-layout：plan3d 无法表示“%s”的各 stage；它支持均分、"
     "单独指定首尾 stage，有 chunk 时还支持中间一个较短的 chunk，以及末尾一两个没有"
     "层的 chunk"},
    {"numbers of layers of the first or last rank go with no "
     "account-for-embedding or account-for-loss",
     "首尾 rank 的层数不能与 account-for-embedding 或 account-for-loss 同用"},
    {"%d layers, counted as the options of the pipeline's split say, are not "
     "shared out by pp=%d x vp=%d",
     "按流水线切分选项计算的 %s 层，不能按 pp=%s x vp=%s 均分"},
    {"plan3d has no words for %d layers of the first and %d of the last rank "
     "with vp=%d; it knows first and last chunks of their own",
     "plan3d 无法表示 vp=%3$s 时首 rank %1$s 层、末 rank %2$s 层；它只支持单"
     "独指定首尾模型块"},
    {"moe-layer-freq: '%.60s' is no pattern of %d layers; write it like ([0]*1"
     "+[1]*%d)",
     "moe-layer-freq：“%s”不是 %s 层的模式；请写成 ([0]*1+[1]*%s) 这样"},
    /* src/exchange/launch/megatron_said.c */
    {"the options do not describe %s: %s", "选项无法描述 %s：%s"},
    {"offload=activations:%g is not said by a number of layers; it takes pp=1,"
     " no recomputation, and a share of less than all %d layers",
     "offload=activations:%s 无法用层数表示；它要求 pp=1、不重计算，且卸载的"
     "少于全部 %s 层"},
    {"--mtp %d: multi-token prediction goes with rotary positions alone; leave "
     "it out",
     "--mtp %s：多 token 预测只能与旋转位置编码同用；去掉它"},
    {"--loss %s: write vocab-parallel or native-fused",
     "--loss %s：请写 vocab-parallel 或 native-fused"},
    {"--optimizer %s: write adam, sgd, lion or muon",
     "--optimizer %s：请写 adam、sgd、lion 或 muon"},
    {"num-distributed-optimizer-instances: %d does not divide %lld replicas "
     "that share states",
     "num-distributed-optimizer-instances：%s 不能整除分片状态的 %s 个副本"},
    {"recompute-granularity full needs recompute-method (uniform or block) "
     "and recompute-num-layers",
     "recompute-granularity full 需要 recompute-method（uniform 或 block）和 "
     "recompute-num-layers"},
    {"num-layers-per-virtual-pipeline-stage: %d does not divide the %d layers "
     "of a rank, or the stages are given twice",
     "num-layers-per-virtual-pipeline-stage：%s 不能整除每个 rank 的 %s 层，"
     "或 stage 给了两次"},
    {"hierarchical-context-parallel-sizes: '%.40s' is not two sizes whose "
     "product is the %d ranks of context parallelism",
     "hierarchical-context-parallel-sizes：“%s”不是两个乘积为 %s（上下文并行"
     "的 rank 数）的大小"},
    {"cpu-offloading-num-layers: write less than all %d layers",
     "cpu-offloading-num-layers：请写小于全部 %s 层的数"},
    {"--%s is not said, and Megatron-LM has no default for it; add it (--set "
     "%s=N), or write --model",
     "没有 --%s，而 Megatron-LM 没有其默认值；请补上（--set %s=N），或写 "
     "--model"},
    {"num-attention-heads: %d do not divide hidden-size %d; say kv-channels",
     "num-attention-heads：%s 不能整除 hidden-size %s；请给出 kv-channels"},
    {"moe-router-topk: %d is more than the %d experts",
     "moe-router-topk：%s 超过专家数 %s"},
    {"the files do not describe the model; write --model",
     "文件没有描述模型；请写 --model"},
    {"layers without attention", "没有注意力的层"},
    {"an indexer of its attention", "注意力的索引器"},
    {"a gate of the attention", "注意力的门控"},
    {"what only its own class computes", "只有其自有类才做的计算"},
    {"a narrow embedding", "较窄的词嵌入"},
    {"windowed attention", "窗口注意力"},
    {"biases of some projections", "部分投影的偏置"},
    {"biases of the head or of experts", "输出头或专家的偏置"},
    /* src/exchange/launch/maxtext.c */
    {"no decoder_block of MaxText that plan3d writes describes %s",
     "plan3d 所写的 MaxText decoder_block 都无法描述 %s"},
    {"--loss %s: MaxText computes its own; leave it out",
     "--loss %s：MaxText 自行计算损失；请去掉"},
    {"no remat_policy of MaxText recomputes these modules alone; try "
     "recompute=selective or recompute=full",
     "MaxText 没有只重算这些模块的 remat_policy；请试 recompute=selective 或 "
     "recompute=full"},
    {"the files do not say base_emb_dim, base_num_decoder_layers, "
     "base_num_query_heads and vocab_size; write --model",
     "文件没有给出 base_emb_dim、base_num_decoder_layers、"
     "base_num_query_heads 和 vocab_size；请写 --model"},
    {"%s parallelism: the axes make up %lld, not the %d that the cluster has",
     "%s 并行：各轴的乘积是 %s，而集群是 %s"},
    {"per_device_batch_size: %g on %d devices of a replica is no whole number "
     "of sequences",
     "per_device_batch_size：%s 乘以一个副本的 %s 个设备不是整数条序列"},
    /* src/exchange/launch/mindspeed.c */
    {"tp=%d: --use-ascend-mc2 needs sequence parallelism; add sp",
     "tp=%s：--use-ascend-mc2 需要序列并行；请加上 sp"},
    {"stages of other numbers of layers than first= and last= say have no "
     "option of MindSpeed-LLM's",
     "除 first= 和 last= 之外，MindSpeed-LLM 没有让各 stage 层数不同的选项"},
    {"pp=%d: --first-k-dense-replace leaves a stage no layer with experts; try "
     "fewer stages",
     "pp=%s：--first-k-dense-replace 使某个 stage 没有带专家的层；请减少 stage"},
    {"a gate of its shared expert", "共享专家的门控"},
    {"which of its layers have experts", "哪些层带有专家"},
    {"--attention eager: its attention is a fused kernel alone; write flash",
     "--attention eager：它的注意力只有融合内核；请写 flash"},
    {"first-k-dense-replace: %d layers of %d leave none with experts",
     "first-k-dense-replace：%s 层（共 %s 层）之后没有带专家的层"},
    /* src/exchange/launch/nanotron.c */
    {"nanotron's LlamaConfig does not describe %s",
     "nanotron 的 LlamaConfig 无法描述 %s"},
    {"model.model_config does not say all sizes; write --model",
     "model.model_config 没有给出全部大小；请写 --model"},
    {"model.model_config: num_attention_heads %d do not divide hidden_size %d",
     "model.model_config：num_attention_heads %s 不能整除 hidden_size %s"},
    /* src/exchange/launch/options.c */
    {"%s: '%.60s' is not understood; write %s", "%#s：看不懂“%s”；请写%s"},
    {"true or false", " true 或 false"},
    {"a whole number", "整数"},
    {"%s: %.60s is out of range; write %lld to %lld",
     "%#s：%s 超出范围；请写 %s 到 %s"},
    {"%s: plan3d has no model of the value '%.60s'",
     "%#s：plan3d 不支持取值“%s”"},
    {"%s: unknown value '%.60s'%s", "%#s：没有取值“%s”%s"},
    {"a number from 0 to 1e18", "0 到 1e18 之间的数"},
    {"fewer than 8192 bytes", "少于 8192 字节的内容"},
    /* src/exchange/launch/megatron.c, peft.c */
    {"the options do not describe %s: adapters of latent attention and of "
     "mixers",
     "选项无法描述 %s：潜在注意力和混合器的适配器"},
    {"Megatron-Bridge adapts the experts of %s with its other MLPs; leave out "
     "targets= of --lora or write targets=attention",
     "Megatron-Bridge 会把 %s 的专家与其他 MLP 一起适配；请去掉 --lora 的 "
     "targets=，或写 targets=attention"},
    {"Megatron-Bridge has one adapter for the matrices of %s; write "
     "targets=%s of --lora, or none of them",
     "Megatron-Bridge 对 %s 的各矩阵只有一个适配器；请写 --lora 的 targets=%s，"
     "或一个都不写"},
    {"torchtune has no function that builds %s; try another target, such as "
     "hf-fsdp or axolotl",
     "torchtune 没有构建 %s 的函数；请换一个目标，例如 hf-fsdp 或 axolotl"},
    {"torchtune's LoRA has all matrices of the MLP or none; write gate+up+down "
     "in targets of --lora",
     "torchtune 的 LoRA 对 MLP 的矩阵要么全部要么都不加；请在 --lora 的 "
     "targets 中写 gate+up+down"},
    {"torchtune's chunked loss is all that the files say; leave out --loss %s",
     "文件只写 torchtune 的分块损失；请去掉 --loss %s"},
    {"torchtune's sharded optimizers are adam and adam-8bit; leave out "
     "--optimizer %s",
     "torchtune 的分片优化器为 adam 和 adam-8bit；请去掉 --optimizer %s"},
    {"torchtune trains nothing beside its adapters; leave out train of --lora",
     "torchtune 除适配器外不训练其他部分；请从 --lora 中去掉 train"},
    {"torchtune's optimizer in the backward pass takes one micro-batch a step; "
     "leave out --optimizer-in-backward or raise mbs",
     "torchtune 在反向传播中更新时每步只有一个 micro-batch；请去掉 "
     "--optimizer-in-backward 或增大 mbs"},
    {"PEFT's adapters of experts have no dropout and no DoRA; leave both out "
     "of --lora or write targets=attention",
     "PEFT 的专家适配器没有 dropout 也没有 DoRA；请从 --lora 中去掉两者，或写 "
     "targets=attention"},
    /* src/exchange/launch/serving.c */
    {"%s makes no nvfp4 weights of others as it starts; write --dtype fp8 or "
     "bf16",
     "%s 启动时不会把权重转换为 nvfp4；请写 --dtype fp8 或 bf16"},
    {"%s does not fit: its weights and the cache of one sequence of %d tokens "
     "need more than %d x %s%s",
     "%s 放不下：权重和一条 %s token 序列的 KV cache 超过了 %s x %s%s"},
    {", the GPUs of a node", "（一个节点的 GPU）"},
    /* src/exchange/launch/serving.c */
    {"%s serves what writes a text token by token, which %s does not: its "
     "tokens see those behind them",
     "%s 服务于逐词元生成文本的模型，而 %s 不是：它的词元能看到后面的词元"},
    {"%s attends to the output of an encoder, which is not in the model: no "
     "command serves it",
     "%s 关注编码器的输出，而编码器不在模型里：没有命令能提供它的服务"},
    /* src/exchange/launch/settle.c */
    {"plan3d has no option of %s for %s; leave it out or choose another target",
     "plan3d 没有 %s 的“%s”选项；请去掉，或换一个目标"},
    {"a tower that sees or hears", "处理图像或声音的编码器"},
    {"tp=%d x pp=%d x cp=%d does not divide %d GPUs: the files and the "
     "cluster contradict each other",
     "tp=%s x pp=%s x cp=%s 不整除 %s 个 GPU：文件与集群矛盾"},
    {"dp=%d x tp=%d x pp=%d x cp=%d is not the %d GPUs of the cluster",
     "dp=%s x tp=%s x pp=%s x cp=%s 不等于集群的 %s 个 GPU"},
    {"group=%d: no option says how many micro-batches run in a row; leave it "
     "out",
     "group=%s：没有选项能指定连续运行的微批次数；请去掉"},
    {"%d groups of replicas do not divide dp=%d", "%s 个副本组不整除 dp=%s"},
    {"the files have dp=%lld (%d replicas that share x %d groups of them), and "
     "the %d GPUs of the cluster give dp=%d; write a --cluster that gives as "
     "many",
     "文件中 dp=%s（每组 %s 个副本 x %s 组），而集群的 %s 个 GPU 给出 dp=%s；请"
     "写一个 GPU 数相符的 --cluster"},
    {"bf16 and fp16 contradict each other", "bf16 与 fp16 矛盾"},
    {"fp8 and fp4 contradict each other", "fp8 与 fp4 矛盾"},
    /* src/exchange/launch/torchtitan.c */
    {"training.local_batch_size: %lld is not a multiple of "
     "pipeline_parallel_microbatch_size %d",
     "training.local_batch_size：%s 不是 pipeline_parallel_microbatch_size %s"
     " 的倍数"},
    {"training: %lld tokens of a micro-batch and %lld of a step are not whole "
     "sequences of %d tokens",
     "training：微批次 %s token、每步 %s token，不是 %s token 序列的整数倍"},
    {"parallelism: %d layers a stage make %d stages, which pp=%d does not "
     "divide",
     "parallelism：每 stage %s 层，共 %s 个 stage，不能被 pp=%s 整除"},
    /* src/exchange/launch/workers.c */
    {"--dtype fp32: write bf16, fp16 or fp8",
     "--dtype fp32：请写 bf16、fp16 或 fp8"},
    {"--optimizer %s: write adam, sgd or muon",
     "--optimizer %s：请写 adam、sgd 或 muon"},
    {"--dispatcher hybridep: ms-swift has no option of it; write --dispatcher "
     "deepep or alltoall",
     "--dispatcher hybridep：ms-swift 没有对应选项；请写 --dispatcher deepep "
     "或 alltoall"},
    {"--dtype fp32: write bf16 or fp16", "--dtype fp32：请写 bf16 或 fp16"},
    {"--loss %s: verl computes its own; leave it out",
     "--loss %s：verl 自行计算损失；请去掉"},
    {"stages of other numbers of layers than first= and last= say have no "
     "option of verl's",
     "除 first= 和 last= 之外，verl 没有让各 stage 层数不同的选项"},
    /* src/exchange/measure/measured_logs.c */
    {"a rank without its device", "有一个 rank 没有设备"},
    {"devices of two types: '%.60s' and '%.60s'; give logs of one",
     "有两种设备：“%s”和“%s”；请只给一种设备的日志"},
    {"more than %d hosts", "超过 %s 台主机"},
    {"these are times of the host (-C 1), not of the device; run it without -C",
     "这是主机端的时间（-C 1），不是设备的；请不带 -C 运行"},
    {"no column of times", "没有时间列"},
    {"which collective this is stands nowhere above; keep the line with the "
     "command, or name the file all_reduce_perf.log",
     "上文没有说明这是哪种集合通信；请保留命令行，或把文件命名为 "
     "all_reduce_perf.log"},
    {"no line '#  Rank ... device ...' above; keep the whole output",
     "上文没有“#  Rank ... device ...”一行；请保留完整输出"},
    {"no time where the columns have one", "时间列中没有时间"},
    {"%.0f wrong values: this machine computes wrongly",
     "有 %s 个错误值：这台机器的计算结果不对"},
    {"%d of %d columns; the output was cut here, keep all of it",
     "%2$s 列中只有 %1$s 列；输出在这里被截断，请保留完整输出"},
    {"the log ends before '# Avg bus bandwidth': the run did not end, or its "
     "output was cut",
     "日志在“# Avg bus bandwidth”之前结束：运行没有完成，或输出被截断"},
    {"no measurement in this log", "日志中没有测量值"},
    {"products of type '%.*s' have no cost form; run it with --dtype bfloat16,"
     " float16 or float8_e4m3fn",
     "类型为“%s”的矩阵乘没有成本模型；请用 --dtype bfloat16、float16 或 "
     "float8_e4m3fn 运行"},
    {"no line '** Dtype:' above; keep the whole log",
     "上文没有“** Dtype:”一行；请保留完整日志"},
    {"a shape without its median TFLOPS", "有一个形状没有 TFLOPS 中位数"},
    {"the log ends before 'Tried ... shapes': the run did not end, or its "
     "output was cut",
     "日志在“Tried ... shapes”之前结束：运行没有完成，或输出被截断"},
    {"no line of a shape, only the best ones; give the file of --output_file",
     "没有各形状的行，只有最好的几行；请给出 --output_file 的文件"},
    {"no line with the properties of a CUDA device; keep the whole log",
     "没有 CUDA 设备属性一行；请保留完整日志"},
    /* src/exchange/measure/measurements.c */
    {"no measurements: neither JSON of plan3d-bench nor a log of nccl-tests "
     "or mamf-finder nor a trace of the PyTorch profiler or Nsight Systems",
     "没有测量值：既不是 plan3d-bench 的 JSON，也不是 nccl-tests 或 "
     "mamf-finder 的日志，也不是 PyTorch profiler 或 Nsight Systems 的轨迹"},
    /* src/exchange/read/adapters.c */
    {"'%.80s = %.80s': only embeddings, norms and the output matrix can be "
     "trained beside adapters",
     "“%s = %s”：除适配器外，只能训练词嵌入、归一化和输出矩阵"},
    {"the pattern '%.80s = %.80s' is not read; write the modules by name",
     "无法读取模式“%s = %s”；请按名称写出模块"},
    {"'%.80s = %.80s' names adapters of some layers alone, and a plan has them "
     "in all",
     "“%s = %s”只为部分层指定适配器，而方案中所有层都有适配器"},
    {"'%.80s = %.40s' is no number from 0 up to 1",
     "“%s = %s”不是 0（含）到 1（不含）之间的数"},
    /* src/exchange/read/contradict.c */
    {"the files contradict each other: %s; write the same in both, or \"auto\""
     " in DeepSpeed's JSON",
     "文件相互矛盾：%s；请在两处写成一样，或在 DeepSpeed 的 JSON 中写 \"auto"
     "\""},
    /* src/exchange/read/front_rows.c */
    {"size of a micro-batch", "微批次大小"},
    {"batch of a step (micro-batch x gradient_accumulation_steps x replicas)",
     "每步的批大小（微批次 x gradient_accumulation_steps x 副本数）"},
    {"precision", "精度"},
    {"script or the arguments of its program", "脚本或程序的参数"},
    {"script with the Trainer's arguments", "带 Trainer 参数的脚本"},
    /* src/exchange/read/functions.c */
    {"function '%.60s' begins from more than %d others",
     "函数“%s”以超过 %s 个其他函数为基础"},
    {"no function '%.60s' in the file; it has %s", "文件中没有函数“%s”；有 %s"},
    {"the functions of the file set the same options; write --function NAME, "
     "one of %s",
     "文件中有多个函数设置了同样的选项；请写 --function NAME，从 %s 中选一个"},
    /* src/exchange/read/guess.c */
    {"no parallel plan of a framework is recognized in the files; write "
     "--from and the framework",
     "在文件中认不出任何框架的并行方案；请写 --from 和框架名"},
    {"'%.80s' changes a configuration of NeMo's launcher, which is not among "
     "the files; add its file of conf/training",
     "“%s”修改的是 NeMo 启动器的配置，而它不在这些文件里；请加上 conf/training "
     "中的那个文件"},
    {"no parallel plan of a framework is recognized in the files, though they "
     "say %s; write --from and the framework, or add the script that starts "
     "the training",
     "在文件中认不出任何框架的并行方案，虽然其中写有 %s；请写 --from 和框架名，"
     "或加上启动训练的脚本"},
    /* src/exchange/read/import.c */
    {"'%.80s%s%.40s' looks like frozen weights or adapters that are not read: "
     "only a training of all weights could be answered; have that at your "
     "own risk (--force)",
     "“%s%s%s”看起来像冻结的权重或无法读取的适配器：只能按全参数训练来回答；"
     "若愿自担风险，请加 --force"},
    {"'%.80s = %.40s' looks like %s, and %s has no such option; name the "
     "framework (--from), or leave it out at your own risk (--force)",
     "“%s = %s”看起来像%s，而 %s 没有这个选项；请用 --from 指明框架，或自担风"
     "险忽略它（--force）"},
    {"the loop over $%s (%.80s) launches several runs, as '%.60s' hangs on it;"
     " write --set %s=%.*s for one of them",
     "对 $%s 的循环（%s）会启动多次运行，因为“%s”取决于它；请写 --set %s=%s "
     "选定其中一次"},
    {"'%.80s = %.80s' has its value from outside; write --set %.300s, or take "
     "the framework's default at your own risk (--force)",
     "“%s = %s”的值来自文件之外；请写 --set %s，或自担风险采用框架的默认值（"
     "--force）"},
    /* src/exchange/read/folder.c */
    {"this is a folder, and none of its files has a micro-batch and a model; "
     "write the file that starts the training",
     "这是目录，其中没有文件给出微批次和模型；请写启动训练的文件"},
    {"this is a folder; these of its files say a training: %s%s; write one of "
     "them, as %.100s/%.120s",
     "这是目录；其中这些文件给出训练：%s%s；请写其中之一，如 %s/%s"},
    /* src/exchange/read/lack.c */
    {"'%.140s' has the model from outside; write --model MODEL, a name of "
     "'plan3d list models' or a config.json",
     "“%s”的模型来自外部；请写 --model MODEL，即“plan3d list models”中的名字或 "
     "config.json"},
    {"%.140s: plan3d has no model of this name; write --model and its "
     "config.json, or the nearest of 'plan3d list models'",
     "%s：plan3d 没有这个名字的模型；请写 --model 和它的 config.json，或“"
     "plan3d list models”中最接近的模型"},
    {"%.140s: that model has %s, which plan3d does not plan; write --model "
     "and the nearest of 'plan3d list models'",
     "%s：该模型有%s，plan3d 不能规划；请写 --model 和“plan3d list models”中最接"
     "近的模型"},
    /* src/exchange/read/model_word.c */
    {"two towers and a talker", "两个编码塔和一个 talker"},
    {"two towers with adapters of their own", "两个各有适配器的编码塔"},
    {"training by masked diffusion", "掩码扩散训练"},
    {"training by diffusion", "扩散训练"},
    {"a block that is run several times", "运行多次的块"},
    {"a transformer between tower and decoder", "编码塔与解码器之间的 transformer"},
    {"no program has the option '%.80s' (is it %.80s?); without it the files "
     "of %s say no %s",
     "没有程序有选项 '%s'（是否应为 %s？）；没有它，%s 的文件没有写明%s"},
    {"the files of %s say no %s; add the %s, or write %s%s%s%s",
     "%s 的文件没有给出%s；请补上%s，或写 %s%s%s%s"},
    {"length of a sequence", "序列长度"},
    {"batch of 1 to 1e9 sequences", " 1 到 1e9 条序列的批大小"},
    {"file that says that", "给出它的文件"},
    /* src/exchange/read/log_lines.c */
    {"a binary file; write a script, a configuration or a log",
     "是二进制文件；请写脚本、配置或日志"},
    /* src/exchange/read/log_numbers.c */
    {"its steps are of %.0f sequences, not of %.0f; correct --batch, or leave "
     "it out",
     "每步是 %s 条序列，而不是 %s 条；请改正 --batch，或去掉它"},
    {"it accumulates %.0f micro-batches a step, and the plan has %.0f; "
     "correct --batch, or mbs and dp of --plan",
     "每步累积 %s 个微批次，而方案为 %s 个；请改正 --batch，或 --plan 中的 mbs 和 dp"},
    {"its steps are of %.0f tokens, not of batch %.0f x sequence %.0f; "
     "correct --batch and --seq",
     "每步是 %s token，而不是批大小 %s x 序列 %s；请改正 --batch 和 --seq"},
    {"it contradicts itself: a step takes %.3g s by '%s' and %.3g s by '%s' "
     "with batch %.0f and sequence %.0f; correct --batch and --seq, or leave "
     "the log out",
     "日志自相矛盾：批大小 %5$s、序列 %6$s 时，一步按“%2$s”为 %1$s s，按“%4$s"
     "”为 %3$s s；请改正 --batch 和 --seq，或去掉这个日志"},
    /* src/exchange/read/page.c */
    {"%.200s: no document of plan3d report in it; if the page was cut, make "
     "it again",
     "%s：其中没有 plan3d report 的文档；若页面被截断，请重新生成"},
    {"%.200s: its document has no end, the page was cut; make it again",
     "%s：其中的文档没有结尾，页面被截断了；请重新生成"},
    {"'%s' is missing; make the page again", "缺少“%s”；请重新生成页面"},
    {"'%s' is not a string", "“%s”不是字符串"},
    {"not a list of options; make the page again",
     "不是选项列表；请重新生成页面"},
    /* src/exchange/read/read.c */
    {"it begins from '%.80s', which is not there; put that file beside it",
     "它以“%s”为基础，而该文件不存在；请把它放在旁边"},
    {"files begin from each other, more than %d deep",
     "文件互为基础，嵌套超过 %s 层"},
    {"longer than %d MiB, which no script or configuration is; give a log the "
     "ending .log",
     "超过 %s MiB，脚本和配置不会这么大；日志请以 .log 结尾"},
    {"the file is empty", "文件是空的"},
    /* src/exchange/read/read_json.c */
    {"a name longer than %d bytes", "名字超过 %s 字节"},
    {"a configuration is an object, { ... }", "配置应是一个对象：{ ... }"},
    /* src/exchange/read/read_log.c */
    {"a line with a speed", "带速度的一行"},
    /* src/exchange/read/read_shell.c */
    {"up to here the variables of the script stand for more than %d MiB of "
     "text; write what the launch needs without them",
     "到这里，脚本的变量已展开成超过 %s MiB 的文本；请去掉变量，直接写出启动"
     "所需的内容"},
    {"the script ends within the %s that begins in this line; is it whole?",
     "脚本在本行开始的%s中结束；文件是否完整？"},
    {"quote", "引号"},
    /* src/exchange/read/read_toml.c */
    {"a table is written [name]", "表要写成 [name]"},
    {"neither [table] nor name = value", "既不是 [table]，也不是 name = value"},
    {"a name without a value", "名字没有值"},
    /* src/exchange/read/read_yaml.c */
    {"a name longer than 512 bytes", "名字超过 512 字节"},
    {"more than 64 anchors", "锚点超过 64 个"},
    {"an anchor longer than 63 bytes", "锚点名超过 63 字节"},
    {"more than 4 merged mappings", "合并的映射超过 4 个"},
    {"more than 32 levels deep", "嵌套超过 32 层"},
    {"a value with a NUL byte", "值中有 NUL 字节"},
    {"an alias without its anchor", "别名没有对应的锚点"},
    {"%%TAG is not read; leave it out", "不支持 %%TAG；请去掉"},
    /* src/exchange/read/settings.c */
    {"more than %d options in the files", "文件中的选项超过 %s 个"},
    /* src/exchange/runs/corpus.c */
    {"neither a column 'measured_step_s' nor 'measured_peak_bytes'",
     "既没有“measured_step_s”列，也没有“measured_peak_bytes”列"},
    {"a row without an id", "有一行没有 id"},
    {"more than %d runs", "超过 %s 次运行"},
    {"GPU '%.40s' is not known", "不认识 GPU“%s”"},
    {"n_gpus is not stated", "没有给出 n_gpus"},
    {"%d GPUs do not fill nodes of %d", "%s 个 GPU 填不满每节点 %s 个的节点"},
    {"%s is not stated", "没有给出 %#s"},
    {"%s = %lld is not possible", "%#s = %s 不可能"},
    {"a micro-batch of more than %d tokens", "一个微批次超过 %s token"},
    {"top_k or moe_ffn of the experts is not stated",
     "没有给出专家的 top_k 或 moe_ffn"},
    {"the experts are not possible", "专家的设置不可能"},
    {"n_kv_heads or head_dim is not possible", "n_kv_heads 或 head_dim 不可能"},
    {"tp or pp is not stated", "没有给出 tp 或 pp"},
    {"cp or vp is 0", "cp 或 vp 为 0"},
    {"tp x pp x cp is more than n_gpus", "tp x pp x cp 超过 n_gpus"},
    {"ep is 0", "ep 为 0"},
    {"etp is 0", "etp 为 0"},
    /* src/exchange/runs/corpus.h */
    {"attention not stated: eager, as usual for the framework then",
     "没有说明注意力：按该框架当时的惯例取 eager"},
    {"attention not stated: flash, as usual for the framework then",
     "没有说明注意力：按该框架当时的惯例取 flash"},
    {"framework without a profile: the nearest one stands in",
     "框架没有特性数据：用最接近的框架代替"},
    {"states shared by a part of the replicas: by all of them",
     "状态由部分副本分片：按全部副本分片计"},
    {"recomputation not stated: none", "没有说明重计算：按不重计算计"},
    {"fine-tuning on packed sequences: attention over the whole one",
     "打包序列的微调：按对整条序列做注意力计"},
    /* src/exchange/runs/corpus_words.c */
    {"dtype is not stated", "没有给出 dtype"},
    {"global_batch or micro_batch is not stated",
     "没有给出 global_batch 或 micro_batch"},
    {"global_batch is above 1e9", "global_batch 超过 1e9"},
    {"loss %.40s is not modelled", "不支持损失 %#s"},
    {"recompute %.60s is not modelled", "不支持重计算 %#s"},
    {"sharding %.40s is not modelled", "不支持切分方式 %#s"},
    {"offload of %.40s is not modelled", "不支持卸载 %#s"},
    {"stage %.40s is no rank of the pipeline", "stage %#s 不是流水线的 rank"},
    {"LoRA of a rank that is not said", "LoRA 没有给出秩"},
    {"lora: %.80s", "lora：%s"},
    {"lengths: %.80s", "lengths：%s"},
    {"lengths %.40s are no mean and standard deviation",
            "lengths %s 不是平均值和标准差"},
    {"layer_map %.40s is not modelled", "不支持 layer_map %#s"},
    {"layer_map %.40s is not one of %d stages",
            "layer_map %#s 不是 %d 级流水线的层数表"},
    {"its Mamba layers are not said", "没有说明哪些是 Mamba 层"},
    {"its layout of layers is not read", "不读取它的层布局"},
    {"distillation keeps a teacher, which is not modelled",
     "不支持带教师模型的蒸馏"},
    {"attention %.40s is not modelled", "不支持注意力 %#s"},
    {"dispatcher %.40s is not modelled", "不支持 token 分发方式 %#s"},
    {"cuda_graphs %.40s is not modelled", "不支持 cuda_graphs %#s"},
    {"reduce_dtype %.20s is not modelled", "不支持 reduce_dtype %#s"},
    {"dtype %.20s is not modelled", "不支持 dtype %#s"},
    {"allocator %.40s is not modelled", "不支持分配器 %#s"},
    {"schedule %.40s is not modelled", "不支持调度 %#s"},
    {"memory_meter %.40s is not known", "不认识 memory_meter %#s"},
    /* src/exchange/runs/evidence.c */
    {"column %s: a number above 0 is missing", "列 %#s：缺少大于 0 的数"},
    {"column dtype: no data type '%.40s'", "列 dtype：没有数据类型“%s”"},
    {"column profile: no framework '%.40s'", "列 profile：没有框架“%s”"},
    {"column n_gpus: more than %d GPUs", "列 n_gpus：超过 %s 个 GPU"},
    {"column plan: %.200s", "列 plan：%s"},
    {"more switches than 65536, at '%.*s'",
     "交换机超过 65536 台，在“%s”处"},
    {"no \"S-GUID\" of a switch in '%.*s'",
     "“%s”里没有交换机的 \"S-GUID\""},
    {"no \"S-GUID\" or \"H-GUID\" of a port's peer in '%.*s'",
     "“%s”里没有对端的 \"S-GUID\" 或 \"H-GUID\""},
    {"no # \"NAME\" of a host in '%.*s'",
     "“%s”里没有主机的 # \"NAME\""},
    {"no Switch line has '%.*s'",
     "没有哪个 Switch 行是“%s”"},
    {"no host at any switch",
     "交换机上没有任何主机"},
    {"no line of ibnetdiscover: '%.*s'",
     "不是 ibnetdiscover 的行：“%s”"},
    {"no rate such as 4xHDR at the end of '%.*s'",
     "“%s”末尾没有 4xHDR 这样的速率"},
    {"no switch",
     "没有交换机"},
    {"GPUs of several kinds, by their sm, at '%.*s'",
     "GPU 的 sm 不一致，在“%s”处"},
    {"a tag that does not end: '%.*s'",
     "标签没有结束：“%s”"},
    {"closes what is not open: '%.*s'",
     "结束了没有打开的标签：“%s”"},
    {"does not end: '%.*s'",
     "没有结束：“%s”"},
    {"more GPUs than 1024, at '%.*s'",
     "GPU 超过 1024 个，在“%s”处"},
    {"more network cards than 1024, at '%.*s'",
     "网卡超过 1024 张，在“%s”处"},
    {"nested too deep: '%.*s'",
     "嵌套过深：“%s”"},
    {"no <gpu> in it",
     "里面没有 <gpu>"},
    {"no NAME=\"VALUE\" in the tag '%.*s'",
     "标签“%s”里不是 NAME=\"VALUE\""},
    {"no count of NVLinks in the tag '%.*s'",
     "标签“%s”里不是 NVLink 的数目"},
    {"no number: '%.*s'",
     "不是数：“%s”"},
    {"not a tag of XML: '%.*s'",
     "不是 XML 标签：“%s”"},
    {"not closed at the end: '%.*s'",
     "到末尾仍未结束：“%s”"},
    {"a '[' without its ']' in '%.*s'",
     "“%s”里的“[”没有“]”"},
    {"a second name in one line: '%.*s'",
     "一行里有第二个名字：“%s”"},
    {"a second switch '%.*s'",
     "交换机“%s”出现了两次"},
    {"a switch that is below itself: '%.*s'",
     "交换机在自己之下：“%s”"},
    {"an empty name in '%.*s'",
     "“%s”里有空的名字"},
    {"no host; write one in each line, in the order of ranks",
     "没有主机；请按 rank 的顺序每行写一台"},
    {"a second name in the line, '%.*s'; write one in each line, or commas "
     "between",
     "这一行有第二个名字“%s”；请每行写一个，或用逗号隔开"},
    {"--hosts %s: no such file; a list has brackets or commas, such as "
     "node[01-16]",
     "--hosts %s：没有这个文件；主机列表要有方括号或逗号，例如 node[01-16]"},
    {"a second time the host '%.*s'; list the ranks of a host together",
     "主机“%s”再次出现；请把同一主机的 rank 写在一起"},
    {"the hosts are below %d switches, more than %d; write --placement ra"
     "ndom",
     "这些主机在 %s 台交换机之下，超过 %s 台；请写 --placement random"},
    {"neighbours change the switch more than %d times; sort the hosts, or"
     " write --placement random",
     "相邻主机更换交换机超过 %s 次；请给主机排序，或写 --placement random"},
    {"no node of the topology has the name '%.*s'",
     "拓扑中没有名为“%s”的节点"},
    {"--hosts needs the switches of Slurm's topology.conf or of ibnetdisc"
     "over, and --topology is of a node",
     "--hosts 需要 Slurm 的 topology.conf 或 ibnetdiscover 中的交换机，而 "
     "--topology 是单个节点的"},
    {"--hosts has too few hosts, %d for %d nodes; list all of them",
     "--hosts 的主机太少：%s 台，节点有 %s 个；请全部列出"},
    {"--hosts: the %d nodes that %s joins are not below the same switch; "
     "list them together",
     "--hosts：由 %2$s 相连的 %1$s 个节点不在同一交换机下；请写在一起"},
    {"below two switches: '%.*s'",
     "在两台交换机之下：“%s”"},
    {"more nodes than 1048576, at '%.*s'",
     "节点超过 1048576 个，在“%s”处"},
    {"neither Nodes nor Switches below '%.*s'",
     "“%s”之下既没有 Nodes 也没有 Switches"},
    {"no KEY=VALUE: '%.*s'",
     "不是 KEY=VALUE：“%s”"},
    {"no SwitchName line has the switch '%.*s'",
     "没有哪个 SwitchName 行是交换机“%s”"},
    {"no range of numbers: '%.*s'",
     "不是数的范围：“%s”"},
    {"no value after '%.*s'",
     "“%s”之后没有值"},
    {"too long a name in '%.*s'",
     "“%s”里的名字太长"},
    {"too long a name: '%.*s'",
     "名字太长：“%s”"},
    {"too many names in '%.*s'",
     "“%s”里的名字太多"},
    {"topology.conf has SwitchName, Switches, Nodes, LinkSpeed, BlockNam"
     "e and BlockSizes, not '%.*s'",
     "topology.conf 只有 SwitchName、Switches、Nodes、LinkSpeed、BlockNa"
     "me 和 BlockSizes，没有“%s”"},
    {"%s has %d nodes, the cluster %d; write at most so many",
     "%s 有 %s 个节点，而集群有 %s 个；请最多写这么多"},
    {"%s: a node has %d GPUs, those of the cluster have %d; write nodes "
     "x %d x type",
     "%s：每个节点有 %s 个 GPU，而集群的节点有 %s 个；请写 节点数 x %s x"
     " 型号"},
    {"%s: the file begins with a byte order mark; save it as UTF-8 without one",
     "%s：文件以字节序标记（BOM）开头；请存为不带它的 UTF-8"},
    {"%s: no text: it has a zero byte",
     "%s：不是文本：含有零字节"},
    {"%s: no topology that is known; give a Slurm topology.conf, the out"
     "put of ibnetdiscover, or an NCCL_TOPO_DUMP_FILE",
     "%s：不是已知的拓扑文件；请给出 Slurm 的 topology.conf、ibnetdiscov"
     "er 的输出，或 NCCL_TOPO_DUMP_FILE"},
    {"%s: the GPUs have no NVLink, those of the cluster have it",
     "%s：GPU 之间没有 NVLink，而集群的有"},
    {"%s: the GPUs have NVLink, those of the cluster have none",
     "%s：GPU 之间有 NVLink，而集群的没有"},
    {"%s: the GPUs have compute capability %d.%d, %s has %d.%d",
     "%s：GPU 的计算能力是 %s.%s，而 %s 是 %s.%s"},
    /* src/exchange/measured_files.c, src/exchange/trace */
    {"an export of Nsight Systems is read from a file, not from a pipe; write "
     "its path",
     "Nsight Systems 的导出要从文件读取，不能从管道；请给出它的路径"},
    {"no kernel of a GPU is in this export; record with 'nsys profile "
     "--trace=cuda,nvtx'",
     "导出里没有 GPU 的 kernel；请用“nsys profile --trace=cuda,nvtx”记录"},
    {"no kernel of a GPU is in the trace; profile with "
     "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]",
     "轨迹里没有 GPU 的 kernel；请用 activities=[ProfilerActivity.CPU, "
     "ProfilerActivity.CUDA] 跟踪"},
    /* src/exchange/launch/settle.c */
    {"attention to the tokens behind", "对后面词元的注意力"},
    {"attention to an encoder", "对编码器的注意力"},
    {"keys and values that layers share", "层间共享的键和值"},
    {"embeddings for each layer", "逐层的词嵌入"},
    {"further residual streams", "额外的残差流"},
    {"heads of another size in layers", "部分层里另一种大小的头"},
    {"a matrix before the output", "输出之前的一个矩阵"},
    {"embeddings of no token", "不属于词元的嵌入"},
    {"a norm behind the experts", "专家之后的归一化"},
    {"a narrow input of the experts", "专家较窄的输入"},
    {"limits of the experts' gates", "专家门控的上下限"},
    /* src/exchange/launch/flagscale.c, meshes.c */
    {"the options do not describe %s: a gate of its shared expert",
     "选项不能描述 %s：它的共享专家的门"},
    {"--cuda-graphs: its Megatron-LM has no option of that name; leave it out",
     "--cuda-graphs：它的 Megatron-LM 没有这个选项；请去掉"},
    {"--optimizer %s: write adam or sgd", "--optimizer %s：请写 adam 或 sgd"},
    {"hetero-pipeline-layer-split: '%.60s' is not a number for each of %d "
     "stages",
     "hetero-pipeline-layer-split：“%s”不是 %s 个阶段各自的层数"},
    {"hetero-process-meshes: '%.60s' is not tp, cp, ep, dp, pp of each part of "
     "the pipeline",
     "hetero-process-meshes：“%s”不是流水线各部分的 tp、cp、ep、dp、pp"},
    {"hetero-process-meshes: import does not read parts of a pipeline that "
     "differ in tp, dp or GPUs (%.60s); 'plan3d fit MODEL 32xA800+16xH100' "
     "plans pools of several types",
     "hetero-process-meshes：import 不读取 tp、dp 或 GPU 不同的流水线各部分（"
     "%s）；“plan3d fit MODEL 32xA800+16xH100”规划多种 GPU 的池"},
    {NULL, NULL},
};
/* clang-format on */
