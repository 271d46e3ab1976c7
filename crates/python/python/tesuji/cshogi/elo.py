"""What the results of a match say about strength."""

from __future__ import annotations

import math
from statistics import NormalDist


def elo_diff(p: float) -> float:
    """The difference in Elo at which somebody is expected to score so much."""
    if p <= 0 or p >= 1:
        return math.copysign(math.inf, p - 0.5)
    return -400 * math.log10(1 / p - 1)


def phi_inv(p: float) -> float:
    """Where the normal distribution reaches a probability."""
    return NormalDist().inv_cdf(p)


def erf_inv(x: float) -> float:
    """The inverse of the error function."""
    return phi_inv((x + 1) / 2) / math.sqrt(2)


class Elo:
    """The difference in strength that wins, losses and draws show, as the usual match tools tell it."""

    def __init__(self, wins: int, losses: int, draws: int) -> None:
        self.wins, self.losses, self.draws = wins, losses, draws
        self.n = wins + losses + draws
        if self.n == 0:
            raise ValueError("no game was played")
        self.mu = (wins + draws / 2) / self.n
        points = ((wins, 1.0), (losses, 0.0), (draws, 0.5))
        variance = sum(count * (point - self.mu) ** 2 for count, point in points) / self.n
        self.stdev = math.sqrt(variance / self.n)

    def point_ratio(self) -> float:
        """Points per game."""
        return self.mu

    def draw_ratio(self) -> float:
        """Draws per game."""
        return self.draws / self.n

    def diff(self) -> float:
        """The difference in Elo."""
        return elo_diff(self.mu)

    def error_margin(self) -> float:
        """Half the width of the interval that holds the truth with 95 % probability."""
        if self.mu in (0.0, 1.0):
            return math.inf
        reach = phi_inv(0.975) * self.stdev
        return (elo_diff(self.mu + reach) - elo_diff(self.mu - reach)) / 2

    def los(self) -> float:
        """How likely the first player is the stronger one, in per cent."""
        decided = self.wins + self.losses
        if decided == 0:
            return 50.0
        return 50 * (1 + math.erf((self.wins - self.losses) / math.sqrt(2 * decided)))
