#!/bin/bash
MODEL_PATH=Qwen/Qwen2.5-VL-7B-Instruct
python3 -m verl.trainer.main \
    config=easy-config.yaml \
    data.max_response_length=1024 \
    worker.actor.model.model_path=${MODEL_PATH} \
    trainer.n_gpus_per_node=4
