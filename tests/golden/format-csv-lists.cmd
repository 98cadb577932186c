explain llama-3-8b 8xH100 why --not tp=2,zero=3 --format csv
