/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_words.c - the table of words, and how they are found. A row is a meaning
 * with its words in both languages. */
#include "cli/ask_words.h"

#include <ctype.h>
#include <string.h>

/* Words stand between bars; a blank in one is anything that separates. */
typedef struct meaning {
    ask_kind kind;
    double value;
    const char *text;
    const char *words;
} meaning;

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

/* clang-format off */
static const meaning meanings[] = {
    /* Things that are counted. */
    {ASK_CARD, 0, NULL, "gpu|card|graphics card|accelerator|device|显卡|"
        "加速卡|张卡|块卡|张|卡|块|片|颗"},
    {ASK_CARD, ASK_OF_THEM, NULL, "of them|of these|of those"},
    {ASK_HOST, 0, NULL, "node|server|machine|instance|vm|vms|host|box|boxes|dgx|hgx|台机器|实例|"
        "台服务器|台|节点|结点|机器|服务器|机"},
    {ASK_EACH, 0, NULL, "each|per node|per server|per machine|a node|"
        "in each node|每个节点|每节点|每台|每机|各"
        "|各用"},
    {ASK_TIMES, 0, NULL, "x|*|乘"},
    {ASK_TOKENS, 0, NULL, "token|tokens|tok|training tokens|词元|数据|数据量|训练数据|语料"},
    {ASK_PARAMETERS, 0, NULL, "parameter|parameters|params|param|model|models|"
        "参数量|参数|模型|大模型"},
    {ASK_TIME, 1, NULL, "second|sec|s|秒|秒钟"},
    {ASK_TIME, MINUTE_S, NULL, "minute|min|分钟"},
    {ASK_TIME, HOUR_S, NULL, "hour|hr|h|小时|钟头"},
    {ASK_TIME, DAY_S, NULL, "day|d|天|日"},
    {ASK_TIME, 7.0 * DAY_S, NULL, "week|wk|周|星期|礼拜"},
    {ASK_TIME, 30.0 * DAY_S, NULL, "month|mo|月"},
    {ASK_TIME, 365.0 * DAY_S, NULL, "year|yr|y|年"},
    {ASK_GPU_HOUR, 0, NULL, "gpu hour|gpu hr|gpu h|card hour|卡时|卡小时|"
        "gpu时|gpu小时|机时"},
    {ASK_DOLLAR, 0, NULL, "$|usd|dollar|buck|us dollar|美元|美金|刀"},
    {ASK_BUDGET, 0, NULL, "budget|预算|经费"},
    {ASK_PER, 0, NULL, "/|per|每|@"},
    {ASK_WHOLE, 0, NULL, "for the whole cluster|for the entire cluster|"
        "for the cluster|per cluster|for the whole thing|for all of them|"
        "in total|altogether|整个集群|总共|一共|合计"},
    {ASK_PERCENT, 0, NULL, "%|percent"},
    {ASK_SURE, 0, NULL, "sure|certainty|confidence|probability|certain|把握|"
        "概率|置信度|可靠"},
    {ASK_OVERSUBSCRIBED, 0, NULL, "oversubscribed|oversubscription|"
        "oversubscription ratio|oversubscription of|收敛比|收敛比为|收敛"},
    {ASK_WAY, 0, NULL, "way|路"},
    {ASK_OR, 0, NULL, ",|and|和|与|跟|及"},
    {ASK_VERSUS, 0, NULL, "or|或|或者|或是"},
    {ASK_VERSUS, ASK_WANTS_PAIR, NULL, "vs|versus|against|instead of|"
        "rather than|compared to|compared with|还是|而不是|变成|变为|改成|改为|"
        "换成|提高到|增加到|增大到"},
    {ASK_TO, 0, NULL, "~|..|to|through|up to|到|至"},
    {ASK_EPOCH, 0, NULL, "epoch|epochs of|epochs on|pass over|passes over|"
        "轮|个epoch|遍"},
    {ASK_SAMPLE, 0, NULL, "sample|training sample|example|training example|"
        "conversation|dialogue|document|image text pair|样本|条样本|条数据|"
        "条对话|篇文档"},
    {ASK_KWH, 0, NULL, "kwh|kilowatt hour|度电|千瓦时"},
    {ASK_BEYOND, 0, "write the days that are left, such as 'in 120 days'",
        "january|february|march|april|june|july|august|september|october|"
        "november|december"},
    {ASK_BEYOND, 0, "the memory of a host stands in the file of a cluster, see "
        "'plan3d schema cluster'", "ram|host memory|system memory"},
    {ASK_BEYOND, 0, "leave it out for cards that never have it; others without "
        "it have a name of their own, such as A100-PCIe-80GB",
        "without nvlink|no nvlink"},
    {ASK_ARTICLE, 0, NULL, "a|an|single|单|整|一个|一种|某个"},
    {ASK_MOST, 0, NULL, "max|maximum|maximal|largest|biggest|longest|most|"
        "最大|最长"},
    {ASK_TWICE, 0, NULL, "double|doubling|doubled|twice|twice as much|"
        "twice as many|two times|翻倍|翻一倍|翻番|加倍|两倍|增加一倍|提高一倍"},
    {ASK_HOW_MANY, 0, NULL, "how many|how much|number of|minimum number of|"
        "smallest number of|minimum|fewest|smallest|多少个|多少|几个|几|"
        "最少|至少|最小"},
    {ASK_MEMORY, 0, NULL, "gb|gib"},
    {ASK_RATE, 0, NULL, "g|gbit|gb/s|gbps|gbit/s|gigabit"},

    /* Settings with a number. */
    {ASK_LENGTH, 0, "seq", "sequence length|sequence|seq length|seq len|"
        "seqlen|seq|context length|context window|context|ctx|max length|"
        "序列长度|序列长|序列|上下文长度|上下文窗口|上下文|文本长度"},
    {ASK_LENGTH, 0, "batch", "global batch size|global batch|batch size|"
        "batch|bs|gbs|全局批大小|全局批次大小|全局批次|批大小|批量大小|批量|"
        "批次大小|批次|全局batch size|全局batch"},
    {ASK_STEP_TOKENS, 0, "batch", "tokens per step|token per step|"
        "tokens a step|tokens each step|tokens/step|tokens per iteration|"
        "tokens per optimizer step|tokens per update|token 每步|token每步"},
    {ASK_SETTING, 0, "top", "top|前|best of"},
    {ASK_SETTING, 0, "tp", "tp|tensor parallel|tensor parallelism|"
        "tensor parallel size|tensor model parallel size|tp size|张量并行度|张量并行"},
    {ASK_SETTING, 0, "pp", "pp|pipeline parallel|pipeline parallelism|"
        "pipeline parallel size|pipeline model parallel size|pp size|"
        "pipeline stages|流水线并行度|流水线并行|"
        "流水并行"},
    {ASK_SETTING, 0, "dp", "dp|data parallel|data parallelism|数据并行度|"
        "数据并行"},
    {ASK_SETTING, 0, "cp", "cp|context parallel|context parallelism|"
        "context parallel size|cp size|"
        "上下文并行度|上下文并行"},
    {ASK_SETTING, 0, "ep", "ep|expert parallel|expert parallelism|"
        "expert model parallel size|expert parallel size|ep size|"
        "专家并行度|专家并行"},
    {ASK_SETTING, 0, "vp", "vp|vpp|virtual pipeline|虚拟流水线"},
    {ASK_SETTING, 0, "mbs", "mbs|micro batch size|micro batch|"
        "微批次大小|微批大小|微批次|微批"},
    {ASK_SETTING, 0, "zero", "zero stage|zero|stage zero"},
    {ASK_SETTING, 0, "lora", "r|rank|秩"},

    /* Settings without one. */
    {ASK_FLAG, 0, "--dtype bf16", "bf16|bfloat16"},
    {ASK_FLAG, 0, "--dtype fp16", "fp16|float16"},
    {ASK_FLAG, 0, "--dtype fp32", "fp32|float32|single precision|单精度"},
    {ASK_FLAG, 0, "--dtype fp8", "fp8|float8"},
    {ASK_FLAG, 0, "--dtype nvfp4", "nvfp4"},
    {ASK_FLAG, 0, "--optimizer adam", "adam|adamw"},
    {ASK_FLAG, 0, "--optimizer sgd", "sgd"},
    {ASK_FLAG, 0, "--optimizer adam-8bit", "8 bit adam|8 bit adamw|adam 8bit|"
        "adamw 8bit|8位adam|8位adamw|8比特adam"},
    {ASK_FLAG, 0, "--optimizer adafactor", "adafactor"},
    {ASK_FLAG, 0, "--optimizer lion", "lion"},
    {ASK_FLAG, 0, "--optimizer muon", "muon"},
    {ASK_FLAG, 0, "--lora r=16", "lora|peft|lora fine tuning|lora finetuning|"
        "lora微调|lora训练|低秩微调"},
    {ASK_FLAG, 0, "--lora r=16,base=nf4", "qlora|4 bit qlora|qlora微调|"
        "qlora训练"},
    {ASK_FLAG, 0, "--lora r=16,dora", "dora|dora微调"},
    {ASK_FLAG, 0, "--reference kto", "kto|kto training|kto训练|kto微调"},
    {ASK_FLAG, 0, "--reference self", "dpo|dpo training|preference training|"
        "preference tuning|preference optimization|dpo训练|dpo微调|偏好训练|"
        "偏好优化"},
    {ASK_FLAG, 0, "--compress qwz,qgz,hpz=8", "zero++|zeropp|zero plus plus"},
    {ASK_FLAG, 0, "--compress onebit", "1 bit adam|one bit adam|onebit adam|"
        "1bit adam|1比特adam|1位adam"},
    {ASK_FLAG, 0, "--compress powersgd=4", "powersgd|power sgd"},
    {ASK_FLAG, 0, "--compress int8", "8 bit gradients|int8 gradients|"
        "8 bit reduction|8位梯度|8比特梯度"},
    {ASK_FLAG, 0, "--sparse-attention fixed", "block sparse attention|"
        "blocksparse attention|deepspeed sparse attention|块稀疏注意力"},
    {ASK_FLAG, 0, "--sparse-attention bigbird", "bigbird attention"},
    {ASK_FLAG, 0, "--framework ddp", "horovod"},
    {ASK_FLAG, 0, "schedule=dualpipe-v", "dualpipe|dualpipev|dualpipe v|"
        "dual pipe"},
    {ASK_FLAG, 0, "--dispatcher 2dh", "2dh|2dh all to all|tutel|"
        "tutel all to all"},
    {ASK_FLAG, 0, "--dispatcher deepep", "two step all to all|"
        "two level all to all|hierarchical all to all|"
        "两步all to all|两级all to all|分层all to all"},
    {ASK_FLAG, 0, "--attention flash", "flash attention|flash attn"},
    {ASK_FLAG, 0, "--attention flash1", "flash attention 1|flash1|fa1"},
    {ASK_FLAG, 0, "--attention flash2", "flash attention 2|flash attn 2|"
        "flash attention v2|flash2|fa2"},
    {ASK_FLAG, 0, "--attention flash3", "flash attention 3|flash attn 3|"
        "flash attention v3|flash3|fa3"},
    {ASK_FLAG, 0, "--attention flash4", "flash attention 4|flash4|fa4"},
    {ASK_FLAG, 0, "--attention eager", "eager attention"},
    {ASK_FLAG, 0, "recompute=full:all", "full recomputation|full recompute|"
        "recompute|recomputing|recomputation|activation recomputation|"
        "activation checkpointing|"
        "gradient checkpointing|全量重计算|完全重计算|全重计算|重计算|重算|"
        "激活重计算|激活检查点|梯度检查点"},
    {ASK_FLAG, 0, "recompute=none", "no recomputation|no recompute|"
        "without recomputation|without activation checkpointing|"
        "without gradient checkpointing|no gradient checkpointing|"
        "no activation checkpointing|without checkpointing|recomputation off|"
        "recompute off|activation checkpointing off|"
        "gradient checkpointing off|turn off recomputation|"
        "turn off activation recomputation|turn off activation checkpointing|"
        "turn off gradient checkpointing|turning off recomputation|"
        "turning off activation checkpointing|switch off recomputation|"
        "disable recomputation|disable activation recomputation|"
        "disable activation checkpointing|disable gradient checkpointing|不重计算|"
        "不开重计算|不用重计算|关掉重计算|关闭重计算"},
    {ASK_FLAG, 0, "offload=optimizer", "optimizer offload|offload optimizer|"
        "optimizer offloading|cpu offload|offload|offloading|optimizer on cpu|"
        "优化器卸载到cpu|优化器卸载到内存|优化器卸载|cpu卸载|卸载"},
    {ASK_FLAG, 0, "offload=none", "no offload|without offload|"
        "without offloading|不卸载|不用卸载"},
    {ASK_FLAG, 0, "tp=1", "no tensor parallelism|no tensor parallel|no tp|"
        "without tensor parallelism|without tensor parallel|without tp|"
        "不用张量并行|不开张量并行|关掉张量并行|去掉张量并行|不用tp|不开tp"},
    {ASK_FLAG, 0, "pp=1", "no pipeline parallelism|no pipeline parallel|no pp|"
        "without pipeline parallelism|without pipeline parallel|without pp|"
        "without a pipeline|no pipeline|不用流水线并行|不开流水线并行|不用流水线|"
        "关掉流水线并行|去掉流水线并行|不用pp|不开pp"},
    {ASK_FLAG, 0, "cp=1", "no context parallelism|without context parallelism|"
        "no cp|without cp|不用上下文并行|不开上下文并行|不用cp|不开cp"},
    {ASK_FLAG, 0, "zero=0", "no zero|without zero|不用zero|不开zero|关掉zero"},
    {ASK_FLAG, 0, "tp=1,pp=1,cp=1", "only data parallelism|"
        "data parallelism only|data parallel only|only data parallel|"
        "pure data parallelism|just data parallelism|只用数据并行|仅用数据并行|"
        "纯数据并行|只开数据并行"},
    {ASK_FLAG, 0, "dp=1,pp=1,cp=1", "only tensor parallelism|"
        "tensor parallelism only|tensor parallel only|pure tensor parallelism|"
        "只用张量并行|仅用张量并行|纯张量并行"},
    {ASK_FLAG, 0, "sp", "sequence parallelism|sequence parallel|序列并行"},
    {ASK_FLAG, 0, "nosp", "no sequence parallelism|no sequence parallel|"
        "without sequence parallelism|without sequence parallel|"
        "不用序列并行|不开序列并行|关掉序列并行|关闭序列并行|去掉序列并行"},

    /* Networks: with a rate they are one of `plan3d list fabrics`. */
    {ASK_NETWORK, 0, "ib", "infiniband|ib|ib网络|无限带宽"},
    {ASK_NETWORK, 0, "roce", "roce|roce v2|rocev2"},
    {ASK_NETWORK, 0, "ethernet", "ethernet|gbe|gbe ethernet|以太网|以太"},
    {ASK_NETWORK, 0, "efa", "efa"},
    {ASK_NETWORK, 0, "slingshot", "slingshot"},
    {ASK_NETWORK, 0, "", "network|networking|interconnect|fabric|网络|互联网络"},
    {ASK_FLAG, 0, "--fabric ethernet-100", "without infiniband|without ib|"
        "no infiniband|没有infiniband|没有ib|不用infiniband|不用ib"},
    {ASK_FLAG, ASK_WANTS_PAIR | ASK_WANTS_BETTER, "--fabric ethernet-100",
        "need infiniband|need ib|require infiniband|infiniband needed|"
        "infiniband necessary|infiniband required|is ethernet enough|"
        "ethernet good enough|need an infiniband network|"
        "需要infiniband|需要ib|需要ib网络|必须用infiniband|必须用ib|"
        "一定要infiniband|一定要ib|以太网够不够|以太网够"},
    {ASK_FABRIC, 0, "tcpxo-200", "tcpxo|tcpx|gpudirect tcpxo|gpudirect tcpx"},
    {ASK_FABRIC, 0, "ib-ndr-400", "ndr|ndr infiniband|ib ndr"},
    {ASK_FABRIC, 0, "ib-hdr-200", "hdr|hdr infiniband|ib hdr"},
    {ASK_FABRIC, 0, "ib-edr-100", "edr|edr infiniband|ib edr"},
    {ASK_FABRIC, 0, "ib-xdr-800", "xdr|xdr infiniband|ib xdr"},

    /* What is wanted. */
    {ASK_PLAN, 0, NULL, "plan|plans|setup|layout|"
        "strategy|strategies|parallelism|parallelize|parallel|parallelization|"
        "split|方案|策略|并行|怎么切分|如何切分|切分|切|怎么配|怎么设|怎么设置|如何设置|怎么切|怎么分|配一下|配"},
    {ASK_CONFIG, ASK_WANTS_CONFIG, NULL, "configuration|config|settings|配置"},
    {ASK_INTENT, ASK_WANTS_LENGTH, NULL, "how long|how much time|long|time|eta|"
        "training time|duration|多久|多长时间|多长|花几天|花几个月|花多久|花多长时间|"
        "花多少天|花多少时间|时间|时长|周期|"
        "训练时间|训练周期|耗时|energy|how much energy|electricity|"
        "how much electricity|mwh|power|energy consumption|power consumption|"
        "energy usage|energy use|electricity consumption|power usage|"
        "power draw|耗电|电量|能耗|"
        "用电"},
    {ASK_INTENT, ASK_WANTS_STEP, NULL, "one step|a step|per step|each step|"
        "step|step time|iteration|per iteration|how fast|fast|speed|"
        "throughput|mfu|tokens per second|tokens/s|token/s|tok/s|tps|tgs|"
        "one iteration|an iteration|each iteration|一个迭代|每个迭代|每次迭代|"
        "迭代|一步|每步|单步|步时间|每秒多少token|每秒多少个token|每秒|速度|吞吐量|"
        "吞吐率|吞吐|多快|快不快|慢不慢|利用率"},
    {ASK_INTENT, ASK_WANTS_SLOW, NULL, "slow|slowly|slow down|慢"},
    {ASK_INTENT, ASK_WANTS_TIME, NULL, "bottleneck|bottlenecks|so slow|"
        "too slow|this slow|that slow|limits the speed|limits speed|"
        "limits the throughput|limits the performance|limits performance|"
        "limiting factor|limited by|slows it down|the time go|the time goes|"
        "time go|time goes|takes the time|takes most of the time|"
        "takes most time|takes the most time|time breakdown|time spent|"
        "瓶颈|这么慢|那么慢|太慢|怎么这么慢|卡在哪里|卡在哪|卡在|"
        "时间都花在|时间花在|时间都去|时间去|时间都用在|时间用在|耗时分布|"
        "时间构成|时间分布|拖慢"},
    {ASK_INTENT, ASK_WANTS_CHANGE | ASK_WANTS_PAIR, NULL, "how much faster|"
        "how much slower|how much quicker|how much better|how much worse|"
        "how many times faster|how many times slower|slower with|faster with|"
        "how much of a slowdown|how much of a speedup|slowdown|"
        "快多少|慢多少|快几倍|慢几倍|能快多少|会慢多少|会快多少|要慢多少|"
        "快不少|慢不少|提速多少|加速多少|提升多少|能提升多少|能提速多少|"
        "影响多大|影响有多大|有多大影响|有多少影响"},
    {ASK_INTENT, ASK_WANTS_PENALTY | ASK_WANTS_PAIR, NULL, "overhead|penalty|"
        "代价|额外开销|性能损失"},
    {ASK_INTENT, ASK_WANTS_PAIR | ASK_WANTS_BETTER, NULL, "should i use|"
        "should we use|should i turn on|should we turn on|should i enable|"
        "should we enable|要不要用|要不要开|要不要|开不开|用不用|需不需要"},
    {ASK_INTENT, ASK_WANTS_PAIR | ASK_WANTS_BETTER, NULL, "worth|worth it|"
        "worthwhile|does it help|would it help|will it help|does it pay off|"
        "pay off|pays off|make sense|makes sense|beneficial|值得|值不值得|"
        "值不值|有没有用|有帮助"},
    {ASK_INTENT, ASK_WANTS_PAIR | ASK_WANTS_BETTER, NULL, "matter|matters|"
        "hurt|hurts|make a difference|makes a difference|be a problem|"
        "twice as fast as|要紧|有影响|影响"},
    {ASK_INTENT, ASK_WANTS_PAIR | ASK_WANTS_BETTER, NULL, "faster|slower|"
        "quicker|better|worse|help|helps|speed up from|speedup from|speedup|"
        "gain from|gain of|benefit from|benefit of|更快|更慢|更好|提速|加速|收益"},
    {ASK_INTENT, ASK_WANTS_PAIR | ASK_WANTS_COMPARISON, NULL, "compare|"
        "compares|compared|comparison|comparing|difference|differences|"
        "差多少|差几倍|差距|区别|差别|对比一下|对比|比较一下|比较|相比"},
    {ASK_INTENT, ASK_WANTS_PAIR, NULL, "哪个更|哪个|哪种"},
    {ASK_INTENT, ASK_WANTS_SENSITIVITY, NULL, "sensitivity|"
        "sensitivity analysis|敏感性|敏感性分析|敏感度|灵敏度"},
    {ASK_INTENT, ASK_WANTS_EVIDENCE, NULL, "evidence|measured runs|"
        "measured run|published runs|实测|实测数据|证据"},
    {ASK_INTENT, ASK_WANTS_ERROR, NULL, "how accurate|accuracy|accurate|"
        "error|uncertainty|误差|准不准|有多准|准确吗|准确度"},
    {ASK_INTENT, ASK_WANTS_LONGEST, NULL, "how long a sequence|"
        "how long a context|what sequence length can|what context length can|"
        "what seq length can|what sequence length could|"
        "which sequence length can|what sequence length fits|"
        "what context length fits|how long sequences|how much context|"
        "how many tokens of context|多长的序列|多长序列|多长的上下文|"
        "多长上下文|多大的上下文|多大上下文"},
    {ASK_INTENT, ASK_WANTS_MOST, NULL, "how big a batch|how large a batch|"
        "what batch size fits|what batch fits|what batch size can|"
        "which batch size fits|what batch size will fit|多大batch能放下|"
        "多大的batch size|多大的batch|多大batch|多大的批|多大的微批"},
    {ASK_INTENT, ASK_WANTS_LARGEST, NULL, "how big a model|how large a model|"
        "how big of a model|how large of a model|what size model|"
        "what size of model|what model size|what size of a model|"
        "多大的模型|多大模型|多大规模的模型|多少参数的模型|多大参数的模型|"
        "多少b的模型|多少b模型|多少b"},
    {ASK_INTENT, ASK_WANTS_COST, NULL, "cost|costs|pay|paid|price|"
        "afford|affordable|"
        "how much money|"
        "money|"
        "expensive|how expensive|多少钱|成本|总成本|总费用|总共多少钱|费用|花费|花|贵不贵|贵|总价|价钱|"
        "开销|单价|价格"},
    {ASK_INTENT, ASK_WANTS_CHEAPEST, NULL, "cheaper|cheapest|cheap|"
        "less expensive|便宜|更便宜|最便宜|划算|省钱|更省钱|最省钱"},
    {ASK_INTENT, ASK_WANTS_COUNT, NULL, "how big a cluster|how large a cluster|"
        "what size cluster|what size of cluster|what hardware|hardware|"
        "min gpus|多大的集群|多大集群|多大规模的集群|什么硬件|哪些硬件"},
    {ASK_INTENT, ASK_WANTS_PLAN, NULL, "suit|suits|suitable|适合|合适|"
        "best|optimal|suggest|recommend|"
        "recommended|"
        "ideal|how should|how do i|最佳|最优|最好|推荐|建议|应该怎么"},
    {ASK_INTENT, ASK_WANTS_FASTEST, NULL, "fastest|quickest|最快"},
    {ASK_INTENT, ASK_WANTS_MEMORY, NULL, "memory breakdown|breakdown|"
        "optimizer states|optimizer state|optimizer memory|"
        "memory for the optimizer|memory of the optimizer|activation memory|"
        "memory for activations|memory for gradients|优化器状态|"
        "takes the memory|takes memory|uses the memory|uses memory|"
        "fills the memory|memory go|memory goes|memory used for|"
        "takes up memory|takes up the memory|显存构成|内存构成|显存明细|"
        "显存分布|显存组成|显存都用在|显存用在|显存花在|显存都花在|"
        "显存都去|显存去"},
    {ASK_INTENT, ASK_WANTS_WHY, NULL, "why|为什么|为何|为啥"},
    {ASK_INTENT, ASK_WANTS_WHY_NOT, NULL, "why not|为什么不用|为什么不|为何不用|"
        "为何不|为啥不用|为啥不"},
    {ASK_INTENT, ASK_WANTS_WHY | ASK_WANTS_UNFIT, NULL, "why can't|why cannot|"
        "why can not|为什么不能|为何不能|为啥不能|为什么不够|为啥不够|为什么不行|"
        "为啥不行"},
    {ASK_INTENT, ASK_WANTS_UNFIT, NULL, "can't|cannot|can not|couldn't|"
        "not fit|not enough|too big|too large|too much|oom|ooms|"
        "out of memory|run out of memory|runs out of memory|"
        "放不下|装不下|塞不下|存不下|放不进|塞不进|跑不了|跑不起来|跑不动|跑不起|"
        "训不了|训不起来|训不动|训练不了|不能|不够|不够用|显存不够|显存不足|"
        "内存不够|内存不足|不足|爆显存|爆内存|爆|超显存|太大|太大了"},
    {ASK_TURN, ASK_SAYS_ELECTRICITY, NULL, "electricity cost|"
        "cost of electricity|cost of the electricity|electricity bill|"
        "energy cost|cost of energy|cost of the energy|power bill|power cost|"
        "electricity costs|电费"},
    {ASK_TURN, ASK_SAYS_NOT, NULL, "not|doesn't|don't|didn't|isn't|aren't|"
        "wasn't|won't|wouldn't|没有用|没有选|没用|没选|不用|不选|没有|没"},
    {ASK_TURN, ASK_SAYS_ONLY, NULL, "only|pure|purely|nothing but|只用|仅用|"
        "必须用|必须|纯"},
    {ASK_TURN, ASK_SAYS_NOT, NULL, "without"},
    {ASK_TURN, ASK_SAYS_SAVING, NULL, "less energy|more energy|least energy|"
        "less power|more power|less electricity|less memory|more memory|"
        "least memory|省电|更省电|费电|省显存|更省显存|省内存"},
    {ASK_TURN, ASK_SAYS_NETWORK, NULL, "what network|which network|"
        "what network bandwidth|"
        "which network bandwidth|how much network bandwidth|what bandwidth|"
        "what interconnect|which interconnect|what fabric|which fabric|"
        "what kind of network|什么网络|什么样的网络|哪种网络|哪个网络|多快的网络|"
        "多大带宽的网络"},
    {ASK_TURN, ASK_SAYS_TOGETHER, NULL, "together|combined|mixed|mixing|"
        "plus|加上|外加|"
        "in one job|at once|jointly|一起|混合|混用|混训|混部|合在一起"},
    {ASK_TURN, ASK_SAYS_FIT, NULL, "fit|fits|fitting"},
    {ASK_TURN, ASK_SAYS_INSTEAD, NULL, "replace|replaces|replacing|match|"
        "matches|matching|equivalent|equivalent to|equal|equals|equal to|"
        "as fast as|the speed of|same speed as|keep up with|"
        "替代|替换|顶替|代替|相当于|等效于|等同于|等于|抵得上|顶得上|比得上|抵|顶"},
    {ASK_TURN, ASK_SAYS_MODEL, NULL, "what can|what could|what fits|"
        "what trains|what runs|what model|what models|which model|"
        "which models|what kind of model|what kinds of models|什么模型|哪些模型|"
        "哪种模型|什么样的模型|什么规模的模型|训什么|训练什么|跑什么|训啥|训练啥|"
        "跑啥|训些什么|训练些什么|训什么样的模型|训练什么样的模型|跑什么样的模型|"
        "训什么规模的模型|训练什么规模的模型"},
    {ASK_INTENT, ASK_WANTS_EXPLAIN, NULL, "explain|解释一下|解释|说明"},
    {ASK_INTENT, ASK_WANTS_LIST, NULL, "list|know|supported|support|"
        "available|支持|知道|哪些|有哪些|列出"},
    {ASK_INTENT, ASK_WANTS_FILES, NULL, "launch script|script|"
        "slurm script|sbatch script|slurm|sbatch|"
        "launch file|"
        "launch files|launch command|export|generate|write|json|toml|yaml|"
        "config file|config files|configuration file|启动脚本|脚本|配置文件|"
        "启动命令|启动文件|导出|生成|写|how do i launch|how can i launch|"
        "how should i launch|how to launch|how do we launch|how do i start|"
        "how to start|怎么启动|如何启动|怎样启动"},
    {ASK_INTENT, ASK_WANTS_FRAMEWORK, NULL, "framework|frameworks|框架"},
    {ASK_INTENT, ASK_WANTS_RANGE, NULL, "scale|scaling|scales|speedup|"
        "扩展性|扩展|加速比"},

    /* What plan3d does not plan. */
    {ASK_BEYOND, 0, "plan3d plans training",
        "inference|infer|serve|serving|deploy|deployment|推理|部署"},
    {ASK_BEYOND, 0, "plan3d plans no step that generates answers",
        "rlhf|grpo|ppo|rl|reinforcement learning|强化学习"},
    {ASK_BEYOND, 0, "name its teacher: 'plan3d fit ... --teacher MODEL'",
        "蒸馏|distill|distills|distilled|distilling|distillation"},
    {ASK_BEYOND, 0, "plan3d counts energy (with --tokens); a grid has its own "
        "grams of CO2 for each of its kWh",
        "carbon|carbon footprint|co2|emission|碳排放|碳足迹|碳|二氧化碳"},
    {ASK_BEYOND, 0, "use bf16, fp16, fp32, fp8 or nvfp4",
        "int4|int8|fp4|4 bit|8 bit|quantized|quantization|quantize|量化|"
        "mixed fp4|tf32|half precision"},
    {ASK_BEYOND, 0, "prices are in USD", "元|块钱|人民币|rmb|cny|yuan|eur|euro|"
        "欧元|€|¥|￥"},
    {ASK_BEYOND, 0, "see 'plan3d list gpus'",
        "tpu|npu|昇腾|ascend|寒武纪|沐曦|天数|gaudi|trainium|cpu"},

    /* What says nothing. */
    {ASK_FILLER, 0, NULL,
        "the|my|our|your|their|i|we|you|me|us|he|it|its|this|that|these|those|"
        "be|ve|d|m|re|ll|is|are|am|was|were|been|being|will|would|can|could|"
        "should|shall|may|might|must|do|does|did|done|have|has|had|having|"
        "get|gets|got|"
        "there|here|what|what's|whats|which|which one|when|where|how|if|"
        "whether|then|than|so|too|also|just|only|any|some|all|every|many|much|"
        "of|on|in|onto|into|across|over|using|use|uses|used|with|by|for|from|"
        "at|as|about|around|within|inside|during|through|until|till|via|"
        "under|between|per|go|goes|going|"
        "train|trains|trained|training|pretrain|pretrains|"
        "pretrained|pretraining|pre train|pre training|pre trained|run|runs|"
        "running|work|works|need|needs|needed|require|requires|required|take|"
        "want|wants|like|try|plan to|going to|possible|able|enough|sufficient|"
        "suffice|suffices|ok|okay|fine|good|right|"
        "long enough|please|pls|hi|hello|hey|thanks|thank|tell|show|give|"
        "say|find|calculate|compute|check|know if|tell me|let|let's|"
        "estimate|estimated|predict|expect|expected|reach|reaches|achieve|"
        "finish|finishes|finished|complete|completed|completes|see|seen|"
        "more|less|chance|usage|footprint|"
        "feasible|doable|realistic|happens|happen|w|least|"
        "large|larger|bigger|smaller|big|small|whole|total|full|new|own|dense|"
        "kind|type|types|kinds|size|sizes|cluster|clusters|system|pod|rack|"
        "memory|gpu memory|vram|"
        "plan3d|"
        "nvidia|amd|huawei|tesla|geforce|pcie cards|pytorch|"
        "mixed precision|precision|optimizer|connected|network speed|"
        "llm|weights|from scratch|scratch|pass|now|again|really|"
        "currently|actually|roughly|approximately|approx|probably|maybe|"
        "one of|think|wonder|wondering|question|answer|possible to|"
        "or not|yes|rate|expected to|long context|amount|worth of|"
        "set|existing|based|end|reasonable|suitable|make|makes|making"},
    {ASK_FILLER, 0, NULL,
        "能不能|能否|可不可以|是否|是不是|会不会|行不行|够不够|够用|足够|够|"
        "能够|能|可以|可|会|行|吗|嘛|呢|吧|啊|呀|么|不会|能开|互联|互连|连接|怎么办|起来|了|的|地|得|在|上|下|里|中|"
        "内|之内|以内|用来|用于|使用|采用|利用|用|拿|把|将|被|给|为|对|对于|"
        "比|哪一种|什么样|"
        "什么|怎么样|怎样|怎么|如何|请问一下|请问|麻烦问一下|麻烦|请|问一下|"
        "问|帮我|帮忙|帮|估算一下|估算|估计|预估|预计|预测|算一下|算算|算|计算|"
        "看看|看|告诉我|告诉|想要|想知道|想|要|需要|需|得用|我们|我|你们|你|"
        "您|他们|它|有没有|有|一共|总共|共|大概|大约|约|左右|差不多|"
        "训练完|训完|训练一遍|训一遍|训练|训|预训练|跑完|跑|完成|做完|做到|"
        "放得下|放下|放的下|能放下|装得下|装下|装|放|塞得下|撑得住|存得下|"
        "显存|内存|占用|占|消耗|剩余|集群|规模|环境|机型|"
        "做|报告|就|才|都|也|还|很|太|挺|从|自|自己|再|又|已经|只|仅|多|大|个|种|次|条|套|组|遍|"
        "更|快|好|合适|这个|这些|那个|那些|这|那|该|应该|应|如果|假设|假如|"
        "情况下|条件下|时候|时|以及|长度|大小|从头|开启|开|带|加|加上|"
        "英伟达|华为|混合精度|精度|优化器|速率|带宽|型号|类型|级别|级|左右|"
        "是|一下|一样|设成|设为|设置|设|成|到底|究竟|真的|现在|目前|"
        "于|以|按|按照|通过|每个|要求|希望|必须|完整|全部|能到|达到|到达|"
        "看完|哪里|哪儿|哪|去了|给出|列|最后|里面|至"},
    /* Every weight is trained, as in pre-training. */
    {ASK_TURN, ASK_SAYS_TUNING, NULL,
        "fine tune|fine tunes|fine tuning|finetune|finetunes|finetuning|"
        "finetuned|fine tuned|full parameter|full parameters|full weight|"
        "supervised|sft|全参微调|全参数微调|全量微调|全参数量微调|全量参数微调|"
        "全参|全参数|微调|精调|做sft|做微调"},
    /* What is told around an error. */
    {ASK_FILLER, 0, NULL,
        "cuda|error|first|the second step|second step|but|after|before|fix|"
        "fixes|fixed|solve|solves|raising|raise|raised|increasing|increase|"
        "increased|stage|first stage|last stage|pipeline stage|"
        "first pipeline stage|last pipeline stage|deadline|deadline of|due in|"
        "with nvlink|nvlink|happened|getting|keep getting|报错|出现|之前|但是"},
    {ASK_FILLER, 0, NULL, "continued pretraining|continual pretraining|"
        "continue|continuing|继续预训练|增量预训练"},
    /* What is said of releases of one shape. */
    {ASK_FILLER, 0, NULL, "instruct|chat"},
    {ASK_FILLER, 0, NULL,
        "well|badly|bad|rent|rents|rented|renting|rental|owns|owned|bought|"
        "buy|buying|lab|"
        "company|team|university|school|boss|customer|last|lasts|overkill|"
        "project|job|task|experiment|study|planning|decide|decided|choose|"
        "thinking|considering|consider|wanna|gonna|gotta|someone|anyone|"
        "people|everyone|guys|folks|today|soon|quickly|efficiently|efficient|"
        "successfully|comfortably|easily|barely|safely|realistically|"
        "theoretically|practically|possibly|basically|simply|still|even|ever|"
        "yet|already|always|up|out|ways|thing|things|case|idea|option|"
        "options|choice|suppose|supposing|assume|assuming|given|provided|"
        "regarding|requiring|hold|holds|handle|handles|process|processed|"
        "processing|consume|consumes|consumed|spend|spent|invest|"
        "charge|charged|cloud|datacenter|dataset|corpus|equipped|consisting|"
        "containing|contain|comprising|including|include|includes|overall|"
        "squeeze|squeezed|far|exact|exactly|quick|curious|interested|"
        "hope|hoping|wish|manage|"
        "managed|necessary|access|look|looking|start|starting|"
        "started|begin|keep|keeps|kept|put|them|data|setups|sized|class|"
        "version|variant|base|change|changes|changing|switch|switching|"
        "turn on|turning on|enable|enabling|improve|becomes|become|factor|"
        "公司|实验室|学校|团队|老板|客户|项目|"
        "任务|手上|手里|手头|这边|那边|买|租|租用|采购|打算|准备|计划|考虑|"
        "正在|吃紧|紧张|吃力|勉强|轻松|顺利|正常|稳定|进|得进|塞进|塞得进|放得进|装得进|一份|份|从零开始|从零|开始|"
        "放在|放到|放进|搞|弄|跑得动|跑得起来|跑得起|训得动|训得起来|"
        "训得了|带得动|扛得住|顶得住|吃得下|塞下|塞进|难|容易|简单|直接|单独|"
        "一套|一批|一些|整个|实际上|实际|理论上|理论|效果|情况|结果|性能|"
        "表现|水平|问题|求|谢谢|多谢|感谢|大佬|各位|老师|同学|你好|您好|咨询|"
        "看下|看一下|说下|说说|说一下|讲讲|评估一下|评估|测算一下|测算|核算|"
        "推算|计算一下|选|选择|挑|改用|改|换|换用|付出|变|有多大|能做|"
        "做预训练|做全参|分析|参考|给定|提供|基于|根据|对应|作为|比如|例如|若|假定|"
        "的话|之后|以后|手头上|现有|拥有|具备|配备|配置了|搭建|组成|单次|"
        "一次|起步|起码|干完|搞定|训好|训到|喂|吃|吃掉|处理"},
};
/* clang-format on */

static bool is_gap(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) != 0;
}

/* Where both go on: behind what separates in either. */
static size_t skip_gap(const char *text, size_t at)
{
    while (is_gap(text[at]))
        at++;
    return at;
}

/* Compare with the n bytes of a name. @return as ask_match(); what may follow
 * is left to the caller */
static size_t match_bytes(const char *text, const char *name, size_t n)
{
    size_t t = 0;
    size_t i = 0;

    while (i < n) {
        if (is_gap(name[i])) {
            i++;
            t = skip_gap(text, t);
            continue;
        }
        if (t > 0 && is_gap(text[t]) && is_word_byte(name[i]) &&
                skip_gap(text, t) - t == 1 && isdigit((unsigned char)name[i]))
            t++; /* "llama 3" is llama3 */
        if (text[t] == '\0' || tolower((unsigned char)text[t]) !=
                                       tolower((unsigned char)name[i]))
            return 0;
        t++;
        i++;
    }
    return t;
}

/* The word ends here: ASCII words where no letter or digit of theirs follows,
 * a setting also before its number. */
static bool ends(const char *text, size_t n, bool before_digit)
{
    const char last = text[n - 1];
    const char next = text[n];

    if (!is_word_byte(last) || !is_word_byte(next))
        return true;
    return before_digit && !isdigit((unsigned char)last) &&
           isdigit((unsigned char)next);
}

static size_t match_word(
        const char *text, const char *name, size_t n, bool before_digit)
{
    const size_t used = match_bytes(text, name, n);

    if (used == 0)
        return 0;
    if (ends(text, used, before_digit))
        return used;
    if (n >= 3 && tolower((unsigned char)text[used]) == 's' &&
            ends(text, used + 1, false))
        return used + 1;
    return 0;
}

size_t ask_match(const char *text, const char *name)
{
    return match_word(text, name, strlen(name), false);
}

ask_word ask_word_at(const char *text)
{
    ask_word best = {.length = 0};

    for (int i = 0; i < P3D_COUNT_OF(meanings); i++) {
        const meaning *const m = &meanings[i];
        const bool before_digit =
                m->kind == ASK_SETTING || m->kind == ASK_LENGTH;

        for (const char *w = m->words; *w != '\0';) {
            const size_t n = strcspn(w, "|");
            const size_t used = match_word(text, w, n, before_digit);

            if (used > best.length)
                best = (ask_word){used, m->kind, m->value, m->text};
            w += n + (w[n] == '|');
        }
    }
    return best;
}

/* As in ask_tokens.c, whose words they are offered for. */
enum { SHORTEST_OFFER = 3, LONGEST_OFFER = 31 };

void ask_words_offer(p3d_nearest *nearest)
{
    for (int i = 0; i < P3D_COUNT_OF(meanings); i++)
        for (const char *w = meanings[i].words; *w != '\0';) {
            const size_t n = strcspn(w, "|");
            char word[LONGEST_OFFER + 1] = "";

            if (n >= SHORTEST_OFFER && n <= LONGEST_OFFER &&
                    (unsigned char)*w < 0x80) {
                memcpy(word, w, n);
                word[n] = '\0';
                p3d_nearest_offer(nearest, word);
            }
            w += n + (w[n] == '|');
        }
}
