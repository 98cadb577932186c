fit 7B 4x8xH100 --hosts gpu001,gpu099,gpu002,gpu019
