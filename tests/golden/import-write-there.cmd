import tests/import/megatron.sh --cluster 64xA100 --write README.md
