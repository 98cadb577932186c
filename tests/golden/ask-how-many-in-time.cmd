how many H100 for 8B in 60 days with 1T tokens --max-gpus 128
