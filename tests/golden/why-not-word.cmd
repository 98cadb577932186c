explain 70B 64xA800 why --not tpp=4
