/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peft.c - adapters of Hugging Face's PEFT in launches.
 *
 * Names: huggingface/peft@00336949 src/peft/tuners/lora/config.py (LoraConfig),
 * docs/source/accelerate/deepspeed.md (the type that 4-bit weights are stored
 * in); transformers 5.23.0 utils/quantization_config.py (BitsAndBytesConfig),
 * examples/pytorch/language-modeling/run_clm.py (which takes its model from
 * AutoModelForCausalLM.from_pretrained); TRL 0.24 trainer/model_config.py. */
#include "exchange/launch/peft.h"

#include <stdio.h>

#include "base/text.h"
#include "base/util.h"

/* clang-format off */
#define WHEN(name, condition) \
    bool exchange_##name(const exchange_launch *l) { return condition; }
WHEN(trains_all, l->job.adapters.rank == 0)
WHEN(has_adapters, l->job.adapters.rank > 0)
WHEN(has_some_targets, exchange_has_adapters(l) && l->job.adapters.targets != 0)
WHEN(has_all_targets, exchange_has_adapters(l) && l->job.adapters.targets == 0)
WHEN(has_adapter_dropout, l->job.adapters.dropout > 0)
WHEN(has_whole_modules, l->job.adapters.trained != 0)
#undef WHEN
/* clang-format on */

void exchange_peft_say(exchange_launch *launch)
{
    static const char *const modules[] = {"q_proj", "k_proj", "v_proj",
            "o_proj", "gate_proj", "up_proj", "down_proj"};
    static const struct {
        unsigned part;
        const char *module;
    } whole[] = {
            {P3D_PART_EMBEDDINGS, "embed_tokens"}, {P3D_PART_HEAD, "lm_head"}};
    const p3d_adapters *const a = &launch->job.adapters;
    exchange_said *const said = &launch->said;
    p3d_text names = {0};
    p3d_text parts = {0};

    for (int i = 0; i < P3D_COUNT_OF(modules); i++)
        if ((a->targets >> i & 1) != 0)
            p3d_text_add(
                    &names, "%s%s", names.length > 0 ? "," : "", modules[i]);
    for (int i = 0; i < P3D_COUNT_OF(whole); i++)
        if ((a->trained & whole[i].part) != 0)
            p3d_text_add(&parts, "%s%s", parts.length > 0 ? "," : "",
                    whole[i].module);
    said->adapter_alpha = EXCHANGE_ALPHA_OF_RANK * a->rank;
    (void)p3d_copy(said->adapted, sizeof(said->adapted),
            a->targets == 0 ? "all" : p3d_text_get(&names));
    (void)p3d_copy(said->whole_modules, sizeof(said->whole_modules),
            p3d_text_get(&parts));
    for (char *at = names.data; at != NULL && *at != '\0'; at++)
        *at = *at == ',' ? '|' : *at;
    (void)snprintf(said->adapted_names, sizeof(said->adapted_names),
            ".*[.](%s)", p3d_text_get(&names));
    p3d_text_free(&names);
    p3d_text_free(&parts);
}

/* transformers 5 keeps the experts of a layer in one parameter each, which
 * PEFT's all-linear takes, too: peft 0.21.2 src/peft/tuners/lora/layer.py
 * (ParamWrapper). */
bool exchange_peft_can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_adapters *const a = &launch->job.adapters;

    return !exchange_has_all_targets(launch) || launch->model.n_experts == 0 ||
           (a->dropout <= 0 && !a->dora) ||
           exchange_target_refuse(refusal, "X2",
                   "PEFT's adapters of experts have no dropout and no DoRA; "
                   "leave both out of --lora or write targets=attention");
}

const exchange_wrapper exchange_peft_wrapper = {
        .file = "lora.py",
        .when = exchange_has_adapters,
        .program = "\"$HERE/lora.py\" \"$TRAIN\"",
        .text = "# Runs the script that it is given with adapters of PEFT "
                "around the script's\n"
                "# model; takes the arguments below and leaves the others to "
                "it.\n"
                "import argparse\n"
                "import os\n"
                "import runpy\n"
                "import sys\n\n"
                "import torch\n"
                "from peft import LoraConfig, get_peft_model\n"
                "from transformers import AutoModelForCausalLM, "
                "BitsAndBytesConfig\n\n"
                "\n"
                "def words(text):\n"
                "    return text if text == \"all-linear\" else "
                "text.split(\",\")\n"
                "\n"
                "\n"
                "def take(options, rest):\n"
                "    parser = argparse.ArgumentParser(allow_abbrev=False)\n"
                "    for name, how in options.items():\n"
                "        parser.add_argument(\"--\" + name, **how)\n"
                "    return parser.parse_known_args(rest)\n"
                "\n"
                "\n"
                "on = {\"action\": \"store_true\"}\n"
                "lora, rest = take(\n"
                "    {\n"
                "        \"lora_r\": {\"dest\": \"r\", \"type\": int},\n"
                "        \"lora_alpha\": {\"type\": int},\n"
                "        \"lora_dropout\": {\"type\": float, \"default\": "
                "0.0},\n"
                "        \"lora_target_modules\": {\"dest\": "
                "\"target_modules\", \"type\": words},\n"
                "        \"lora_modules_to_save\": {\"dest\": "
                "\"modules_to_save\", \"type\": words},\n"
                "        \"use_dora\": on,\n"
                "    },\n"
                "    sys.argv[1:],\n"
                ")\n"
                "bits, rest = take(\n"
                "    {\n"
                "        \"load_in_4bit\": on,\n"
                "        \"load_in_8bit\": on,\n"
                "        \"bnb_4bit_use_double_quant\": {\n"
                "            \"type\": lambda text: text == \"true\",\n"
                "            \"default\": True,\n"
                "        },\n"
                "    },\n"
                "    rest,\n"
                ")\n"
                "dtype = torch.float16 if \"--fp16\" in rest else "
                "torch.bfloat16\n"
                "adapters = LoraConfig(**vars(lora), task_type=\"CAUSAL_LM\")\n"
                "base = BitsAndBytesConfig(\n"
                "    **vars(bits),\n"
                "    bnb_4bit_quant_type=\"nf4\",\n"
                "    bnb_4bit_compute_dtype=dtype,\n"
                "    bnb_4bit_quant_storage=dtype,\n"
                ")\n"
                "load = AutoModelForCausalLM.from_pretrained\n\n\n"
                "def load_with_adapters(*names, **options):\n"
                "    if bits.load_in_4bit or bits.load_in_8bit:\n"
                "        options[\"quantization_config\"] = base\n"
                "    model = load(*names, **options)\n"
                "    # recomputed layers need an input that has a gradient\n"
                "    model.enable_input_require_grads()\n"
                "    model = get_peft_model(model, adapters)\n"
                "    model.print_trainable_parameters()\n"
                "    return model\n\n\n"
                "AutoModelForCausalLM.from_pretrained = load_with_adapters\n"
                "sys.argv = rest\n"
                "sys.path.insert(0, os.path.dirname(os.path.abspath(rest[0])))"
                "\n"
                "runpy.run_path(rest[0], run_name=\"__main__\")\n",
};
