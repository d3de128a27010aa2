"""Examples in docstrings become code blocks of the API pages: Markdown would take `>>>` for a quotation."""

from __future__ import annotations

from typing import Any

from griffe import Extension, Object


class FencedDoctests(Extension):
    """Puts a fence around every example of a docstring."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called by griffe for everything it has read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with a fence around every example.

    >>> fenced("One more.\\n\\n>>> 1 + 1\\n2\\n\\nThat is all.").splitlines()
    ['One more.', '', '```pycon', '>>> 1 + 1', '2', '```', '', 'That is all.']
    """
    lines, inside = [], False
    for line in text.splitlines():
        if not inside and line.startswith(">>>"):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
