"""Environments for reinforcement learning; known to gym as `Shogi-v0` where gym is installed."""

from __future__ import annotations

import importlib
from importlib.util import find_spec

if find_spec("gym") is not None:
    importlib.import_module("gym.envs.registration").register(
        id="Shogi-v0", entry_point="tesuji.cshogi.gym_shogi.envs:ShogiEnv"
    )
