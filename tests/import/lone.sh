accelerate launch --config_file configs/eight.yaml train.py \
    --batch-size 1 --gradient-accumulate-every 4 \
    --model lmsys/vicuna-7b-v1.5 --seq-length 256000
