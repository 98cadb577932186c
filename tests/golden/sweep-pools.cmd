sweep 70B 32xA800+16xH100 --oversubscription 1,16 --rails no,yes --leaf-nodes 2
# slow
