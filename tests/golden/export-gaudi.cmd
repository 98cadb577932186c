export 7B 8xGaudi3
