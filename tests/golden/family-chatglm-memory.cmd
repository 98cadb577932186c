explain memory glm-4-9b-chat 8xH100 --plan tp=2,zero=1,mbs=1
