schema fit
