fit 7B 256xGB200 --leaf-nodes 16
