fit 405B 16384xH100 --tokens 15T --gpu-mtbf 100h
