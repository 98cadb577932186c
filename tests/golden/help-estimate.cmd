help estimate
