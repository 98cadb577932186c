fit gpt3-125m 4x8xA100-SXM4-80GB --seq 512 --batch 32 --framework any --gradient-dtype fp32 --pin zero=1 --json
