man version
