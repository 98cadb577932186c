import tests/import/cases.sh --cluster 32xA100 --long
