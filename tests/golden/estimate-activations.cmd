estimate 70B 64xA800 --framework megatron-kwai --seq 8192 --batch 64 --plan tp=4,pp=4,vp=5,cp=2,mbs=1,recompute=selective:layernorm+mlp_act,offload=activations:0.5
