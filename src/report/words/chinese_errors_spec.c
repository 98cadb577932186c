/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_spec.c - Chinese words of errors
 * of models, hardware, jobs and plans. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_spec[] = {
    /* src/spec/abilities.c */
    {"fused attention", "融合注意力"},
    {"eager attention", "eager 注意力"},
    {"memory-efficient attention", "内存高效注意力"},
    {"cuDNN's fused attention", "cuDNN 融合注意力"},
    {"grouped products", "分组矩阵乘"},
    {"fp8 by delayed scaling", "fp8 延迟缩放"},
    {"fp8 by current scaling", "fp8 即时缩放"},
    {"fp8 by blocks of 128", "fp8 每块 128 缩放"},
    {"fp8 by rows", "fp8 逐行缩放"},
    /* src/spec/adapters.c */
    {"the rank '%s' is no number from 1 to %d; write r=%d",
     "秩“%s”不是 1 到 %s 的整数；请写 r=%s"},
    {"the dropout '%s' is no number from 0 up to 1; write dropout=0.05",
     "dropout“%s”不是 0（含）到 1（不含）之间的数；请写 dropout=0.05"},
    {"unknown base '%s'%s", "没有 base“%s”%s"},
    {"; write 16bit, 8bit, nf4 or nf4-single",
     "；请写 16bit、8bit、nf4 或 nf4-single"},
    {"unknown word '%s'%s", "没有“%s”这个词%s"},
    {"; write r=16, with targets=q+v, base=nf4, dora, dropout=0.05 or "
     "train=head as needed",
     "；请写 r=16，需要时加上 targets=q+v、base=nf4、dora、dropout=0.05 或 "
     "train=head"},
    {"unknown part", "没有这个部分"},
    {"; write all-linear, or some of q, k, v, o, gate, up, down, experts",
     "；请写 all-linear，或 q、k、v、o、gate、up、down、experts 中的若干项"},
    {"; write some of embeddings, attention, mlp, experts, router, norms, head"
     ", vision, audio, projector",
     "；请写 embeddings、attention、mlp、experts、router、norms、head、vision"
     "、audio、projector 中的若干项"},
    {"experts", "专家数"},
    /* src/spec/calibration.c */
    {"\"%s\" is not an object", "\"%#s\" 不是对象"},
    {"unknown form '%s'; write tile_wave or roofline",
     "没有形式“%s”；请写 tile_wave 或 roofline"},
    {"the form tile_wave needs tile_128_frac, tile_64_frac and p_norm",
     "形式 tile_wave 需要 tile_128_frac、tile_64_frac 和 p_norm"},
    {"no kernel; write efficient, flash1, flash2, flash3, cudnn or flash4",
     "没有这种 kernel；请写 efficient、flash1、flash2、flash3、cudnn 或 "
     "flash4"},
    {"%d runs; a calibration has at most %d",
     "有 %s 次运行；一次校准至多 %s 次"},
    /* src/spec/catalog.c */
    {"the name of '%s/%s' is too long; use at most %zu bytes",
     "“%s/%s”的名字太长；至多 %s 字节"},
    {"the folder '%s' cannot be read", "目录“%s”无法读取"},
    /* src/spec/cluster.c */
    {"'%.*s' is a memory size, not a GPU; it is part of the GPU's name: write "
     "64xA800-80G",
     "“%s”是显存大小，不是 GPU；它是 GPU 名字的一部分：请写 64xA800-80G"},
    {"'%.80s' has too many counts; write nodes x GPUs per node x type, such "
     "as 8x8xA800",
     "“%s”中的数目太多；请写 节点数 x 每节点 GPU 数 x 型号，如 8x8xA800"},
    {"'%.60s...' is too long for the name of a GPU; write 64xA800",
     "“%s...”太长，不是 GPU 名；请写 64xA800"},
    {"neither a name nor an object; write \"%s\": \"%s\"",
     "既不是名字，也不是对象；请写 \"%#s\": \"%#s\""},
    {"neither the cluster nor its %s says the %s; add \"%s\"",
     "集群和它的%s都没有给出%s；请加上 \"%#s\""},
    {"%d nodes of %d are more than %d GPUs, the most that plan3d plans for",
     "%s 个节点、每节点 %s 个，超过 %s 个 GPU，plan3d 至多规划这么多"},
    {"a cluster is an object", "集群应是一个对象"},
    {"node", "节点"},
    /* src/spec/family_finish.c */
    {"layers with different numbers of heads are not planned; write %d for "
     "each",
     "不支持各层头数不同；请每层都写 %s"},
    {"'%.60s' is an indexer that plan3d cannot plan; write full",
     "plan3d 不支持索引器“%s”；请写 full"},
    {"'attn_config' is not an object; write {\"alibi\": true}",
     "“attn_config”不是对象；请写 {\"alibi\": true}"},
    {"%s times the hidden size %d is no width; write a ratio such as 4",
     "隐藏维度 %2$s 的 %1$s 倍不是整数宽度；请写倍数，如 4"},
    {"model_type '%.60s' is not supported: it has %s, which plan3d does not "
     "plan; write another model",
     "不支持 model_type“%s”：它有%s，plan3d 不规划这种结构；请换一个模型"},
    {"model_type '%.60s' is not supported%s; write %s",
     "不支持 model_type“%s”%s；请写 %s"},
    {"an encoder, or layers that attend to one",
     "编码器，或对编码器做注意力的层"},
    {"the layers of an encoder with a head of its own", "自带输出头的编码器层"},
    {"cross-attention to images in some layers", "部分层对图像的交叉注意力"},
    {"embeddings for each layer, or heads that differ by layer",
     "逐层的嵌入，或各层不同的头"},
    {"several residual streams", "多条残差流"},
    {"attention and Mamba side by side in a layer",
     "同一层中并列的注意力和 Mamba"},
    {"a block that layers share", "各层共用的块"},
    {"layers of one part each (attention, Mamba or an MLP)",
     "每层只有一种部件（注意力、Mamba 或 MLP）"},
    {"a recurrence of its own", "自有的循环结构"},
    {"two attentions and experts that do nothing in a layer",
     "一层两个注意力，以及不做计算的专家"},
    {"experts, gates or norms of a class of its own",
     "自有类型的专家、门控或归一化"},
    /* src/spec/family_keys.c */
    {"the %s is missing; write \"%s\": and a number",
     "缺少%s；请写 \"%#s\": 和一个数"},
    {"width of the residual stream", "残差流的宽度"},
    {"number of decoder layers", "解码器层数"},
    {"number of query heads", " query 头数"},
    {"number of tokens in the vocabulary", "词表大小"},
    {"size of a head", "头维度"},
    {"width of the MLP", " MLP 宽度"},
    {"width of an expert", "专家宽度"},
    {"multi-token prediction blocks", "多 token 预测块数"},
    /* src/spec/given.c */
    {"hidden size", "隐藏维度"},
    {"heads", "头数"},
    {"key/value heads", " KV 头数"},
    {"vocabulary", "词表"},
    {"positions", "位置数"},
    {"experts of a token", "每个 token 的专家数"},
    {"width of the shared experts", "共享专家宽度"},
    {"window", "窗口"},
    {"tokens of a sequence", "序列的 token 数"},
    {"sequences of a step", "每步的序列数"},
    /* src/spec/gpu.c */
    {"no GPU of 'plan3d list gpus' is like '%.90s'; write its name with --gpu",
     "“plan3d list gpus”中没有像“%s”的 GPU；请用 --gpu 写出名字"},
    {"'%.90s' may be %s or %s; write which with --gpu",
     "“%s”可能是 %s 或 %s；请用 --gpu 写明"},
    /* src/spec/hardware.c */
    {"the source '%s' is for no key here; write '/' and a key",
     "来源“%s”不对应这里的任何键；请写“/”和键名"},
    {"a source is an object: {\"kind\": ..., \"ref\": ...}",
     "来源应是一个对象：{\"kind\": ..., \"ref\": ...}"},
    {"an empty \"ref\"; say where it is from", "\"ref\" 是空的；请写明出处"},
    {"unknown kind '%s'; write datasheet, published, measured, fitted or "
     "assumed",
     "没有种类“%s”；请写 datasheet、published、measured、fitted 或 assumed"},
    {"\"sources\" is not an object", "\"sources\" 不是对象"},
    {"no source; add \"%s\" to \"sources\", with where the number is from",
     "没有来源；请在 \"sources\" 中加上 \"%#s\"，写明数的出处"},
    {"the file is not an object", "文件不是一个对象"},
    {"no schema; write \"schema\": 1", "没有 schema；请写 \"schema\": 1"},
    {"no sources; say where each number is from",
     "没有来源；请写明每个数的出处"},
    {"unknown %s '%s'%s", "没有%s“%s”%s"},
    {"\"aliases\" is not an array", "\"aliases\" 不是数组"},
    {"an alias is not a word; write \"aliases\": [\"A800\"]",
     "别名不是字符串；请写 \"aliases\": [\"A800\"]"},
    {"fabric", "网络"},
    {"calibration", "校准"},
    /* src/spec/images.c */
    {"%s has no tower that plan3d knows, so that a sequence has no images; "
     "leave out --images and --image-tokens",
     "%s 没有 plan3d 认识的视觉或音频编码器，序列中不会有图像；请去掉 "
     "--images 和 --image-tokens"},
    {"%s has none of the tower's parts that --freeze says; leave them out",
     "%s 没有 --freeze 所写的编码器部分；请去掉"},
    {"%d x %d tokens of %s are longer than a sequence of %d; try a longer "
     "--seq, or fewer --images or --image-tokens",
     "%s x %s token 的%s超过了序列长度 %s；试试加大 --seq，或减小 --images 或"
     " --image-tokens"},
    {"sound", "音频"},
    {"images", "图像"},
    /* src/spec/job.c */
    {"--gradient-dtype: gradients are accumulated in fp32 or 16bit",
     "--gradient-dtype：梯度以 fp32 或 16bit 累加"},
    {"--master-dtype: weights are updated in fp32, 16bit or none",
     "--master-dtype：权重以 fp32、16bit 或 none 更新"},
    {"--moment-dtype: write fp32, 16bit or 8bit",
     "--moment-dtype：请写 fp32、16bit 或 8bit"},
    {"--reduce-dtype: gradients are reduced in fp32 or 16bit",
     "--reduce-dtype：梯度以 fp32 或 16bit 规约"},
    {"%s fixes the data types of its states; leave --gradient-dtype, "
     "--moment-dtype and --master-dtype out, or write --master-dtype none",
     "%s 的状态数据类型是固定的；请去掉 --gradient-dtype、--moment-dtype 和 "
     "--master-dtype，或写 --master-dtype none"},
    {"layers", "层数"},
    /* src/spec/legality.c */
    {"zero=3 or ", "zero=3 或 "},
    /* src/spec/legality_adapters.c */
    {"--freeze leaves no more than the output matrix to be trained; leave out "
     "attention or norms",
     "--freeze 冻结后只剩输出矩阵可训练；请去掉 attention 或 norms"},
    {"%s has no weights in %s; try base=%s", "%s 没有 %s 权重；试试 base=%s"},
    {"weights in %s are de-quantized to 16 bit; try --dtype bf16",
     "%s 权重要反量化到 16 位；试试 --dtype bf16"},
    {"weights in %s are frozen: they need adapters; write --lora r=16,base=%s",
     "%s 权重是冻结的，需要适配器；请写 --lora r=16,base=%s"},
    {"with --lora all weights but the adapters' are frozen; leave out --freeze",
     "--lora 会冻结适配器以外的所有权重；请去掉 --freeze"},
    {"%s has no LoRA; these have: %s", "%s 没有 LoRA；这些框架有：%s"},
    {"%s has none of the matrices that --lora adapts; leave out targets=",
     "%s 没有 --lora 要适配的矩阵；请去掉 targets="},
    {"tp=%d does not divide the rank %d of the adapters; try tp=%d",
     "tp=%s 不整除适配器的秩 %s；试试 tp=%s"},
    {"tp=%d: %s does not divide weights in %s; try tp=1",
     "tp=%s：%s 不切分 %s 权重；试试 tp=1"},
    {"zero=%d: %s has it for no adapters beside weights in %s; try another "
     "stage",
     "zero=%s：%s 不支持它与 %s 权重上的适配器同用；请换一个 ZeRO 级别"},
    /* src/spec/model_complete.c */
    {"'%s' is not a list; write [...] with layers",
     "“%s”不是列表；请写 [...]，其中列出各层"},
    {"this list is too long", "列表太长"},
    {"one number per layer", "每层一个数"},
    {"this is not the number of a layer", "这不是层号"},
    {"a whole number, 0 for the first layer", "一个整数，第一层为 0"},
    {"one word for each layer", "每层一个词"},
    {"there is no such layer", "没有这一层"},
    {"the number of a layer, 0 for the first", "层号，第一层为 0"},
    {"there is not one number for each layer", "不是每层一个数"},
    {"0 or 1 per layer", "每层 0 或 1"},
    {"'layer_types' is missing, so that it is not known which layers have "
     "attention; write one word for each layer",
     "缺少“layer_types”，不知道哪些层有注意力；请每层写一个词"},
    {"'layer_types' has windowed layers, but the model has no window; write \""
     "%s\": and a number of tokens",
     "“layer_types”中有窗口层，而模型没有窗口大小；请写 \"%#s\": 和 token 数"},
    {"the model's %s: %.0f is above %.0f, more than any model has",
     "模型的%s：%s 超过 %s，没有模型这么大"},
    {"the model's %d key/value heads do not divide its %d query heads",
     "模型的 %s 个 KV 头不整除 %s 个 query 头"},
    {"%d heads do not divide the hidden size %d; write a divisor of it%s",
     "%s 个头不整除隐藏维度 %s；请写它的一个约数%s"},
    {", or \"head_dim\": and a number", "，或 \"head_dim\": 和一个数"},
    {"%d key/value heads%s do not divide %d query heads; write \"%s\": and a "
     "divisor",
     "%s 个 KV 头%s不整除 %s 个 query 头；请写 \"%#s\": 和一个约数"},
    {" (the default of the class)", "（该类的默认值）"},
    {"%d key heads of the mixer do not divide its %d heads; write a divisor",
     "混合层的 %s 个 key 头不整除它的 %s 个头；请写一个约数"},
    {"a token cannot visit %d of %d experts; write 1 to %d",
     "一个 token 不能用到 %2$s 个专家中的 %1$s 个；请写 1 到 %3$s"},
    {"a token cannot visit %d of %d groups of %d experts; write a divisor of "
     "%d, and \"topk_group\": 1 to that",
     "一个 token 不能用到 %2$s 组中的 %1$s 组（共 %3$s 个专家）；请写 %4$s 的"
     "一个约数，并写 \"topk_group\": 1 到该数"},
    {"experts of width %d are out of range; write 1 to %d",
     "专家宽度 %s 超出范围；请写 1 到 %s"},
    /* src/spec/model_file.c */
    {"'aliases' is not a list; write [\"another name\"]",
     "“aliases”不是列表；请写 [\"another name\"]"},
    {"this alias is not a name; write a string", "别名不是名字；请写字符串"},
    {"schema %d is newer than this plan3d; write 1",
     "schema %s 比这个 plan3d 新；请写 1"},
    {"the name is empty; write the file's name without .json",
     "名字是空的；请写文件名，不带 .json"},
    {"'model_type' is not a string; write one such as \"llama\"",
     "“model_type”不是字符串；请写如 \"llama\""},
    {"'model_type' is missing, so the family is not known; write \"model_type"
     "\": \"llama\" or another one",
     "缺少“model_type”，不知道是哪个家族；请写 \"model_type\": \"llama\" 或别"
     "的"},
    {"'text_config' is missing, where '%s' has its decoder; write \""
     "text_config\": {...}",
     "缺少“text_config”，“%s”的解码器应在其中；请写 \"text_config\": {...}"},
    {"unknown key '%.60s'%s", "没有键“%s”%s"},
    {"; remove it, or add it to src/spec/family_keys.c",
     "；请删除，或加进 src/spec/family_keys.c"},
    {"this is not a model; write an object such as config.json",
     "这不是模型；请写一个对象，如 config.json"},
    /* src/spec/network.c */
    {"--fabric '%.80s': not understood from '%.40s' on; %s",
     "--fabric “%s”：从“%s”起看不懂；%s"},
    {"--fabric '%.80s': the rate of an adapter, of a GPU or of a node? %s",
     "--fabric “%s”：是每张网卡、每个 GPU 还是每个节点的速率？%s"},
    {"name a file of 'plan3d list fabrics', or say what a node has, as '8x400 "
     "Gb/s RoCE' or '400 Gb/s per GPU'",
     "请写“plan3d list fabrics”中的名字，或写出节点的网络，如“8x400 Gb/s RoCE"
     "”或“400 Gb/s per GPU”"},
    /* src/spec/plan_parts.c */
    {"'%s': unknown value '%s'%s", "“%s”：没有取值“%s”%s"},
    {"'%s': '%s' is not a whole number; write recompute=%s",
     "“%s”：“%s”不是整数；请写 recompute=%s"},
    {"'%s': %s is out of range; write a number from 1 to %d",
     "“%s”：%s 超出范围；请写 1 到 %s 之间的数"},
    {"; write core_attn, mla_up_proj, layernorm, mlp, mlp_act, moe, moe_act, "
     "shared_experts or op",
     "；请写 core_attn、mla_up_proj、layernorm、mlp、mlp_act、moe、moe_act、"
     "shared_experts 或 op"},
    {"; write none, selective, full or uniform:2",
     "；请写 none、selective、full 或 uniform:2"},
    {"'%s': only full takes a number of layers; write recompute=full:4",
     "“%s”：只有 full 可以指定层数；请写 recompute=full:4"},
    {"'%s': '%s' is no share between 0 and 1; write offload=optimizer:0.5",
     "“%s”：“%s”不是 0 到 1 之间的比例；请写 offload=optimizer:0.5"},
    {"; write none, optimizer, optimizer+parameters or activations",
     "；请写 none、optimizer、optimizer+parameters 或 activations"},
    {"'%s': only the optimizer and activations are offloaded in part; write "
     "offload=optimizer:0.5",
     "“%s”：只有 optimizer 和 activations 可以部分卸载；请写 "
     "offload=optimizer:0.5"},
    {"'%s': unknown place '%s'; write offload=optimizer@nvme",
     "“%s”：没有位置“%s”；请写 offload=optimizer@nvme"},
    {"'%s': parameters are offloaded with the optimizer; write "
     "offload=optimizer+parameters",
     "“%s”：parameters 要与 optimizer 一起卸载；请写 offload=optimizer+"
     "parameters"},
    {"'%s' contradicts itself; write offload=optimizer@nvme or offload=none",
     "“%s”自相矛盾；请写 offload=optimizer@nvme 或 offload=none"},
    /* src/spec/plan_words.c */
    {"'%s': '%s' is not a whole number; write %s=%d",
     "“%s”：“%s”不是整数；请写 %#s=%s"},
    {"'%s': %s is out of range; write a number from %d to %d",
     "“%s”：%s 超出范围；请写 %s 到 %s 之间的数"},
    {"'%s': %s takes on or off; write %s or %s",
     "“%s”：%#s 的值是 on 或 off；请写 %#s 或 %#s"},
    {"'%s': %s takes %s; write %s", "“%s”：%#s 要写%s；请写 %#s"},
    {"on or off", " on 或 off"},
    {"no value", "成不带值"},
    {"'%s' has no value; write %s", "“%s”没有值；请写 %#s"},
    {"'%s': with its two copies of the weights it is schedule=dualpipe-v on "
     "half the ranks of the pipeline and twice the replicas; write pp=4,vp=2,"
     "schedule=dualpipe-v for pp=8",
     "“%s”：带两份权重时，它就是流水线 rank 减半、副本加倍的 "
     "schedule=dualpipe-v；pp=8 请写 pp=4,vp=2,schedule=dualpipe-v"},
    {"'%s' and '%s' contradict each other; leave one out",
     "“%s”与“%s”矛盾；请去掉一个"},
    {"'%s': %s is given twice; write it once",
     "“%s”：%#s 给了两次；请只写一次"},
    {"'%.40s...' is too long for a word of a plan; write tp=8,pp=2",
     "“%s...”太长，不是方案中的词；请写 tp=8,pp=2"},
    {"a comma with no word beside it; write tp=8,pp=2",
     "逗号旁边没有词；请写 tp=8,pp=2"},
    /* src/spec/tower.c */
    {"'%s' of the tower is no whole number from %d to %d; write what its "
     "model has",
     "编码器的“%s”不是 %s 到 %s 之间的整数；请按其模型填写"},
    {"the %d heads of the tower do not divide its hidden size %d; write what "
     "its model has",
     "编码器的 %s 个头不整除它的隐藏维度 %s；请按其模型填写"},
    {"the tower's output of %d is not as wide as the decoder, %d; write the "
     "same for both",
     "编码器的输出宽度 %s 与解码器的 %s 不同；请写成一样"},
    {"%d patches of an image do not make %d tokens; write a number that "
     "divides them",
     "一幅图像的 %s 个 patch 不能合成 %s 个 token；请写能整除的数"},
    {"'downsample_ratio' is no number from 0.1 to 1; write 0.5",
     "“downsample_ratio”不是 0.1 到 1 之间的数；请写 0.5"},
    {NULL, NULL},
};
/* clang-format on */
