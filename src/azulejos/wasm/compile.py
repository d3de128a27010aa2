"""From compiled functions to an object file: as Numba typed them, as LLVM's WebAssembly back end writes them.

Numba's own code is for this machine's processor, so what is taken is LLVM's text before any optimization. Every entry
point gets a function in front of it that takes plain numbers; functions that several of them call are there once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from unittest import mock

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext

from azulejos.net import rows

TRIPLE: Final = "wasm32-unknown-unknown"
"""What LLVM calls the machine."""
FEATURES: Final = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
"""What every browser of the last years has."""
PLAIN: Final = {
    types.int64: ir.IntType(32),  # numbers of 64 bits are a burden in a page, and nothing but seeds needs them
    types.uint64: ir.IntType(64),
    types.float64: ir.DoubleType(),
}
"""What each kind of number is on the way in and out."""
STAMP: Final = "stamp"
"""The entry point that says which bindings a module belongs to."""
_STATUS, _PLACE = ir.IntType(32), ir.IntType(8).as_pointer()


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A compiled function that a page can call."""

    name: str
    """The name by which a page calls it."""
    function: Callable[..., Any]
    """The function that is called."""
    kinds: tuple[Any, ...]
    """The kinds of its arguments."""


def entry(function: Any, name: str) -> EntryPoint:
    """The entry point of a function; arguments that are neither seeds nor fractions are whole numbers."""
    return EntryPoint(
        name, function, tuple(_kind(each, function.__annotations__[each]) for each in arguments_of(function))
    )


def arguments_of(function: Any) -> tuple[str, ...]:
    """The names of a function's arguments."""
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


def _kind(name: str, annotation: str) -> Any:
    if name == "seed":
        return types.uint64
    return {"int": types.int64, "float": types.float64}[annotation]


def compile_object(entries: Sequence[EntryPoint], stamp: int) -> bytes:
    """One object file with all entry points, and `STAMP`, which returns a number; it does not contain mathematics."""
    rows.block_columns = rows.PAIR  # four numbers to a register: with more columns sums would go to memory and back
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"')
    module.data_layout = str(machine.target_data)
    with _no_machine_code():  # one process for all: functions that two of them call have one name only there
        typed = [_typed(each) for each in entries]
    for each, (text, called, returned) in zip(entries, typed, strict=True):
        part = llvm.parse_assembly(_portable(text))
        part.data_layout = str(machine.target_data)
        module.link_in(part)
        front = llvm.parse_assembly(_front(each, called, returned))
        front.data_layout = str(machine.target_data)
        module.link_in(front)
    module.link_in(llvm.parse_assembly(_constant(STAMP, stamp)))
    names = {STAMP, *(each.name for each in entries)}
    for function in module.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    data: bytes = machine.emit_object(module)
    return data


def _typed(each: EntryPoint) -> tuple[str, str, Any]:
    """LLVM's text of an entry point and all it calls, the name of its function there, and what that returns."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    again: Any = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(each.function)
    again.compile(each.kinds)
    (result,) = again.overloads.values()
    return result.library.get_llvm_str(), result.fndesc.llvm_func_name, result.signature.return_type


@contextmanager
def _no_machine_code() -> Iterator[None]:
    """Meanwhile Numba makes neither code for this machine nor what lets Python call it: a quarter of its work."""
    with (
        mock.patch.object(JITCodeLibrary, "_finalize_specific"),
        mock.patch.object(JITCodeLibrary, "get_pointer_to_function", _nowhere),
        mock.patch.object(JITCPUCodegen, "set_env"),
        mock.patch.object(CPUContext, "create_cpython_wrapper"),
    ):
        yield


def _nowhere(library: Any, _name: str) -> int:
    library._ensure_finalized()  # linked with all that it calls
    return 0


def _portable(text: str) -> str:
    """The same text without a word on the processor that it was made for."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = ".*"\n', "", text)
    return re.sub(r"= common (local_unnamed_addr )?global", "= linkonce_odr global", text)


def _front(each: EntryPoint, called: str, returned: Any) -> str:
    """A function that takes and returns plain numbers; Numba's takes places for a result and an exception besides."""
    module = ir.Module()
    module.triple = TRIPLE
    nothing = returned == types.none
    result = _PLACE if nothing else _inner(returned)
    plain = ir.VoidType() if nothing else PLAIN[returned]
    inner = ir.FunctionType(_STATUS, [result.as_pointer(), _PLACE.as_pointer(), *map(_inner, each.kinds)])
    function = ir.Function(module, ir.FunctionType(plain, [PLAIN[kind] for kind in each.kinds]), each.name)
    builder = ir.IRBuilder(function.append_basic_block())
    place, fault = builder.alloca(result), builder.alloca(_PLACE)
    widened = [
        builder.sext(argument, ir.IntType(64)) if kind == types.int64 else argument
        for kind, argument in zip(each.kinds, function.args, strict=True)
    ]
    builder.call(ir.Function(module, inner, called), [place, fault, *widened])
    if nothing:
        builder.ret_void()
    else:
        value = builder.load(place)
        builder.ret(builder.trunc(value, ir.IntType(32)) if returned == types.int64 else value)
    return str(module)


def _constant(name: str, number: int) -> str:
    """A function that returns always the same."""
    module = ir.Module()
    module.triple = TRIPLE
    function = ir.Function(module, ir.FunctionType(PLAIN[types.int64], []), name)
    ir.IRBuilder(function.append_basic_block()).ret(ir.Constant(PLAIN[types.int64], number))
    return str(module)


def _inner(kind: Any) -> Any:
    return ir.DoubleType() if kind == types.float64 else ir.IntType(64)
