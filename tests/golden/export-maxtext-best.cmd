export 7B 16xTPU-v5p --to maxtext --dry-run
