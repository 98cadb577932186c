fit dbrx 64xH100 --show verdict
