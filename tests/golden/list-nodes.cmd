list nodes
