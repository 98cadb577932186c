assign tests/data/jobs/three.json 32xA800+16xH100 --whole
# slow
