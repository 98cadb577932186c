/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_help.c - Chinese words of plan3d help. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_help[] = {
    {"The script that makes a shell complete commands, options, models, "
     "GPUs, frameworks and words of plans.",
     "让 shell 补全命令、选项、模型、GPU、框架和方案写法的脚本。"},
    {"The launch files of a plan for a training framework.",
     "方案在某个训练框架上的启动文件。"},
    {"The commands, or the options of one.",
     "全部命令，或某个命令的选项。"},
    {"A page of the manual, for man -l.",
     "手册的一页，供 man -l 显示。"},
    {"Which plan3d this is.",
     "plan3d 的版本。"},
    {"What plan3d knows: models, GPUs, nodes, networks, constants, frame"
     "works.",
     "plan3d 认识的模型、GPU、节点、网络、常数和框架。"},
    {"This program as one page for a browser: it answers there without a"
     " network.",
     "把本程序写成一个浏览器页面，无需网络即可回答。"},
    {"The JSON Schema of an answer, or of a file to read.",
     "答案或输入文件的 JSON Schema。"},
    {"The plan of an existing launch: its estimate, what its log measure"
     "d, how far it is from the best, and which single changes gain most"
     ".",
     "已有启动文件的方案：估算、日志中的实测值、与最优方案的差距，以及收"
     "益最大的单项改动。"},
    {"The operations of a plan with their shapes: what plan3d-bench meas"
     "ures on the machine.",
     "方案的各个算子及其形状：plan3d-bench 在机器上测量的内容。"},
    {"The constants of a machine, fitted to what plan3d-bench measured o"
     "n it; or what runs of yours say of the next.",
     "由 plan3d-bench 在机器上的测量拟合出的常数；或由自己的运行推断下一"
     "次。"},
    {"Measure a plan's own operations on the machine, and say whether th"
     "e plan holds there.",
     "在机器上测量方案自己的算子，判断实测是否符合预测。"},
    {"Predict measured runs and print the errors by source.",
     "预测实测过的运行，按来源列出误差。"},
    {"Does the model fit, how surely and with which plan; if not, what m"
     "akes it fit?",
     "模型放得下吗，把握多大，用哪个方案；放不下时怎样才能放下？"},
    {"The plan to run, and the fastest of other kinds, each with what it"
     " costs.",
     "该用的方案，以及其他类型中最快的方案和各自的代价。"},
    {"Memory per stage and time per step of one plan, by terms.",
     "一个方案各 stage 的显存和单步时间，按项列出。"},
    {"The greedy walk of an experienced engineer: each step tried, and w"
     "hy.",
     "有经验的工程师的贪心搜索：每一步试了什么，为什么。"},
    {"One page of HTML to look at and to send: the plan, its figures, it"
     "s launch files.",
     "可查看、可发送的单文件 HTML 报告：方案、图表和启动文件。"},
    {"The best plan of many clusters, sequence lengths, batches and fram"
     "eworks, a row each; or the smallest cluster that meets a deadline.",
     "多种集群、序列长度、批大小和框架各自的最优方案，每种一行；或按期完"
     "成的最小集群。"},
    {"The simulated step of a plan, pass by pass: a timeline for Perfett"
     "o.",
     "逐个前向和反向模拟的一步：供 Perfetto 查看的时间线。"},
    {"done, or the answer is yes",
     "完成，或答案为是"},
    {"done, and the answer is no",
     "完成，答案为否"},
    {"wrong usage of the command line",
     "命令行用法有误"},
    {"wrong input data",
     "输入数据有误"},
    {"the system refused: file, memory or output",
     "系统出错：文件、内存或输出"},
    {"no usable device",
     "没有可用的设备"},
    {"interrupted; what was found so far is printed",
     "被中断；已找到的结果会打印出来"},
    {"\n"
     "exit status:\n",
     "\n"
     "退出码：\n"},
    {"usage: plan3d COMMAND ...\n"
     "       plan3d QUESTION in words, English or Chinese\n"
     "\n"
     "Will this model train on these GPUs, with which parallel plan, and"
     " how fast?\n"
     "\n"
     "commands:\n",
     "用法：plan3d 命令 ...\n"
     "      plan3d 问题（中文或英文）\n"
     "\n"
     "这个模型能在这些 GPU 上训练吗，用哪种并行方案，有多快？\n"
     "\n"
     "命令：\n"},
    {"\n"
     "examples:\n"
     "  plan3d fit 70B 64xA800\n"
     "  plan3d will llama-3-8b fit on 8 H100s?\n"
     "  plan3d how long does 70B take on 512 H100 for 2T tokens?\n"
     "\n"
     "'plan3d help COMMAND' explains one command.\n",
     "\n"
     "示例：\n"
     "  plan3d fit 70B 64xA800\n"
     "  plan3d 8张H100能训练llama-3-8b吗\n"
     "  plan3d 512张H100训练70B，2T token，要多久\n"
     "\n"
     "“plan3d help 命令”说明某个命令。\n"},
    {"plan3d plans the training of a model on a cluster of GPUs: does it "
     "fit, with which\n"
     "parallel plan, how fast, how long, for how much money, and how sure "
     "is that.\n"
     "\n"
     "ask in words, English or Chinese:\n"
     "  plan3d will 70B fit on 64 A800?\n"
     "  plan3d how long does 70B take on 512 H100 for 2T tokens?\n"
     "  plan3d how many A800 for 70B in 60 days, 2T tokens?\n"
     "\n"
     "or by a command; 'plan3d help' has all of them:\n"
     "  fit, plan, estimate  does it fit, which plan, what takes time and "
     "memory\n"
     "  sweep                many clusters and jobs, with days and cost\n"
     "  explain, report      why this plan; a page to send\n"
     "  export, import       launch files of frameworks, out and in\n"
     "  list                 the models, GPUs and frameworks that it knows\n",
     "plan3d 规划模型在 GPU 集群上的训练：显存够不够，用哪种并行方案，\n"
     "有多快，要多久，花多少钱，以及把握有多大。\n"
     "\n"
     "直接提问，中文或英文：\n"
     "  plan3d 64张A800能训练70B吗\n"
     "  plan3d 512张H100训练70B，2T token，要多久\n"
     "  plan3d 60天训完70B，2T token，要多少张A800\n"
     "\n"
     "或使用命令；全部命令见“plan3d help”：\n"
     "  fit, plan, estimate  放得下吗，用哪个方案，时间和显存花在哪里\n"
     "  sweep                比较多种集群和任务，给出天数和费用\n"
     "  explain, report      为什么是这个方案；可发送的单文件报告\n"
     "  export, import       导出和导入训练框架的启动文件\n"
     "  list                 plan3d 认识的模型、GPU 和框架\n"},
    {"What is alive on the tight GPU at its peak, tensor by tensor; what"
     " each decision of the best plan is worth; how sure the choice is; "
     "the measured runs nearest to it; where the error of its step comes"
     " from; which links of the network are tight; two plans side by sid"
     "e.",
     "显存最紧的 GPU 在峰值时逐个张量的占用；最优方案每项选择的收益与代"
     "价；这一选择有多可靠；最接近的实测运行；步时误差的来源；网络中哪些"
     "链路吃紧；两个方案的对照。"},
    {"Which of several trainings on which pool of a fleet, all at the sam"
     "e time: exactly.",
     "多个训练同时运行时，哪个任务用哪个资源池：精确求解。"},
    {NULL, NULL}};
/* clang-format on */
