x = """a
b''' parallelism.tensor_parallel_degree = 8
