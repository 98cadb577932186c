import tests/import/wrap.sh --model olmoe-1b-7b --cluster 8xA100
