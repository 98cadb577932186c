/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_study.c - Chinese words of errors
 * of calibrations, searches, traces and studies. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_study[] = {
    /* src/calibrate/calibrate.c */
    {"%s: no constants fit these %d points (%.0f %% off on those held out); "
     "measure again on an idle device with '%s'",
     "%s：没有常数能拟合这 %s 个点（留出的点误差 %s%%）；请在空闲的设备上用“"
     "%s”重新测量"},
    {"files of two devices: '%.90s' of %lld SMs at %g W, and '%.90s' of %lld "
     "SMs at %g W; calibrate each by itself",
     "文件来自两种设备：“%s”（%s 个 SM，%s W）和“%s”（%s 个 SM，%s W）；请分"
     "别校准"},
    {"too few points for any form; %d %s are left out: %s; measure with '%s'",
     "点太少，任何形式都无法拟合；去掉了 %s 个%s：%s；请用“%s”测量"},
    {"too few points for any form: %d GEMMs of %d, %d memory passes of %d; "
     "measure with '%s'",
     "点太少，任何形式都无法拟合：GEMM %s 个（需 %s 个），访存 kernel %s 个（"
     "需 %s 个）；请用“%s”测量"},
    {"memory passes", "访存 kernel"},
    /* src/calibrate/fit.c */
    {"%d measured kernels, at least %d needed",
     "只测了 %s 个 kernel，至少需要 %s 个"},
    {"out of memory for a fit", "内存不足，无法拟合"},
    /* src/study/trace.c */
    {"the trace names its %d steps; leave out --trace-steps",
     "轨迹已标出它的 %s 步；请去掉 --trace-steps"},
    /* src/study/traced_ranks.c */
    {"two traces are of rank %d; give one of each rank",
     "有两个轨迹来自 rank %s；每个 rank 请只给一个"},
    {"traces are of jobs of %d and of %d ranks; give those of one run",
     "轨迹来自 %s 个和 %s 个 rank 的任务；请给同一次运行的轨迹"},
    /* src/report/trace/trace.c */
    {"%lld micro-batches on %d stages are too many to trace; write a --batch "
     "%lld times smaller",
     "%2$s 个 stage 上有 %1$s 个微批次，太多，无法画出轨迹；请把 --batch 缩小"
     " %3$s 倍"},
    {"--micro-batches %lld: a file too large for a viewer; write "
     "--micro-batches %lld%s",
     "--micro-batches %s：文件太大，查看器打不开；请写 --micro-batches %s%s"},
    {", or --stage 0", "，或 --stage 0"},
    {"--stage %d: pipeline ranks of the plan are numbered from 0 to %d",
     "--stage %s：方案的流水线 rank 编号为 0 到 %s"},
    /* src/search/advice/best_framework.c */
    {"out of memory during the search", "搜索时内存不足"},
    {"each of %d frameworks rejects it; %s: %.300s",
     "%s 个框架都不支持；%s：%s"},
    /* src/search/advice/panel.c */
    {"interrupted while plans were compared", "比较方案时被中断"},
    /* src/search/exact/verify.c */
    {"out of memory while verifying", "核验时内存不足"},
    /* src/study/backtest.c */
    {"--source: no rows of '%.60s' in %.100s%s",
     "--source：%2$s 中没有“%1$s”的行%3$s"},
    {"no row '%.*s' in the table of runs", "运行表中没有“%s”这一行"},
    {"more than %d runs in a set", "一组超过 %s 次运行"},
    {"more than %d runs in all sets", "各组合计超过 %s 次运行"},
    {"--calibration is of %s, and no row that can be predicted ran on it; "
     "leave it out",
     "--calibration 是 %s 的，而能预测的行都不在它上面运行；请去掉"},
    /* src/study/sweep.c */
    {"more than %d combinations; write larger steps, or ranges that double, "
     "such as 8..1024",
     "超过 %s 种组合；请加大步长，或用翻倍的范围，如 8..1024"},
    /* src/study/sweep_limit.c */
    {"the most tokens of what? set a deadline or a budget",
     "在什么限制下的最多 token？请给出期限或预算"},
    /* src/study/sweep_row.c */
    {"unknown framework '%.60s'", "没有框架“%s”"},
    /* src/study/sweep_scan.c */
    {"--max-gpus: a node of %s has %lld GPUs already; write a larger number",
     "--max-gpus：%s 的一个节点已有 %s 个 GPU；请写更大的数"},
    /* src/study/validate.c */
    {"measured on '%.90s', but the cluster has %s; validate a plan of the "
     "cluster that was measured",
     "在“%s”上测量，而集群是 %s；请验证所测集群上的方案"},
    {"none of the plan's operations was measured; see 'plan3d validate "
     "--dry-run' for what measures them",
     "方案中的操作一项也没有测量；“plan3d validate --dry-run”给出测量它们的命"
     "令"},
    {"before any plan was found", "，尚未找到任何方案"},
    {"while the plans were searched again", "，正在重新搜索方案"},
    {"only %.1f %% of the planned seconds was measured",
     "只测量了预计时间的 %s%%"},
    {"%s: %d points, a fit needs %d; constants of %s stay",
     "%1$s：%2$s 个点，拟合需要 %3$s 个；%4$s 的常数不变"},
    {"what was not measured is taken as predicted: %.1f %% of the planned "
     "seconds",
     "没有测量的部分按预测计：预计时间的 %s%%"},
    {"%d attention cores were measured as products and a softmax, and are not "
     "compared",
     "%s 个注意力核心按矩阵乘和 softmax 测量，不作比较"},
    {"attention was measured with cuDNN's kernel, which the job does not use: "
     "its time in the step stays",
     "注意力用 cuDNN 的 kernel 测量，而任务不用它：单步中的注意力时间不变"},
    {"%d collectives were measured on other numbers of nodes than the plan's "
     "groups have; --launcher starts all of them",
     "%s 个集合通信测量时的节点数与方案的通信组不同；--launcher 会启动全部 "
     "rank"},
    {"collectives between nodes are compared, their constants stay",
     "节点间集合通信只作比较，常数不变"},
    {"failed and left out: %.200s", "失败而略去：%s"},
    {NULL, NULL},
};
/* clang-format on */
