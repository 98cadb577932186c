70B用fp8在64张H100上能快多少
# slow
