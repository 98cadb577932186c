list calibrations
