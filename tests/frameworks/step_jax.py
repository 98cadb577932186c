# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of JAX over the mesh of an export: each kind of array once."""
import jax
import jax.numpy as jnp

import jax_plan as plan

VOCAB, WIDTH = 256, 64
ROWS = (plan.axes["replica"] * plan.axes["data"]
        * plan.launch["micro_batch_size"])


def place(kind, *shape):
    values = jnp.ones(shape, plan.launch["dtype"])
    return jax.device_put(values, plan.sharding(kind))


def loss(weights, tokens):
    stream = jax.nn.one_hot(tokens, VOCAB) @ weights["embedding"]
    stream = jax.lax.with_sharding_constraint(stream, plan.sharding("stream"))
    stream = stream @ weights["column"] @ weights["row"] * weights["norm"]
    return jnp.mean(stream.astype(jnp.float32) ** 2)


weights = {"embedding": place("embedding", VOCAB, WIDTH),
           "column": place("column", WIDTH, 2 * WIDTH),
           "row": place("row", 2 * WIDTH, WIDTH),
           "norm": place("norm", WIDTH)}
tokens = jax.device_put(
    jnp.zeros((ROWS, plan.launch["sequence_length"]), int),
    plan.sharding("tokens"))
value, gradients = jax.jit(jax.value_and_grad(loss))(weights, tokens)
weights = jax.tree.map(lambda w, g: w - 1e-3 * g, weights, gradients)
jax.block_until_ready(weights)
assert jnp.isfinite(value)
assert not weights["column"].sharding.is_fully_replicated
print("step 1", len(jax.devices()), "devices", flush=True)
