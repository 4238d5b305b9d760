"""Gymnasium's own checks, autoreset modes, and environments that do not depend on their company."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import linkwork.gym as lg  # noqa: E402


@pytest.mark.parametrize("name", lg.TASKS)
def test_the_checker_passes(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Observations are not bounded, which the checker remarks on.
        warnings.filterwarnings("ignore", message=".*Box observation space (maximum|minimum).*")
        check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", lg.TASKS)
def test_pictures_show_the_mechanism_move(name):
    env = gymnasium.make(name, render_mode="rgb_array")
    assert env.metadata["render_fps"] == 50
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (320, 480, 3) and first.dtype == np.uint8
    # A tenth of the picture or more is not background, and its middle is not empty.
    seen = (first != first[0, 0]).any(axis=2)
    assert 0.02 < seen.mean() < 0.9 and seen[100:220, 160:320].any()
    assert np.array_equal(env.render(), first)
    for _ in range(10):
        env.step(np.ones(env.action_space.shape, dtype=np.float32))
    assert (env.render() != first).any()
    many = gymnasium.make_vec(name, num_envs=2, render_mode="rgb_array")
    many.reset(seed=0)
    assert np.array_equal(many.render()[0], first)
    assert gymnasium.make_vec(name, num_envs=2).render() is None


def test_environments_are_copied_with_their_worlds():
    import copy

    env = gymnasium.make("QuadrupedTrot-v0", randomise={"masses": (0.8, 1.2)}).unwrapped
    env.reset(seed=2)
    other = copy.deepcopy(env)
    action = np.full(12, 0.3)
    assert np.array_equal(env.step(action)[0], other.step(action)[0])
    assert np.array_equal(env.vector.batch.hashes, other.vector.batch.hashes)


def test_randomised_worlds_begin_where_the_task_says():
    envs = lg.LinkworkVectorEnv("FourbarReach-v0", 8, randomise={"masses": (0.8, 1.2)})
    plain = lg.LinkworkVectorEnv("FourbarReach-v0", 8)
    assert np.array_equal(envs.reset(seed=3)[0], plain.reset(seed=3)[0])
    assert not np.array_equal(envs.batch.masses, plain.batch.masses)
    envs = lg.LinkworkVectorEnv("FourbarReach-v0", 8, randomise={"lengths": (0.97, 1.03)})
    envs.reset(seed=3)
    envs.step(np.zeros((8, 1)))
    assert envs.batch.closure.max() < 1e-9


@pytest.mark.parametrize("name", lg.TASKS)
def test_an_environment_does_not_depend_on_its_company(name):
    def run(n, threads):
        envs = gymnasium.make_vec(name, num_envs=n, threads=threads)
        observation, _ = envs.reset(seed=5)
        rows = [observation[1]]
        for k in range(8):
            actions = np.tile(np.sin(k + np.arange(envs.single_action_space.shape[0])), (n, 1))
            observation, reward, *_ = envs.step(actions)
            rows.append(np.append(observation[1], reward[1]))
        envs.close()
        return np.concatenate(rows)

    first = run(2, 1)
    assert np.isfinite(first).all()
    assert np.array_equal(first, run(5, 3))
    single = gymnasium.make(name).unwrapped
    observation, _ = single.reset(seed=6)
    assert np.array_equal(observation, first[: len(observation)])


def env(mode, n=3, horizon=4):
    envs = lg.LinkworkVectorEnv("FourbarReach-v0", n, autoreset_mode=mode, max_episode_steps=horizon, threads=1)
    envs.reset(seed=0)
    return envs


def test_next_step():
    envs = env(AutoresetMode.NEXT_STEP)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    zero = np.zeros((3, 1))
    for k in range(4):
        _, _, terminated, truncated, _ = envs.step(zero)
        assert truncated.all() == (k == 3) and not terminated.any()
    before = envs.task.goals.copy()
    observation, reward, terminated, truncated, _ = envs.step(zero)
    assert (reward == 0).all() and not (terminated | truncated).any()
    assert (envs.batch.time == 0).all() and not np.array_equal(envs.task.goals, before)
    assert observation[:, 5] == pytest.approx(envs.task.goals)


def test_same_step():
    envs = env(AutoresetMode.SAME_STEP)
    zero = np.zeros((3, 1))
    for _ in range(3):
        envs.step(zero)
    goals = envs.task.goals.copy()
    observation, _, _, truncated, infos = envs.step(zero)
    assert truncated.all() and infos["_final_obs"].all()
    assert np.stack(infos["final_obs"])[:, 5] == pytest.approx(goals)
    assert observation[:, 5] == pytest.approx(envs.task.goals) and (envs.batch.time == 0).all()


def test_disabled():
    envs = env(AutoresetMode.DISABLED)
    zero = np.zeros((3, 1))
    for _ in range(4):
        envs.step(zero)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset_mask"):
        envs.step(zero)
    envs.reset(options={"reset_mask": np.array([True, True, True])})
    envs.step(zero)


def test_a_world_that_diverges_ends_its_episode():
    envs = env(AutoresetMode.NEXT_STEP, horizon=1000)
    envs.batch.close()
    envs.batch = lg.vector.Batch(envs.task.model, 3, dt=5e-3, max_speed=1e-9)
    envs.reset(seed=1)
    _, reward, terminated, _, infos = envs.step(np.ones((3, 1)))
    assert terminated.all() and infos["diverged"].all() and np.isfinite(reward).all()
    envs.step(np.ones((3, 1)))
    assert not envs.batch.quarantined.any()


def test_randomised_worlds_differ():
    envs = lg.LinkworkVectorEnv("QuadrupedTrot-v0", 3, randomise={"masses": (0.8, 1.2), "friction": (0.5, 1.0)})
    envs.reset(seed=4)
    first = envs.batch.masses
    assert np.unique(first[:, 0]).size == 3
    envs.reset(seed=4)
    assert np.array_equal(envs.batch.masses, first)
    envs.step(np.zeros((3, 12)))


def test_bad_use_is_told():
    with pytest.raises(ValueError, match="choose one of"):
        lg.LinkworkVectorEnv("Nothing-v0", 2)
    with pytest.raises(ValueError, match="rgb_array"):
        lg.LinkworkVectorEnv("FourbarReach-v0", 2, render_mode="human")
    envs = lg.LinkworkVectorEnv("FourbarReach-v0", 2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        envs.step(np.zeros((2, 1)))
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(2, 1\)"):
        envs.step(np.zeros((3, 1)))
    with pytest.raises(ValueError, match="not finite"):
        envs.step(np.full((2, 1), np.nan))
