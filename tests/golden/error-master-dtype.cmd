estimate 7B 8xA100 --framework torchtune --master-dtype 8bit --plan zero=0
