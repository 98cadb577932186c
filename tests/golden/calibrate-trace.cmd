calibrate tests/data/traces/two.json.gz
