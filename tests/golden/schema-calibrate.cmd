schema calibrate
