schema cluster
