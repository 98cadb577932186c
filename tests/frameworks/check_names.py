# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of Colossal-AI and Megatron-Bridge, read from their sources.

They cannot be imported without a GPU or an old PyTorch, so that only names are
compared: arguments of a call, fields of configuration classes.
"""
import ast
import importlib.util
import pathlib

import support

COLOSSALAI = ("70B 64xA100 --plan tp=8,pp=2,zero=1",
              "70B 64xA100 --plan tp=8,zero=1,offload=optimizer",
              "70B 64xA100 --plan tp=4,pp=4,vp=2,zero=1,recompute=full")
BRIDGE = ("70B 64xH100 --plan tp=4,pp=4,vp=7,uneven,"
          "recompute=selective:layernorm,offload=optimizer:0.7",
          "70B 64xH100 --plan tp=8,zero=3,recompute=full",
          "mixtral-8x7b 64xH100 --plan tp=2,pp=4,ep=8",
          "70B 64xA100 --plan tp=4,pp=4,first=18,last=20,recompute=full:2")

# Section of a recipe: the files with its classes, and the classes.
SECTIONS = {
    "model": ("megatron.core", ("transformer/transformer_config.py",
                                "model_parallel_config.py"),
              ("TransformerConfig", "ModelParallelConfig")),
    "ddp": ("megatron.core", ("distributed/distributed_data_parallel_config.py",
                              ), ("DistributedDataParallelConfig",)),
    "optimizer": ("megatron.core", ("optimizer/optimizer_config.py",),
                  ("OptimizerConfig",)),
    "train": ("megatron.bridge", ("training/config.py",), ("TrainingConfig",)),
}
# Set by the bridge itself on its models: megatron/bridge/models.
OF_PROVIDERS = {"seq_length"}


def folder_of(package):
    """Where a package is, without importing it."""
    top, _, rest = package.partition(".")
    spec = importlib.util.find_spec(top)
    if spec is None:
        return None
    for place in spec.submodule_search_locations:
        if pathlib.Path(place, rest).is_dir():
            return pathlib.Path(place, rest)
    return None


def classes(path):
    tree = ast.parse(path.read_text())
    return {c.name: c for c in ast.walk(tree) if isinstance(c, ast.ClassDef)}


def fields(package, files, names):
    found = set()
    for file in files:
        for name, body in classes(folder_of(package) / file).items():
            if name in names:
                found |= {a.target.id for a in body.body
                          if isinstance(a, ast.AnnAssign)}
    return found


def check_colossalai(words):
    path = folder_of("colossalai") / "booster/plugin/hybrid_parallel_plugin.py"
    plugin = classes(path)["HybridParallelPlugin"]
    start = next(f for f in plugin.body
                 if isinstance(f, ast.FunctionDef) and f.name == "__init__")
    known = {a.arg for a in start.args.args + start.args.kwonlyargs}
    text = support.export("colossalai", words)["colossalai_plan.py"]
    call = next(c for c in ast.walk(ast.parse(text)) if isinstance(c, ast.Call)
                and getattr(c.func, "id", "") == "HybridParallelPlugin")
    support.equal(f"Colossal-AI: {words}",
                  {k.arg for k in call.keywords} - known, set())


def methods(name, file, class_name):
    return {f.name for f in classes(folder_of(name) / file)[class_name].body
            if isinstance(f, ast.FunctionDef)}


def check_bridge(words):
    tree = ast.parse(support.export("bridge", words)["recipe.py"])
    known = methods("megatron.bridge", "models/conversion/auto_bridge.py",
                    "AutoBridge")
    unknown = {node.attr for node in ast.walk(tree)
               if isinstance(node, ast.Attribute)
               and getattr(node.value, "id", "") in ("AutoBridge", "bridge")
               and node.attr not in known}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        _, _, name = ast.unparse(node.targets[0]).partition("cfg.")
        section, _, field = name.partition(".")
        if field and section in SECTIONS and field not in OF_PROVIDERS and \
                field not in fields(*SECTIONS[section]):
            unknown.add(name)
    support.equal(f"Megatron-Bridge: {words}", unknown, set())


for package, name, check, cases in (
        ("colossalai", "Colossal-AI", check_colossalai, COLOSSALAI),
        ("megatron.bridge", "Megatron-Bridge", check_bridge, BRIDGE)):
    if folder_of(package) is None:
        support.skipped(name, "not installed")
        continue
    for case in cases:
        support.check(f"{name}: {case}", check, case)
support.end()
