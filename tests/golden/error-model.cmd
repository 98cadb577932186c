fit llama-2-70 64xA800
