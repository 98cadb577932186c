assign tests/data/jobs/three.json tests/data/jobs/spot.json
# slow
