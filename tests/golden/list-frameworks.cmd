list frameworks
