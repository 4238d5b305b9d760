"""PPO on CPU with JAX: a motor learns to bring the rocker of a four-bar to any angle it is asked for.

    pip install jax gymnasium matplotlib
    python examples/python/ppo.py --seeds 3 --out ppo.png

One process; the worlds of a batch step on all cores. The method is that of Schulman et al. 2017 (clipped ratios, generalised
advantages); a network of two hidden layers gives the mean of a Gaussian, and another the value.
"""

# %% [markdown]
# # PPO with JAX on the CPU
# A motor learns to bring the rocker of a four-bar to any angle it is asked for. The worlds of a batch step on all cores; the method is that of Schulman
# et al. 2017. As a script it takes options: `python examples/python/ppo.py --help`.

# %%
import argparse
import sys
import time

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np

import linkwork.gym  # noqa: F401  (registers the environments)

GAMMA, LAMBDA, CLIP, RATE, EPOCHS, PARTS = 0.97, 0.95, 0.2, 1e-3, 6, 4


# %% [markdown]
# The policy and the value: networks of two hidden layers, and one step of Adam on the clipped loss.


# %%
def layers(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    made = [(jax.random.normal(k, (m, n)) * np.sqrt(2.0 / m), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]
    weight, bias = made[-1]
    return [*made[:-1], (0.01 * weight, bias)]


def network(weights, x):
    for w, b in weights[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def log_density(p, observation, action):
    mean, spread = network(p["policy"], observation), p["spread"]
    return jnp.sum(-0.5 * ((action - mean) / jnp.exp(spread)) ** 2 - spread, axis=-1)


def loss(p, observation, action, old, advantage, target):
    ratio = jnp.exp(log_density(p, observation, action) - old)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
    value = network(p["value"], observation)[:, 0]
    return -gain.mean() + 0.5 * ((value - target) ** 2).mean() - 0.002 * p["spread"].sum()


@jax.jit
def improve(p, adam, batch):
    """Adam on one part of the samples."""
    gradient = jax.grad(loss)(p, *batch)
    size = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, 0.5 / (size + 1e-9)), gradient)
    m, v, t = adam
    t = t + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, v, gradient)
    step = lambda p, m, v: p - RATE * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)  # noqa: E731
    return jax.tree.map(step, p, m, v), (m, v, t)


@jax.jit
def act(p, observation, key):
    mean = network(p["policy"], observation)
    action = mean + jnp.exp(p["spread"]) * jax.random.normal(key, mean.shape)
    return action, log_density(p, observation, action), network(p["value"], observation)[:, 0]


def train(name, seed, worlds, rounds, length, tell=print):
    """Mean return of the episodes that ended in each round."""
    envs = gymnasium.make_vec(name, num_envs=worlds)
    key = jax.random.key(seed)
    inputs, outputs = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
    key, a, b = jax.random.split(key, 3)
    p = {"policy": layers(a, [inputs, 64, 64, outputs]), "value": layers(b, [inputs, 64, 64, 1]), "spread": jnp.full(outputs, -0.5)}
    zeros = jax.tree.map(jnp.zeros_like, p)
    adam, shuffle = (zeros, zeros, 0), np.random.default_rng(seed)
    observation, _ = envs.reset(seed=1000 * seed)
    running, over, returns = np.zeros(worlds), np.zeros(worlds, dtype=bool), []
    for round in range(rounds):
        kept = {k: [] for k in ("observation", "action", "old", "value", "reward", "terminated", "done", "skip")}
        ended = []
        for _ in range(length):
            key, k = jax.random.split(key)
            action, old, value = map(np.asarray, act(p, observation, k))
            following, reward, terminated, truncated, _ = envs.step(action)
            # The step after an episode's end only starts the next one (autoreset of Gymnasium).
            row = (observation, action, old, value, reward, terminated, terminated | truncated, over)
            for store, x in zip(kept.values(), row):
                store.append(np.array(x))
            running = np.where(over, 0.0, running + reward)
            over = terminated | truncated
            ended += list(running[over])
            observation = following
        x = {k: np.stack(v) for k, v in kept.items()}
        value = np.concatenate([x["value"], np.asarray(network(p["value"], observation))[None, :, 0]])
        advantage, last = np.zeros_like(x["reward"]), np.zeros(worlds)
        for t in reversed(range(length)):
            delta = x["reward"][t] + GAMMA * value[t + 1] * ~x["terminated"][t] - value[t]
            last = delta + GAMMA * LAMBDA * last * ~x["done"][t]
            last[x["skip"][t]] = 0.0
            advantage[t] = last
        use = ~x["skip"].reshape(-1)
        flat = [x[k].reshape(length * worlds, -1).squeeze()[use] for k in ("observation", "action", "old")]
        flat[1] = flat[1].reshape(use.sum(), outputs)
        gain, target = advantage.reshape(-1)[use], (advantage + x["value"]).reshape(-1)[use]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        data = [jnp.asarray(d) for d in (*flat, gain, target)]
        size = len(gain) // PARTS
        for _ in range(EPOCHS):
            order = shuffle.permutation(len(gain))
            for k in range(PARTS):
                pick = order[k * size : (k + 1) * size]
                p, adam = improve(p, adam, [d[pick] for d in data])
        if ended:
            returns.append(((round + 1) * length * worlds, float(np.mean(ended))))
            tell(f"seed {seed}  {returns[-1][0]:8d} steps  return {returns[-1][1]:7.2f}")
    envs.close()
    return np.array(returns)


# %% [markdown]
# Returns of three seeds; all of them rise.


# %%
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--env", default="FourbarReach-v0")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--length", type=int, default=100)
    parser.add_argument("--out", help="picture of the returns")
    args = parser.parse_args(arguments)
    begin = time.perf_counter()
    runs = [train(args.env, seed, args.worlds, args.rounds, args.length) for seed in range(args.seeds)]
    took = time.perf_counter() - begin
    for seed, run in enumerate(runs):
        few = max(1, len(run) // 5)
        first, last = run[:few, 1].mean(), run[-few:, 1].mean()
        print(f"seed {seed}: return {first:.2f} at first, {last:.2f} at last")
    print(f"{took:.0f} s for {args.seeds} seeds")
    if args.out:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 3.6), layout="constrained")
        axis = figure.subplots()
        for seed, run in enumerate(runs):
            axis.plot(run[:, 0], run[:, 1], label=f"seed {seed}")
        axis.set(xlabel="environment steps", ylabel="return of an episode", title=args.env)
        axis.legend()
        figure.savefig(args.out, dpi=120)
    return runs


if __name__ == "__main__":
    # A notebook has arguments of its own.
    main([] if "ipykernel" in sys.modules else None)
