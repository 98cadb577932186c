assign tests/data/jobs/three.json 32xA800+16xH100 --fabric roce-25 --oversubscription 16 --leaf-nodes 1
# slow
