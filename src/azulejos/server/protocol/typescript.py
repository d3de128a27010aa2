"""The protocol's types in TypeScript, made from the Python ones so that the page cannot drift away from them.

python -m azulejos.server.protocol.typescript > web/src/net/messages.ts
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import inspect as i

from azulejos.game.refusal import REASONS, Refusal
from azulejos.server.protocol import answers, incoming, outgoing
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.tables import events, names, setup
from azulejos.server.tables.info import Summary
from azulejos.server.tables.refusal import CODES

HEADER: Final = (
    "// Made by `python -m azulejos.server.protocol.typescript` from the server's message types. Not edited by hand.\n"
)
"""The first line of the file."""
UNIONS: Final = {"Incoming": incoming.Incoming, "Outgoing": outgoing.Outgoing, "Happened": outgoing.Happened}
"""The unions of messages, by the name that the page has for them."""
REQUESTS: Final = (incoming.NewTable, incoming.MovedTable, incoming.ClaimSeat, incoming.AskCode)
"""What is sent over HTTP."""
ANSWERS: Final = (answers.Created, answers.LobbyList, answers.ClaimedSeat, Summary, Refusal)
"""What is answered over HTTP."""

CONSTANTS: Final = (
    (setup, ("LONGEST_NAME", "DEFAULT_LEVEL", "SUBSTITUTE_LEVEL", "WATCHING_PACE_MS")),
    (names, ("MOST_MARKS",)),
    (events, ("MOST_NOTED",)),
)
"""Numbers by which the page's own tables go, too."""


def typescript() -> str:
    """The whole file."""
    parts = [HEADER, f"/** The version of the protocol. */\nexport const PROTOCOL = {PROTOCOL};\n"]
    parts.append(_list("RULE_CODES", "Codes of refusals by the rules of the game.", REASONS))
    parts.append(_list("SERVER_CODES", "Codes of refusals by the server.", sorted(CODES)))
    parts.append(_list("BLANKS", "Letters and marks by the book, of which nothing is seen.", sorted(names.BLANKS)))
    parts += [f"export const {name} = {getattr(module, name)};" for module, listed in CONSTANTS for name in listed]
    parts.append("")
    seen: set[type] = set()
    for name, union in UNIONS.items():
        info = i.type_info(union)
        parts += _declarations(info, seen)
        parts.append(f"export type {name} = {_text(info)};\n")
    for struct in (*REQUESTS, *ANSWERS):
        parts += _declarations(i.type_info(struct), seen)
    return "\n".join(parts)


def _list(name: str, doc: str, words: Iterable[str]) -> str:
    lines = [f"  {_literal(word)}," for word in words]
    return "\n".join([f"/** {doc} */", f"export const {name} = [", *lines, "] as const;\n"])


def _declarations(info: Any, seen: set[type]) -> Iterator[str]:
    """The interfaces of every struct that a type mentions, each once, those it needs first."""
    if isinstance(info, (i.StructType, i.DataclassType)):
        if info.cls in seen:
            return
        seen.add(info.cls)
        for item in info.fields:
            yield from _declarations(item.type, seen)
        yield _interface(info)
    elif isinstance(info, i.UnionType):
        for member in info.types:
            yield from _declarations(member, seen)
    elif isinstance(info, (i.ListType, i.VarTupleType)):
        yield from _declarations(info.item_type, seen)
    elif isinstance(info, i.DictType):
        yield from _declarations(info.value_type, seen)
    elif isinstance(info, i.Metadata):
        yield from _declarations(info.type, seen)


def _interface(info: i.StructType | i.DataclassType) -> str:
    doc = re.sub(r"\s+", " ", (info.cls.__doc__ or "").strip())
    lines = [f"/** {doc} */", f"export interface {info.cls.__name__} {{"]
    if isinstance(info, i.StructType) and info.tag_field:
        lines.append(f"  {info.tag_field}: {_literal(info.tag)};")
    for item in info.fields:
        optional = "" if item.required else "?"
        lines.append(f"  {item.encode_name}{optional}: {_text(item.type)};")
    return "\n".join([*lines, "}\n"])


def _text(info: Any) -> str:  # noqa: PLR0911 - one for each kind of type
    simple: dict[Any, str] = {
        i.IntType: "number",
        i.FloatType: "number",
        i.StrType: "string",
        i.BoolType: "boolean",
        i.NoneType: "null",
    }
    if type(info) in simple:
        return simple[type(info)]
    if isinstance(info, i.Metadata):
        return _text(info.type)
    if isinstance(info, (i.StructType, i.DataclassType)):
        return info.cls.__name__
    if isinstance(info, i.LiteralType):
        return " | ".join(map(_literal, info.values))
    if isinstance(info, i.EnumType):
        return " | ".join(_literal(member.value) for member in info.cls)
    if isinstance(info, i.UnionType):
        return " | ".join(_text(member) for member in info.types)
    if isinstance(info, (i.ListType, i.VarTupleType)):
        inner = _text(info.item_type)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if isinstance(info, i.DictType):
        return f"Record<string, {_text(info.value_type)}>"
    raise TypeError(f"no TypeScript for {info!r}")


def _literal(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else str(value)


if __name__ == "__main__":
    print(typescript(), end="")
