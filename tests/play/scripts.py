"""One script per level that wins it by looking at what happens. Add one with every level that has
a goal: `tests/play/test_playthroughs.py` asks for it."""

import numpy as np

from tests.play.hand import Hand, Player, Script

SCRIPTS: dict[str, Player] = {}
LONGEST: dict[str, float] = {}  # s of play that a script may take


def script(name: str, seconds: float = 60.0):  # type: ignore[no-untyped-def]
    def register(player: Player) -> Player:
        SCRIPTS[name], LONGEST[name] = player, seconds
        return player

    return register


@script("crane")
def crane(hand: Hand) -> Script:
    """Slew until the truck hangs over the pad, wait until it hangs still, lower it."""
    pad = np.array((4.8, -13.2))

    def bearing(body: str) -> float:
        x, _, z = hand.at(body)
        return float(np.arctan2(-z, x))

    goal = float(np.arctan2(-pad[1], pad[0]))
    hand.press("a")
    yield from hand.until(lambda: bearing("boom") > goal - 0.08)
    hand.let_go("a")
    yield from hand.wait(3.0)
    hand.press("s")
    yield from hand.until(lambda: hand.status != "playing", 40.0)


@script("boom_drop", 40.0)
def boom_drop(hand: Hand) -> Script:
    """A longer cable, then let go."""
    hand.slide("links", 36)
    yield from hand.wait(0.5)
    yield from hand.tap("e")


@script("catapult", 40.0)
def catapult(hand: Hand) -> Script:
    """Try heavier weights until one throws the ball into the frame."""
    for weight in (3_000, 3_500, 4_000, 4_500, 5_000, 6_000, 7_500):
        hand.slide("weight", weight)
        hand.restart()
        yield from hand.wait(0.3)
        yield from hand.tap("e")
        yield from hand.until(lambda: hand.at("ball")[1] > 2.5, 1.0)
        yield from hand.until(lambda: hand.at("ball")[1] < 0.4, 6.0)


@script("press", 40.0)
def press(hand: Hand) -> Script:
    """More force, step by step, until the load rises; stop at the mark."""
    for force in np.arange(50.0, 70.0, 0.5):
        hand.slide("force", float(force))
        yield
        hand.press("w")
        yield from hand.wait(0.5)
        if hand.velocity("load")[1] > 0.05:
            break
        hand.let_go("w")
        yield
    yield from hand.until(lambda: hand.at("load")[1] > 2.9)
    hand.let_go("w")


@script("footbridge", 40.0)
def footbridge(hand: Hand) -> Script:
    """Strong where the load is, then across."""
    hand.slide("outer", 8_000)
    hand.slide("inner", 8_500)
    hand.slide("middle", 6_500)
    yield from hand.wait(0.3)
    hand.press("d")


@script("winch_rescue", 60.0)
def winch_rescue(hand: Hand) -> Script:
    """Take up the slack in taps until the rope carries, then lift."""
    weight = 78 * 9.81
    while hand.pull("rope") < 0.5 * weight:
        yield from hand.tap("w")
        yield from hand.wait(0.3)
    hand.press("w")


@script("rope_swing", 60.0)
def rope_swing(hand: Hand) -> Script:
    """Push at the bottom of every swing, in its direction."""
    yield from hand.tap("d")
    while hand.status == "playing":
        yield from hand.until(
            lambda: abs(hand.velocity("seat")[0]) > 0.2 and abs(hand.at("seat")[0]) < 0.25
        )
        yield from hand.tap("d" if hand.velocity("seat")[0] > 0 else "a")
        yield from hand.until(lambda: abs(hand.at("seat")[0]) > 0.3, 2.0)


@script("tune_it", 30.0)
def tune_it(hand: Hand) -> Script:
    """Pluck, compare the two strings' swings, tighten by the square of the ratio."""
    for _ in range(4):
        yield from hand.wait(0.2)
        yield from hand.tap("e")
        turns: dict[str, list[float]] = {"string.15": [], "other.15": []}
        signs = dict.fromkeys(turns, 0.0)
        for _ in range(round(3.0 / hand.session.world.h)):
            for name, found in turns.items():
                side = np.sign(hand.at(name)[1] - 2.0)
                if side > 0 and signs[name] < 0:
                    found.append(hand.time)
                signs[name] = side or signs[name]
            yield
        periods = [np.diff(found).mean() for found in turns.values() if len(found) > 1]
        if len(periods) == 2:
            tension = hand.session.values["tension"] * float(periods[0] / periods[1]) ** 2
            hand.slide("tension", tension)
    hand.slide("tension", 49.6)
    yield from hand.wait(0.2)
    yield from hand.tap("e")


@script("domino", 60.0)
def domino(hand: Hand) -> Script:
    """Put the spare stones into the gap, as one does in a pause, then push."""
    for i in range(3):
        hand.place(f"spare.{i}", (-0.7 - 0.34 + 0.34 * (i + 1), 0.4, 1.0))
        yield from hand.wait(0.2)
    yield from hand.wait(1.0)
    yield from hand.tap("e")


@script("hammock", 60.0)
def hammock(hand: Hand) -> Script:
    """Lift each weight over the bar and lower it into the cloth, slowly, until it lies."""
    yield from hand.wait(2.0)
    for name, x in (("crate", 0.55), ("barrel", -0.45)):
        start = hand.at(name)
        over = (float(start[0]), 3.2, float(start[2]))
        low = float(hand.at("ball")[1]) + 0.2
        yield from hand.drag(name, over, (x, 3.2, 0.0), (x, low, 0.0), speed=0.6)
        yield from hand.wait(2.0)


@script("liana", 40.0)
def liana(hand: Hand) -> Script:
    """Let go on the way up, towards the far side; sooner or later in the next try."""
    for far in (2.0, 1.6, 2.4):
        yield from hand.until(
            lambda far=far: hand.at("climber")[0] > far and hand.velocity("climber")[0] > 1.0
        )
        yield from hand.tap("e")
        yield from hand.until(lambda: hand.status != "playing")
        if hand.status == "won":
            return
        hand.restart()
        yield


@script("trampoline", 90.0)
def trampoline(hand: Hand) -> Script:
    """Tap in the moment the mat throws the jumper up; steer back to the middle in the air, and
    sooner in the next try."""
    for off in (0.2, 0.1, 0.3, 0.15):
        while hand.status == "playing":
            yield from _jump(hand, off)
        if hand.status == "won":
            return
        hand.restart()
        yield


def _jump(hand: Hand, off: float) -> Script:
    x, y, z = hand.at("jumper")
    vx, vy, vz = hand.velocity("jumper")
    if y < 1.7 and vy > 1.0:
        yield from hand.tap("e")
        yield from hand.until(lambda: hand.at("jumper")[1] > 1.8, 2.0)
    elif y > 2.2 and abs(x + 0.5 * vx) > off:
        yield from hand.tap("a" if x + 0.5 * vx > 0 else "d")
    elif y > 2.2 and abs(z + 0.5 * vz) > off:
        yield from hand.tap("w" if z + 0.5 * vz > 0 else "s")
    else:
        yield


@script("wrecking_ball", 60.0)
def wrecking_ball(hand: Hand) -> Script:
    """Swing the boom towards the tower while the ball swings along, and stop before it."""
    yield from hand.wait(0.5)
    hand.press("a")
    yield from hand.wait(1.6)
    hand.let_go("a")
    yield from hand.wait(10.0)
    for _ in range(4):
        for key, seconds in (("d", 1.2), ("a", 2.2)):
            hand.press(key)
            yield from hand.wait(seconds)
            hand.let_go(key)
            yield from hand.wait(3.0)


@script("tower_2d", 60.0)
def tower_2d(hand: Hand) -> Script:
    """Pull the ball back and up, let it swing into the pile; again if it still stands."""
    yield from hand.wait(0.5)
    for _ in range(5):
        yield from hand.drag("ball", (-7.0, 4.4, 0.0), speed=4.0)
        yield from hand.wait(5.0)


@script("chain_bridge", 60.0)
def chain_bridge(hand: Hand) -> Script:
    """Roll the ball with the push tool: a good run, more if it stops."""
    mass = hand.session.values["ball"]
    yield from hand.wait(0.5)
    hand.push("ball", (7.5 * mass, 0.0, 0.0))
    while hand.status == "playing":
        yield from hand.wait(0.5)
        if hand.velocity("ball")[0] < 3.0:
            hand.push("ball", (3.0 * mass, 0.0, 0.0))


@script("million", 60.0)
def million(hand: Hand) -> Script:
    yield from hand.wait(0.5)
    hand.slide("weight", 1e6)


@script("tutorial")
def tutorial(hand: Hand) -> Script:
    """What it teaches: drag with depth, then cut."""
    yield from hand.drag("ball", (-1.8, 0.9, 1.6), (-1.8, 0.9, -2.0), (-1.8, 0.36, -2.0))
    yield from hand.wait(1.0)
    hand.cut("rope")
    yield from hand.wait(3.0)


@script("curtain")
def curtain(hand: Hand) -> Script:
    """Slowly, low, straight through."""
    yield from hand.drag("ball", (0.2, 0.4, -1.5), speed=0.5)


@script("sheets", 40.0)
def sheets(hand: Hand) -> Script:
    for ratio in (20.0, 100.0, 500.0):
        yield from hand.wait(1.0)
        hand.slide("ratio", ratio)


@script("twist", 40.0)
def twist(hand: Hand) -> Script:
    """Turn until the mark, then let go: the brake holds."""
    hand.press("a")
    yield from hand.until(lambda: abs(hand.angle("crank")) > 6.15, 20.0)
    hand.let_go("a")


@script("supported_beam", 40.0)
def supported_beam(hand: Hand) -> Script:
    """A stiffer beam, then the load."""
    hand.slide("young", 2.0)
    yield from hand.wait(0.5)
    yield from hand.tap("e")


@script("jelly_swing", 60.0)
def jelly_swing(hand: Hand) -> Script:
    """In its own time, as the rope swing."""
    yield from hand.tap("d")
    while hand.status == "playing":
        yield from hand.until(
            lambda: abs(hand.velocity("plate")[0]) > 0.2 and abs(hand.at("plate")[0]) < 0.25
        )
        yield from hand.tap("d" if hand.velocity("plate")[0] > 0 else "a")
        yield from hand.until(lambda: abs(hand.at("plate")[0]) > 0.3, 2.0)


@script("materials", 60.0)
def materials(hand: Hand) -> Script:
    """Poke all four from above, then sort them by how far they gave way."""
    yield from hand.wait(1.0)
    for name, x in (("third", -1.6), ("second", 1.6)):
        cube = f"{name}_cube"
        x0, _, z0 = (float(v) for v in hand.at(cube))
        yield from hand.drag(cube, (x0, 1.2, z0), (x, 1.2, 1.9), (x, 0.5, 1.9), speed=1.0)
        yield from hand.wait(1.5)


@script("see_saw_2d", 60.0)
def see_saw_2d(hand: Hand) -> Script:
    """Weight times arm: one on the left is as much as a half and a quarter on the right."""
    for name, x, half in (("big", -1.2, 0.4), ("middle", 1.6, 0.3), ("small", 1.6, 0.225)):
        y = 1.44 + half + (0.6 if name == "small" else 0.0)
        hand.place(name, (x, y + 0.003, 0.0))
    yield from hand.wait(4.0)


@script("jump_2d", 60.0)
def jump_2d(hand: Hand) -> Script:
    """Higher and higher until it is in the basket."""
    for height in np.arange(2.0, 4.0, 0.2):
        hand.slide("height", float(height))
        hand.restart()
        yield from hand.wait(0.2)
        yield from hand.tap("e")
        yield from hand.until(lambda: hand.at("ball")[1] < 0.4, 8.0)
        yield from hand.wait(0.6)
        if hand.status == "won":
            return


@script("stand_up", 30.0)
def stand_up(hand: Hand) -> Script:
    hand.slide("muscle", 1_500)
    hand.restart()
    yield from hand.wait(1.0)
    hand.press("e")
    yield from hand.wait(8.0)


@script("ghosts", 30.0)
def ghosts(hand: Hand) -> Script:
    yield from hand.wait(10.5)
    yield from hand.tap("k")


@script("bow", 60.0)
def bow(hand: Hand) -> Script:
    """See how fast an arrow flies, begin again, aim at each target, and learn from each miss."""
    yield from _draw(hand)
    yield from hand.tap("e")
    yield from hand.wait(0.2)
    speed = float(np.linalg.norm(hand.velocity("arrow.0")))
    hand.restart()
    yield
    yield from _draw(hand)
    high = 0.0  # rad by which the arrow before went over the middle
    for lane in range(3):
        target = hand.at(f"target.{lane}")
        across, up = target[:2] - hand.at(f"handle.{lane}")[:2]
        goal = _elevation(float(across), float(up), speed) - high
        key = "w" if goal > hand.angle(f"aim.{lane}") else "s"
        hand.press(key)
        yield from hand.until(lambda: abs(hand.angle(f"aim.{lane}") - goal) < 0.01, 6.0)  # noqa: B023
        hand.let_go(key)
        yield from hand.wait(0.5)
        yield from hand.tap("e")
        yield from hand.wait(1.2)
        high += float(hand.at(f"arrow.{lane}")[1] - target[1]) / float(across)


def _draw(hand: Hand) -> Script:
    hand.press("a")
    yield from hand.wait(2.6)
    hand.let_go("a")
    yield from hand.wait(0.3)


def _elevation(x: float, y: float, speed: float) -> float:
    """The flatter of the two angles at which what is thrown passes through (x, y)."""
    g, square = 9.81, speed * speed
    under = square * square - g * (g * x * x + 2 * y * square)
    return float(np.arctan2(square - np.sqrt(max(under, 0.0)), g * x))


@script("strongman", 40.0)
def strongman(hand: Hand) -> Script:
    """Lean back whenever the truck goes, breathe when it comes back."""
    while hand.status == "playing":
        hand.hold("s", bool(hand.velocity("truck")[0] > 0.02))
        yield


@script("knee", 30.0)
def knee(hand: Hand) -> Script:
    """Pull one shin, then the other, and name the one that came further."""
    yield from hand.wait(0.5)
    moved = []
    for key, strap in (("a", "strap.0"), ("d", "strap.1")):
        start = hand.at(strap)[0]
        hand.press(key)
        yield from hand.wait(1.0)
        moved.append(float(hand.at(strap)[0] - start))
        hand.let_go(key)
        yield from hand.wait(0.5)
    yield from hand.tap("k" if moved[1] > moved[0] else "j")


@script("integrators", 60.0)
def integrators(hand: Hand) -> Script:
    """Up with the step while leapfrog stays; back by a little when it leaves, and begin again."""
    omega, step = hand.session.values["omega"], 0.05
    while hand.status == "playing":
        hand.slide("step", step)
        yield from hand.wait(0.5)
        hand.restart()
        yield from hand.wait(1.0)
        if abs(hand.at("leapfrog")[1] - 1.9) > 1.0:
            step -= 0.1 / omega
            continue
        if step * omega > 1.8:
            yield from hand.wait(9.0)
        step += 0.1 / omega


@script("quads", 30.0)
def quads(hand: Hand) -> Script:
    """Softer along, stiffer across, then pull."""
    hand.slide("warp", 0.7)
    hand.slide("weft", 5.0)
    yield from hand.wait(0.5)
    hand.press("d")
