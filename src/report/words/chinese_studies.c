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
    {"left out for want of room: %s (--format csv)\n",
     "因宽度略去：%s（--format csv）\n"},
    {"time %", "耗时 %"},
    {"sure %", "把握 %"},
    {"of all plans that fit by the estimate the fastest; of the sure ones "
     "about as fast as any the roomiest; time %%: of the step, against the "
     "plan above)",
     "最快：按估计放得下的方案中最快的；最宽裕：有把握且差不多快的方案中显存"
     "最宽裕的；耗时 %%：与上表方案的步时相比）"},
    {"(", "（"},
    {"IN TIME", "能按时完成"},
    {": %s is the smallest, %s of %s", "：最小的是 %s，%s / %s"},
    {", and the cheapest\n", "，也最便宜\n"},
    {"; %s is the cheapest, %s\n", "；最便宜的是 %s，%s\n"},
    {" on any cluster that was looked at\n", "：看过的集群都不行\n"},
    {"NOT IN TIME", "不能按时完成"},
    {": %s comes closest, %s instead of %s: %s (%.3g %%) too long\n",
     "：最接近的是 %s，需 %s 而非 %s：超出 %s（%.3g%%）\n"},
    {": %s comes closest, %s instead of %s: %.3g times as long\n",
     "：最接近的是 %s，需 %s 而非 %s：是其 %.3g 倍\n"},
    {"SWEEP", "扫描"},
    {": %d of %d combination%s fit", "：%2$d 种组合%3$.0s中 %1$d 种放得下"},
    {", %d without a legal plan", "，%d 种没有合法方案"},
    {"; %d on the front\n", "；%d 种在帕累托前沿上\n"},
    {"INTERRUPTED: what follows is the best so far\n",
     "已中断：以下是目前最好的\n"},
    {"INTERRUPTED: %d of %lld combinations\n",
     "已中断：%2$lld 种组合中完成 %1$d 种\n"},
    {"%s: %s parameters, %d layers", "%s：参数量 %s，%d 层"},
    {"training", "训练"},
    {"%s tokens in at most %s", "%s token，至多 %s"},
    {"%s tokens", "%s token"},
    {"*: on the front: no row with such sequences is as good in GPUs, time, "
     "money, energy and free memory, and better in one; ",
     "*：在帕累托前沿上：同样序列长度的行中，没有一行在 GPU 数、耗时、费用、"
     "能耗和空闲显存上都不差且有一项更好；"},
    {"both: smallest and cheapest; ", "两者：最小且最便宜；"},
    {"smallest", "最小"},
    {"cheapest", "最便宜"},
    {"Z: ZeRO; mb: sequences of a micro-batch; /GPU: tokens/s of one GPU; "
     "free: GiB of the tight GPU that are left, below 0: missing",
     "Z：ZeRO；mb：微批次的序列数；/GPU：每 GPU tokens/s；空闲：显存最紧的 "
     "GPU 剩余的 GiB，负数为还差"},
    {"; days, MWh%s: of the whole training, with failures, restarts and "
     "checkpoints",
     "；天、MWh%s：整个训练，含故障、重启和检查点"},
    {", USD", "、美元"},
    {"; USD: of a billion tokens", "；美元：每十亿 token"},
    {")", "）"},
    {", sequence %d", "，序列 %d"},
    {", batch %lld", "，批大小 %lld"},
    {"%s%s: %s counts from %s to %s GPUs, %s searched exactly, %s skipped "
     "(too slow or too dear even at peak)%s",
     "%1$s%2$s：从 %4$s 到 %5$s 个 GPU 共 %3$s 种数目，%6$s 种精确搜索，%7$s"
     " 种跳过（即使达到峰值也太慢或太贵）%8$s"},
    {"; interrupted", "；已中断"},
    {"scanned", "扫描"},
    {"batch: the default of each count, about 4 Mi tokens or 1,024 per GPU "
     "(--batch)",
     "批大小：各数目的默认值，约 4 Mi token，或每 GPU 1,024（--batch）"},
    {"exact; every larger cluster is in time too: it can leave nodes idle",
     "精确；更大的集群也都能按时完成：可以让节点闲置"},
    {"exact: none of them is in time", "精确：都不能按时完成"},
    {"%d other row%s: not on the front, %d of them without a plan that fits\n",
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
    {"%c IS NOT LEGAL: %s%s%s", "%c 不合法：%s%s%s"},
    {"the best plan: ", "最优方案："},
    {"the best plan with %.100s: ", "满足 %.100s 的最优方案："},
    {"%snot legal", "%s不合法"},
    {"memory of the tight GPU", "最紧 GPU 的显存"},
    {"pipeline rank\t%d\t%d", "流水线 rank\t%d\t%d"},
    {"left of what is usable", "可用中剩余"},
    {"offloaded to a node's host", "卸载到节点主机"},
    {"micro-batches per step\t%lld\t%lld\t%+lld\t",
     "每步微批次数\t%lld\t%lld\t%+lld\t"},
    {"tokens/s per GPU\t%.1f\t%.1f\t%+.1f\t",
     "每 GPU tokens/s\t%.1f\t%.1f\t%+.1f\t"},
    {"%s (%s per step)", "%s（单位 %s/步）"},

    /* Advise and explain why. */
    {"  (not taken)", "  （未采用）"},
    {"    %s: %.2f of %.2f GiB per GPU, step %s, %s tokens/s per GPU\n",
     "    %s：每 GPU %.2f / %.2f GiB，单步 %s，每 GPU %s tokens/s\n"},
    {"fits", "放得下"},
    {"fits, barely", "勉强放得下"},
    {"OUT OF MEMORY", "显存不足"},
    {"    not legal: %s: ", "    不合法：%s："},
    {"the walk has no move that leads on to it; what it has that the walk's "
     "answer has not:\n    ",
     "逐步调优没有通向它的一步；它有而调优结果没有的：\n    "},
    {"the walk's answer is as fast as the recommended plan",
     "调优结果与推荐方案一样快"},
    {"the walk's answer is %.1f %% %s than the recommended plan",
     "调优结果比推荐方案%2$s %1$.1f%%"},
    {": it is the same plan\n", "：就是同一个方案\n"},
    {": neither the walk nor the search found a plan\n",
     "：逐步调优和搜索都没有找到方案\n"},
    {", %s", "，%s"},
    {", but the walk does not get there\n", "，但逐步调优到不了那里\n"},
    {": of %d plans that the walk tries, its answer leaves %.2f GiB per GPU "
     "free\n",
     "：逐步调优试了 %d 个方案，结果每 GPU 还空 %.2f GiB\n"},
    {"not legal: %s%s%s", "不合法：%s%s%s"},
    {"needs more than the %.0f GiB of a host", "需要的超过主机的 %.0f GiB"},
    {"misses %.2f GiB; %s take %.2f GiB", "还差 %.2f GiB；%s占 %.2f GiB"},
    {"no fit", "放不下"},
    {"chosen", "选定"},
    {"closest", "最接近"},
    {"%s to %s", "%s 到 %s"},
    {"decision", "选择"},
    {"misses", "还差"},
    {"more, GiB", "多出 GiB"},
    {"  what changes too: ", "  随之改变的："},
    {"terms that change most, %s\n", "变化最大的各项，%s\n"},
    {"largest term of memory\n", "显存最大的一项\n"},
    {"\nEach line: the fastest sure plan with this one value, and all others "
     "free. What is\nfaster than the plan above is less simple, or leaves "
     "less free.\n\n",
     "\n每一行：固定这一项，其余重新寻优，有把握放得下的方案中最快的一个。\n"
     "比上面的方案更快的，要么没有它简单，要么留下的显存更少。\n\n"},

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
    {"nothing", "无影响"},
    {"hangs on %s", "%s"},
    {"plan\tof the %d compared\tstep s\tfastest %%\tregret %%",
     "方案\t比较的 %d 个之中\t单步 s\t最快 %%\t遗憾 %%"},
    {"steady", "稳健"},
    {"plan %d, whose expected regret is %.3f %% instead of %.3f %%",
     "方案 %d，期望遗憾 %.3f%%，而非 %.3f%%"},
    {"measure", "测量"},
    {"nothing for the choice's sake: no single constant would change it to "
     "the better by more than the noise of the draws",
     "为了选择无需测量：没有哪个常数能使选择变好，且超过抽样噪声"},
    {"%s: %s; to know it saves %.3f %% of the step (+- %.3f) of the %.3f %% "
     "that the steadiest plan is expected to lose",
     "%s：%s；最稳健的方案预计损失 %5$.3f%%，测准它可省单步的 %3$.3f%%（+- "
     "%4$.3f）"},
    {"with the constants as they are plan %d; this one takes %.3f %% longer",
     "按现有常数是方案 %d；此方案多用 %.3f%%"},
    {"regret", "遗憾"},
    {"%.3f %% expected, below %.3f %% in 95 %% of the draws: what this plan "
     "takes longer than the one that is the fastest there",
     "期望 %.3f%%，95%% 的抽样低于 %.3f%%：此方案比该次抽样中最快的方案多用"
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
    {"%d plans are compared, %d of them found by %d exact searches with "
     "changed constants; of %d draws that were searched exactly %d had their "
     "best plan among those compared already",
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
     "that grows with it; runs: those that spend %.0f %% of their step there; "
     "what none shows is taken to be as wrong as the rest)",
     "（占误差：按平方计的份额；误差：8 次运行中 5 次在其内，按全部来源和去"
     "掉任一来源：某项的速率以及随它增长的一切；运行：单步的 %.0f%% 花在该项"
     "上的；没有运行说明的项，按与其余一样不准计）"},
    {"measure\ttakes away %%\tleaves %%\tby",
     "测量\t可消除 %%\t剩余 %%\t方法"},
    {"takes away: at most; a benchmark no more than the error of the "
     "constants that it measures; %s: as %s runs of %d sources are foretold "
     "by another of the same source, framework, GPU and model",
     "可消除：至多；基准测试不超过它所测常数的误差；%s：%3$d 个来源的 %2$s "
     "次运行由同来源、框架、GPU 和模型的另一次运行预测"},
    {"checked", "检验"},
    {"each source foretold by the others: %d of %d are likelier by their "
     "terms than by one error of %.0f %% for all steps",
     "每个来源由其余来源预测：%2$d 个中有 %1$d 个按各项误差比按统一的 %3$.0f"
     "%% 误差更可能"},
    {"%.0f %% of runs should take %s to %s, by those most alike",
     "%.0f%% 的运行应在 %s 到 %s 之间，按最相似的运行计"},

    /* Import. */
    {"%s per step in the log (median of %d), predicted %s: %+.1f %%",
     "日志中单步 %s（%d 步的中位数），预测 %s：%+.1f%%"},
    {"%.2f GiB allocated, predicted %.2f; %.2f GiB reserved, predicted %.2f",
     "已分配 %.2f GiB，预测 %.2f；已保留 %.2f GiB，预测 %.2f"},
    {"advised", "推荐"},
    {"no plan fits", "没有放得下的方案"},
    {"it is the recommended plan", "就是推荐的方案"},
    {"%s %s (%s to %s), %s to fit with %.1f GiB free, with",
     "%s %s（%s 到 %s），放得下的%s，空 %.1f GiB，方案为"},
    {"%s %s (%s to %s), %s to fit with %.1f GiB free: yours takes %.1f %% "
     "longer (%s)",
     "%s %s（%s 到 %s），放得下的%s，空 %.1f GiB；文件中的方案多用 %.1f%%（%s）"},
    {"      %2d %-*s%*s%+9.1f %%%+10.*f %s%7.1f GiB free, %s\n",
     "      %2d %-*s%*s%+9.1f%%%+10.*f %s%7.1f GiB 空闲，%s\n"},
    {"you run", "现在运行"},
    {"the recommended plan", "推荐的方案"},
    {"file", "文件"},
    {"it cannot say the recommended plan: %s", "写不了推荐的方案：%s"},
    {"%s, with %s, is %s", "%1$s 换成%2$s后，写在 %3$s"},
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
    {"as %s, option names of %s", "按 %s，选项名取自 %s"},
    {"as %s", "按 %s"},
    {"default", "默认"},
    {"beware", "注意"},
    {"at your own risk: not understood, and may change the answer:",
     "风险自负：下列选项无法理解，可能改变答案："},
    {"these change what runs, and are not in the estimate:",
     "这些会改变实际运行，但不在估计之内："},
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
     "the others had\nnot seen, in five parts)\n",
     "（|预测 / 实测 - 1| 的平均；留出：分成五份，在拟合其余各份时未见过的点"
     "上）\n"},
    {"\nkept from %s, for too few points:\n", "\n点数太少，沿用 %s 的：\n"},
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
    {"memory   %s allocated at the peak: %s; at most %s can be had\n",
     "显存     峰值分配 %s：%s；至多可分配 %s\n"},
    {"had", "分配成功"},
    {"NOT had", "分配失败"},
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

    {NULL, NULL},
};
/* clang-format on */
