// SPDX-License-Identifier: GPL-3.0-or-later
// words.js - the languages of the page. English is the key; {} is a part to fill in. Words
// that the program has too are the program's (src/report/words).
"use strict";

let language = "en";

const chinese = {
  "Will this model train on these GPUs?": "这个模型能在这些 GPU 上训练吗？",
  "A question in words, or a command line of plan3d": "用一句话提问，或写 plan3d 命令行",
  "Ask": "提问",
  "for example": "例如",
  "Language": "语言",
  "Light or dark": "浅色或深色",
  "Job": "任务",
  "Model": "模型",
  "name, size such as 70B, or a dropped config.json": "名称、70B 这样的规模，或拖入的 config.json",
  "GPUs": "GPU 数",
  "GPU type": "GPU 型号",
  "Sequence": "序列长度",
  "Batch": "全局批大小",
  "tokens": "token",
  "sequences a step": "条序列一步",
  "Framework": "框架",
  "Precision": "精度",
  "Objective": "目标",
  "usual": "默认",
  "Training tokens": "训练 token 总数",
  "USD per GPU-hour": "每 GPU 小时美元",
  "Compare with a second cluster": "与第二个集群比较",
  "Second cluster: GPUs": "第二个集群：GPU 数",
  "Second cluster: GPU type": "第二个集群：GPU 型号",
  "as usual": "恢复默认",
  "recommended": "推荐",
  "fastest": "最快",
  "roomiest": "最宽裕",
  "cheapest": "最便宜",
  "Not in this list:": "其他选项：",
  "The engine is starting.": "引擎正在启动。",
  "searching": "正在搜索",
  "Stop": "停止",
  "Stopped. Ask again, or change something.": "已停止。请再次提问，或改动一处。",
  "Preview: this plan with the change. The best plan is being searched.":
    "预览：同一方案加上改动。正在搜索最好的方案。",
  "{} ms": "{} 毫秒",
  "answered in {} ms": "{} 毫秒得出",
  "FITS": "放得下",
  "FITS, BARELY": "勉强放得下",
  "DOES NOT FIT": "放不下",
  "DOES NOT FIT: the closest plan misses {} GiB per GPU on stage {}":
    "放不下：最接近的方案在 stage {1} 每个 GPU 还差 {0} GiB",
  "DOES NOT FIT: the closest plan needs {} GiB of host memory per node":
    "放不下：最接近的方案每个节点需要 {} GiB 主机内存",
  ", {}: {} of {} GiB stay free on the tight GPU": "，{0}：显存最紧的 GPU 还空 {1} GiB（共 {2} GiB）",
  "more than 99 % sure": "把握超过 99%",
  "less than 1 % sure": "把握不到 1%",
  "{} % sure": "把握 {}%",
  "{} on {}, sequence {}, batch {}, {}, {}": "{}，{}，序列 {}，全局批大小 {}，{}，{}",
  "Probability of fitting": "放得下的把握",
  "Step": "一步",
  "Speed": "速度",
  "tokens/s": "token/s",
  "{} per GPU": "每 GPU {}",
  "of the peak": "占峰值算力",
  "{} to {}": "{} 到 {}",
  "{} to {} in 80 % of runs": "80% 的运行在 {} 到 {} 之间",
  "Training": "训练",
  "of {} tokens": "共 {} token",
  "Cost": "费用",
  "Energy": "能耗",
  "{} GPU-hours": "{} GPU 小时",
  "days": "天",
  "hours": "小时",
  "minutes": "分钟",
  "write the tokens of the training": "请填训练 token 总数",
  "write a price": "请填价格",
  "Plan": "方案",
  "Copy": "复制",
  "Copied": "已复制",
  "the fastest that may fit": "可能放得下的最快方案",
  "the fastest without unusual settings": "没有非常规设置的最快方案",
  "the roomiest": "最宽裕的方案",
  "the same plan": "同一方案",
  "{} GiB free": "空 {} GiB",
  "use": "采用",
  "Memory by stage": "各 stage 显存",
  "stage {}": "stage {}",
  "all GPUs": "所有 GPU",
  "usable {} GiB": "可用 {} GiB",
  "{} of {} GiB": "{} / {} GiB",
  "tightest stage": "最紧的 stage",
  "Time of a step": "一步的耗时",
  "weights": "权重",
  "gradients": "梯度",
  "optimizer states": "优化器状态",
  "saved activations": "保存的激活",
  "temporary tensors at the peak": "峰值时的临时张量",
  "communication buffers": "通信缓冲区",
  "library workspaces": "库工作区",
  "allocator fragmentation": "分配器碎片",
  "context and communicators": "上下文和通信器",
  "GEMMs": "矩阵乘",
  "attention core": "注意力",
  "memory-bound kernels": "访存密集型算子",
  "recomputation": "重计算",
  "kernel launch overhead": "等待 kernel 启动",
  "tensor-parallel communication": "张量并行通信",
  "context-parallel communication": "上下文并行通信",
  "expert-parallel communication": "专家并行通信",
  "pipeline bubble": "流水线气泡",
  "pipeline P2P": "流水线传输",
  "exposed data-parallel communication": "未掩盖的数据并行通信",
  "optimizer step": "优化器更新",
  "exposed CPU offload": "卸载到主机",
  "straggler wait": "慢卡等待",
  "fixed cost of a step": "每步固定开销",
  "What makes it fit": "怎样才能放下",
  "try it": "试一试",
  "Side by side": "并排比较",
  "Difference": "差别",
  "verdict": "结论",
  "free memory": "空闲显存",
  "step": "一步",
  "per GPU": "每 GPU",
  "training": "训练",
  "cost": "费用",
  "energy": "能耗",
  "plan": "方案",
  "TP x PP": "TP x PP",
  "The step of the best plan with each pair, or why there is none.":
    "每种组合中最好方案的一步；没有方案时，写明原因。",
  "Point at a cell, or move to it with Tab, to read its plan.": "指向一格，或用 Tab 移到它，即可看到方案。",
  "only such plans": "只看这种方案",
  "Each pair is searched; this takes some seconds.": "逐个组合搜索，需要几秒。",
  "Draw the heat map": "画热力图",
  "Your files": "你的文件",
  "Drop a config.json, a launch script or a log here, or paste it. Nothing leaves this page.":
    "把 config.json、启动脚本或日志拖到这里，或粘贴进来。数据不会离开本页。",
  "Choose files": "选择文件",
  "or paste their text here": "或在此粘贴文本",
  "Read it": "读取",
  "remove": "移除",
  "Download": "下载",
  "Report (HTML)": "报告（HTML）",
  "Launch files for": "启动文件，框架",
  "Make": "生成",
  "This answer as JSON": "本答案的 JSON",
  "What the program prints": "程序的输出",
  "download": "下载",
  "Works without a network: the engine is in this file. The address of the page is the command line.":
    "无需网络：引擎就在本文件中。页面地址就是命令行。",
  "The same in a shell": "在 shell 中同样可用",
  "free software": "自由软件",
  "did you mean": "您是指",
  "This browser is too old: it has no DecompressionStream.": "浏览器太旧：没有 DecompressionStream。",
  "The engine cannot start: {}": "引擎无法启动：{}",
};

// Words in the language of the page. "{}" stands for the next part, "{1}" for that one.
function say(words, ...parts) {
  const found = (language === "zh" && chinese[words]) || words;
  let next = 0;
  return found.replace(/\{(\d?)\}/g, (_, i) => parts[i === "" ? next++ : Number(i)]);
}

// Elements that have data-say hold that in the language, and data-label a label of it.
function sayAll(root) {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const element of root.querySelectorAll("[data-say]")) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.title) element.title = say(element.dataset.label);
  }
  for (const element of root.querySelectorAll("[data-hint]")) {
    element.placeholder = say(element.dataset.hint);
  }
}
