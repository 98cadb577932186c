calibrate tests/data/measured/all_reduce_perf.log
