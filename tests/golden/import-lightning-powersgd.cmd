import tests/import/lightning-powersgd.py --model llama-3.2-1b --cluster 2x8xA100 --seq 4096 --set per_device_train_batch_size=2
