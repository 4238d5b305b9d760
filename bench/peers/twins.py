"""MJCF twins of mechanisms with loops: trees whose loops are closed by `connect`."""

import math

CAPSULE = '<geom type="capsule" mass="{mass}" fromto="0 0 0 {x} 0 {z}" size="0.02" contype="0" conaffinity="0"/>'
HINGE = '<joint axis="0 1 0"/>'


def mjcf(bodies, closures):
    """A model of planar linkages; `closures` are pairs of sites that stay together."""
    pairs = "".join(f'<connect site1="{a}" site2="{b}"/>' for a, b in closures)
    return f'<mujoco><option timestep="0.001"/><worldbody>{bodies}</worldbody><equality>{pairs}</equality></mujoco>'


def bar(at, to, mass, site, inner=""):
    """A hinged bar from `at`, relative to its parent, to `to`, relative to `at`."""
    shape = CAPSULE.format(mass=mass, x=to[0], z=to[1])
    end = f'<site name="{site}" pos="{to[0]} 0 {to[1]}"/>'
    return f'<body pos="{at[0]} 0 {at[1]}">{HINGE}{shape}{end}{inner}</body>'


def fourbar():
    """The twin of `fourbar_fixed`: crank and coupler on one side, rocker on the other."""
    coupler = bar((0.1, 0.2), (0.6, 0.1), 1.0, "a")
    bodies = bar((0, 1), (0.1, 0.2), 1.0, "crank", coupler) + bar((0.8, 1), (-0.1, 0.3), 1.0, "b")
    return mjcf(bodies, [("a", "b")])


def meet(a, ra, b, rb):
    """The lower of the two points at distance ra of a and rb of b."""
    dx, dz = b[0] - a[0], b[1] - a[1]
    d = math.hypot(dx, dz)
    x = (d * d + ra * ra - rb * rb) / (2 * d)
    y = math.sqrt(ra * ra - x * x)
    points = [(a[0] + (x * dx + s * y * dz) / d, a[1] + (x * dz - s * y * dx) / d) for s in (1, -1)]
    return min(points, key=lambda p: p[1])


def coupled(n):
    """The twin of `coupled_fourbars`."""
    rockers, pitch, level = (0.5, 0.46, 0.54, 0.48), 0.6, 0.5
    lengths = [rockers[i % 4] for i in range(n + 1)]
    pivots = [(pitch * i, level + length) for i, length in enumerate(lengths)]
    angle = 0.8 - math.pi / 2
    ends = [(pivots[0][0] + lengths[0] * math.cos(angle), pivots[0][1] + lengths[0] * math.sin(angle))]
    for i in range(1, n + 1):
        ends.append(meet(pivots[i], lengths[i], ends[-1], pitch))
    away = lambda a, b: (b[0] - a[0], b[1] - a[1])
    bodies = ""
    for i in range(n + 1):
        rocker = away(pivots[i], ends[i])
        coupler = bar(rocker, away(ends[i], ends[i + 1]), 0.5, f"c{i}") if i < n else ""
        bodies += bar(pivots[i], rocker, 1.0, f"e{i}", coupler)
    return mjcf(bodies, [(f"c{i}", f"e{i + 1}") for i in range(n)])
