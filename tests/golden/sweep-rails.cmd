sweep qwen3-30b-a3b 128xH100 --oversubscription 1,8 --rails no,yes --leaf-nodes 1 --batch 512 --pin ep=32,etp=1,pp=1
