"""What Numba does with a kernel: machine code for entry points only.

Out of the box Numba makes every compiled function callable by itself: wrappers for Python and C,
all callees linked in, the whole optimised and turned into machine code. A kernel that is only
called by other kernels needs none of that. With hundreds of small kernels, each linking in
everything below it, the same code was optimised and emitted dozens of times.

Here a kernel has two compilations, made when first needed:

    linkable    called from another kernel: typed, lowered to LLVM code, and left at that
    entry       called from Python, or through its address: all linkable code below it is linked in
                once, optimised once and emitted once

The results are the same bits: optimisation never reorders floating-point operations.

Numba counts references: every use of an array or a struct in a kernel adds one and takes it away
again, atomically. Linkable kernels work on what their callers hold. Those that neither make, keep
nor return anything counted are lowered without counting: what they would add they would take away.

This uses Numba's compiler classes below its public interface. Where a future Numba lacks them,
`SEPARATE` is False and kernels compile the ordinary way: slower to compile, the same to run.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any

import numba
from numba.core import compiler, ir, sigutils, typing

try:
    from llvmlite.binding import Linkage, parse_assembly
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler_machinery import register_pass
    from numba.core.runtime.context import NRTContext
    from numba.core.typed_passes import NativeLowering

    SEPARATE = True
except ImportError:  # pragma: no cover - a Numba not known yet
    SEPARATE = False

OPTIONS = {"error_model": "numpy"}  # IEEE semantics throughout, so that results are reproducible


if SEPARATE:

    class _LinkableLibrary(JITCodeLibrary):
        """LLVM code of one kernel without its callees, never turned into machine code."""

        _shared_module: Any

        def finalize(self) -> None:
            self._finalized = True

        def _get_module_for_linking(self) -> Any:
            if self._shared_module is None:
                for function in self._final_module.functions:
                    if not function.is_declaration and function.linkage == Linkage.external:
                        function.linkage = "linkonce_odr"  # may be inlined and then dropped
                self._shared_module = self._final_module
            return self._shared_module

    class _EntryLibrary(JITCodeLibrary):
        """Machine code of an entry point and of everything it calls."""

        _linking_libraries: list[Any]

        def finalize(self) -> None:
            self._linking_libraries = _everything_below(self._linking_libraries)
            super().finalize()

        def serialize_using_object_code(self) -> tuple[str, str, Any]:
            """Machine code and the names it defines. Numba would add all of the LLVM code, for
            callers to link with; nobody links with an entry point, and reading it takes time."""
            self._ensure_finalized()
            names = _bare_definitions(self._final_module)
            return self.name, "object", (self._get_compiled_object(), names)

    def _bare_definitions(module: Any) -> bytes:
        """A module that defines the same symbols and nothing else, as bitcode."""
        lines = [
            f'define void @"{function.name}"() {{ ret void }}'
            for function in module.functions
            if not function.is_declaration
        ]
        lines += [
            f'@"{variable.name}" = global i8 0'
            for variable in module.global_variables
            if not variable.is_declaration
        ]
        return bytes(parse_assembly("\n".join(lines)).as_bitcode())

    def _everything_below(libraries: list[Any]) -> list[Any]:
        """The libraries and, for linkable ones, what they link to in turn; callers first.

        The linker takes from a module only what is asked for by then, so a callee has to come after
        all of its callers.
        """
        found: dict[Any, None] = {}  # callees first
        pending = [(library, False) for library in reversed(libraries)]
        while pending:
            library, callees_found = pending.pop()
            if callees_found:
                found[library] = None
            elif library not in found:
                pending.append((library, True))
                if isinstance(library, _LinkableLibrary):
                    pending += [(below, False) for below in reversed(library._linking_libraries)]
        return list(reversed(found))

    # what only looks at its operands, or holds them for a while; all else may make something new
    _BORROWING = {"getattr", "getitem", "static_getitem", "getiter", "iternext", "pair_first"}
    _BORROWING |= {"pair_second", "exhaust_iter", "build_tuple", "cast", "phi", "undef", "null"}

    def _only_borrows(state: Any) -> bool:
        """Whether a typed function neither makes, keeps nor returns anything counted."""

        def is_counted(kind: Any) -> bool:
            return bool(state.targetctx.data_model_manager.lookup(kind).contains_nrt_meminfo())

        if is_counted(state.return_type):
            return False
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.SetAttr):
                    return False  # a struct keeps what is written to it
                if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                    borrows = statement.value.op in _BORROWING
                    if not borrows and is_counted(state.typemap[statement.target.name]):
                        return False
        return True

    @contextmanager
    def _without_counting() -> Iterator[None]:
        kept = NRTContext.incref, NRTContext.decref
        NRTContext.incref = NRTContext.decref = lambda *_: None
        try:
            yield
        finally:
            NRTContext.incref, NRTContext.decref = kept

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _LowerLinkable(NativeLowering):
        _name = "taut_lower_linkable"

        def run_pass(self, state: Any) -> bool:
            state.library = _LinkableLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            flags = state.flags
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            with _without_counting() if _only_borrows(state) else nullcontext():
                super().run_pass(state)
            lowered = state["cr"]
            key = ("linkable", lowered.fndesc.unique_name)  # stands for the function's address
            state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
            state.reload_init.extend(state.library._reload_init)
            state["cr"] = lowered._replace(cfunc=key)
            return True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _LowerEntry(NativeLowering):
        _name = "taut_lower_entry"

        def run_pass(self, state: Any) -> bool:
            state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            state.flags.no_cfunc_wrapper = True  # nobody calls kernels from C
            return bool(super().run_pass(state))

    class _Compiler(compiler.CompilerBase):
        """Numba's passes for nopython code, with another one for lowering."""

        lowering: type

        def define_pipelines(self) -> list[Any]:
            passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.passes[:] = [
                (self.lowering if step is NativeLowering else step, what)
                for step, what in passes.passes
            ]
            passes._finalized = False
            passes.finalize()
            return [passes]

    class _LinkableCompiler(_Compiler):
        lowering = _LowerLinkable

    class _EntryCompiler(_Compiler):
        lowering = _LowerEntry

    class _Linkable:
        """The kernel as other kernels see it: a dispatcher's place in Numba's typing, no more."""

        def __init__(self, function: Any) -> None:
            self.dispatcher = numba.njit(pipeline_class=_LinkableCompiler, **OPTIONS)(function)
            # a linkable kernel has no machine code that the dispatcher's C part could call
            self.dispatcher.add_overload = self._add_overload

        def _add_overload(self, compiled: Any) -> None:
            self.dispatcher.overloads[tuple(compiled.signature.args)] = compiled

        def _compiled(self, kinds: tuple[Any, ...]) -> Any:
            if kinds not in self.dispatcher.overloads:
                self.dispatcher.compile(kinds)
            return self.dispatcher.overloads[kinds]

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Numba asks for this where a kernel calls another: compiles it for these types."""
            pysig, folded = self.dispatcher._compiler.fold_argument_types(args, kws)
            signature = self._compiled(tuple(folded)).signature
            name = self.dispatcher.py_func.__name__
            template = typing.make_concrete_template(name, key=name, signatures=[signature])
            return template, pysig, folded, {}

        def get_overload(self, signature: Any) -> Any:
            """... and for this where the call is lowered: the key of its code."""
            kinds, _ = sigutils.normalize_signature(signature)
            return self.dispatcher.overloads[tuple(kinds)].entry_point


def compile_separately(function: Any, **options: Any) -> Any:
    """A dispatcher for the function: an entry point from Python, linkable from other kernels."""
    if not SEPARATE:
        return numba.njit(**OPTIONS, **options)(function)
    entry = numba.njit(pipeline_class=_EntryCompiler, **OPTIONS, **options)(function)

    @cache
    def linkable() -> _Linkable:
        """Made when another kernel is compiled: a program that finds all compiled needs none."""
        return _Linkable(function)

    entry.get_call_template = lambda args, kws: linkable().get_call_template(args, kws)
    entry.get_overload = lambda signature: linkable().get_overload(signature)
    return entry
