validate tests/data/traces/two.json 4xH100 --batch 16 --plan tp=1,pp=2,mbs=2 --json --trace tests/data/traces/rank-0.json,tests/data/traces/rank-1.json
