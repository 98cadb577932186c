plan 7B 64xA800 --top 3 --show plans,proof
