"""Steps on a field of a record: in a forest that threads share no other thread can interrupt them.

Compiled code has no lock around it, so `edge.visits += 1` in two threads at once may count only one of them. In a
`SharedForest` each function here is one instruction of the processor, or a short loop around one; `read` and `publish`
also keep things in order: whoever reads what another thread published sees all that it wrote before. In any other
forest, in kernels and in a browser too, they are plain loads and stores. The type of the forest decides, so nothing is
asked while the search runs.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from azulejos.rules.compiled import INTERPRETED
from azulejos.search.tree import SharedForest


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, bool]:
    """A pointer to the field that a call names, and whether threads share it."""
    forest, record, name = signature.args[0], signature.args[1], signature.args[2].literal_value
    kind = context.get_data_type(record.typeof(name))
    place = cgutils.get_record_member(builder, arguments[1], record.offset(name), kind)
    return place, issubclass(forest.instance_class, SharedForest)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _add(_typing: Any, forest: Any, record: Any, field: Any, _amount: Any) -> Any:
    kind = record.typeof(field.literal_value)
    wide = types.float64 if isinstance(kind, types.Float) else kind  # real numbers: the sum is rounded, nothing else

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (place, shared), amount = _place(context, builder, signature, arguments), arguments[3]
        step = "add" if kind == wide else "fadd"
        if shared:
            return builder.atomic_rmw(step, place, context.cast(builder, amount, wide, kind), "acq_rel")
        before = builder.load(place)
        total = getattr(builder, step)(context.cast(builder, before, kind, wide), amount)
        builder.store(context.cast(builder, total, wide, kind), place)
        return before

    return kind(forest, record, field, wide), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _claim(_typing: Any, forest: Any, record: Any, field: Any, _expected: Any, _mark: Any) -> Any:
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (place, shared), expected, mark = _place(context, builder, signature, arguments), arguments[3], arguments[4]
        if shared:
            return builder.extract_value(builder.cmpxchg(place, expected, mark, "acq_rel", "acquire"), 1)
        before = builder.load(place)
        free = builder.icmp_signed("==", before, expected)
        builder.store(builder.select(free, mark, before), place)
        return free

    return types.boolean(forest, record, field, kind, kind), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _read(_typing: Any, forest: Any, record: Any, field: Any) -> Any:
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, shared = _place(context, builder, signature, arguments)
        return builder.load_atomic(place, "acquire", kind.bitwidth // 8) if shared else builder.load(place)

    return kind(forest, record, field), write


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _publish(_typing: Any, forest: Any, record: Any, field: Any, _value: Any) -> Any:
    kind = record.typeof(field.literal_value)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, shared = _place(context, builder, signature, arguments)
        if shared:
            builder.store_atomic(arguments[3], place, "release", kind.bitwidth // 8)
        else:
            builder.store(arguments[3], place)
        return context.get_dummy_value()

    return types.void(forest, record, field, kind), write


def _swap(record: Any, field: str, value: Any) -> Any:
    before, record[field] = record[field].item(), value
    return before


add: Any = _add if not INTERPRETED else lambda _, record, field, n: _swap(record, field, record[field].item() + n)
"""`add(forest, record, "field", amount)`: add, and return what was there before."""
claim: Any = (
    _claim
    if not INTERPRETED
    else lambda _, record, field, old, mark: record[field] == old and _swap(record, field, mark) == old
)
"""`claim(forest, record, "field", expected, mark)`: put a mark where the expected value is; whether this thread did."""
read: Any = _read if not INTERPRETED else lambda _, record, field: record[field]
"""`read(forest, record, "field")`: what is there, and nothing that is read later is older than that."""
publish: Any = _publish if not INTERPRETED else lambda _, record, field, value: _swap(record, field, value)
"""`publish(forest, record, "field", value)`: write, and let nobody see it before all that was written earlier."""
