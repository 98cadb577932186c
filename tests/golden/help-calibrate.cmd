help calibrate
