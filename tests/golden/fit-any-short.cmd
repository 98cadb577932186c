fit 70B 1xV100 --framework any
