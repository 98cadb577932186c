shapes 7B 48xA100 --plan tp=3 --batch 48
