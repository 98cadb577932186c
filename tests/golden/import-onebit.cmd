import tests/import/onebit.sh tests/import/onebit.json --cluster 32xA100
