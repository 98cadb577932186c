fit glm-4-9b-chat 8xH100 --show verdict
