export 70B 64xA100 --to colossalai --dry-run
