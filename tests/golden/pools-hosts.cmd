fit 7B 16xA100+8xH100 --hosts node[01-02]
