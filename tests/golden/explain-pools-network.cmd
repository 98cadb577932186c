explain 70B 32xA800+16xH100 network --oversubscription 8 --leaf-nodes 2
# slow
