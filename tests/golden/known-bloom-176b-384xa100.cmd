# bigscience-workshop/bigscience train/tr11-176B-ml: some 105 s in production
estimate bloom-176b 384xA100 --framework deepspeed --attention eager --dropout --gradient-dtype fp32 --seq 2048 --batch 2048 --plan tp=4,pp=12,mbs=2,zero=1,nosp,recompute=full
