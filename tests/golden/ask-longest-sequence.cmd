max sequence length of 8B on 8 H100
