import tests/import/arguments.sh --cluster 8xA100 --set 1=7B,2=4,3=1 --long
