estimate llama-2-70b 64xA800 --seq 8192 --plan tp=8,pp=2
