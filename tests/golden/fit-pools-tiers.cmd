fit 7B 16xA800+8xH100 --leaf-nodes 1 --oversubscription 8 --fabric roce-200
# slow
