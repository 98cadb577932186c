/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_cli.c - Chinese words of errors
 * of commands, their options and questions. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_cli[] = {
    /* src/cli/ask_build.c */
    {"64 A800 or 32 H100", "64张A800还是32张H100"},
    {"the question is too long", "问题太长"},
    {"%.0f GPUs do not fill machines of %d; write '2 %s'",
     "%s 个 GPU 不能装满每台 %s 个的机器；请写“2台%s”"},
    /* src/cli/ask_command.c */
    {"%.0f sequences of %d tokens a step; write fewer tokens of a batch",
     "每步 %s 条 %s token 的序列；请减少一批的 token 数"},
    {"the largest model and a budget are not searched together; ask for the "
     "largest model of a cluster, or whether the money is enough for one model",
     "不能同时搜索最大的模型和预算；请问某个集群的最大模型，或某个模型的钱够不够"},
    {": 'plan3d import FILE --cluster 64xA800' reads a launch file and says "
     "how far it is from the recommended plan",
     "：“plan3d import FILE --cluster 64xA800”读启动文件，并说明它离推荐方案多远"},
    {"the price of electricity is", "电价"},
    {"at 0.1 dollars per kWh", "每度电0.1美元"},
    {"'%s' is a cluster in several words; write %s",
     "“%s”是写成几个词的集群；请写 %s"},
    {"one argument too many: '%.60s'; words of a plan stand behind --plan or "
     "--pin",
     "多了一个参数：“%s”；方案的词写在 --plan 或 --pin 之后"},
    /* src/cli/ask_facts.c */
    {"too many clusters for one question; ask about at most %d",
     "一个问题里的集群太多；至多问 %s 个"},
    {"epochs of how many tokens? write it, such as '3 epochs of 100B tokens'",
     "每轮多少 token？请写出，例如“100B token 训练3轮”"},
    /* src/cli/ask_settings.c */
    {": a size of memory is no GPU; write a type and how many, such as 'on 1 "
     "A100-80GB'",
     "：显存大小不是 GPU 型号；请写型号和数量，例如“1张A100-80GB”"},
    {"; write its number behind it, or ask for the longest sequence",
     "；请在后面写上数字，或问最长序列"},
    {"; write the kind of network behind it, such as '400 Gb/s InfiniBand'",
     "；请在后面写上网络种类，例如“400 Gb/s InfiniBand”"},
    /* src/cli/ask_amounts.c */
    {"; of how many tokens each? write for example '10000 samples of 1000 "
     "tokens'",
     "；每个多少 token？例如写“10000 samples of 1000 tokens”"},
    /* src/cli/ask_tokens.c */
    {"the question is too long; use at most %d bytes",
     "问题太长；至多 %s 字节"},
    {"the question is too long; use at most %d words",
     "问题太长；至多 %s 个词"},
    /* src/cli/calibrate_log.c */
    {"the table is longer than %d MiB", "表格超过 %s MiB"},
    {"%.200s: the log says %s = %lld, which is not --%s %lld; correct it, or "
     "leave it out",
     "%s：日志中 %s = %s，与 --%s %s 不符；请改正或去掉它"},
    {"%.200s is a log of %s, which does not say all of the job; write %s",
     "%s 是 %s 的日志，没有给出任务的全部设置；请写 %s"},
    /* src/cli/calibrate_runs.c */
    {"more than %d runs; leave out those that say the same",
     "超过 %s 次运行；请去掉内容相同的"},
    {"a run on %s among runs on %s: a calibration is of one GPU; write one "
     "for each",
     "%s 上的运行与 %s 上的运行混在一起：一次校准只针对一种 GPU；请分开写"},
    {"the plan of the run: %s: %s", "这次运行的方案：%s：%s"},
    {"more than %d words of options", "选项超过 %s 个词"},
    {"nothing was measured; give step_s, tokens_per_s or peak_gib",
     "没有任何测量值；请给出 step_s、tokens_per_s 或 peak_gib"},
    {"no run", "没有运行记录"},
    {"%.200s is a log, which does not say its GPUs; write --cluster 64xA800",
     "%s 是日志，没有说明用了哪些 GPU；请写 --cluster 64xA800"},
    {"%.200s: its progress bar has less than 20 s after the warm-up, and whole "
     "seconds; give a longer log",
     "%s：进度条在预热之后不足 20 秒，且只有整秒；请给更长的日志"},
    {"%.200s: the table of Lightning has no train/time; train with the "
     "callback ThroughputMonitor, or give what the progress bar printed",
     "%s：Lightning 的表格没有 train/time；请在训练时加上回调 "
     "ThroughputMonitor，或给进度条的输出"},
    {"%.200s: the log has neither the time of a step nor a peak of memory; "
     "write a table with what was measured (plan3d help calibrate)",
     "%s：日志中既没有每步时间，也没有显存峰值；请写一张测量值的表（plan3d "
     "help calibrate）"},
    /* src/cli/cli.c */
    {"--json is --format json; leave one of the two out",
     "--json 就是 --format json；请去掉其中一个"},
    {"--%s %s is missing", "缺少 --%s %s"},
    {"cannot write the answer: %s", "无法输出结果：%s"},
    {"unknown reason", "原因不明"},
    {"before the whole answer was known", "，尚未得到全部结果"},
    /* src/cli/cmd_completion.c */
    {"no completion for '%.60s'; write bash, zsh or fish",
     "没有“%s”的补全；请写 bash、zsh 或 fish"},
    /* src/cli/cmd_explain.c */
    {"--not: '%.60s' says no value of a plan; write tp=4 or zero=3",
     "--not：“%s”没有给出方案的取值；请写 tp=4 或 zero=3"},
    {"--not answers why; write plan3d explain MODEL CLUSTER why --not %.60s",
     "--not 只用于 why；请写 plan3d explain MODEL CLUSTER why --not %s"},
    {"--draws and --seed go with sensitivity; write plan3d explain MODEL "
     "CLUSTER sensitivity",
     "--draws 和 --seed 只用于 sensitivity；请写 plan3d explain MODEL "
     "CLUSTER sensitivity"},
    {"--with needs a plan to compare; write --compare tp=8,pp=2 --with %.60s",
     "--with 需要一个用来比较的方案；请写 --compare tp=8,pp=2 --with %s"},
    {"--compare stands without a word such as '%.60s'; leave one of them out",
     "--compare 不能与“%s”这样的词同用；请去掉其中一个"},
    {"nothing to explain about", "没有可解释的内容"},
    /* src/cli/cmd_export.c */
    {"no plan fits; 'plan3d fit %s %s' says what would",
     "没有放得下的方案；“plan3d fit %s %s”给出可行的办法"},
    {"--framework %.60s is not that of --to %s; leave it out",
     "--framework %s 不是 --to %s 的框架；请去掉"},
    {"the plan does not fit: %.2f GiB are missing; write --force to export it "
     "all the same",
     "方案放不下：还差 %s GiB；仍要导出请加 --force"},
    {"an export to serve has no JSON document; leave out --json and --format "
     "json",
     "推理部署的导出没有 JSON 文档；请去掉 --json 和 --format json"},
    {"%s runs no plan over GPUs of several types; write --to flagscale, or "
     "name one pool",
     "%s 不能在多种 GPU 上运行一个方案；请写 --to flagscale，或只写一个资源池"},
    {"FlagScale starts pools of several types by ssh; leave out --launcher",
     "FlagScale 通过 ssh 启动混合资源池；请去掉 --launcher"},
    {"an export of pools has no JSON document; leave out --json and --format "
     "json",
     "资源池的导出没有 JSON 文档；请去掉 --json 和 --format json"},
    {"no plan whose replicas are all alike fits; 'plan3d fit %s %s' says what "
     "does",
     "副本全都相同的方案都放不下；“plan3d fit %s %s”说明哪些放得下"},
    {"--to TARGET is missing; these run on %s: --to %s",
     "缺少 --to TARGET；可以在 %s 上运行的有：--to %s"},
    /* src/cli/cmd_help.c */
    {"no list of", "没有这样的列表"},
    {"no schema of", "没有这样的 schema"},
    /* src/cli/cmd_import.c */
    {"%.200s is a page of plan3d report and stands alone; leave '%.60s' out",
     "%s 是 plan3d report 生成的页面，须单独给出；请去掉“%s”"},
    {"%.200s is a page of plan3d report, which says it itself; leave --%s out",
     "%s 是 plan3d report 生成的页面，其中已有这一项；请去掉 --%s"},
    {"the options of the page: %s", "页面中的选项：%s"},
    {"the page has an option --%s, which is not of a job",
     "页面中有选项 --%s，它不是任务的选项"},
    {"the plan of the files, %.100s, is not legal: %s",
     "文件中的方案 %s 不合法：%s"},
    {"no program has the option '%.80s' (is it %.80s?); without it the plan of "
     "the files, %.100s, is not legal: %s",
     "没有程序有选项 '%s'（是否应为 %s？）；没有它，文件中的方案 %s 不合法：%s"},
    /* src/cli/cmd_measured.c */
    {"--gpu: a run is on the GPUs of its cluster; leave it out",
     "--gpu：运行所用的 GPU 就是其集群的 GPU；请去掉"},
    {"--%s is of measured runs; add --runs, or leave it out",
     "--%s 只用于测量的运行；请加上 --runs，或去掉它"},
    {"--tolerance: '%.60s' is no share above 0 and up to 1; write 10%% or 0.1",
     "--tolerance：“%s”不是大于 0、不超过 1 的比例；请写 10%% 或 0.1"},
    {"--launcher starts plan3d-bench, and --measurements does without; leave "
     "one out",
     "--launcher 启动 plan3d-bench，而 --measurements 不用它；请去掉其中一个"},
    {"--launcher: %.400s", "--launcher：%s"},
    {"too few points to fit constants to, and nothing to write to %.200s; see "
     "'plan3d validate --dry-run'",
     "点太少，无法拟合常数，因此没有内容写入 %s；见“plan3d validate --dry-run"
     "”"},
    {"--what rank needs --sets FILE", "--what rank 需要 --sets FILE"},
    /* src/cli/cmd_plan.c */
    {"--show: the answer has no part '%.*s'; write some of %s, with commas "
     "between",
     "--show：结果中没有“%s”这一部分；请写 %s 中的若干项，用逗号分隔"},
    {"--show is for text and Markdown; other formats have all",
     "--show 只用于文本和 Markdown；其他格式总是输出全部"},
    /* src/cli/cmd_report.c */
    {"%.300s: a page holds this file, and a pipe cannot be read again; write "
     "the path of a file",
     "%s：页面要包含此文件，而管道不能再读一次；请写文件路径"},
    {"%s does not run on %s; these do: --to %s",
     "%s 不能在 %s 上运行；可以运行的有：--to %s"},
    {"no framework that runs on %s runs pools of several types; write "
     "--framework generic",
     "能在 %s 上运行的框架都不支持多种 GPU 的资源池；请写 --framework generic"},
    {"a page holds the cluster's file, and not one pool of it; write '%.80s' "
     "into a file of its own",
     "页面要包含集群文件，而不是其中一个资源池；请把“%s”写成单独的文件"},
    {"a page holds the model's file, and standard input is none; write the "
     "path of the config.json",
     "页面要包含模型文件，而标准输入不是文件；请写 config.json 的路径"},
    {"before the page was made", "，尚未生成页面"},
    /* src/cli/cmd_sweep.c */
    {"--budget needs the price of a GPU-hour; add --price 2",
     "--budget 需要每 GPU 时的价格；请加上 --price 2"},
    {"--budget needs the tokens of the training; add --tokens 2T, or --find "
     "tokens",
     "--budget 需要训练的 token 数；请加上 --tokens 2T，或 --find tokens"},
    {"--find tokens: by when, or for how much money? add --deadline 30d, or "
     "--budget 1M with --price 2",
     "--find tokens：到何时为止，或花多少钱？请加上 --deadline 30d，或 --budget "
     "1M 和 --price 2"},
    {"'%.60s' has an empty place; write words with one comma between them",
     "“%s”中有空项；各词之间请只写一个逗号"},
    {"'%.60s...' is too long", "“%s...”太长"},
    {"'%s': a range counts GPUs, not nodes; write it before the type alone, "
     "such as 8..1024xH100",
     "“%s”：范围表示 GPU 数，不是节点数；请直接写在型号前，如 8..1024xH100"},
    {"'%s' names no GPU; write %sxH100, or a type alone and --gpus %s,...",
     "“%s”没有指明 GPU；请写 %sxH100，或只写型号并加上 --gpus %s,..."},
    {"'%s' says how many GPUs already; leave --gpus out, or write the type "
     "alone, such as H100",
     "“%s”已经给出 GPU 数；请去掉 --gpus，或只写型号，如 H100"},
    {"more than %d clusters", "超过 %s 个集群"},
    {"--framework: more than plan3d knows; see 'plan3d list frameworks'",
     "--framework：框架数超过 plan3d 所知；见“plan3d list frameworks”"},
    {"--framework: %s", "--framework：%s"},
    {"--price: %.400s", "--price：%s"},
    {"--price: %d prices for %d cluster%s; write one price, or one for each "
     "cluster",
     "--price：%1$s 个价格对应 %2$s 个集群；请写一个价格，或每个集群一个"
     "%3$.0s"},
    {"--max-gpus is for --deadline; write --gpus 8..1024",
     "--max-gpus 只用于 --deadline；请写 --gpus 8..1024"},
    {"--deadline needs the tokens of the training; add --tokens 2T",
     "--deadline 需要训练的 token 数；请加上 --tokens 2T"},
    {"--deadline: the training does not surely fit on %.60s, so it has no "
     "time there; write a time such as 30d, or a larger cluster",
     "--deadline：训练在 %s 上没有把握放得下，因此没有用时；请写 30d "
     "之类的时间，或更大的集群"},
    {"--deadline: '%.60s' does not say how many GPUs; write for example "
     "512xH100, or a time such as 30d",
     "--deadline：“%s”没有说多少张 GPU；请写例如 512xH100，或 30d 之类的时间"},
    {"--deadline: %.400s, or a cluster such as 512xH100, whose time it is",
     "--deadline：%s，或者一个集群如 512xH100，即它的用时"},
    {"--deadline %.60s: a cluster has a time only for --tokens, which are "
     "looked for here; write a time such as 30d",
     "--deadline %s：集群的用时要有 --tokens，而这里求的正是它；请写 30d "
     "之类的时间"},
    {"--deadline %.60s: the time of a cluster is that of one job; leave lists "
     "of --seq, --batch and --framework out",
     "--deadline %s：一个集群的用时是一个作业的；请去掉 --seq、--batch 和 "
     "--framework 的列表"},
    {"as fast as what, with which GPUs? write for example 'how many B200 "
     "replace 512 H100 for 70B'",
     "与什么一样快，用哪种 GPU？请写例如“训练70B，多少张B200相当于512张H100”"},
    {"--pareto and --deadline contradict each other; leave one out",
     "--pareto 与 --deadline 矛盾；请去掉其中一个"},
    {"--idle and --deadline contradict each other: a smaller cluster is found "
     "as such; leave one out",
     "--idle 与 --deadline 矛盾：更小的集群本来就会找到；请去掉其中一个"},
    {"--deadline: %.400s", "--deadline：%s"},
    {"--part and --%s contradict each other: that takes all rows; leave one "
     "out",
     "--part 与 --%s 矛盾：后者需要全部行；请去掉其中一个"},
    {"--part prints JSON lines; write --format jsonl or leave the form out",
     "--part 输出 JSON 行；请写 --format jsonl，或去掉格式"},
    {"--part: '%.60s' is no part; write K/N with K from 1 to N and N up to %d,"
     " such as 1/16",
     "--part：“%s”不是分片；请写 K/N，K 为 1 到 N，N 至多 %s，如 1/16"},
    {"--beside and --%s contradict each other; leave one out",
     "--beside 与 --%s 矛盾；请去掉其中一个"},
    {"--find model looks at every model; write any in place of '%.60s'",
     "--find model 会查看所有模型；请把“%s”换成 any"},
    {"--find and --%s contradict each other; leave one out",
     "--find 与 --%s 矛盾；请去掉其中一个"},
    {"--find is of one cluster and one job; leave lists out",
     "--find 只针对一个集群和一个任务；请不要写列表"},
    {"--find gpus: '%s' says how many GPUs already; write the type alone, "
     "such as H100",
     "--find gpus：“%s”已经给出 GPU 数；请只写型号，如 H100"},
    /* src/cli/import_change.c */
    {"--write - prints the file alone; leave --json out, or name a file",
     "--write - 只输出文件本身；请去掉 --json，或写文件名"},
    {"%.300s is there; write --overwrite to replace it",
     "%s 已存在；要替换请加 --overwrite"},
    {"--overwrite is for the file of --write",
     "--overwrite 只用于 --write 的文件"},
    {"no option of the files changes with it", "文件中没有随之改变的选项"},
    {"--change %d: no single change gains anything%.0d",
     "--change %s：没有单项改动能带来收益%s"},
    {"--change %d: there are %d single changes",
     "--change %s：单项改动共 %s 项"},
    {"nothing to write: the plan of the files is the recommended one",
     "没有可写的：文件中的方案就是推荐方案"},
    {"nothing to write: no plan fits", "没有可写的：没有放得下的方案"},
    {"the recommended plan cannot be written into the files: %s; --change %d "
     "can",
     "推荐方案无法写入文件：%s；--change %s 可以"},
    {"%s cannot be written into the files: %s", "%s无法写入文件：%s"},
    {"the change", "该改动"},
    {"it is a change of several files, %.200s: write --write DIR/",
     "它要改动多个文件（%s）：请写 --write DIR/"},
    /* src/cli/launch_files.c */
    {"no parallel plan is in the files, and no %.200s; add that file, or write "
     "--from and the framework",
     "文件中没有并行方案，也没有 %s；请加上该文件，或写 --from 和框架名"},
    {"--set '%.80s': write NAME=VALUE, several with commas",
     "--set “%s”：请写 NAME=VALUE，多个用逗号分隔"},
    {"--set: more than %d variables; leave out what the files do not use",
     "--set：超过 %s 个变量；请去掉文件中不用的"},
    {"--set %.60s: no script of the files has $%.60s; leave it out, or "
     "correct its name",
     "--set %s：文件中没有脚本使用 $%s；请去掉，或改正名字"},
    {"--function %.60s: no file is Python; leave it out",
     "--function %s：没有 Python 文件；请去掉"},
    {"the files are not of %s; leave --from out, or add the file that is "
     "missing",
     "这些文件不是 %s 的；请去掉 --from，或补上缺少的文件"},
    {"--cluster CLUSTER is missing", "缺少 --cluster CLUSTER"},
    /* src/cli/options.c */
    {"more than %d arguments", "参数超过 %s 个"},
    /* src/cli/output.c */
    {"PLAN3D_LANG: unknown language", "PLAN3D_LANG：没有这种语言"},
    {"-o %.300s: not a file; write a name such as %s behind it",
     "-o %s：不是文件；请写文件名，如 %s"},
    /* src/cli/progress.c */
    {"interrupted %s", "中断%s"},
    {"before anything was written", "，尚未写入任何内容"},
    /* src/cli/question.c */
    {"--dispatcher: %s has no experts; leave it out",
     "--dispatcher：%s 没有专家；去掉它"},
    {"--tokens: %.0f is less than a step of %.0f tokens; write 2T for 2 "
     "trillion, or a smaller --batch",
     "--tokens：%s 少于一步的 %s 个 token；两万亿请写 2T，或减小 --batch"},
    {"--%s is about a whole training; write its --tokens too",
     "--%s 针对整个训练；请同时写 --tokens"},
    {"--purchase-price and --amortize go together; write --%s too",
     "--purchase-price 与 --amortize 要一起写；请加上 --%s"},
    {"--framework: %s is a target of 'plan3d export', estimated with the "
     "costs of a framework; write %s%s%s",
     "--framework：%s 是“plan3d export”的目标，按某个框架的开销估算；请写 %s"
     "%s%s"},
    {"--framework: unknown framework", "--framework：没有框架"},
    {"--sure and --reserve both say what is left free; write one of them",
     "--sure 与 --reserve 都表示预留的显存；请只写一个"},
    {"--reserve leaves nothing of the %.2f GiB of %s",
     "--reserve 把 %2$s 的 %1$s GiB 全部预留了"},
    {"--calibration %.120s is of %s, the cluster has %s; leave it out, or "
     "measure the GPU",
     "--calibration %s 是 %s 的，而集群是 %s；请去掉它，或测量这种 GPU"},
    {"%s; the fastest so far is %s, %s per step; its plans: --framework %s",
     "%s；目前最快的是 %s，每步 %s；查看其方案：--framework %s"},
    {"interrupted before any plan was found", "中断，尚未找到任何方案"},
    {"interrupted before all frameworks were compared",
     "尚未比较完所有框架就被中断"},
    {"before the best plan was known", "，尚未找到最佳方案"},
    /* src/cli/sweep_beside.c */
    {"write options with blanks between them, such as 'dtype=fp8 "
     "optimizer=muon'",
     "各选项之间请用空格分隔，如“dtype=fp8 optimizer=muon”"},
    {"--beside: %.400s", "--beside：%s"},
    /* src/cli/validate_measure.c */
    {"cannot start '%.100s': %s", "无法启动“%s”：%s"},
    {"interrupted while '%.100s' ran", "“%s”运行时被中断"},
    {"%s: no name of a file; write %s", "%s：没有文件名；请写 %s"},
    {"%s: more than %d files", "%s：超过 %s 个文件"},
    {"TMPDIR is longer than a path", "TMPDIR 超过路径的长度限制"},
    {"no directory can be made in '%.200s': %s", "无法在“%s”中创建目录：%s"},
    {"plan3d-bench measured nothing: %.300s",
     "plan3d-bench 没有测得任何结果：%s"},
    {"--filling is about texts of different lengths; write their --lengths too",
     "--filling 针对长度不同的文本；请同时写 --lengths"},
    /* src/cli/cmd_page.c */
    {"this program holds no page; 'make page all' in its sources builds one "
     "that does",
     "本程序不含页面；在源码目录中运行“make page all”可构建含页面的程序"},
    /* src/cli/ask_command.c */
    {"plan3d writes no launch files for %s; 'plan3d export --help' lists the "
     "frameworks that it writes for",
     "plan3d 不为 %s 生成启动文件；“plan3d export --help”列出了可生成的框架"},
    {"--plan is for memory, sensitivity, evidence, error and network; wr"
     "ite --compare %.60s to hold it against the best plan",
     "--plan 只用于 memory、sensitivity、evidence、error 和 network；要"
     "与最佳方案比较，请写 --compare %s"},
    {"--%s: more than %d values",
     "--%s：超过 %s 个值"},
    {"several values of --%s and --%s contradict each other; leave one ou"
     "t",
     "--%s 的多个值与 --%s 互相矛盾；请去掉一个"},
    {"--rails: a value stands in it twice",
     "--rails：有一个值写了两次"},
    {"'%.60s' is neither no nor yes",
     "“%s”既不是 no 也不是 yes"},
    {"--hosts needs --topology FILE, which says below which switch each h"
     "ost is",
     "--hosts 需要 --topology FILE，由它说明每台主机在哪台交换机下"},
    {"--hosts and --placement contradict each other; leave one out",
     "--hosts 与 --placement 互相矛盾；请去掉一个"},
    {"--topology has the wiring of the switches: leave --%s out",
     "--topology 已写明交换机的接线：请去掉 --%s"},
    {"--topology %.120s does not say the rates of links; add --oversubsc"
     "ription 2 (1: as much up as down)",
     "--topology %s 没有写明链路速率；请加上 --oversubscription 2（1 表"
     "示上下行相等）"},
    {"--%s is not for pools of several types; leave it out, or name one pool",
     "--%s 不能用于多种 GPU 的混合资源池；请去掉它，或只写一个资源池"},
    {"--framework %s does not run pools of several types; leave it out, or "
     "write megatron-core or generic",
     "--framework %s 不能在多种 GPU 的混合资源池上运行；请去掉它，或写 megatron-core "
     "或 generic"},
    /* src/cli/validate_trace.c */
    {"--trace-steps says how many steps a trace is of; add --trace FILE",
     "--trace-steps 说明轨迹有几步；请加上 --trace FILE"},
    {"--%s is of measured operations, and --trace compares steps; leave one "
     "out, or fit constants to the trace with 'plan3d calibrate FILE'",
     "--%s 用于测量算子，而 --trace 比较单步；请去掉其一，或用“plan3d calibrate FILE”按轨迹拟合常数"},
    /* src/cli/assign_jobs.c, src/cli/cmd_assign.c */
    {"more than %d keys in one job", "一个任务的键多于 %d 个"},
    {"write true or false", "请写 true 或 false"},
    {"write a number, or one with a unit in quotes, such as \"1T\"",
     "请写数字，或带单位并加引号的数字，例如 \"1T\""},
    {"write a string in double quotes", "请写双引号里的字符串"},
    {"two jobs are named '%.60s'; give them names of their own",
     "有两个任务都叫“%.60s”；请各起名字"},
    {"a list of jobs is expected, such as [{\"model\": \"7B\", "
     "\"tokens\": \"1T\"}]",
     "这里应为任务列表，例如 [{\"model\": \"7B\", \"tokens\": \"1T\"}]"},
    {"more than %d jobs, the most that are placed at once",
     "任务多于 %d 个，一次最多安排这么多"},
    {"a job has one framework on all pools; write its name",
     "一个任务在所有资源池上用同一个框架；请写出它的名字"},
    {"interrupted before any job had a place", "还没有任务安排好就已中断"},
    {"--away and --notice are about a cluster that is taken away; write "
     "--preempted too",
     "--away 和 --notice 说的是会被收回的集群；请同时写 --preempted"},
    {"of pools of several types the network alone is explained; write network, "
     "or name one pool",
     "对多种资源池只能解释网络；请写 network，或只写一个资源池"},
    {"'%.80s' has GPUs of one type, others have pools of several; sweep them "
     "by themselves",
     "“%s”只有一种 GPU，其他的有多种资源池；请分开 sweep"},
    {"--%s: a sweep of pools of several types takes one value; lists are for "
     "--oversubscription, --rails, --seq and --batch",
     "--%s：多种资源池的 sweep 只取一个值；可写多个值的是 --oversubscription、--rails、--seq "
     "和 --batch"},
    {"--tokens is not for a sweep of pools of several types; 'plan3d fit' has "
     "the training on them",
     "--tokens 不用于多种资源池的 sweep；“plan3d fit”给出在其上的训练"},
    {"more than %d rows of pools of several types; write fewer values",
     "多种资源池的行超过 %s；请少写几个值"},
    /* src/cli/pool_files.c */
    {"--topology: of several pools each has its own file; write %.48s=FILE, "
     "with a comma to the next, or \"tiers\" in the file of the pools",
     "--topology：有多个资源池时各有各的文件；请写 %s=FILE，多个之间用逗号，或在资源池文件里写“tiers”"},
    {"--topology: no pool '%.*s'; the pools are %s",
     "--topology：没有资源池“%s”；资源池有 %s"},
    {"--topology: two files of the pool %s; leave one out",
     "--topology：资源池 %s 有两个文件；请去掉一个"},
    {"--hosts are those of a job on one pool; name it, as FILE:POOL",
     "--hosts 是单个资源池上任务的主机；请写出该资源池，例如 FILE:POOL"},
    /* src/cli/options.c */
    {"--batch: '%.40s' looks like tokens; write sequences per step: 4M tokens "
     "in sequences of 8192 are --batch 512",
     "--batch：“%s”像是 token 数；请写每步的序列数：4M token、序列长 8192 即 "
     "--batch 512"},
    {NULL, NULL},
};
/* clang-format on */
