completion bash fit
