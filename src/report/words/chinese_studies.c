/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_studies.c - Chinese words of studies and explanations. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_studies[] = {
    /* Sweep. */
    {"both", "两者"},
    {"any: ", "任选："},
    {"one GPU", "单 GPU"},
    {"NO FIT", "放不下"},
    {"illegal", "不合法"},
    {"never", "不结束"},
    {"batch", "批大小"},
    {"framework", "框架"},
    {"idle", "闲置"},
    {"USD", "美元"},
    {"in all rows: ", "各行相同："},
    {"not shown, as the screen is narrow: %s (--format csv shows all)",
     "因宽度略去：%s（--format csv）"},
    {"time %", "耗时 %"},
    {"sure %", "把握 %"},
    {"fastest: the fastest of all plans that fit by the estimate; "
     "roomiest: of the sure plans that are about as fast as any, the one "
     "with the most memory free; time %%: of the step, against the plan "
     "above; sure %%: probability of fitting; free: GiB)",
     "最快：按估计放得下的方案中最快的；最宽裕：有把握且差不多快的方案中显存"
     "最宽裕的；耗时 %%：与上表方案的步时相比；把握 %%：放得下的概率；空闲："
     "GiB）"},
    {"(", "（"},
    {"IN TIME", "能按时完成"},
    {"AS FAST", "一样快"},
    {", the time of %s", "（%s 的用时）"},
    {"IN TIME, BARELY", "勉强能按时完成"},
    {", and the cheapest", "，也最便宜"},
    {"; %s is the cheapest, %s", "；最便宜的是 %s，%s"},
    {"; on the smallest more than half of the runs are later than that; with "
     "about %s GPUs nine of ten are in time",
     "；用最小的集群，一半以上的运行会晚于此；约 %s 个 GPU 时，十次中有九次按时完成"},
    {"; the smallest is late at the slow end of its range; with about %s GPUs "
     "nine runs of ten are in time",
     "；最小的集群若取区间的慢端会超时；约 %s 个 GPU 时，十次中有九次按时完成"},
    {"NOT IN TIME", "不能按时完成"},
    {": %s (%.3g %%) too long", "：超出 %s（%.3g%%）"},
    {": %.3g times as long", "：是其 %.3g 倍"},
    {"SWEEP", "扫描"},
    {"with", "改动"},
    {"ANSWER", "答案"},
    {"%s is enough", "%s 够了"},
    {"%s is the smallest, %s of %s", "最小的是 %s，%s，期限 %s"},
    {"on none of the clusters that were looked at", "看过的集群都不行"},
    {"%s comes closest, %s instead of %s", "最接近的是 %s，需 %s 而非 %s"},
    {"no number of tokens is trained within that", "在此之内训练不了任何 token"},
    {"%s trains %s tokens (%s to %s in 80 %% of runs)",
     "%s 能训练 %s 个 token（80%% 的运行在 %s 至 %s）"},
    {" for USD %s", "，费用 %s 美元"},
    {"OVER BUDGET", "超出预算"},
    {"WITHIN BUDGET", "在预算之内"},
    {": %s costs %s of USD %s, in %s", "：%s 需 %s，预算 %s 美元，历时 %s"},
    {"; at the slow end of its range it is over", "；在范围慢的一端会超出"},
    {" for a billion tokens", "（十亿 token）"},
    {" GPU-hours for a billion tokens", " GPU 小时（十亿 token）"},
    {" with %s", "（%s）"},
    {" without %s", "（不用 %s）"},
    {", sequence %s", "、序列 %s"},
    {", batch %s", "、批大小 %s"},
    {"has no legal plan", "没有合法方案"},
    {"misses %s GiB", "差 %s GiB"},
    {"is only %s to fit", "能放下的%s"},
    {"%s (%s to %s)", "%s（%s 至 %s）"},
    {"; which is faster is %s %% sure, by %s pairs of measured runs",
     "；孰快有 %s%% 的把握（依据 %s 对实测运行）"},
    {"; which is cheaper is %s %% sure, by %s pairs of measured runs",
     "；孰省有 %s%% 的把握（依据 %s 对实测运行）"},
    {"; %s %s", "；%s %s"},
    {"%s is as fast as %s", "%s 与 %s 一样快"},
    {"%s is %s times as fast as %s", "%1$s 的速度是 %3$s 的 %2$s 倍"},
    {": %s against %s tokens/s in 80 %% of runs",
     "：%s 对 %s token/s（80%% 的运行）"},
    {", at %s times the cost", "，费用是后者的 %s 倍"},
    {"%s costs %s times as much as %s: %s against %s%s in 80 %% of runs",
     "%1$s 的费用是 %3$s 的 %2$s 倍：%4$s 对 %5$s%6$s，括号内为 80%% 的运行"},
    {"; recomputed: %s against %s", "；重计算：%s 对 %s"},
    {"none of them fits", "都放不下"},
    {"%s is the only one that runs", "只有 %s 能运行"},
    {"%s is the only one that fits", "只有 %s 放得下"},
    {" (%s, %.1f GiB free)", "（%s，空闲 %.1f GiB）"},
    {"no number of GPUs up to %s is enough", "直到 %s 个 GPU 都不够"},
    {", %s s a step", "，一步 %s s"},
    {"no sequence surely fits", "没有哪个序列长度有把握放得下"},
    {"%s tokens are the longest sequence that surely fits",
     "有把握放得下的最长序列是 %s token"},
    {"no micro-batch surely fits", "没有哪个微批有把握放得下"},
    {"%s sequences are the largest micro-batch that surely fits",
     "有把握放得下的最大微批是 %s 条序列"},
    {"; the global batch has no such limit, as gradients accumulate over "
     "micro-batches",
     "；全局批没有这个限制：它按微批累积梯度"},
    {"no model of 'plan3d list models' surely fits",
     "“plan3d list models”中没有哪个模型有把握放得下"},
    {"%s (%s parameters) is the largest known model that surely fits",
     "有把握放得下的最大已知模型是 %s（%s 参数）"},
    {": %d of %d combination%s fit", "：%2$d 种组合%3$.0s中 %1$d 种放得下"},
    {", %d without a legal plan", "，%d 种没有合法方案"},
    {"; %d Pareto-optimal\n", "；%d 种在帕累托前沿上\n"},
    {"INTERRUPTED: what follows is the best so far\n",
     "已中断：以下是目前最好的\n"},
    {"INTERRUPTED: %d of %lld combinations\n",
     "已中断：%2$lld 种组合中完成 %1$d 种\n"},
    {"%s: %s parameters, %d layers", "%s：参数量 %s，%d 层"},
    {"training", "训练"},
    {"%s tokens in at most %s", "%s token，至多 %s"},
    {"%s tokens", "%s token"},
    {"*: Pareto-optimal: no row with such sequences is as good in GPUs, time, "
     "money, energy and free memory, and better in one",
     "*：在帕累托前沿上：同样序列长度的行中，没有一行在 GPU 数、耗时、费用、"
     "能耗和空闲显存上都不差且有一项更好"},
    {"none is in time; closest: the shortest training",
     "都不能按时完成；最接近：按耗时"},
    {"both: the fewest GPUs that finish in time, and the least money or "
     "GPU-hours",
     "两者：按时完成的 GPU 数最少，GPU 小时或费用也最少"},
    {"smallest: the fewest GPUs that finish in time",
     "最小：按时完成的最少 GPU"},
    {"smallest: the fewest GPUs that finish in time; cheapest: the least "
     "money or GPU-hours",
     "最小：按时完成的 GPU 数最少；最便宜：GPU 小时或费用最少"},
    {"seq: tokens of a sequence", "序列：每条序列的 token 数"},
    {"batch: sequences of a step", "批大小：每步的序列数"},
    {"plan: as --plan reads it: ranks, mb: sequences of a micro-batch, Z: "
     "ZeRO stage, then what is recomputed and, behind +, offloaded",
     "方案：--plan 可直接读入：各并行度，mb：微批的序列数，Z：ZeRO 阶段，然后是重计算的部分，+ "
     "之后是卸载的部分"},
    {"step s: seconds of a step", "单步 s：每步秒数"},
    {"tok/s: tokens/s of all GPUs", "tok/s：全部 GPU 的 tokens/s"},
    {"/GPU: tokens/s of one GPU", "/GPU：每 GPU tokens/s"},
    {"MFU %: FLOPs of the model against the peak",
     "MFU %：模型 FLOPs 与峰值之比"},
    {"sure: probability of fitting, in percent", "把握：放得下的概率（百分数）"},
    {"free: GiB left on the tight GPU, below 0: missing",
     "空闲：显存最紧的 GPU 剩余的 GiB，负数为还差"},
    {"idle: GPUs without work", "闲置：不用的 GPU 数"},
    {"days: of the whole training with failures, restarts and "
     "checkpoints, its range in brackets",
     "天：整个训练，含故障、重启和检查点，括号内为区间"},
    {"%s%s (%s-%s)", "%s%s（%s-%s）"},
    {"%s%s (from %s)", "%s%s（至少 %s）"},
    {"MWh: its energy", "MWh：其能耗"},
    {"; USD: its cost", "；美元：其费用"},
    {"smallest", "最小"},
    {"cheapest", "最便宜"},
    {"; USD: of a billion tokens", "；美元：每十亿 token"},
    {")", "）"},
    {", sequence %d", "，序列 %d"},
    {", batch %lld", "，批大小 %lld"},
    {"%s%s, from %s to %s GPUs: %s looked at, %s searched exactly, %s skipped "
     "(too slow or too dear even at peak)%s",
     "%s%s，从 %s 到 %s 个 GPU：看了 %s 种数目，精确搜索 %s 种，跳过 %s"
     " 种（即使达到峰值也太慢或太贵）%s"},
    {"; interrupted", "；已中断"},
    {"scanned", "扫描"},
    {"batch: the default of each count, about 4 Mi tokens or 1,024 per GPU "
     "(--batch)",
     "批大小：各数目的默认值，约 4 Mi token，或每 GPU 1,024（--batch）"},
    {"exact: every larger cluster is in time too, as it can leave nodes "
     "idle",
     "精确；更大的集群也都能按时完成：可以让节点闲置"},
    {"exact: none of them is in time", "精确：都不能按时完成"},
    {"%d other row%s: not Pareto-optimal, %d of them without a plan "
     "that fits\n",
     "另有 %1$d 行%2$.0s：不在帕累托前沿上，其中 %3$d 行没有放得下的方案\n"},

    /* Explain --compare. */
    {"ONLY A FITS: ", "只有 A 放得下："},
    {"ONLY B FITS: ", "只有 B 放得下："},
    {"NEITHER FITS: ", "都放不下："},
    {"%c ", NULL},
    {"THE SAME PLAN, %s per step\n", "同一个方案，单步 %s\n"},
    {"EQUALLY FAST: both take %s per step\n", "一样快：单步都是 %s\n"},
    {"A IS FASTER", "A 更快"},
    {"B IS FASTER", "B 更快"},
    {": %s per step, where %c takes %s (%.1f %% more)\n",
     "：单步 %s，%c 为 %s（多 %.1f%%）\n"},
    {"%c IS NOT LEGAL: %s", "%c 不合法：%s"},
    {"the recommended plan: ", "推荐的方案："},
    {"the fastest sure plan with %.100s: ",
     "满足 %.100s、有把握放得下的最快方案："},
    {"the plan that comes closest: ", "最接近的方案："},
    {"the plan with %.100s that comes closest: ",
     "满足 %.100s 的最接近的方案："},
    {"unusual: %s", "非常规：%s"},
    {"%snot legal", "%s不合法"},
    {"memory of the tight GPU", "最紧 GPU 的显存"},
    {"pipeline rank\t%d\t%d", "流水线 rank\t%d\t%d"},
    {"left of what is usable", "可用中剩余"},
    {"offloaded to a node's host", "卸载到节点主机"},
    {"micro-batches per step\t%lld\t%lld\t%+lld\t",
     "每步微批次数\t%lld\t%lld\t%+lld\t"},
    {"tokens/s per GPU\t%s\t%s\t%+.3g\t",
     "每 GPU tokens/s\t%s\t%s\t%+.3g\t"},
    {"%s (%s per step)", "%s（单位 %s/步）"},

    /* List. */
    {"model\tparameters\tactive\tlayers\thidden\theads\texperts\tcontext",
     "模型\t参数量\t激活\t层数\t隐藏\t头数\t专家\t上下文"},
    {"yes", "有"},
    {"(heads: of queries/of keys and values; experts: of a token/of a layer)\n",
     "（头数：query/KV；专家：每 token/每层）\n"},
    {"GPU\tGiB\tvisible\tHBM GB/s\tbf16\tfp8\tlink\tnode\tconstants",
     "GPU\tGiB\t可见\tHBM GB/s\tbf16\tfp8\t互联\t节点\t常数"},
    {"(GiB: memory, nominal and usable; bf16, fp8: dense peak in "
     "TFLOP/s;\nlink: GB/s of a GPU one way to those of its domain, by NVLink "
     "or what stands for it,\nhalf of what is mostly quoted; constants: a file "
     "of hardware/calibration)\n",
     "（GiB：标称显存和程序可见显存；bf16、fp8：稠密峰值 TFLOP/s；\n 互联：每 GPU 到同一域内其他 GPU 的单向 "
     "GB/s（NVLink 或其对应物），常见标称值的一半；\n 常数：hardware/calibration 中的文件）\n"},
    {"node\tGPUs\tof type\tdomain\tNICs\thost GiB\tGB/s\tnetwork",
     "节点\tGPU\t型号\t域\t网卡\t主机 GiB\tGB/s\t网络"},
    {"(of type: the GPU that it is rented or bought with: its name then is a "
     "type of\nclusters, such as 8xp5.48xlarge; domain: GPUs that NVLink or "
     "what stands for it joins,\n1 = none, *: through switches; GB/s: of the "
     "host's memory)\n",
     "（型号：随机器租用或购买的 GPU，其名称可作集群的型号，例如 8xp5.48xlarge；\n 域：由 "
     "NVLink 或其对应物相连的 GPU 数，1 = 没有，*：经过交换机；GB/s：主机内存）\n"},
    {"network\tkind\tGB/s per NIC\tlatency us\tall-reduce %%\tall-gather "
     "%%\tp2p %%",
     "网络\t种类\t每网卡 GB/s\t延迟 us\tall-reduce %%\tall-gather %%\tp2p "
     "%%"},
    {"(GB/s one way; %%: of that rate, as reached by collectives and by send "
     "and receive)\n",
     "（GB/s 为单向；%%：集合通信和收发达到该速率的比例）\n"},
    {"calibration\tGPU\tproducts %%\tfp8 %%\tattention %%\tkernels %%\tNCCL "
     "%%\tdate\tdevice",
     "标定\tGPU\t矩阵乘 %%\tfp8 %%\t注意力 %%\t访存 %%\tNCCL %%\t日期\t设备"},
    {"(%%: mean errors of the fits on kernels held out; NCCL: collectives in a "
     "node; date, device:\nof a machine that 'plan3d calibrate' was given)\n",
     "（%%：拟合在留出 kernel 上的平均误差；NCCL：节点内集合通信；日期、设备："
     "\n 由“plan3d calibrate”标定的机器）\n"},
    {"; of the past: not among any", "；旧版：不在 any 之列"},
    {"; a profile: not among any", "；profile：不在 any 之列"},
    {"framework\tZeRO\twith PP\tPP\tVP\tCP\tEP\toffload",
     "框架\tZeRO\t用 PP 时\tPP\tVP\tCP\tEP\t卸载"},
    {"%s%s%s: %s, as of %s%s", "%s%s%s：%s，版本 %s%s"},
    {" or ", " 或 "},
    {"any: the one of these whose best plan is the fastest\n",
     "any：其中最优方案最快的一个\n"},

    /* Advise and explain why. */
    {"  (not taken)", "  （未采用）"},
    {"    %s: %s of %s GiB per GPU, step %s, %s tokens/s per GPU\n",
     "    %s：每 GPU %s / %s GiB，单步 %s，每 GPU %s tokens/s\n"},
    {"fits", "放得下"},
    {"fits, barely", "勉强放得下"},
    {"OUT OF MEMORY", "显存不足"},
    {"    not legal: ", "    不合法："},
    {"no single change leads from the walk's answer to it; what it has "
     "and that answer lacks:\n    ",
     "逐步调优没有通向它的一步；它有而调优结果没有的：\n    "},
    {"the walk's answer is as fast as the recommended plan",
     "调优结果与推荐方案一样快"},
    {"the walk's answer is %.1f %% %s than the recommended plan",
     "调优结果比推荐方案%2$s %1$.1f%%"},
    {": it is the same plan\n", "：就是同一个方案\n"},
    {": neither step by step nor by the whole search\n",
     "：逐步调优和完整搜索都没有找到方案\n"},
    {", %s", "，%s"},
    {", but no walk of single steps leads to a plan that does",
     "，但逐步调优到不了放得下的方案"},
    {": a walk of %d steps, each a change that was tried; its plan leaves %s "
     "GiB per GPU free",
     "：逐步调优，每步试一种改动，共 %d 步；所得方案每 GPU 还空 %s GiB"},
    {"not legal: %s", "不合法：%s"},
    {"needs more than the %.0f GiB of a host's memory", "需要的超过主机的 %.0f GiB"},
    {"misses %s GiB; %s take %s GiB", "还差 %s GiB；%s占 %s GiB"},
    {"no fit", "放不下"},
    {"chosen", "选定"},
    {"closest", "最接近"},
    {"%s to %s", "%s 到 %s"},
    {"decision", "选择"},
    {"misses", "还差"},
    {"more, GiB", "多出 GiB"},
    {"what else changes: terms, %s", "随之改变：变化最大的各项，%s"},
    {"what else changes: largest term of memory",
     "随之改变：显存最大的一项"},
    {"Each line shows the fastest sure plan with this one value, all "
     "other settings free. A line that is faster than the plan above is "
     "less simple, or leaves less memory free.",
     "每一行：固定这一项，其余重新寻优，有把握放得下的方案中最快的一个。比上"
     "面的方案更快的，要么没有它简单，要么留下的显存更少。"},

    /* Explain sensitivity. */
    {"WITHIN %.0f %% OF THE FASTEST", "与最快者相差 %.0f%% 以内"},
    {" in %.1f %% of %s draws of the constants, the fastest in %.1f %%\n",
     "：占常数 %2$s 次抽样的 %1$.1f%%；其中最快的占 %3$.1f%%\n"},
    {"x %.3g (plan %d)", "x %.3g（方案 %d）"},
    {"lost", "落后"},
    {"won", "胜出"},
    {"constant\terror %%\tstep %%/%%\t%s at less\tat more\tknowing saves %%",
     "常数\t误差 %%\t单步 %%/%%\t减小时%s\t增大时\t测准可省 %%"},
    {"(error: 1 standard deviation; step: its change in %% per %% of the "
     "constant; %s: factor on the constant (2 = takes twice as long) from "
     "which %s, - = never within x %.4g to x %.4g; knowing saves: expected "
     "regret that a measurement takes away, - = no more than noise)",
     "（误差：1 个标准差；单步：常数每变 1%% 单步变化的 %%；%s：常数乘以此倍"
     "数起（2 = 耗时加倍）%s，- = x %.4g 到 x %.4g 内不会；测准可省：测量能"
     "消除的期望遗憾，- = 不超过噪声）"},
    {"that plan is faster", "另一方案更快"},
    {"this plan is the fastest", "此方案最快"},
    {"no role", "无影响"},
    {"asked", "要求"},
    {"a plan that is sure to fit, simple, and at most %.3g %% slower than the "
     "fastest, not the fastest itself",
     "有把握放得下、简单、最多比最快慢 %.3g%% 的方案，而不是最快的方案"},
    {"%s: the step of this plan does not depend on them",
     "%s：此方案的步时间与它们无关"},
    {"plan\tof the %d compared\tslower %%\tfastest %%\tregret %%",
     "方案\t比较的 %d 个之中\t慢 %%\t最快 %%\t遗憾 %%"},
    {"steady", "稳健"},
    {"plan %d, whose expected regret is %.2f %% instead of %.2f %%",
     "方案 %d，期望遗憾 %.2f%%，而非 %.2f%%"},
    {"measure", "测量"},
    {"nothing: no single constant would improve the choice by more than "
     "the noise of the draws",
     "为了选择无需测量：没有哪个常数能使选择变好，且超过抽样噪声"},
    {"%s: %s; to know it saves %.2f %% of the step (+- %.2f) of the %.2f "
     "%% that the steadiest plan is expected to lose",
     "%1$s：%2$s；最稳健的方案预计损失 %5$.2f%%，测准它可省单步的 "
     "%3$.2f%%（+- %4$.2f）"},
    {"plan %d with the constants as they are; this one takes %.2f %% "
     "longer",
     "按现有常数是方案 %d；此方案多用 %.2f%%"},
    {"regret", "遗憾"},
    {"%.2f %% expected, below %.2f %% in 95 %% of the draws: what this "
     "plan takes longer than the one that is the fastest there",
     "期望 %.2f%%，95%% 的抽样低于 %.2f%%：此方案比该次抽样中最快的方案多用"
     "的时间"},
    {"%s (10 %% of the draws are below), %s (50 %%), %s (90 %%), by the "
     "constants alone; runs spread more, see 'range' of plan3d estimate",
     "%s（10%% 的抽样低于此值），%s（50%%），%s（90%%），仅由常数引起；实际"
     "运行的离散更大，见 plan3d estimate 的“区间”"},
    {"draws", "抽样"},
    {"log-normal, independent errors, one factor for all kernels of a kind; "
     "errors that hit the shapes of one plan alone are not in them; seed %lld",
     "对数正态，误差独立，同类 kernel 用同一个倍数；不含只影响某个方案的形状"
     "的误差；随机种子 %lld"},
    {"%d plans were compared, %d of them found by %d exact searches with "
     "changed constants; of %d draws that were searched exactly, %d had "
     "their best plan among those compared already",
     "比较 %d 个方案，其中 %d 个由 %d 次改变常数的精确搜索得到；精确搜索的 "
     "%d 次抽样中，%d 次的最优方案已在比较之列"},
    {"the plan", "此方案"},

    /* Explain error. */
    {"ERROR ABOUT %.0f %%", "误差约 %.0f%%"},
    {" of a step of %s, as %s measured runs of %d sources say\n",
     "：单步 %1$s，依据 %3$d 个来源的 %2$s 次实测\n"},
    {"term\tstep %%\tof the error %%\twrong by %%\twithout a "
     "source\truns\tsources",
     "项\t单步 %%\t占误差 %%\t误差 %%\t去掉一个来源\t运行\t来源"},
    {"%s\t%.1f\t%.1f\t%.0f\t%.0f to %.0f\t%s\t%d",
     "%s\t%.1f\t%.1f\t%.0f\t%.0f 到 %.0f\t%s\t%d"},
    {"(of the error: share of its square; wrong by: 5 of 8 runs are within, "
     "by all and without any one source: the rates of a term and all else "
     "that grows with it; runs, sources: of the measured runs those that spend "
     "%.0f %% of their step there; what none shows is taken to be as wrong as "
     "the rest)",
     "（占误差：按平方计的份额；误差：8 次运行中 5 次在其内，按全部来源和去"
     "掉任一来源：某项的速率以及随它增长的一切；运行、来源：实测运行中单步的 "
     "%.0f%% 花在该项上的；没有运行说明的项，按与其余一样不准计）"},
    {"measure\ttakes away %%\tleaves %%\tby",
     "测量\t可消除 %%\t剩余 %%\t方法"},
    {"takes away: at most so much; a benchmark removes no more than the "
     "error of the constants that it measures; %s: as one measured run "
     "predicts another of the same source, framework, GPU and model",
     "可消除：至多；基准测试不超过它所测常数的误差；%s：按实测运行由"
     "同来源、框架、GPU 和模型的另一次运行预测计"},
    {"checked", "检验"},
    {"tested on each source without its own runs: for %d of %d, errors by "
     "term explain the runs better than one error of %.0f %% for all steps",
     "每个来源由其余来源预测：%2$d 个中有 %1$d 个按各项误差比按统一的 %3$.0f"
     "%% 误差更可能"},
    {"%.0f %% of runs should take %s to %s, by those most alike",
     "%.0f%% 的运行应在 %s 到 %s 之间，按最相似的运行计"},

    /* Import. */
    {"%s per step in the log (median of %d), predicted %s: %+.1f %%",
     "日志中单步 %s（%d 步的中位数），预测 %s：%+.1f%%"},
    {"%.1f GiB allocated, predicted %.1f; %.1f GiB reserved, predicted %.1f",
     "已分配 %.1f GiB，预测 %.1f；已保留 %.1f GiB，预测 %.1f"},
    {"advised", "推荐"},
    {"no plan fits", "没有放得下的方案"},
    {"it is the recommended plan", "就是推荐的方案"},
    {"%s %s (%s to %s), %s to fit with %.1f GiB free, with",
     "%s %s（%s 到 %s），放得下的%s，空 %.1f GiB，方案为"},
    {"%s %s (%s to %s), %s to fit with %.1f GiB free: yours is %.1f %% faster "
     "(%s)",
     "%s %s（%s 到 %s），放得下的%s，空 %.1f GiB；文件中的方案快 %.1f%%（%s）"},
    {"%s %s (%s to %s), %s to fit with %.1f GiB free: yours takes %.1f %% "
     "longer (%s)",
     "%s %s（%s 到 %s），放得下的%s，空 %.1f GiB；文件中的方案多用 %.1f%%（%s）"},
    {"      %2d %-*s%*s%+9.1f %%%+10.*f %s%7.1f GiB free, %s\n",
     "      %2d %-*s%*s%+9.1f%%%+10.*f %s%7.1f GiB 空闲，%s\n"},
    {"you run", "现在运行"},
    {"the recommended plan", "推荐的方案"},
    {"file", "文件"},
    {"the files cannot express the recommended plan: %s", "写不了推荐的方案：%s"},
    {"%s, with %s, is %s", "%1$s 换成%2$s后，写在 %3$s"},
    {"%s, with %s, are in %s", "%1$s 换成%2$s后，写在 %3$s 里"},
    {"%s in them, as a diff; --write DIR/ writes them:",
     "换成%s的差异；--write DIR/ 写出这些新文件："},
    {"%s in it, as a diff; --write FILE writes it:",
     "换成%s的差异；--write FILE 写出新文件："},
    {"options left to the framework: %d, ignored: %d, not read: %d; constants: "
     "%d; --long lists them",
     "留给框架的选项：%d，忽略：%d，未读：%d；常数：%d；--long 列出"},
    {"change", "改动"},
    {"no single one makes the plan of the files faster",
     "没有单项改动能使文件中的方案更快"},
    {"no single one makes the plan of the files fit",
     "没有单项改动能使文件中的方案放得下"},
    {"one alone, all else as in the files%s: the step then, and what that %s",
     "只改一项，其余同文件%s：改后的单步，以及%s"},
    {", makes it fit", "，就放得下"},
    {"gains", "所得"},
    {"costs", "代价"},
    {" and %d more (--json)", "，另有 %d 项（--json）"},
    {"read", "读取"},
    {", from the environment", "，取自环境变量"},
    {"as %s, option names of %s", "按 %s，选项名取自 %s"},
    {"as %s", "按 %s"},
    {"default", "默认"},
    {"beware", "注意"},
    {"scope", "范围"},
    {"the files contradict the cluster or each other; what counts here:",
     "这些文件与集群或彼此矛盾；此处以下列为准："},
    {"at your own risk: not understood, and may change the answer:",
     "风险自负：下列选项无法理解，可能改变答案："},
    {"at your own risk: these change what runs, and are not in the estimate:",
     "风险自负：这些会改变实际运行，但不在估计之内："},
    {"ignored", "忽略"},
    {"not read", "未读取"},

    /* Shapes. */
    {"GEMMs\tdtype\tlayout\tm\tn\tk\tat once\ttimes",
     "矩阵乘\t类型\t布局\tm\tn\tk\t批数\t次数"},
    {"attention\tpass\tsequences\theads\tkv heads\ttokens\tkv tokens\thead "
     "size\tv size\ttimes",
     "注意力\t方向\t序列\t头数\tKV 头数\ttoken\tKV token\t头维度\tv 维度\t次"
     "数"},
    {"backward", "反向"},
    {"forward", "前向"},
    {"memory-bound kernels\tMiB\tkernels\ttimes",
     "访存密集型算子\tMiB\tkernel\t次数"},
    {"communication\tcollective\taxis\tranks\tstride\tMiB\ttimes",
     "通信\t集合通信\t维度\trank 数\t步长\tMiB\t次数"},
    {"plan     %s\nmodel    %s\ncluster  %s\n\n",
     "方案     %s\n模型     %s\n集群     %s\n\n"},
    {"\npeak     %s allocated on the tight GPU, in %d kinds of tensors "
     "(--json)\ntimes    in a step, on the rank that has the most of such "
     "blocks; recomputation not\n         counted. A name stands again for "
     "blocks of another kind\n",
     "\n峰值     显存最紧的 GPU 分配 %s，共 %d 种张量（--json）\n次数     一"
     "步之内，在此类模块最多的 rank 上；不计重计算。\n         同名再次出现"
     "时是另一类模块\n"},

    /* Calibrate and validate. */
    {"form\tpoints\told error %%\tnew error %%\thold-out %%",
     "形式\t点数\t原误差 %%\t新误差 %%\t留出 %%"},
    {"(mean of |predicted / measured - 1|; hold-out: on points that a fit to "
     "the others had\nnot seen, in five parts or one by one)\n",
     "（|预测 / 实测 - 1| 的平均；留出：分成五份或逐个，在拟合其余各份时未见过的点"
     "上）\n"},
    {"\nkept from %s, for too few points:\n", "\n点数太少，沿用 %s 的：\n"},
    {"\nleft out:\n", "\n未使用：\n"},
    {"  %d %s: %s\n", "  %d 个%s：%s\n"},
    {"  %s: %d points, a fit needs %d\n", "  %s：%d 个点，拟合需要 %d 个\n"},
    {"to measure them:\n", "测量方法：\n"},
    {"%s, measured as %s, driver %s, %s\n\n",
     "%s，测量设备 %s，驱动 %s，%s\n\n"},
    {"unknown", "未知"},
    {"date unknown", "日期未知"},
    {"\nwritten to %s; plan with --calibration %s\n",
     "\n已写入 %s；规划时用 --calibration %s\n"},
    {"\nnothing was written; -o FILE keeps the fit\n",
     "\n没有写入文件；-o FILE 保存拟合结果\n"},
    {"run\tframework\tmeasured s\tpredicted s\terror %%\tafter the others %%",
     "运行\t框架\t实测 s\t预测 s\t误差 %%\t用其余各次修正后 %%"},
    {"%s, %d measured run of yours\n\n", "%s，您的 %d 次实测运行\n\n"},
    {"%s, %d measured runs of yours\n\n", "%s，您的 %d 次实测运行\n\n"},
    {"\n%s: measured %.3g times the prediction; is what ran what stands "
     "here?\n",
     "\n%s：实测是预测的 %.3g 倍；实际运行的配置与这里写的一致吗？\n"},
    {"\nmedian error %.1f %%; %.1f %% where each is predicted after the "
     "others\n",
     "\n误差中位 %.1f%%；每次用其余各次修正后再预测，为 %.1f%%\n"},
    {"\nmedian error %.1f %%; a second run of the same model and framework "
     "shows what it\nhelps (published runs: docs/accuracy.md)\n",
     "\n误差中位 %.1f%%；再有一次同模型、同框架的运行，才能看出修正的效果（公"
     "开运行的结果见 docs/accuracy.md）\n"},
    {"log", "日志"},
    {"a mean over the whole run, its warm-up in it", "整个运行的平均值，含预热"},
    {"mean of %d micro-batches of its bar", "进度条中 %d 个微批次的平均值"},
    {"median of %d of its reports", "其中 %d 次报告的中位数"},
    {"; left out: %d of the warm-up", "；略去：预热 %d 次"},
    {"; %d of other ranks or repeated", "；其他 rank 或重复的 %d 次"},
    {"; %d of other runs", "；其他运行 %d 次"},
    {"; %d of other batches", "；其他批大小 %d 次"},
    {"own runs", "自有运行"},
    {"peaks", "自有峰值"},
    {"anchored by %d run of yours of this model: a step takes %.3g times what "
     "the constants say",
     "以您的 %d 次运行为锚（本模型）：每步时间按常数所给的 %.3g 倍计"},
    {"anchored by %d runs of yours of this model: a step takes %.3g times what "
     "the constants say",
     "以您的 %d 次运行为锚（本模型）：每步时间按常数所给的 %.3g 倍计"},
    {"anchored by %d run of yours of another model or network: a step takes "
     "%.3g times what the constants say",
     "以您的 %d 次运行为锚（其他模型或网络）：每步时间按常数所给的 %.3g 倍计"},
    {"anchored by %d runs of yours of other models or networks: a step takes "
     "%.3g times what the constants say",
     "以您的 %d 次运行为锚（其他模型或网络）：每步时间按常数所给的 %.3g 倍计"},
    {"%d of this model: how sure a plan is to fit is said for a peak of %.3g "
     "times the estimate",
     "本模型 %d 次：放得下的把握按估算峰值的 %.3g 倍计"},
    {"%d of other models or networks: how sure a plan is to fit is said for a "
     "peak of %.3g times the estimate",
     "其他模型或网络 %d 次：放得下的把握按估算峰值的 %.3g 倍计"},
    {"HOLDS, within %g %%", "成立，误差在 %g%% 以内"},
    {"DOES NOT HOLD, within %g %%", "不成立，误差界 %g%%"},
    {"NOT RUN (--dry-run)", "未运行（--dry-run）"},
    {"NOT MEASURED", "未测量"},
    {": %s\n", "：%s\n"},
    {"%s, driver %s, %s", "%s，驱动 %s，%s"},
    {"%s\t%d of %d\t%d", "%s\t%d / %d\t%d"},
    {"%.3f\t%.3f\t%.3f\t%.3f\t%s, not %s",
     "%.3f\t%.3f\t%.3f\t%.3f\t%s，而非 %s"},
    {"worst    ", "最差     "},
    {"%s%s: %s\n", "%s%s：%s\n"},
    {"measured / predicted\toperations\tpoints\tmedian\t10 %%\t90 "
     "%%\tworst\twhich took",
     "实测 / 预测\t算子\t点数\t中位\t10 %%\t90 %%\t最差\t最差者耗时"},
    {"measured: %.1f %% of the planned seconds\n",
     "已测量：计划时间的 %.1f%%\n"},
    {"step     %s predicted; too few points to fit constants to\n",
     "单步     预测 %s；点数太少，无法拟合常数\n"},
    {"step     %s predicted, %s with measured constants (%+.1f %%)\n",
     "单步     预测 %s，用实测常数为 %s（%+.1f%%）\n"},
    {"choice   still the recommended plan\n", "选择     仍是推荐的方案\n"},
    {"choice", "选择"},
    {"with these constants %s is recommended: %s, and the plan takes %.2f %% "
     "longer",
     "用这些常数时推荐 %s：%s，此方案多用 %.2f%%"},
    {"memory   %s allocated at the peak; not tried\n",
     "显存     峰值分配 %s；未尝试\n"},
    {"memory   %s allocated at the peak; the GPU gives up to %s: %s\n",
     "显存     峰值分配 %s；GPU 至多可分配 %s：%s\n"},
    {"enough", "足够"},
    {"NOT enough", "不够"},
    {"\n%s measurements, where the GPUs are:\n",
     "\n%s 项测量，在有 GPU 的机器上运行：\n"},
    {"no", "理由"},
    {"note", "备注"},
    {"written  %s; plan with --calibration %s\n",
     "已写入   %s；规划时用 --calibration %s\n"},

    /* Backtest. */
    {"macro\t\t\t%s\t\t\t", "宏平均\t\t\t%s\t\t\t"},
    {"time of a step, error in %% (predicted / measured - 1)\n\n",
     "单步耗时，误差 %%（预测 / 实测 - 1）\n\n"},
    {"source\trows\tskipped\tmedian\tmean\t"
     "p90\tsigned\tguess\tinside\tworst\tof "
     "row",
     "来源\t行数\t跳过\t中位\t平均\tp90\t有符号\t基线\t区间内\t最差\t所在行"},
    {"\n(median, mean, p90: of the absolute error; signed: mean; macro: mean "
     "of the medians\nof the sources with %d rows and more; guess: median of "
     "a constant %.0f %% of the peak;\ninside: of the steps, in the 80 %% "
     "range that the runs of all other sources give)\n",
     "\n（中位、平均、p90：绝对误差的；有符号：平均；宏平均：不少于 %d 行的"
     "来源的中位数的平均；\n基线：按峰值算力的固定 %.0f%% 估计时的中位误差；"
     "\n区间内：落在由其余来源给出的 80%% 区间内的比例）\n"},
    {"with the medians of these ranges in the place of the estimates: median "
     "%s, macro %s,\np90 %s, signed %s\n",
     "以这些区间的中位数代替估计值：中位 %s，宏平均 %s，\np90 %s，有符号 %s\n"},
    {"does it fit\tlacked memory\tforeseen\tran\tforeseen",
     "放得下吗\t显存不足\t预测到\t运行成功\t预测到"},
    {"\n%d of %d runs that lacked memory were predicted not to fit, %d of %d "
     "that ran to fit\n",
     "\n显存不足的 %2$d 次运行中 %1$d 次预测为放不下，运行成功的 %4$d 次中 "
     "%3$d 次预测为放得下\n"},
    {"\n%d of %d runs (%s %%) fit, or lack memory, as the estimate says\n\n",
     "\n%2$d 次运行中 %1$d 次（%3$s%%）放得下与否同估计一致\n\n"},
    {"sure to fit, %%\trows\tran\tran, %%",
     "把握 %%\t行数\t运行成功\t运行成功 %%"},
    {"%.0f to %.0f\t%d\t%d\t%s", "%.0f 到 %.0f\t%d\t%d\t%s"},
    {"\n(sure: by the peaks of all other sources)\n",
     "\n（把握：依据其余来源的峰值）\n"},
    {"peak memory of a rank, error in %% (predicted / measured - 1)\n\n",
     "一个 rank 的显存峰值，误差 %%（预测 / 实测 - 1）\n\n"},
    {"source\trows\tskipped\tmedian\tmean\tp90\tsigned\tworst\tof row",
     "来源\t行数\t跳过\t中位\t平均\tp90\t有符号\t最差\t所在行"},
    {"choice of a plan, regret in %% (time of the plan predicted fastest / "
     "fastest - 1)\n\n",
     "方案的选择，遗憾 %%（预测最快的方案的耗时 / 最快 - 1）\n\n"},
    {"source\tsets\tskipped\tmedian\tmean\tany plan\ttau",
     "来源\t组数\t跳过\t中位\t平均\t任一方案\ttau"},
    {"macro\t\t\t\t%s\t%s\t", "宏平均\t\t\t\t%s\t%s\t"},
    {"\n(any plan: mean regret of a plan drawn from the set; tau: Kendall's; "
     "macro: mean of the\nsources' means; %d runs of these sets cannot be "
     "predicted and are left out)\n",
     "\n（任一方案：组内任取一个方案的平均遗憾；tau：Kendall 的；宏平均：各"
     "来源平均值的平均；\n这些组中有 %d 次运行无法预测，已略去）\n"},
    {"skipped\trows\treason\tfirst", "跳过\t行数\t原因\t首个"},
    {"rows\tassumed", "行数\t假设"},
    {"row\tsource\tstep s\tpredicted\terror %%\tpeak GiB\tpredicted\terror "
     "%%\tskipped",
     "行\t来源\t单步 s\t预测\t误差 %%\t峰值 GiB\t预测\t误差 %%\t跳过"},

    {"(costs: what a step takes less where these links are unlimited; of"
     " the cards, on a network with nothing tight above them)",
     "（耗时：这些链路不受限时每步省下的时间；网卡一行以其上没有瓶颈的网"
     "络计）"},
    {"(load: of the GPUs below, those that send up at once; of an all-to"
     "-all, of their bytes; time / cards: above 1 the cut is tighter tha"
     "n the network cards)",
     "（负载：其下的 GPU 中同时向上发送的比例；all-to-all 则为字节的比例"
     "；时间 / 网卡：大于 1 时该处比网卡更紧）"},
    {": %s, which cost %.3g s (%.1f %%) of a step of %s\n",
     "：%1$s，占每步 %4$s 中的 %2$.3g 秒（%3$.1f %%）\n"},
    {": no link of it costs anything of a step of %s\n",
     "：没有链路占用每步 %s 的时间\n"},
    {"(%s inside a slice is not counted here: 'plan3d estimate' has what each "
     "collective costs)\n",
     "（切片内的 %s 未计入；各集合通信的耗时见“plan3d estimate”）\n"},
    {"(load: of the GPUs below, those that send up at once; of unlike stages, "
     "those that find the cut the tightest; time / cards: above 1 the cut is "
     "tighter than the network cards)",
     "（负载：其下的 GPU 中同时向上发送的比例；stage 不同时取最紧的；时间 / "
     "网卡：大于 1 时该处比网卡更紧）"},
    {"groups\tcut\tload %%\tlinks reached %%\ttime / cards",
     "组\t切面\t负载 %%\t用到的链路 %%\t时间 / 网卡"},
    {"pipelines", "流水线"},
    {"POOLS: the best plan of %s with each network and job\n\n",
     "资源池：%s 在每种网络和任务下的最佳方案\n\n"},
    {"together s", "一起 s"},
    {"alone s", "单独 s"},
    {"on", "用"},
    {"(step s, tok/s: of what is recommended; together: of the fastest plan on "
     "all pools; alone: of the best pool alone; *: the most tokens/s; the "
     "plan's layers are in 'plan3d fit')",
     "（单步 s、tok/s：推荐者的；一起：全部资源池上最快的方案；单独：最好的单个资源池；*：tokens/s "
     "最高；各 stage 的层数见“plan3d fit”）"},
    {"%s, links up of tier %d", "%s，第 %d 层的上行链路"},
    {"the fastest on all pools together; %s alone is no slower",
     "全部资源池一起时最快的；只用 %s 不会更慢"},
    {"NETWORK NOT TIGHT",
     "网络不吃紧"},
    {"TIGHT",
     "吃紧"},
    {"cut\tGPUs below\tlinks GB/s\tcosts s\tstep %%\tmostly",
     "切面\t其下 GPU\t链路 GB/s\t耗时 s\t占步 %%\t主要是"},
    {"groups\tranks\tcut\tload %%\tlinks reached %%\ttime / cards",
     "组\trank 数\t切面\t负载 %%\t用到的链路 %%\t时间 / 网卡"},
    {"links up of tier %d",
     "第 %d 层的上行链路"},
    {"network cards",
     "网卡"},
    {"the same plan with\tstep s\tstep %%",
     "同一方案改用\t步时 s\t步 %%"},
    {"%.4g GB/s up",
     "上行 %.4g GB/s"},
    {"%s: %d node%s x %d GPU%s%s%s%s%s",
     "%1$s：%2$d 个节点%3$.0s x %4$d 个 GPU%5$.0s%6$s%7$s%8$s%9$s"},
    {" in domains of %d",
     "，每域 %d 个"},
    {"%s: %d x %.4g GB/s %s per node%s",
     "%s：每节点 %d x %.4g GB/s %s%s"},
    {", %d node%s below a switch of tier %d, ",
     "，第 %3$d 层每台交换机下 %1$d 个节点%2$.0s，"},
    {", nodes placed at random",
     "，节点位置随机"},
    {", nodes where --hosts has them",
     "，节点位置按 --hosts"},
    {", rails",
     "，rails"},
    {"ring",
     "环"},
    {"all-to-all",
     "全交换"},
    {"neighbours",
     "相邻"},
    /* A traced step. */
    {"part of a step\tpredicted s\tmeasured s\tdifference s\tkernels planned"
     "\tmeasured",
     "一步的各部分\t预测 s\t实测 s\t差 s\t计划 kernel 数\t实测"},
    {"%s\t%.4f\t%.4f\t%+.4f\t%s\t%s",
     "%s\t%.4f\t%.4f\t%+.4f\t%s\t%s"},
    {"mean of %d steps, %.4f to %.4f s; beside other kernels: %.4f s of "
     "communication\n\n",
     "%d 步的平均，%.4f 到 %.4f s；与其他 kernel 重叠的通信：%.4f s\n\n"},
    {"again",
     "重算"},
    {"%s: %.4f s of the predicted %.4f s are recomputation",
     "%1$s：预测的 %3$.4f s 中有 %2$.4f s 是重计算"},
    {"why",
     "原因"},
    {"%d are traced; above is rank %d, which computes longest",
     "跟踪了 %d 个；上面是计算最久的 rank %d"},
    {"kernels of a rank\tmean s\tfastest s\trank\tslowest s\trank",
     "一个 rank 的 kernel\t平均 s\t最快 s\trank\t最慢 s\trank"},
    {"collectives of a rank\tcalls\tmean s\ttransfer s\twaiting s\tlast rank"
     "\tshare %%",
     "一个 rank 的集合通信\t次数\t平均 s\t传输 s\t等待 s\t最晚的 rank\t占 %%"},
    {"transfer: what the rank takes that comes last; the others wait for it\n",
     "传输：最晚到的 rank 所用的时间；其他 rank 在等它\n"},
    {"stage\tranks\tcomputing s\tbubble s",
     "stage\trank 数\t计算 s\t气泡 s"},
    {"transfers between ranks",
     "rank 之间的传输"},
    {NULL, NULL},
};
/* clang-format on */
