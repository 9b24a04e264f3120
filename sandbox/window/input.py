"""SDL events to the player: who gets what, the interface, the level, or the game.

The interface comes first (a click on a panel must not grab what is behind it), then keys the level
itself binds, then the key map.
"""

from functools import partial
from typing import TYPE_CHECKING

from sandbox.ui.panels import PAGES
from sandbox.window.gamepad import Gamepad
from sandbox.window.keys import NAMES, Chord

if TYPE_CHECKING:
    from pygame.event import Event

    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_CTRL, _SHIFT = 0x00C0, 0x0003  # SDL's KMOD_CTRL and KMOD_SHIFT
_ALSO_BUILDING = ("help", "settings", "full_screen", "screenshot", "hide", "quit", "mute")


class Input:
    """Translates events; remembers which keys the level has been told are down."""

    def __init__(self, game: "Game") -> None:
        import pygame

        self._pygame = pygame
        self._game = game
        self._held: set[str] = set()
        self._wheels: list[Event] = []  # that wait until it is known whose they are
        self.rewinding = False
        self._tile: tuple[int, int, int, int] | None = None
        self.pad = Gamepad(game)

    def event(self, event: "Event") -> None:
        pygame, game = self._pygame, self._game
        game.interface.backend.event(event)
        if event.type == pygame.QUIT:
            game.quit()
        elif event.type in (pygame.KEYDOWN, pygame.KEYUP):
            self._key(event)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self._button(event)
        elif event.type == pygame.MOUSEMOTION:
            game.player.pointer.over_interface = self.over_interface(event.pos)
            game.player.pointer.level = bool(self._pygame.key.get_mods() & _SHIFT)
            builder = game.building.active
            place = self._fraction(event.pos, anew=not any(event.buttons))
            if builder is not None:
                self._over_draft(builder, self.over_interface(event.pos))
                builder.hand.move(*place)
            else:
                game.player.pointer.move(*place)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.let_go()
        elif event.type in (pygame.JOYDEVICEADDED, pygame.JOYDEVICEREMOVED):
            self.pad.look_for_one()

    def _over_draft(self, builder: "Builder", over_interface: bool) -> None:
        """What is held and where the pointer is, while a level is built."""
        held = self._pygame.key.get_mods()
        builder.over_scene = not over_interface
        builder.hand.adding = builder.upright = bool(held & _SHIFT)
        builder.snap.loosened = bool(held & _CTRL)

    def _wheel(self, event: "Event") -> None:
        """Over the interface it scrolls there. Whether the pointer is over it is known once the
        panels are built: after a move in this frame, the wheel waits for the next one."""
        backend = self._game.interface.backend
        builder = self._game.building.active
        dragging = (self._game.player.pointer if builder is None else builder.hand).dragging
        if backend.pointer_moved and not dragging:
            self._wheels.append(event)
        elif dragging or not backend.wants_mouse:
            x, y = self._fraction(self._pygame.mouse.get_pos(), anew=True)
            notches = float(getattr(event, "precise_y", event.y))
            pointer = self._game.player.pointer if builder is None else builder.hand
            pointer.wheel(notches, x, y)

    def catch_up(self) -> None:
        """At the start of a frame: what could not be decided in the last one, before its panels
        were built."""
        over = self.over_interface(self._pygame.mouse.get_pos())
        self._game.player.pointer.over_interface = over
        wheels, self._wheels = self._wheels, []
        for event in wheels:
            self._wheel(event)

    def over_interface(self, position: tuple[int, int]) -> bool:
        """Is a panel there? By where the panels are, not by where the pointer was when they were
        last built: at few frames a second it may have come a long way since."""
        game = self._game
        if game.player.state.open & set(PAGES) or game.interface.backend.popup_open:
            return True
        return game.interface.layout.covers(*position)

    def is_quit(self, event: "Event") -> bool:
        """Does somebody close the window?"""
        return bool(event.type == self._pygame.QUIT)

    def is_release(self, event: "Event") -> bool:
        """Is a mouse button or a key let go?"""
        return event.type in (self._pygame.MOUSEBUTTONUP, self._pygame.KEYUP)

    def means(self, event: "Event", action: str) -> bool:
        """Is it the key of an action going down?"""
        if event.type != self._pygame.KEYDOWN:
            return False
        return self._game.keys.action(Chord(event.scancode)) == action

    def _fraction(self, position: tuple[int, int], *, anew: bool = False) -> tuple[float, float]:
        """The pointer within its view; a drag stays with the view it began in."""
        tiles = self._game.tiles()
        if anew or self._tile not in tiles:
            inside = (t for t in tiles if 0 <= position[0] - t[0] < t[2])
            self._tile = next((t for t in inside if 0 <= position[1] - t[1] < t[3]), tiles[0])
        left, top, width, height = self._tile
        return (position[0] - left) / width, (position[1] - top) / height

    def _button(self, event: "Event") -> None:
        game = self._game
        if event.button > 3:
            return
        x, y = self._fraction(event.pos, anew=event.type == self._pygame.MOUSEBUTTONDOWN)
        builder = game.building.active
        if builder is not None:
            self._over_draft(builder, self.over_interface(event.pos))
        pointer = game.player.pointer if builder is None else builder.hand
        if event.type == self._pygame.MOUSEBUTTONUP:
            pointer.release(x, y, event.button)
        elif not self.over_interface(event.pos) and game.leaving is None:
            pointer.press(x, y, event.button)

    def _key(self, event: "Event") -> None:
        game = self._game
        down = event.type == self._pygame.KEYDOWN
        if down and game.interface.backend.wants_keys:
            return None
        if down and game.leaving is not None:
            return self._answer(event)
        chord = Chord(event.scancode, bool(event.mod & _CTRL), bool(event.mod & _SHIFT))
        if down and game.player.state.rebinding:
            return self._rebind(chord)
        if game.building.active is not None and self._build_key(chord, down):
            return None
        name = NAMES.get(event.scancode, "").lower()
        if not chord.ctrl and self._level_key(name, down):
            return None
        action = game.keys.action(chord) or game.keys.action(Chord(chord.code, chord.ctrl))
        if action == "rewind" or (not down and self._is_rewind(chord)):
            self.rewinding = down
        elif down and action:
            game.action(action)
        return None

    def _build_key(self, chord: Chord, down: bool) -> bool:
        """Keys of building come before those of the window; keys of the level mean nothing."""
        game = self._game
        if game.player.state.open & set(PAGES):
            return False
        action = game.build_keys.action(chord) or game.build_keys.action(
            Chord(chord.code, chord.ctrl)
        )
        if action is None:
            other = game.keys.action(chord)
            return other not in _ALSO_BUILDING
        if down:
            game.action(action)
        return True

    def _answer(self, event: "Event") -> None:
        """To "save, discard, cancel?"."""
        if self.means(event, "wall"):
            self._game.decide("cancel")
        elif NAMES.get(event.scancode) == "Return":
            self._game.decide("save")

    def _is_rewind(self, chord: Chord) -> bool:
        bound = self._game.keys.bindings.get("rewind")
        return bound is not None and bound.code == chord.code

    def _level_key(self, name: str, down: bool) -> bool:
        """Repeats are dropped: the level hears a key go down once."""
        if down == (name in self._held):
            return down and name in self._held
        if not self._game.player.level_key(name, down):
            self._held.discard(name)
            return False
        (self._held.add if down else self._held.discard)(name)
        return True

    def _rebind(self, chord: Chord) -> None:
        state, keys = self._game.player.state, self._game.shown_keys
        action, state.rebinding = state.rebinding, None
        if action and NAMES.get(chord.code):
            lost = keys.bind(action, chord)
            if lost:
                state.say(f"{chord} was taken from “{lost.replace('_', ' ')}”")
            changes = {**self._game.keys.changes(), **self._game.build_keys.changes()}
            self._game.keep_settings(partial(self._game.settings.save_keys, changes))

    def let_go(self) -> None:
        """The window lost the keyboard, or the level ends: nothing stays pressed."""
        for name in list(self._held):
            self._level_key(name, False)
        self.rewinding = False
