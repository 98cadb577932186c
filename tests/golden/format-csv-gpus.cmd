list gpus --format csv
