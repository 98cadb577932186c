export llama-2-13b 4x8xA100 --to hf-deepspeed --seq 4096 --batch 256 --plan zero=3,mbs=1,recompute=full --compress qwz,qgz,hpz=8 --reduce-dtype 16bit --force --dry-run
