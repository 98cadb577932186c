/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_options.c - Chinese words of plan3d help COMMAND: arguments, options
 * and their defaults. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_options[] = {
    {"usage: plan3d ",
     "用法：plan3d "},
    {" [options]\n\n",
     " [选项]\n\n"},
    {"\noptions [default]:\n",
     "\n选项 [默认值]：\n"},
    {"\nexamples:\n",
     "\n示例：\n"},
    {"10min",
     "10 分钟"},
    {"122MB/s per GPU",
     "每 GPU 122MB/s"},
    {"16384; with --find gpus and no deadline 2048",
     "16384；用 --find gpus 而没有期限时为 2048"},
    {"5.8y (50,700 h)",
     "5.8y（50,700 小时）"},
    {"64, fewer on many stages",
     "64，stage 很多时更少"},
    {"CSV of measured runs, with the columns of tests/accuracy/runs.csv"
     "; - is standard input",
     "实测运行的 CSV，列与 tests/accuracy/runs.csv 相同；- 表示标准输入"},
    {"CSV of sets of runs of one job with different plans: columns set "
     "and ids",
     "同一任务用不同方案运行的组，CSV，列为 set 和 ids"},
    {"GPU that was measured, see 'plan3d list gpus'",
     "实测的 GPU，见“plan3d list gpus”"},
    {"GPUs x type (64xA800), nodes x GPUs x type (8x8xH100), machines x name "
     "(8xp5.48xlarge), or path of a cluster JSON (FILE:POOL: one pool of it)",
     "GPU 数 x 型号（64xA800）、节点数 x 每节点 GPU 数 x 型号（8x8xH100"
     "）、机器数 x 名称（8xp5.48xlarge），或集群 JSON 的路径（FILE:POOL：其中一个资源"
     "池）"},
    {"USD for one GPU-hour: one price, or one for each cluster",
     "每 GPU 小时的美元价格：一个价格，或每个集群各一个"},
    {"a cluster may leave nodes idle where fewer are faster",
     "节点少反而更快时，集群可以留出空闲节点"},
    {"a plan to hold against another, term by term",
     "要与另一个方案逐项对照的方案"},
    {"adam (also AdamW), sgd (with momentum), adam-8bit, adafactor, lio"
     "n or muon",
     "adam（即 AdamW）、sgd（带动量）、adam-8bit、adafactor、lion 或 mu"
     "on"},
    {"all of it: memory by stage, time by term, the whole training, eac"
     "h change that helps, the search, every assumption",
     "全部内容：各 stage 显存、各项时间、整个训练、每项有用的改动、搜索"
     "过程、所有假设"},
    {"another node is always there",
     "总有可替换的节点"},
    {"answer at your own risk where an option that looks like paralleli"
     "sm is not understood",
     "有看起来像并行设置而又不认识的选项时，仍然回答，后果自负"},
    {"as it was trained, or 4 Mi tokens",
     "与模型原来的训练相同，否则为 4 Mi token"},
    {"as it was trained, or 8192",
     "与模型原来的训练相同，否则为 8192"},
    {"as the files describe it",
     "按文件所写"},
    {"as the log describes it",
     "按日志所写"},
    {"as the log has it",
     "按日志所写"},
    {"auto: on a terminal, without NO_COLOR",
     "auto：输出到终端且没有设置 NO_COLOR 时"},
    {"bash, zsh or fish",
     "bash、zsh 或 fish"},
    {"behind 'words --' in place of a shell: a command line whose last "
     "word is completed, as the scripts ask",
     "以“words --”代替 shell 名时，其后是要补全最后一个词的命令行，供补"
     "全脚本调用"},
    {"bf16, or fp16 where the GPU has no bf16",
     "bf16；GPU 不支持 bf16 时为 fp16"},
    {"blocks of multi-token prediction that are trained",
     "训练的 MTP（多 token 预测）模块数"},
    {"check the search: look at every plan one by one, some 100,000 a s"
     "econd",
     "检验搜索：逐个检查每一个方案，每秒约 10 万个"},
    {"checkpoints go to host memory, and from there to the storage besi"
     "de the steps",
     "检查点先写入主机内存，再在训练的同时写入存储"},
    {"clusters with commas between: 64xH100, 8x8xA800, a path, a range "
     "of GPUs (8..1024xH100 doubles, 8..512:8xH100 has a step), or a ty"
     "pe alone (H100) with --gpus or --deadline; or pools of several ty"
     "pes (32xA800+16xH100)",
     "集群，之间用逗号：64xH100、8x8xA800、文件路径、GPU 数的范围（8..1024x"
     "H100 逐次加倍，8..512:8xH100 按步长），或只写型号（H100），另加 -"
     "-gpus 或 --deadline；或多种资源池（32xA800+16xH100）"},
    {"colours in text: auto, always or never",
     "文本的颜色：auto、always 或 never"},
    {"constants for the runs on the GPU that it is of: a file of 'plan3"
     "d calibrate', or a name of 'plan3d list calibrations'",
     "用于该 GPU 上各次运行的常数：“plan3d calibrate”写的文件，或“plan3"
     "d list calibrations”中的名字"},
    {"constants of the GPU: a file of 'plan3d calibrate', or a name of "
     "'plan3d list calibrations'",
     "GPU 的常数：“plan3d calibrate”写的文件，或“plan3d list calibratio"
     "ns”中的名字"},
    {"context parallelism: p2p (a ring of keys and values) or a2a (head"
     "s against tokens)",
     "上下文并行：p2p（K、V 在环上传递）或 a2a（注意力头与 token 互换）"},
    {"cross entropy: vocab-parallel, native-fused, te-fused, eager, eag"
     "er-kept, compiled, sharded-eager, sharded-in-place, vocab-paralle"
     "l-copy, chunked, liger",
     "交叉熵的实现：vocab-parallel、native-fused、te-fused、eager、eage"
     "r-kept、compiled、sharded-eager、sharded-in-place、vocab-parallel"
     "-copy、chunked、liger"},
    {"data type of the products with weights: bf16, fp16, fp32, fp8 or "
     "nvfp4",
     "权重矩阵乘的数据类型：bf16、fp16、fp32、fp8 或 nvfp4"},
    {"data-parallel communication beside the passes: on or off",
     "数据并行通信是否与前向、反向重叠：on 或 off"},
    {"directory of the files, made when it is missing",
     "存放文件的目录，没有则新建"},
    {"dropout masks are kept",
     "保存 dropout 掩码"},
    {"each gradient is used and freed as soon as it is there",
     "每个梯度一算出就用掉并释放"},
    {"each row once more with other options, such as 'dtype=fp8' or 'pi"
     "n=recompute=full optimizer=muon'; with --answer fastest",
     "每一行换其他选项再算一次，例如“dtype=fp8”或“pin=recompute=full op"
     "timizer=muon”；与 --answer fastest 同用"},
    {"begin with one line: the fastest or the cheapest row, by how much, "
     "how sure",
     "第一行回答：最快（fastest）或最便宜（cheapest）的一行、差多少、把握多大"},
    {"energy of the site over that of its computers",
     "机房总能耗与计算设备能耗之比"},
    {"file to write (plan.html)",
     "要写的文件（plan.html）"},
    {"file to write (plan3d.html)",
     "要写的文件（plan3d.html）"},
    {"file to write (step.json)",
     "要写的文件（step.json）"},
    {"find the fewest and the cheapest GPUs that train --tokens in this "
     "time (30d), or as fast as another cluster (512xH100)",
     "找出能在此时间内（30d），或与另一个集群一样快地（512xH100）训练 --tokens "
     "的最少和最便宜的 GPU"},
    {"fit, plan, estimate, explain, advise, sweep, assign, export, import"
     ", report, backtest, shapes, calibrate, validate, list or version: wh"
     "at --json prints; error: what it prints of a failure; cluster, fleet"
     ", jobs, measurements: a file to read; without a name, the names",
     "fit、plan、estimate、explain、advise、sweep、assign、export、import、report、"
     "backtest、shapes、calibrate、validate、list 或 version：--json 输出的内容；error："
     "失败时的输出；cluster、fleet、jobs、measurements：输入文件；不写则列出全部名称"},
    {"path of a file of jobs (- is standard input); 'plan3d schema jobs' "
     "has its keys",
     "任务文件的路径（- 表示标准输入）；键见“plan3d schema jobs”"},
    {"pools in words (32xA800+16xH100), or path of a cluster JSON with po"
     "ols",
     "资源池的写法（32xA800+16xH100），或带 pools 的集群 JSON 的路径"},
    {"end (the last job's, then the cost), mean (of the ends by weight, t"
     "hen the cost) or cost (then the mean end)",
     "end（最后一个任务结束最早，其次费用）、mean（按权重的平均结束时间，其次费用）"
     "或 cost（费用，其次平均结束时间）"},
    {"each job has a whole pool to itself",
     "每个任务独占一整个资源池"},
    {"flash (the framework's kernel on the GPU), one by name (efficient"
     ", flash1, flash2, flash3, flash4, cudnn), or eager",
     "flash（框架在该 GPU 上所用的内核）、某个内核的名字（efficient、fl"
     "ash1、flash2、flash3、flash4、cudnn）或 eager"},
    {"fp8 beside weights in 16 bit, where a framework could keep them i"
     "n fp8 alone",
     "fp8 训练时保留 16 位权重，即使框架可以只保存 fp8 权重"},
    {"framework of the files: megatron, bridge, deepspeed, torchtitan, "
     "accelerate, nanotron, colossalai, lightning, jax or another targe"
     "t of export",
     "文件所属的框架：megatron、bridge、deepspeed、torchtitan、accelera"
     "te、nanotron、colossalai、lightning、jax 或 export 的其他目标"},
    {"from a failure until the checkpoint can be read",
     "从故障发生到可以读取检查点的时间"},
    {"global batch size: sequences per step",
     "全局批大小：每步的序列数"},
    {"gpus: the fewest GPUs of a type that surely fit (with --deadline: "
     "in time); seq, mbs: the longest sequence, the largest micro-batch; "
     "model (with any for MODEL): the largest model of 'plan3d list "
     "models'; tokens: the most that one cluster trains by --deadline, "
     "for --budget",
     "gpus：某型号有把握放得下（有 --deadline 时：按期完成）的最少 GPU 数；seq、mbs：最长的序列、最大的微批次；model（MODEL 写 any）：“plan3d list models”中最大的模型；tokens：一个集群在 --deadline 之前、--budget 之内最多能训练的 token"},
    {"how many plans to print, at most 100",
     "打印多少个方案，最多 100"},
    {"html, or json: what the page shows",
     "html，或 json：页面所含的数据"},
    {"in which a purchase is paid back (4y)",
     "购置费用的分摊时间（4y）"},
    {"its keys with their units and meanings, in Markdown; without a na"
     "me those of all",
     "各个键的单位和含义，Markdown 格式；不写名字则为全部"},
    {"json: the Chrome trace format, which Perfetto opens",
     "json：Chrome trace 格式，可用 Perfetto 打开"},
    {"kernels are launched one at a time (CUDA_LAUNCH_BLOCKING=1): host"
     " and device times add up, and nothing overlaps",
     "内核逐个发射（CUDA_LAUNCH_BLOCKING=1）：主机与设备时间相加，没有"
     "任何重叠"},
    {"language of text, Markdown and pages: en or zh",
     "文本、Markdown 和页面的语言：en 或 zh"},
    {"launch script, configuration or log of the launch, several are re"
     "ad together; or a page of plan3d report; - is standard input",
     "启动脚本、配置或训练日志，多个文件合在一起读；或 plan3d report 的"
     "页面；- 表示标准输入"},
    {"launched without the host: none, layers (but routed experts) or s"
     "tep",
     "CUDA graph 的范围：none、layers（路由专家除外）或 step"},
    {"layers are not compiled, where the framework would",
     "不编译各层（即使框架默认编译）"},
    {"list every row",
     "列出每一行"},
    {"measurements of plan3d-bench, logs of nccl-tests or mamf-finder, or "
     "traces of the PyTorch profiler; several of one machine are fitted "
     "together; with --runs tables or logs of runs",
     "plan3d-bench 的测量结果，nccl-tests、mamf-finder 的日志，或 PyTorch "
     "profiler 的轨迹；同一台机器的多个文件一起拟合；用 --runs 时为运行的表"
     "格或日志"},
    {"megatron, bridge, deepspeed, torchtitan, accelerate, nanotron, co"
     "lossalai, lightning, lightning-ddp, jax, hf-deepspeed, hf-fsdp, l"
     "lama-factory, axolotl, ms-swift, ms-swift-megatron, torchtune, v"
     "erl, flagscale, mindspeed (Ascend) or maxtext (TPU); to serve th"
     "e model: vllm, tensorrt-llm or tgi",
     "megatron、bridge、deepspeed、torchtitan、accelerate、nanotron、co"
     "lossalai、lightning、lightning-ddp、jax、hf-deepspeed、hf-fsdp、l"
     "lama-factory、axolotl、ms-swift、ms-swift-megatron、torchtune、v"
     "erl、flagscale、mindspeed（昇腾）或 maxtext（TPU）；用于推理服务：vllm、te"
     "nsorrt-llm 或 tgi"},
    {"memory to keep free on each GPU (2GiB, 0GiB), instead of --sure",
     "每个 GPU 上要留出的显存（2GiB、0GiB），代替 --sure"},
    {"models, gpus, nodes, fabrics, calibrations or frameworks",
     "models、gpus、nodes、fabrics、calibrations 或 frameworks"},
    {"name of 'plan3d list models' or of Hugging Face (Qwen/Qwen2.5-7B), path "
     "of a config.json (- is standard input), or a size such as 70B",
     "“plan3d list models”或 Hugging Face 上的名字（Qwen/Qwen2.5-7B）、"
     "config.json 的路径（- 表示标准输入），或规模，例如 70B"},
    {"name of 'plan3d list models' or of Hugging Face (Qwen/Qwen2.5-7B), path "
     "of a config.json, or a size such as 70B",
     "“plan3d list models”或 Hugging Face 上的名字（Qwen/Qwen2.5-7B）、"
     "config.json 的路径，或规模，例如 70B"},
    {"name, config.json or size; needed where the files say none",
     "名字、config.json 或规模；文件没有写明模型时必须给出"},
    {"network between nodes, see 'plan3d list fabrics', or what a node "
     "has: '8x400 Gb/s RoCE', '400 Gb/s per GPU'",
     "节点间的网络，见“plan3d list fabrics”，或写明每个节点的网络：'8x4"
     "00 Gb/s RoCE'、'400 Gb/s per GPU'"},
    {"nodes beside those of the job, paid for and waiting",
     "任务之外付费待命的备用节点数"},
    {"nodes that a plan may leave unused",
     "方案可以空着不用的节点数"},
    {"not set",
     "不设置"},
    {"nothing is written",
     "不写文件"},
    {"numbers of GPUs of the types: 8..1024 (doubling), 8..512:8 (with "
     "a step), 64,96",
     "各型号的 GPU 数：8..1024（逐次加倍）、8..512:8（按步长）、64,96"},
    {"of a file of Python with several configurations; FILE:NAME is the same",
     "Python 文件含有多个配置时，取其中哪个函数；也可写作 FILE:NAME"},
    {"of checkpoints, written or read by the whole job (2TB/s)",
     "整个任务读写检查点的速度（2TB/s）"},
    {"of one GPU and its share of all else, between failures that stop "
     "the training",
     "单个 GPU（连同其分摊的其他部件）导致训练中断的平均故障间隔"},
    {"of sensitivity: how often the constants are drawn, 100 to 20000 t"
     "imes",
     "用于 sensitivity：常数抽样的次数，100 到 20000"},
    {"of sensitivity: which draws",
     "用于 sensitivity：抽样的随机种子"},
    {"of the gradients that data-parallel ranks exchange: fp32 or 16bit",
     "数据并行交换的梯度的精度：fp32 或 16bit"},
    {"of the optimizer's moments: fp32, 16bit or 8bit",
     "优化器动量的精度：fp32、16bit 或 8bit"},
    {"of the weights that the optimizer updates: fp32, 16bit, or none ("
     "16-bit weights and moments alone)",
     "优化器所更新的主权重的精度：fp32、16bit 或 none（只有 16 位权重和"
     "动量）"},
    {"one for each processor",
     "每个处理器一个"},
    {"one pipeline rank alone, from 0",
     "只看一个流水线 rank，从 0 起"},
    {"one process a GPU of this node",
     "本节点每 GPU 一个进程"},
    {"only plans with these values, such as tp=8,zero=1",
     "只用取这些值的方案，例如 tp=8,zero=1"},
    {"only rows that no other row beats in GPUs, time, money, energy an"
     "d free memory",
     "只列出在 GPU 数、时间、费用、能耗和剩余显存上不被其他行全面超过的"
     "行（Pareto 前沿）"},
    {"only the rows of this source",
     "只用这个来源的行"},
    {"only these parts of the long text, with commas between: network ("
     "is it the bottleneck?), verdict, others, job, memory, time, chang"
     "es, proof, evidence, assumed, next",
     "只要长文本的这些部分，用逗号分隔：network（网络是不是瓶颈）、verd"
     "ict、others、job、memory、time、changes、proof、evidence、assumed、n"
     "ext"},
    {"only these parts of the long text, with commas between: verdict, "
     "job, memory, time, evidence, assumed, next",
     "只要长文本的这些部分，用逗号分隔：verdict、job、memory、time、evi"
     "dence、assumed、next"},
    {"only these parts of the long text, with commas between: verdict, "
     "others, job, plans, proof, memory, time, evidence, assumed, next",
     "只要长文本的这些部分，用逗号分隔：verdict、others、job、plans、pr"
     "oof、memory、time、evidence、assumed、next"},
    {"parts that are not trained: some of embeddings, attention, mlp, e"
     "xperts, router, norms, head, vision, audio, projector",
     "不训练（冻结）的部分：embeddings、attention、mlp、experts、router"
     "、norms、head、vision、audio、projector 中的若干个"},
    {"pipelines may update the weights late (schedule=2bw or pipedream; "
     "framework generic)",
     "流水线可以延迟更新权重（schedule=2bw 或 pipedream；框架 generic）"},
    {"price of a GPU bought, with its share of all else; with --amortiz"
     "e",
     "购买一个 GPU（连同其分摊的其他部件）的价格；与 --amortize 同用"},
    {"price of a GPU-hour: print cost",
     "每 GPU 小时的价格：打印费用"},
    {"price of a kWh: print cost",
     "每 kWh 的价格：打印费用"},
    {"print one JSON document",
     "输出一个 JSON 文档"},
    {"print the files and write none",
     "打印各个文件而不写入"},
    {"print this help",
     "打印本帮助"},
    {"print what would be run",
     "打印将要运行的命令"},
    {"probability of fitting that a plan must have; 0 = by the estimate"
     " alone",
     "方案放得下的概率至少应为多少；0 = 只看估算值"},
    {"recommended (sure to fit, within --within of the fastest, the sim"
     "plest), fastest (by the estimate), roomiest or cheapest",
     "recommended（有把握放得下、与最快的相差不超过 --within、最简单）"
     "、fastest（按估算最快）、roomiest（最宽裕）或 cheapest（最便宜）"},
    {"replace a file that is there",
     "替换已有的文件"},
    {"replace files that are there, and write plans that do not fit",
     "替换已有的文件，放不下的方案也写"},
    {"replace the file if it is there",
     "文件已存在时替换它"},
    {"replace the file of --write if it is there",
     "--write 的文件已存在时替换它"},
    {"run plan3d-bench",
     "运行 plan3d-bench"},
    {"scales of fp8: delayed, current (one a tensor), blockwise, rowwis"
     "e or mxfp8",
     "fp8 的缩放方式：delayed、current（每张量一个）、blockwise、rowwis"
     "e 或 mxfp8"},
    {"segments of PyTorch's memory: fixed or expandable (PYTORCH_CUDA_A"
     "LLOC_CONF=expandable_segments:True)",
     "PyTorch 显存分配器的 segment：fixed 或 expandable（PYTORCH_CUDA_A"
     "LLOC_CONF=expandable_segments:True）"},
    {"sequences per step, of the whole cluster: 256,512",
     "整个集群每步的序列数：256,512"},
    {"share of the shorter of launches and device time that adds to the"
     " longer (0 = nothing does)",
     "内核发射时间与设备时间中较短者有多大比例加到较长者上（0 = 完全重"
     "叠）"},
    {"show the passes of about so many, half of them at each end of the"
     " step; all are simulated",
     "显示约这么多个微批次，一半在步首，一半在步尾；全部都会模拟"},
    {"slurm on several nodes",
     "多节点时为 slurm"},
    {"standard output",
     "标准输出"},
    {"step time that a simpler or roomier plan may cost over the fastes"
     "t sure one",
     "更简单或更宽裕的方案可以比最快的有把握的方案慢多少"},
    {"the fewest parameters that FSDP1 gathers at once (min_num_params), "
     "such as 100M, or whole: all of the model (no auto_wrap)",
     "FSDP1 一次聚合的最少参数量（min_num_params），如 100M；或 whole：整个模型"
     "（没有 auto_wrap）"},
    {"layer", "层"},
    {"send less between data-parallel ranks: qwz, qgz and hpz=8 (ZeRO++), "
     "onebit (1-bit Adam), powersgd=4 or int8 (DDP)",
     "压缩数据并行的通信：qwz、qgz、hpz=8（ZeRO++），onebit（1-bit Adam），"
     "powersgd=4 或 int8（DDP）"},
    {"attention to some blocks, with DeepSpeed's kernels: fixed, variable, "
     "local, bigbird or bslongformer, and sizes",
     "块稀疏注意力，用 DeepSpeed 的核函数：fixed、variable、local、bigbird 或 "
     "bslongformer，及其大小"},
    {"tensor-parallel ranks share out the inputs that recompute=full keep"
     "s, and gather them again (without sp)",
     "张量并行的各 rank 分摊 recompute=full 保留的输入，反向时再 all-gather"
     "（不与 sp 同用）"},
    {"tensor-parallel communication in pieces beside the products (user"
     " buffers)",
     "张量并行通信分块与矩阵乘重叠（user buffers）"},
    {"text, json, csv, jsonl (the rows of csv, one JSON object a line) "
     "or md (Markdown)",
     "text、json、csv、jsonl（csv 的各行，每行一个 JSON 对象）或 md（Ma"
     "rkdown）"},
    {"text, or json with the files in it",
     "text，或包含各个文件的 json"},
    {"text: also memory and time by terms, all options, assumptions",
     "文本：还包括各项显存和时间、所有选项、假设"},
    {"that gradients are accumulated in: fp32 or 16bit",
     "梯度累加的精度：fp32 或 16bit"},
    {"that of PLAN3D_LANG, or of a question in words, or en",
     "PLAN3D_LANG 的语言，或提问所用的语言，否则 en"},
    {"that of a page of plan3d report",
     "plan3d report 页面中的集群"},
    {"that of each row",
     "各行自己的"},
    {"that of recipes",
     "各配方自己的"},
    {"that of the GPU",
     "该 GPU 的"},
    {"that of the files",
     "各文件自己的"},
    {"that of the node",
     "该节点的"},
    {"that the launch runs on, such as 64xA800; needed with all other f"
     "iles",
     "启动所用的集群，例如 64xA800；其他文件都必须给出"},
    {"measure operations", "测量算子"},
    {"of the PyTorch profiler (trace.json.gz) or of Nsight Systems "
     "(report.sqlite) while the plan trained: where its steps differ from the "
     "prediction; with commas several, each of another rank: which is slow, "
     "and who waits",
     "此方案训练时 PyTorch profiler（trace.json.gz）或 Nsight Systems"
     "（report.sqlite）的轨迹：各步与预测差在哪里；用逗号隔开的几个，各来自一个 "
     "rank：哪个慢，谁在等"},
    {"steps that the trace is of, if it names none",
     "轨迹包含的步数（轨迹没有标出步时）"},
    {"that were made already (gemm.json,nccl.json)",
     "已经测好的文件（gemm.json,nccl.json）"},
    {"the K-th of N parts of the rows, as JSON lines: for many machines"
     ", each with a part",
     "把各行分成 N 份，输出第 K 份，每行一个 JSON：供多台机器分头计算"},
    {"the N-th of the single changes, instead of the recommended plan",
     "写入第 N 项单项改动，而不是推荐的方案"},
    {"the command to explain",
     "要说明的命令"},
    {"the files are of runs of yours: tables (CSV with the columns mode"
     "l, cluster, plan, options, and step_s, tokens_per_s or peak_gib) "
     "or logs of Megatron-LM, NeMo, torchtitan, nanotron, DeepSpeed, th"
     "e Hugging Face Trainer or Lightning",
     "文件是自己的运行：表格（CSV，列为 model、cluster、plan、options，"
     "以及 step_s、tokens_per_s 或 peak_gib），或 Megatron-LM、NeMo、to"
     "rchtitan、nanotron、DeepSpeed、Hugging Face Trainer、Lightning 的日"
     "志"},
    {"the framework's",
     "框架的默认"},
    {"the next one",
     "下一个"},
    {"the one like the measured device",
     "与实测设备对应的 GPU"},
    {"the one that writes such logs",
     "写这种日志的框架"},
    {"the one whose options they are",
     "这些选项所属的框架"},
    {"the only one",
     "唯一的一个"},
    {"the optimizer's",
     "优化器的默认"},
    {"the other plan of --compare",
     "与 --compare 对照的另一个方案"},
    {"the page of this command",
     "这个命令的手册页"},
    {"the plan, such as tp=8,pp=2,mbs=1,zero=1,recompute=full:4; what i"
     "s left out is derived or 1",
     "方案，例如 tp=8,pp=2,mbs=1,zero=1,recompute=full:4；没写的值由其"
     "他值推出，或为 1"},
    {"the plan, such as tp=8,pp=2,recompute=full:4",
     "方案，例如 tp=8,pp=2,recompute=full:4"},
    {"the plan, such as tp=8,pp=2,sp, or best: the recommended one and "
     "that the target can run",
     "方案，例如 tp=8,pp=2,sp，或 best：推荐的、目标框架能运行的方案"},
    {"the recipe with scales for blocks that the GPU has: mxfp8, or blo"
     "ckwise",
     "该 GPU 支持的分块缩放方式：mxfp8 或 blockwise"},
    {"those of each GPU",
     "各 GPU 自己的常数"},
    {"threads that search beside each other; the answer is the same for"
     " any number",
     "并行搜索的线程数；无论多少，答案都相同"},
    {"time of the host to launch a kernel, over that of a usual x86 ser"
     "ver",
     "主机发射一个内核的时间与普通 x86 服务器之比"},
    {"time, memory, rank (needs --sets) or all",
     "time、memory、rank（需要 --sets）或 all"},
    {"token dispatcher of the experts: alltoall or allgather (NCCL), 2d"
     "h (in two steps, framework generic), deepep or hybridep (each tok"
     "en over a link once)",
     "专家的 token 分发方式：alltoall 或 allgather（NCCL），2dh（分两步，"
     "框架 generic），deepep 或 hybridep（每个 token 在一条链路上只传一次）"},
    {"tokens of the busiest rank's experts over the mean, or the capaci"
     "ty factor",
     "最忙的 rank 上专家的 token 数与平均值之比，或容量因子"},
    {"tokens of the whole training (2T): print days, energy and cost",
     "整个训练的 token 数（2T）：打印天数、能耗和费用"},
    {"tokens per sequence: 4096,8192 or 4K..128K",
     "每个序列的 token 数：4096,8192 或 4K..128K"},
    {"tokens per sequence; 32K is 32768",
     "每个序列的 token 数；32K 即 32768"},
    {"tokens travel beside the computation of another micro-batch",
     "token 的传输与另一个微批次的计算重叠"},
    {"torchrun, slurm, mpirun or deepspeed",
     "torchrun、slurm、mpirun 或 deepspeed"},
    {"train adapters of this rank beside frozen weights: r=16, with tar"
     "gets=q+v (all-linear), base=nf4 (QLoRA, also 8bit), dora, dropout"
     "=0.05, train=head (parts that are trained in full)",
     "冻结权重，只训练此秩的适配器：r=16，可加 targets=q+v（all-linear"
     "）、base=nf4（QLoRA，也可用 8bit）、dora、dropout=0.05、train=hea"
     "d（全量训练的部分）"},
    {"training framework, see 'plan3d list frameworks'; any: the one wh"
     "ose best plan is the fastest",
     "训练框架，见“plan3d list frameworks”；any：最优方案最快的那个框架"},
    {"training frameworks: megatron-core,fsdp2; any: the best for each "
     "row",
     "训练框架：megatron-core,fsdp2；any：每行各取最好的"},
    {"until a node that failed is back: print spare nodes (3d)",
     "故障节点修复所需的时间：打印备用节点数（3d）"},
    {"variable that a script has from outside, or option that the files"
     " leave out, several with commas",
     "脚本从外部得到的变量，或文件没写的选项，多个用逗号分隔"},
    {"what --sure takes",
     "--sure 所要求的"},
    {"what may be off, of a time",
     "时间允许的偏差"},
    {"what starts plan3d-bench on every GPU, in the words of a shell th"
     "at expands nothing ('srun -N8 --ntasks-per-node=8')",
     "在每个 GPU 上启动 plan3d-bench 的命令，按 shell 分词但不做任何展"
     "开（'srun -N8 --ntasks-per-node=8'）"},
    {"where the search for a deadline or for the fewest GPUs ends",
     "按期限或求最少 GPU 时搜索到多少个 GPU 为止"},
    {"where the walk starts, such as tp=8,pp=2; without it: TP over a n"
     "ode, ZeRO-1, all recomputed",
     "贪心搜索的起点，例如 tp=8,pp=2；不写则为：TP 占满一个节点、ZeRO-1"
     "、全部重计算"},
    {"why: why not these values, such as tp=4,zero=3",
     "用于 why：为什么不取这些值，例如 tp=4,zero=3"},
    {"with --repair, those with the fewest node hours",
     "用 --repair 时，节点小时数最少的备用节点数"},
    {"with --runs and --plan: whose profile predicts a log",
     "用 --runs 和 --plan 时：按哪个框架的特性预测日志"},
    {"with --runs: constants that the runs are held against",
     "用 --runs 时：与各次运行对照的常数"},
    {"with --runs: global batch size of a log",
     "用 --runs 时：日志的全局批大小"},
    {"with --runs: that a log is from, such as 64xA800",
     "用 --runs 时：日志所用的集群，例如 64xA800"},
    {"with --runs: that a log is of",
     "用 --runs 时：日志所训练的模型"},
    {"with --runs: the plan that a log is of, such as tp=8,pp=2",
     "用 --runs 时：日志所用的方案，例如 tp=8,pp=2"},
    {"with --runs: tokens per sequence of a log",
     "用 --runs 时：日志中每个序列的 token 数"},
    {"with --runs: what a log leaves out, several with commas",
     "用 --runs 时：日志没写的选项，多个用逗号分隔"},
    {"write the calibration there, for --calibration FILE",
     "把常数写到该文件，供 --calibration FILE 使用"},
    {"write the constants that were fitted there, for --calibration",
     "把拟合出的常数写到该文件，供 --calibration 使用"},
    {"write the file with the recommended plan in it to FILE, or to sta"
     "ndard output (-); DIR/ takes several files: only lines that say t"
     "he plan are changed",
     "把写有推荐方案的文件写到 FILE，或标准输出（-）；DIR/ 可写多个文件"
     "：只改动说明方案的行"},
    {"steps from one collection of Python's garbage to the next (manual_gc_inte"
     "rval of Megatron)",
     "每隔多少步做一次 Python 垃圾回收（Megatron 的 manual_gc_interval）"},
    {"0: none",
     "0：不做"},
    {"images, or clips of sound, in each sequence",
     "每个序列中的图像数（或音频段数）"},
    {"1 where the model has a tower",
     "模型有编码塔时为 1"},
    {"tokens that one image becomes",
     "一张图像对应的 token 数"},
    {"those of the model's file; 1,024 where an image may have any size",
     "按模型文件；图像大小任意时为 1,024"},
    {"preference training: of pairs of sequences, self (DPO: the model as it wa"
     "s runs forward in each step), precomputed or pairs (no reference); of sin"
     "gle ones, kto",
     "偏好训练：成对序列用 self（DPO：每步用训练前的模型做一次前向）、"
     "precomputed（预先算好）或 pairs（无参考模型）；单条序列用 kto"},
    {"tokens of the texts in sequences: mean and standard deviation (700,450), "
     "or a file with a length on each line",
     "序列中各文本的 token 数：均值与标准差（700,450），或每行一个长度的文件"},
    {"each sequence is one text",
     "每个序列是一个文本"},
    {"with --lengths: packed (several texts in a sequence) or padded (one in e"
     "ach)",
     "用 --lengths 时：packed（多个文本拼入一个序列）或 padded（每个序列一个"
     "）"},
    {"packed", NULL},
    {"distillation: a frozen model whose logits are learned from, said as MODEL"
     " is",
     "蒸馏：冻结的教师模型，学生学习其 logits，写法同 MODEL"},
    {"layers of the tower run again in their backward pass: on or off",
     "编码塔各层在反向时重计算：on 或 off"},
    {"off with Megatron, else on",
     "Megatron 为 off，其他为 on"},
    {"whether --tokens can be trained for this money (1M), at --price",
     "按 --price 的单价，这笔钱（1M）够不够训练 --tokens"},
    {"memory (the default): the tensors with their shapes, why they are "
     "kept and where that was read; why: the best plan with each other v"
     "alue, and its price; sensitivity: how sure the choice is when the "
     "constants may be wrong; evidence: the measured runs that are neare"
     "st to the plan; error: the terms that the error of its step comes "
     "from, and what to measure; network: the links that are tight for t"
     "he plan, and what others would give",
     "memory（默认）：各张量的形状、保留的原因和依据；why：每个值换成别"
     "的值时的最优方案及其代价；sensitivity：常数可能有误时，这一选择有"
     "多可靠；evidence：与方案最接近的实测运行；error：步时误差来自哪些"
     "项，以及该测量什么；network：对该方案吃紧的链路，以及换成别的网络"
     "会怎样"},
    {"memory, sensitivity, evidence, error, network: the plan, such as t"
     "p=8,pp=2,recompute=full:4",
     "memory、sensitivity、evidence、error、network：所解释的方案，例如 "
     "tp=8,pp=2,recompute=full:4"},
    {"of a leaf switch: rate of the links to its nodes over that of its "
     "links up",
     "leaf 交换机的收敛比：下行到节点的链路速率与上行链路速率之比"},
    {"of a leaf switch: rate of the links to its nodes over that of its "
     "links up; several (1,2,4): a row with each",
     "leaf 交换机的收敛比：下行到节点的链路速率与上行链路速率之比；可写"
     "多个（1,2,4），每个一行"},
    {"nodes below a leaf switch",
     "一台 leaf 交换机下的节点数"},
    {"16; of a cluster file, its own",
     "16；集群文件中有则用其值"},
    {"switches above the nodes: Slurm's topology.conf (with --oversubscr"
     "iption) or the output of ibnetdiscover; or the cards of a node: NC"
     "CL_TOPO_DUMP_FILE; of several pools POOL=FILE,POOL=FILE",
     "节点之上的交换机：Slurm 的 topology.conf（同时写 --oversubscriptio"
     "n）或 ibnetdiscover 的输出；或一个节点的网卡：NCCL_TOPO_DUMP_FILE；"
     "多个资源池时写 POOL=FILE,POOL=FILE"},
    {"of switches: adaptive, or ecmp (a hash of each flow chooses its li"
     "nk up)",
     "交换机的路由：adaptive，或 ecmp（按流的哈希选择上行链路）"},
    {"nodes of a job: contiguous (neighbours below the same switch) or r"
     "andom",
     "任务的节点：contiguous（相邻的在同一交换机下）或 random"},
    {"hosts of the job in the order of ranks, with --topology FILE that h"
     "as them: a hostfile, or words such as node[01-16]",
     "按 rank 顺序的任务主机，与含有它们的 --topology FILE 同用：hostfile，"
     "或 node[01-16] 这样的写法"},
    {"yes: the leaf switches have one card of each node, and so more node"
     "s below; the links of a node forward to others; or no",
     "yes：每台叶交换机接每个节点的一块网卡，因此下面的节点更多；到其他网卡"
     "由节点内链路转发；或 no"},
    {"yes: the leaf switches have one card of each node, and so more node"
     "s below; the links of a node forward to others; both (no,yes): a row"
     " with each",
     "yes：每台叶交换机接每个节点的一块网卡，因此下面的节点更多；到其他网卡"
     "由节点内链路转发；两者 (no,yes)：各一行"},
    {"no; of a cluster file, its own",
     "no；集群文件中有则用其值"},
    {"mean time between the times that the whole cluster is taken away (s"
     "pot)",
     "整个集群被收回的平均间隔（可抢占实例）"},
    {"with --preempted: until it is back",
     "配合 --preempted：多久后恢复"},
    {"it is back at once", "立即恢复"},
    {"with --preempted: of that, before; saves all work where it is long "
     "enough (2min)",
     "配合 --preempted：提前多久通知；足够长时可保存全部工作（2min）"},
    {NULL, NULL}};
/* clang-format on */
