# SPDX-License-Identifier: GPL-3.0-or-later
"""The parameters of every file of models/, as transformers counts them.

The models are built on the meta device: no weight exists, nothing is fetched.
"""
import json
import pathlib
import tempfile

import support

torch = support.need("torch", "transformers")
transformers = torch and support.need("transformers", "transformers")

# Buffers of transformers that are parameters of the published checkpoints.
COUNTED_BUFFERS = ("e_score_correction_bias", "expert_bias")

# Types that transformers does not have, built of the layers of another.
LIKE = {"kimi_k2": "deepseek_v3"}


def build(path):
    """The language model of a config.json."""
    config = json.loads(path.read_text())
    del config["plan3d"]
    config["model_type"] = LIKE.get(config["model_type"], config["model_type"])
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "config.json").write_text(json.dumps(config))
        read = transformers.AutoConfig.from_pretrained(folder)
    with torch.device("meta"):
        return transformers.AutoModelForCausalLM.from_config(
            read.get_text_config())


def count(model):
    tied_once = sum(p.numel() for p in model.parameters())
    return tied_once + sum(b.numel() for name, b in model.named_buffers()
                           if name.endswith(COUNTED_BUFFERS))


def check(path, expected):
    kind = json.loads(path.read_text())["model_type"]
    if LIKE.get(kind, kind) not in transformers.CONFIG_MAPPING:
        support.skipped(path.stem, f"transformers has no {kind}")
        return
    support.equal(path.stem, count(build(path)), expected)


if transformers:
    transformers.logging.set_verbosity_error()
    listed = {item["name"]: item["parameters"]
              for item in support.answer("list", "models")["items"]}
    for file in sorted(pathlib.Path("models").glob("*.json")):
        support.check(file.stem, check, file, listed[file.stem])
support.end()
