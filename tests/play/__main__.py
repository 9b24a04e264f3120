"""`python -m tests.play FOLDER [LEVEL…]`: play the scripts and keep what they did as test cases."""

import sys
from pathlib import Path

from sandbox.playthrough import to_test
from sandbox.replay_file import Recorder, Replay
from tests.play.hand import Hand, play
from tests.play.scripts import LONGEST, SCRIPTS


def main(words: list[str]) -> int:
    folder, *names = words
    failed = 0
    for name in names or sorted(SCRIPTS):
        hand = Hand(name)
        replay = Path(folder) / f"{name}.replay"
        replay.parent.mkdir(parents=True, exist_ok=True)
        recorder = Recorder(hand.session, replay)
        hand.after_step = recorder.after_step
        end = play(hand, SCRIPTS[name](hand), LONGEST[name])
        recorder.close()
        to_test(Replay.read(replay), hand.session.level, Path(folder) / f"{name}_won.toml")
        print(f"{name}: {end} after {hand.time:.1f} s, {hand.session.stars} stars")
        failed += end != "won"
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
