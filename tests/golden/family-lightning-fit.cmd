fit tests/data/models/minimax-text-01.json 512xH100 --batch 512 --seq 8192 --framework generic --show memory
# slow
