estimate 7B 8xA100 --plan offload=optimizer@nvme
