shapes 7B 48xA100 --plan tp=2,cp=2 --batch 48 --format md
