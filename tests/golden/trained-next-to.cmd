estimate gpt-neox-20b 96xA100 --plan tp=2,pp=4
