fit 70B 64xA800 --seqq 3
