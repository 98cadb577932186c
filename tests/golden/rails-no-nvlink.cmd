fit 7B 4x8xL40S --rails yes
