validate 7B 8xH100 --measurements tests/data/measured/mamf-finder.log
