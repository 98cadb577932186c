fit llama-2-7b 1xH100 --tokens 100B --price 2.50 --long
