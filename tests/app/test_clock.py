"""Fixed steps from uneven frames."""

import time

import pytest

from sandbox.app.step_clock import SPEEDS, Accumulator, FrameTimer


def test_uneven_frames_give_the_right_number_of_steps() -> None:
    clock = Accumulator(1 / 60)
    frames = [0.004, 0.021, 0.033, 0.002, 0.040] * 20
    assert sum(clock.advance(frame) for frame in frames) == pytest.approx(sum(frames) * 60, abs=1)


def test_what_remains_is_where_the_picture_is_taken() -> None:
    clock = Accumulator(0.01)
    clock.advance(0.025)
    assert clock.alpha == pytest.approx(0.5)


def test_paused_time_stands_still_and_single_steps_are_single() -> None:
    clock = Accumulator(1 / 60, paused=True)
    assert clock.advance(0.5) == 0
    clock.single_step()
    assert clock.advance(0.5) == 1
    assert clock.advance(0.5) == 0
    assert clock.alpha == 1.0


def test_a_long_frame_is_not_caught_up() -> None:
    clock = Accumulator(1 / 60)
    assert clock.advance(30.0) <= 15


def test_slow_steps_slow_time_down_and_say_so() -> None:
    clock = Accumulator(1 / 60, budget=0.005)
    for _ in range(12):
        due = clock.advance(0.05)
        taken = clock.run(due, lambda: time.sleep(0.004))
        assert taken <= 3
    assert clock.slow
    assert clock.debt < 1 / 60


def test_fast_steps_are_all_taken() -> None:
    clock = Accumulator(1 / 60)
    assert clock.run(clock.advance(0.1), lambda: None) == 6
    assert not clock.slow


def test_speed_moves_along_its_ladder() -> None:
    clock = Accumulator(1 / 60)
    assert clock.slower() == 0.5
    for _ in range(20):
        clock.faster()
    assert clock.speed == SPEEDS[-1]
    assert clock.advance(0.1) == 24


def test_the_timer_names_its_laps() -> None:
    timer = FrameTimer()
    timer.start()
    timer.lap("physics")
    timer.lap("picture")
    assert set(timer.parts) == {"physics", "picture"}
