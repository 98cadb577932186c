completion bash
