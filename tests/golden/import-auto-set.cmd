import tests/import/zero3_auto.json --cluster 16xA100 --model 7B --seq 4096 --set per_device_train_batch_size=2,bf16=true
