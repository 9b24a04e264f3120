"""Spares a process that does nothing but compile some of Numba's bookkeeping.

Two thirds of the time of compiling a kernel are Numba's Python, and much of that asks the same
question again. None of this changes what is compiled:

    options       Every call is looked up by a key that holds the options of compilation, hashed and
                  compared by listing all of their names and values. The hash only has to be the
                  same for equal options, so the class will do; two sets of options can differ only
                  in what was set in one of them.
    types         `a * b` of two floats tries some twenty templates, up to the one that fits, and so
                  does `a[i]`. Which one fits depends on the operator and the types of its operands
                  alone, so the answer is kept. Functions are asked anew: they may have to compile.
    lifetimes     After each of nine passes it is computed where every variable is born and dies.
                  Only the last of them, which writes the deaths down, needs to know.
    variables     The variables of an instruction are searched in all of its attributes, a dozen
                  times for each. Most of what is met there is a place in the source, a name or a
                  number, which is told by its class at once.
    events      Around every call into LLVM, thousands a kernel, two events are made and told to
                listeners. Nobody listens to a process that compiles.

Where a future Numba lacks what is replaced here, it is left as it is.
"""

import operator
from contextlib import nullcontext
from typing import Any

from numba import types

_PLAIN = (types.Number, types.Boolean, types.Literal, types.NoneType)


def hasten() -> None:
    """Replaces methods of Numba's classes in this process."""
    for replace in (_options, _operators, _lifetimes, _variables, _events):
        try:
            replace()
        except (ImportError, AttributeError):  # pragma: no cover - a Numba not known yet
            continue


def _options() -> None:
    from numba.core.targetconfig import TargetConfig

    def equal(self: Any, other: Any) -> Any:
        if not isinstance(other, TargetConfig):
            return NotImplemented
        mine, theirs = self._values, other._values
        if mine == theirs:
            return True
        if type(self) is not type(other):
            return self.values() == other.values()
        return all(getattr(self, name) == getattr(other, name) for name in {*mine, *theirs})

    TargetConfig.__hash__ = lambda self: hash(type(self))
    TargetConfig.__eq__ = equal


def _is_plain(kind: Any) -> bool:
    """Whether the type says all that an operator can ask of it, and can be a key."""
    if isinstance(kind, types.Array):
        return bool(kind.is_precise())
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_plain, kind))
    return isinstance(kind, _PLAIN)


def _operators() -> None:
    from numba.core.types import functions
    from numba.core.utils import OPERATORS_TO_BUILTINS

    kept = {*OPERATORS_TO_BUILTINS, operator.getitem, operator.setitem, bool, abs}
    base: Any = functions.BaseFunction
    ask = base.get_call_type
    answers: dict[Any, Any] = {}  # of an operator, where it was found, and types: the signature

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or self.typing_key not in kept or not all(map(_is_plain, args)):
            return ask(self, context, args, kws)
        key = (id(self), id(context), args)
        found = answers.get(key)
        if found is None:
            found = ask(self, context, args, kws), self  # held, so that its id stays its own
            answers[key] = found
        return found[0]

    base.get_call_type = get_call_type


def _lifetimes() -> None:
    from numba.core import transforms
    from numba.core.postproc import PostProcessor, VariableLifetime

    compute = PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if emit_dels or code.is_generator:
            compute(self, emit_dels, extend_lifetimes)
        else:
            code.blocks = transforms.canonicalize_cfg(code.blocks)
            code.variable_lifetime = VariableLifetime(code.blocks)  # computes when it is asked
            code.generator_info = None

    PostProcessor.run = run


def _variables() -> None:
    from numba.core import ir

    _nothing = {str, int, float, bool, type(None), ir.Loc, type(len), type(hasten), type}

    def _rec_list_vars(self: Any, value: Any) -> list[Any]:
        kind = type(value)
        if kind is ir.Var:
            return [value]
        if kind in _nothing:
            return []
        if kind is dict:
            value = value.values()
        elif kind is not tuple and kind is not list:
            return search(self, value)
        found = []
        for part in value:
            if type(part) is ir.Var:
                found.append(part)
            elif type(part) not in _nothing:
                found += _rec_list_vars(self, part)
        return found

    search = ir.Inst._rec_list_vars
    ir.Inst._rec_list_vars = _rec_list_vars


def _events() -> None:
    from llvmlite.binding import ffi
    from numba.core import event

    ffi.lib._lock._cblist.clear()
    event.start_event = event.end_event = lambda *_, **__: None
    event.trigger_event = lambda *_, **__: nullcontext()
