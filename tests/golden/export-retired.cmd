export 7B 16xA100 --to deepspeed --plan zero=3,shard=8 --dry-run
