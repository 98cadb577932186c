calibrate tests/data/measured/mamf-finder.log tests/data/measured/all_reduce_perf.log
