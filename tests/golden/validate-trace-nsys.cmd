validate tests/data/traces/two.json 8xH100 --batch 16 --plan tp=1,zero=1 --trace tests/data/traces/two.sqlite --tolerance 5%
