"""What the button of an example copies: its code, without prompts and without what was printed."""

from __future__ import annotations

import html
import re
from typing import Any, Final

BLOCK: Final = re.compile(r'<div class="((?:language-\w+ )?highlight)">(<pre>.*?</pre>)</div>', re.DOTALL)
PROMPT: Final = re.compile(r'^<span class="gp">([^<]*?) ?</span>')
TAG: Final = re.compile(r"<[^>]+>")
OPENS_BLOCK: Final = re.compile(r":\s*(#.*)?$")
"""A line of Python that others belong to."""


def on_page_content(text: str, **_: Any) -> str:
    """Tell the theme's copy buttons what to take from each example of the page."""
    return BLOCK.sub(_with_copy, text)


def _with_copy(found: re.Match[str]) -> str:
    code = code_in(found[2])
    return found[0] if code is None else f'<div class="{found[1]}" data-copy="{html.escape(code)}">{found[2]}</div>'


def code_in(block: str) -> str | None:
    r"""The code of a session that is shown as HTML; None if it is no session.

    A blank line ends what belongs together, so that the code can be pasted at a prompt, too.

    >>> code_in('<pre><code><span class="gp">&gt;&gt;&gt; </span>1 <span class="o">+</span> 1\n2\n</code></pre>')
    '1 + 1'
    >>> code_in('<pre><code><span class="gp">$ </span>ls\na  b\n</code></pre>')
    'ls'
    >>> code_in('<pre><code>1 + 1</code></pre>') is None
    True
    """
    body = block[block.index("<code>") + len("<code>") :]
    lines: list[str] = []
    belongs = False
    for line in body.splitlines():
        if (prompt := PROMPT.match(line)) is None:
            continue
        code = html.unescape(TAG.sub("", line[prompt.end() :]))
        if belongs and prompt[1] != "...":
            lines.append("")
            belongs = False
        belongs = belongs or OPENS_BLOCK.search(code) is not None
        lines.append(code)
    return "\n".join(lines) if lines else None
