"""Steps on a field of a record that no other thread can interrupt; for threads of a processor that share a tree.

Compiled code has no lock around it, so `edge.visits += 1` in two threads at once may count only one of them. Each
function here is one instruction of the processor, or a short loop around one. `read` and `publish` also keep things in
order: whoever reads what another thread published sees all that it wrote before.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _place(context: Any, builder: Any, signature: Any, record: Any) -> Any:
    """A pointer to the field that a call names."""
    kind, name = signature.args[0], signature.args[1].literal_value
    return cgutils.get_record_member(builder, record, kind.offset(name), context.get_data_type(kind.typeof(name)))


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def add(_typing: Any, record: Any, field: Any, _amount: Any) -> Any:
    """`add(record, "field", amount)`: add, and return what was there before."""
    kind = record.typeof(field.literal_value)
    step = "fadd" if isinstance(kind, types.Float) else "add"

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw(step, _place(context, builder, signature, arguments[0]), arguments[2], "acq_rel")

    return kind(record, field, kind), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def claim(_typing: Any, record: Any, field: Any, _expected: Any, _mark: Any) -> Any:
    """`claim(record, "field", expected, mark)`: put a mark where the expected value is; whether this thread did so."""
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, arguments[0])
        return builder.extract_value(builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "acquire"), 1)

    return types.boolean(record, field, kind, kind), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def read(_typing: Any, record: Any, field: Any) -> Any:
    """`read(record, "field")`: what is there, and nothing that is read later is older than that."""
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_place(context, builder, signature, arguments[0]), "acquire", kind.bitwidth // 8)

    return kind(record, field), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def publish(_typing: Any, record: Any, field: Any, _value: Any) -> Any:
    """`publish(record, "field", value)`: write, and let nobody see it before all that was written earlier."""
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, arguments[0])
        builder.store_atomic(arguments[2], place, "release", kind.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(record, field, kind), write
