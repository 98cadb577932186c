fit ling-mini-2.0 16xH100 --show verdict
