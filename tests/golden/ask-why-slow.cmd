why is 8B on 8 H100 slow
