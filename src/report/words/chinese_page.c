/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_page.c - Chinese words of the page. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_page[] = {
    /* Html. */
    {"<code id=\"%s\">%s</code> <button type=\"button\" class=\"copy\" "
     "data-copy=\"%s\" hidden>Copy<span class=\"hide\"> %s</span></button>",
     "<code id=\"%s\">%s</code> <button type=\"button\" class=\"copy\" "
     "data-copy=\"%s\" hidden>复制<span class=\"hide\"> %s</span></button>"},

    /* The page: basis. */
    {"The search was stopped before all %s plans were settled",
     "全部 %s 个方案定论之前搜索已中止"},
    {"All %s legal plans are settled", "全部 %s 个合法方案都已有定论"},
    {"The search and its proof", "搜索及其证明"},
    {"<p class=\"quiet\">Every legal plan of the framework is cut by a bound, "
     "shown too large, beaten by one that does less, or computed; no sample "
     "is drawn.</p>\n",
     "<p class=\"quiet\">框架的每个合法方案，要么被下界剪枝，要么证明显存不"
     "够，要么被做得更少的方案超过，要么算出；没有抽样。</p>\n"},
    {"weights + gradients + optimizer states + saved activations + "
     "temporary tensors + buffers + workspaces + fragmentation + context and "
     "communicators",
     "权重 + 梯度 + 优化器状态 + 保存的激活 + 临时张量 + 缓冲区 + 工作区 + "
     "碎片 + 上下文和通信器"},
    {"of each pipeline stage, at the pass where the sum is the largest",
     "每个 stage，取总和最大的阶段"},
    {"memory that a program sees - what is kept free",
     "程序可见的显存 - 余量"},
    {"GEMMs + attention + kernels + recomputation + exposed "
     "communication + bubble + optimizer + waiting",
     "矩阵乘 + 注意力 + 访存 + 重计算 + 未掩盖的通信 + 气泡 + 优化器 + 等待"},
    {"of the slowest pipeline rank", "最慢的流水线 rank"},
    {"sequences x tokens of one / step", "序列数 x 每条 token 数 / 单步耗时"},
    {"all GPUs", "全部 GPU"},
    {"FLOPs of the model in a step / (step x GPUs x dense peak)",
     "一步的模型 FLOPs /（单步耗时 x GPU 数 x 稠密峰值算力）"},
    {"HFU counts recomputation too", "HFU 还计入重计算"},
    {"<p>Speeds: constants <b>%s</b>, %s%s%s%s. Errors on kernels that a fit "
     "had not seen, guesses where it is assumed: GEMMs %s, memory-bound "
     "kernels %s, collectives %s.</p>\n",
     "<p>速度：常数 <b>%s</b>，%s%s%s%s。在拟合未见过的 kernel 上的误差，"
     "假定之处为估计值：矩阵乘 %s，访存密集型算子 %s，集合通信 %s。</p>\n"},
    {", by its owner", "（由所有者测量）"},
    {"Tensors alive on the tight GPU, with their sources",
     "显存最紧的 GPU 上存活的张量及其出处"},
    {"<tensor|<shape|GiB|<why|<source", "<张量|<形状|GiB|<原因|<出处"},
    {"<p class=\"quiet\">%d of %d lines; <code>plan3d explain ... "
     "memory</code> prints all.</p>\n",
     "<p class=\"quiet\">共 %2$d 行，显示 %1$d 行；<code>plan3d explain ... "
     "memory</code> 输出全部。</p>\n"},
    {"Measured runs that are near this one", "与此相近的实测"},
    {"<model|GPUs|<framework|measured tokens/s per GPU|predicted|error|steps "
     "away|<source",
     "<模型|GPU|<框架|实测每 GPU tokens/s|预测|误差|相距步数|<出处"},
    {"<details><summary>The whole training</summary>\n<pre "
     "tabindex=\"0\">%s</pre></details>\n",
     "<details><summary>整个训练</summary>\n<pre tabindex=\"0\">%s</pre><"
     "/details>\n"},
    {"They rest on %d assumptions; options in brackets change them",
     "基于 %d 条假设；括号里的选项可以改变它们"},
    {"What the numbers rest on", "这些数字的依据"},
    {"<div class=\"file\"><div class=\"bar\"><b>%s</b><button type=\"button\" "
     "class=\"copy\" data-copy=\"file-%s-%d\" hidden>Copy<span "
     "class=\"hide\"> %s of %s</span></button></div>\n<pre tabindex=\"0\" "
     "id=\"file-%s-%d\">%s</pre></div>\n",
     "<div class=\"file\"><div class=\"bar\"><b>%1$s</b><button type=\""
     "button\" class=\"copy\" data-copy=\"file-%2$s-%3$d\" hidden>复制<span "
     "class=\"hide\"> %5$s 的 %4$s</span></button></div>\n<pre tabindex=\"0"
     "\" id=\"file-%6$s-%7$d\">%8$s</pre></div>\n"},
    {"<details class=\"target\"><summary>%s <span class=\"quiet\">%s per step "
     "by its own costs%s</span></summary>\n<p class=\"quiet\">Names of the "
     "options: %s</p>\n",
     "<details class=\"target\"><summary>%s <span class=\"quiet\">按它自己的"
     "开销单步 %s%s</span></summary>\n<p class=\"quiet\">选项名取自：%s</p>"
     "\n"},
    {", and does not fit there", "，并且在那里放不下"},
    {"Frameworks that cannot run this plan, and why",
     "不能运行此方案的框架及原因"},
    {"<framework|<reason", "<框架|<原因"},
    {"%d of %d frameworks can run this plan",
     "%2$d 个框架中有 %1$d 个能运行此方案"},
    {"Launch files", "启动文件"},
    {"<p>The plan does not fit: these files are for a machine with more "
     "memory.</p>\n",
     "<p>此方案放不下：这些文件适用于显存更大的机器。</p>\n"},

    /* The page: front. */
    {"<text class=\"quiet end\" x=\"83%%\" y=\"%d\">%s per step</text>\n",
     "<text class=\"quiet end\" x=\"83%%\" y=\"%d\">单步 %s</text>\n"},
    {"recommended", "推荐"},
    {"%s, %s GiB free, %s", "%s，空 %s GiB，%s"},
    {"Each point is a plan that fits: to the left the faster ones, above "
     "those that leave more memory free. The line joins the plans that no "
     "other point beats in both. The table below has the numbers.",
     "每个点是一个放得下的方案：越靠左越快，越靠上剩余显存越多。折线连接在两"
     "方面都不被其他点超过的方案。数字见下表。"},
    {"Point at a plan, or touch it.", "指向或点按一个方案。"},
    {"Pareto-optimal plans", "帕累托前沿上的方案"},
    {"step|GiB free|<to fit|<plan", "单步|空闲 GiB|<放得下|<方案"},
    {"<ul class=\"key\"><li><span class=\"swatch round own\"></span>the plan "
     "of this page</li>\n<li><span class=\"swatch round front\"></span>"
     "Pareto-optimal: no other point is faster with as much free, or as "
     "fast with "
     "more</li>\n",
     "<ul class=\"key\"><li><span class=\"swatch round own\"></span>本页的方"
     "案</li>\n<li><span class=\"swatch round front\"></span>在帕累托前沿上"
     "：没有其他点在剩余显存相同时更快，或速度相同时剩余更多</li>\n"},
    {"<li><span class=\"swatch round front unsure\"></span>less sure to fit "
     "than was asked for</li>\n",
     "<li><span class=\"swatch round front unsure\"></span>放得下的把握低于"
     "要求</li>\n"},
    {"</ul>\n<p class=\"quiet\">The fastest sure plans, the best of each pair "
     "of tensor and pipeline ranks, and the plans to choose from.</p>\n",
     "</ul>\n<p class=\"quiet\">有把握的最快的方案、每种张量与流水线并行数组"
     "合的最优方案，以及可选的方案。</p>\n"},
    {"<p class=\"quiet\">%d of %d plans are drawn, the others are "
     "slower.</p>\n",
     "<p class=\"quiet\">共 %2$d 个方案，画出 %1$d 个，其余更慢。</p>\n"},
    {"The fastest plan also leaves the most memory, %s GiB",
     "最快的方案剩余显存也最多，%s GiB"},
    {"The fastest plan leaves %s GiB free; %s GiB take %s longer",
     "最快的方案空 %s GiB；要空 %s GiB 需多用 %s"},
    {"Speed against free memory", "速度与剩余显存"},

    /* The page: grid. */
    {"no divisor of the GPUs", "不整除 GPU 数"},
    {"experts do not divide", "专家数不整除"},
    {"heads do not divide", "头数不整除"},
    {"KV heads do not divide", "KV 头数不整除"},
    {"MLP does not divide", "MLP 不整除"},
    {"sequence does not divide", "序列不整除"},
    {"layers do not divide", "层数不整除"},
    {"batch too small", "批太小"},
    {"no pipeline there", "无流水线并行"},
    {"no tensor parallelism there", "无张量并行"},
    {"needs %lld GPUs", "需要 %lld 个 GPU"},
    {"not possible", "不可行"},
    {"misses %s GiB: %s", "还差 %s GiB：%s"},
    {"fits by the estimate, less sure than asked: %s",
     "按估计放得下，把握低于要求：%s"},
    {"too little host memory: %s", "主机内存不够：%s"},
    {"<td class=\"tip q%d%s\" tabindex=\"-1\">%s<small>best</small>",
     "<td class=\"tip q%d%s\" tabindex=\"-1\">%s<small>最快</small>"},
    {"<td class=\"tip none%s\" tabindex=\"-1\">%s<small>GiB missing</small>",
     "<td class=\"tip none%s\" tabindex=\"-1\">%s<small>GiB 还差</small>"},
    {"barely fits", "勉强放得下"},
    {"host memory", "主机内存"},
    {"<span class=\"bubble\">TP %d, PP %d: %s</span></td>",
     "<span class=\"bubble\">TP %d，PP %d：%s</span></td>"},
    {"<div class=\"reads\"><div class=\"wide\" tabindex=\"0\" role=\"region\" "
     "aria-label=\"Step by tensor-parallel and pipeline ranks\">\n<table "
     "class=\"heat\" id=\"grid-figure\">",
     "<div class=\"reads\"><div class=\"wide\" tabindex=\"0\" role=\"region"
     "\" aria-label=\"按张量并行数和流水线并行数的单步耗时\">\n<table class="
     "\"heat\" id=\"grid-figure\">"},
    {"<caption>Step of the best plan, in %s</caption>",
     "<caption>最优方案的单步耗时，单位 %s</caption>"},
    {"</tbody></table></div>\n<p class=\"quiet hint\">Point at a cell, or "
     "touch it, to read its plan.</p></div>\n",
     "</tbody></table></div>\n<p class=\"quiet hint\">指向或点按一格，查看其"
     "方案。</p></div>\n"},
    {"Every pair with its plan, or why there is none",
     "每种组合的方案，或没有方案的原因"},
    {"<TP, PP|step|<plan, or why there is none",
     "<TP, PP|单步|<方案，或没有的原因"},
    {"Of the sure plans TP %d with PP %d is the fastest; %d of %d pairs are "
     "within 5 %%",
     "有把握的方案中 TP %1$d 配 PP %2$d 最快；%4$d 种组合中 %3$d 种相差在 5"
     "%% 以内"},
    {"Tensor against pipeline parallelism", "张量并行与流水线并行"},
    {"No number of tensor-parallel and pipeline ranks makes it sure to fit",
     "没有哪种张量并行数和流水线并行数有把握放下"},
    {"No number of tensor-parallel and pipeline ranks makes it fit",
     "没有哪种张量并行数和流水线并行数能放下"},
    {"<p class=\"quiet\">Everything else is free: each cell is the best plan "
     "of an exact search. The stronger the colour the faster; outlined are "
     "the ranks of this page's plan. Not filled: no plan is sure to fit, or "
     "none is possible.</p>\n",
     "<p class=\"quiet\">其余重新寻优：每格是一次精确搜索的最优方案。颜色越"
     "深越快；带框的是本页方案。没有填色：没有方案有把握放得下，或不可行。<"
     "/p>\n"},

    /* The page: memory. */
    {"temporary tensors", "临时张量"},
    {"buffers, allocator, process", "缓冲区、分配器、进程"},
    {"<text y=\"%d\"><tspan class=\"strong\">%s</tspan> %d "
     "layers</text>\n<text class=\"end\" x=\"100%%\" y=\"%d\">%s GiB, %s "
     "%s</text>\n",
     "<text y=\"%1$d\"><tspan class=\"strong\">%2$s</tspan> %3$d 层</text>\n"
     "<text class=\"end\" x=\"100%%\" y=\"%4$d\">%5$s GiB，%7$s %6$s</text>"
     "\n"},
    {"missing", "还差"},
    {"stage %d, %s: %s GiB", "stage %d，%s：%s GiB"},
    {"%s: %s GiB", "%s：%s GiB"},
    {"A bar for each pipeline stage: what the memory of one of its GPUs holds "
     "at the peak, against what is usable. The table below has the numbers.",
     "每个 stage 一条：峰值时其中一个 GPU 的显存内容，与可用显存相比。数字见"
     "下表。"},
    {"Point at a part of a bar, or touch it.", "指向或点按条形的一段。"},
    {"<text class=\"end strong\" x=\"%g%%\" y=\"13\">usable %s GiB</text>\n",
     "<text class=\"end strong\" x=\"%g%%\" y=\"13\">可用 %s GiB</text>\n"},
    {"<GiB of each GPU", "<每 GPU GiB"},
    {"Memory of every stage, by terms", "各 stage 的显存，按项"},
    {"Every GPU", "每个 GPU"},
    {"%s needs %s GiB, and %s are usable", "%s 需要 %s GiB，而可用 %s GiB"},
    {"%s is the fullest: %s of %s GiB usable",
     "%1$s 最满：可用 %3$s GiB 中占 %2$s GiB"},
    {"%s holds %s of %s GiB usable", "%1$s占用可用 %3$s GiB 中的 %2$s GiB"},
    {"Memory per GPU", "每 GPU 显存"},
    {"<p class=\"quiet\">At the peak: %s%s</p>\n",
     "<p class=\"quiet\">峰值时：%s%s</p>\n"},
    {"<p class=\"quiet\">%d of %d stages are drawn; the table has all.</p>\n",
     "<p class=\"quiet\">共 %2$d 个 stage，画出 %1$d 个；表中列出全部。</p>"
     "\n"},

    /* The page: page. */
    {"<meta name=\"viewport\" content=\"width=device-width, "
     "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
     "dark\">\n<meta name=\"generator\" content=\"plan3d %s\">\n<title>%s on "
     "%s</title>\n<style>",
     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1"
     "\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name="
     "\"generator\" content=\"plan3d %s\">\n<title>%s，%s</title>\n<style>"},
    {"</main>\n<footer>\n<p>Made by plan3d %s without a measurement of this "
     "job: believe the order of plans more than the seconds. This file holds "
     "the question and the answer; <code>plan3d import plan.html</code> reads "
     "it.</p>\n</footer>\n",
     "</main>\n<footer>\n<p>由 plan3d %s 生成，没有测量此任务：方案的先后次"
     "序比秒数可信。本文件含有问题和答案；<code>plan3d import plan.html<"
     "/code> 可以读取。</p>\n</footer>\n"},
    {"What helps", "怎样才能放下"},
    {"Plans", "方案"},
    {"Memory", "显存"},
    {"Time of a step", "单步耗时"},
    {"Speed against memory", "速度与显存"},
    {"Tensor against pipeline", "张量与流水线并行"},
    {"The step in time", "一步的时间线"},
    {"Which ranks talk", "rank 间通信"},
    {"More and fewer GPUs", "增减 GPU"},
    {"How sure the step is", "步时的把握"},
    {"Search and proof", "搜索与证明"},
    {"What it rests on", "依据"},
    {"<nav id=\"contents\" aria-label=\"Contents\"><ul>\n",
     "<nav id=\"contents\" aria-label=\"目录\"><ul>\n"},
    {"<a class=\"skip\" href=\"#contents\">To the contents</a>\n<button "
     "type=\"button\" id=\"theme\" hidden>Dark</button>\n<main>\n",
     "<a class=\"skip\" href=\"#contents\">转到目录</a>\n<button type=\""
     "button\" id=\"theme\" hidden>深色</button>\n<main>\n"},

    /* The page: pipeline. */
    {"<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
     "height=\"%d\"><title>%s, %s to %s %s</title></rect>\n",
     "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title"
     ">%s，%s 到 %s %s</title></rect>\n"},
    {"backward of inputs", "输入的反向"},
    {"backward of weights", "权重的反向"},
    {"%s of micro-batch %d, chunk %d", "微批次 %2$d 的%1$s，模型块 %3$d"},
    {"%s of micro-batch %d", "微批次 %2$d 的%1$s"},
    {"Each row is a pipeline rank, the time runs to the right: passes forward "
     "and backward of micro-batches, and where there is nothing, waiting. The "
     "table below has the sums.",
     "每行一个流水线 rank，时间向右：各微批次的前向和反向，空白处为等待。合"
     "计见下表。"},
    {"<div class=\"zoom\" role=\"group\" aria-label=\"Zoom\" hidden><button "
     "type=\"button\" data-zoom=\"0.5\">Zoom out</button><button "
     "type=\"button\" data-zoom=\"2\">Zoom in</button><button type=\"button\" "
     "data-zoom=\"0\">Whole</button></div>\n<div class=\"gantt\"><ul "
     "aria-hidden=\"true\">\n",
     "<div class=\"zoom\" role=\"group\" aria-label=\"缩放\" hidden><button "
     "type=\"button\" data-zoom=\"0.5\">缩小</button><button type=\"button\""
     " data-zoom=\"2\">放大</button><button type=\"button\" data-zoom=\"0\">"
     "整步</button></div>\n<div class=\"gantt\"><ul aria-hidden=\"true\">\n"},
    {"</ul>\n<div class=\"pan\" tabindex=\"0\" role=\"region\" "
     "aria-label=\"The step in time; the arrow keys move it when it is "
     "zoomed\">\n<div>\n",
     "</ul>\n<div class=\"pan\" tabindex=\"0\" role=\"region\" aria-label=\""
     "一步的时间线；放大后可用方向键移动\">\n<div>\n"},
    {"</div></div></div>\n<p class=\"readout\" aria-live=\"polite\" "
     "hidden>Point at a pass, or touch it.</p>\n",
     "</div></div></div>\n<p class=\"readout\" aria-live=\"polite\" hidden>"
     "指向或点按一段。</p>\n"},
    {"What every rank does", "每个 rank 做什么"},
    {"<rank|passes|in passes|once a step|waiting",
     "<rank|前向反向次数|前向反向耗时|每步一次|等待"},
    {"computing: forward", "计算：前向"},
    {"computing: backward of inputs", "计算：输入的反向"},
    {"computing: backward", "计算：反向"},
    {"computing: backward of weights", "计算：权重的反向"},
    {"communication, also with the host", "通信，包括与主机"},
    {"data-parallel communication", "数据并行通信"},
    {"optimizer", "优化器"},
    {"parameters", "参数"},
    {"activations", "激活"},
    {"waiting", "等待"},
    {"Without a pipeline no GPU waits for another stage",
     "没有流水线，GPU 不必等待其他 stage"},
    {"The pipeline of %d ranks is empty for %s of the step",
     "%d 级流水线有 %s 的时间空闲"},
    {"The step in time, as simulated", "一步的时间线（模拟）"},
    {"<p class=\"quiet\">The begin and the end of the step are drawn; between "
     "them it goes on alike.</p>\n",
     "<p class=\"quiet\">画出一步的开头和结尾；中间部分与此相同。</p>\n"},
    {"<p class=\"quiet\">%d of %d ranks are drawn; the table has all.</p>\n",
     "<p class=\"quiet\">共 %2$d 个 rank，画出 %1$d 个；表中列出全部。</p>\n"},
    {"Not simulated", "未模拟"},

    /* The page: plans. */
    {"This page", "本页"},
    {"Recommended", "推荐"},
    {"Fastest", "最快"},
    {"Roomiest", "最宽裕"},
    {"Usual", "常规"},
    {"none", "无"},
    {"%.1f %% faster", "快 %.1f%%"},
    {"%.1f %% slower", "慢 %.1f%%"},
    {"the surest to fit", "最有把握放得下"},
    {"sure, and the simplest", "有把握，且最简单"},
    {"%.1f GiB more free, %s", "多空 %.1f GiB，%s"},
    {"does not fit", "放不下"},
    {"%.0f %% out of memory", "%.0f%% 可能显存不足"},
    {"1 setting to test", "1 项设置需测试"},
    {"%d settings to test", "%d 项设置需测试"},
    {"none of its own", "没有额外风险"},
    {"memory free", "空闲显存"},
    {"to fit", "放得下"},
    {"unusual settings", "非常规设置"},
    {"gain", "收益"},
    {"risk", "风险"},
    {"<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Plans "
     "side by side\">\n<table class=\"choices\"><thead><tr><td></td>",
     "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"方案对"
     "照\">\n<table class=\"choices\"><thead><tr><td></td>"},
    {"the same plan: %s", "同一个方案：%s"},
    {"<br><span class=\"quiet\">unusual: %s</span>",
     "<br><span class=\"quiet\">非常规：%s</span>"},
    {"The recommended plan takes %s per step, this one %s",
     "推荐方案单步 %s，本方案 %s"},
    {"The fastest plan is %.1f %% faster on paper and %s to fit",
     "最快的方案纸面上快 %.1f%%，放得下的%s"},
    {"The recommended plan is also the fastest; the roomiest leaves %.1f GiB "
     "free",
     "推荐方案也是最快的；最宽裕的方案空 %.1f GiB"},
    {"The recommended plan is also the fastest and the roomiest",
     "推荐方案也是最快、最宽裕的"},
    {"Plans to choose from", "可选的方案"},
    {"<p class=\"quiet\">A setting is unusual where the framework does "
     "not choose it by itself; gains are against the recommended "
     "plan.</p>\n",
     "<p class=\"quiet\">框架自身不会选择的设置为非常规设置；收益与推荐方案相比。</p>\n"},
    {"<li><b>%s</b><br>%s per step, %s tokens/s per GPU, %s of %s GiB per "
     "GPU<br><span class=\"quiet\">%s</span></li>\n",
     "<li><b>%s</b><br>单步 %s，每 GPU %s tokens/s，每 GPU %s / %s GiB<br><"
     "span class=\"quiet\">%s</span></li>\n"},
    {"%d change makes it fit", "有 %d 种改动能放下"},
    {"%d changes make it fit, cheapest first",
     "有 %d 种改动能放下，代价小的在前"},
    {"No single change makes it fit", "没有单项改动能放下"},
    {"<p>The smallest cluster found on which it fits has %d GPUs of this "
     "type.</p>\n",
     "<p>找到的放得下的最小集群有 %d 个此类 GPU。</p>\n"},

    /* The page: ranks. */
    {"tensor parallel", "张量并行"},
    {"context parallel", "上下文并行"},
    {"expert parallel", "专家并行"},
    {"tensor parallel of experts", "专家的张量并行"},
    {"replicas (data and context)", "副本（数据和上下文）"},
    {"%s and network", "%s 和网络"},
    {"network", "网络"},
    {"%s alone", "仅 %s"},
    {"<figure class=\"axis\"><figcaption><b>%s %d</b> %s<br><span "
     "class=\"quiet\">%s</span></figcaption>\n<svg viewBox=\"0 0 %d %d\" "
     "width=\"%d\" role=\"img\" aria-label=\"GPUs of the first %s group\">\n",
     "<figure class=\"axis\"><figcaption><b>%s %d</b> %s<br><span class=\""
     "quiet\">%s</span></figcaption>\n<svg viewBox=\"0 0 %d %d\" width=\"%d"
     "\" role=\"img\" aria-label=\"第一个 %s 组的 GPU\">\n"},
    {"Groups by axis", "各并行维度的通信组"},
    {"<axis|ranks|from rank to rank|in one domain|domains|<goes over",
     "<维度|rank 数|rank 间隔|同域内|域数|<经过"},
    {" in a node", " 在节点内"},
    {" across the network", " 跨网络"},
    {"Which ranks talk to each other", "哪些 rank 互相通信"},
    {"<p class=\"quiet\">A row is a node of %d GPU, a square one GPU; filled: "
     "the group of rank 0. Every group of an axis lies alike.</p>\n",
     "<p class=\"quiet\">每行是一个 %d GPU 的节点，每格一个 GPU；填色：rank "
     "0 所在的组。同一维度的各组排布相同。</p>\n"},
    {"<p class=\"quiet\">A row is a node of %d GPUs, a square one GPU; filled: "
     "the group of rank 0. Every group of an axis lies alike.</p>\n",
     "<p class=\"quiet\">每行是一个 %d GPU 的节点，每格一个 GPU；填色：rank "
     "0 所在的组。同一维度的各组排布相同。</p>\n"},
    {"<p class=\"quiet\">The first %d of %d nodes are drawn.</p>\n",
     "<p class=\"quiet\">共 %2$d 个节点，画出前 %1$d 个。</p>\n"},

    /* The page: scaling. */
    {" GPU", NULL},
    {" GPUs", " GPU"},
    {"too small", "太小"},
    {"no plan", "无方案"},
    {"Tokens per second of the best plan against the number of GPUs, both on "
     "logarithmic scales; dashed: as if each GPU stayed as fast as on the "
     "smallest cluster. The table below has the numbers.",
     "最优方案的 tokens/s 与 GPU 数的关系，均为对数刻度；虚线：假设每个 GPU "
     "都和最小集群上一样快。数字见下表。"},
    {"%s USD", "%s 美元"},
    {"%s USD / 1B tokens", "%s 美元 / 十亿 token"},
    {"Other numbers of GPUs, with their plans", "其他 GPU 数及其方案"},
    {"<GPUs|step|tokens/s|per GPU|days|cost|<plan",
     "<GPU 数|单步|tokens/s|每 GPU|天|费用|<方案"},
    {"Of these clusters it fits on %d GPUs alone",
     "这些集群中只有 %d 个 GPU 时放得下"},
    {"%d GPUs train %s times as fast as %d",
     "%1$d 个 GPU 的速度是 %3$d 个的 %2$s 倍"},
    {"It fits on none of these clusters", "这些集群都放不下"},
    {"More and fewer GPUs, the same batch", "增减 GPU，批大小不变"},
    {"<p class=\"quiet\">In percent: the speed of each GPU against that of one "
     "GPU on the asked cluster. Each point is the best plan there, of an exact "
     "search.</p>\n",
     "<p class=\"quiet\">百分数：每 GPU 的速度，与所问集群上每 GPU 的速度之"
     "比。每个点是精确搜索得到的最优方案。</p>\n"},

    /* The page: step. */
    {"Every term of the step", "单步的每一项"},
    {"<term|time|of the step", "<项|耗时|占单步"},
    {"computing", "计算"},
    {"exposed communication", "未掩盖的通信"},
    {"</ul>\n<p class=\"quiet\">The thin line: steps of %s to %s %s in %s of "
     "runs. Of the constants the %s is the least sure, %s of the step.</p>\n",
     "</ul>\n<p class=\"quiet\">细线：%4$s 的运行步时在 %1$s 到 %2$s %3$s 之"
     "间。常数中最不确定的是%5$s，占单步的 %6$s。</p>\n"},
    {"Computing takes %s of a step, communication %s, waiting %s",
     "计算占一步的 %s，通信 %s，等待 %s"},
    {"The terms of a step one behind the other, from the left to the right; "
     "the last bar is the whole step with the range of its error. The table "
     "below has the numbers.",
     "单步的各项从左到右依次排列；最后一条是整步及其误差区间。数字见下表。"},
    {"A bar for each group of constants: how much shorter and longer the step "
     "is when they are wrong by their standard error. The table below has the "
     "numbers.",
     "每组常数一条：常数偏差一个标准误差时，单步缩短和加长多少。数字见下表。"},
    {"Every group of constants, and how to measure it",
     "每组常数及其测量方法"},
    {"<constants|error|step, lower|step, higher|<to know them",
     "<常数|误差|单步，偏低|单步，偏高|<测量方法"},
    {"The largest error: %s, %s to %s of the step",
     "最大的误差：%s，占单步的 %s 到 %s"},
    {"<p class=\"quiet\">The step of this plan when one group of constants is "
     "lower or higher by its standard error. Whether another plan is then the "
     "fastest, <code>plan3d explain ... sensitivity</code> says; it takes "
     "longer.</p>\n",
     "<p class=\"quiet\">某组常数偏低或偏高一个标准误差时此方案的单步耗时。"
     "那时是否另有更快的方案，用 <code>plan3d explain ... sensitivity</code>"
     " 查看；耗时更长。</p>\n"},

    /* The page: verdict. */
    {"it needs %s GiB (%s) of %s", "需要 %s GiB（%s），共 %s GiB"},
    {"Memory missing per GPU", "每 GPU 还差显存"},
    {"Memory free per GPU", "每 GPU 空闲显存"},
    {"%s %s in %.0f %% of runs, median %s",
     "%3$.0f%% 的运行为 %1$s %2$s，中位数 %4$s"},
    {"%s %%", "%s%%"},
    {"%.3g %%", "%.3g%%"},
    {"%s%s %%", "%s%s%%"},
    {"(%s); %s of the GPUs' peak (MFU)", "（%s）；占 GPU 峰值的 %s（MFU）"},
    {"Speed", "速度"},
    {"Time of the training", "训练耗时"},
    {"never ends", "不会结束"},
    {"it fails faster than it works", "故障快于进展"},
    {"(%s, median %s) for %s tokens, failures included",
     "（%s，中位数 %s），%s token，含故障"},
    {"(%s, median %s), all of the training; energy %s%s",
     "（%s，中位数 %s），整个训练；能耗 %s%s"},
    {"(%s, median %s), all of the training", "（%s，中位数 %s），整个训练"},
    {"Cost", "费用"},
    {"USD %s", "%s 美元"},
    {"Energy", "能耗"},
    {"(%s) per billion tokens, if nothing fails",
     "（%s）每十亿 token，不计故障"},
    {"On", "硬件"},
    {"1 GPU", "1 个 GPU"},
    {"%d GPUs", "%d 个 GPU"},
    {"It barely fits, %s", "勉强放得下，%s"},
    {"It fits, %s", "放得下，%s"},
    {"This plan does not fit: it ", "此方案放不下："},
    {"It does not fit: the closest plan ", "放不下：最接近的方案"},
    {"<p>It is %s to fit. The numbers are what this plan would take on GPUs "
     "with more memory.</p>\n",
     "<p>放得下的%s。这些数字是此方案在显存更大的 GPU 上的值。</p>\n"},
    {"<p>The numbers are what this plan would take on nodes with more "
     "memory.</p>\n",
     "<p>这些数字是此方案在内存更大的节点上的值。</p>\n"},
    {"<p class=\"warn\"><b>It may run out of memory.</b> Such a plan is only "
     "%s to fit, and %s %% was asked for. Run a few steps before you book the "
     "machine.</p>\n",
     "<p class=\"warn\"><b>可能显存不足。</b>这样的方案放得下的%s，而要求 %s"
     "%%。预订机器之前先跑几步。</p>\n"},
    {"<p class=\"warn\"><b>The margin is thin.</b> The plan is %s to fit; "
     "memory may reach %s GiB of the %s GiB of each GPU. Run a few steps "
     "before you book the machine.</p>\n",
     "<p class=\"warn\"><b>余量很小。</b>放得下的%s；显存可能达到 %s GiB，而"
     " GPU 共 %s GiB。预订机器之前先跑几步。</p>\n"},
    {"<details class=\"question\"><summary>Model, cluster and job in "
     "full</summary>\n",
     "<details class=\"question\"><summary>模型、集群和任务的完整说明<"
     "/summary>\n"},
    {"<header id=\"verdict\" class=\"%s\">\n<p class=\"kind\">%s on %s</p>\n",
     "<header id=\"verdict\" class=\"%s\">\n<p class=\"kind\">%s，%s</p>\n"},

    {NULL, NULL},
};
/* clang-format on */
