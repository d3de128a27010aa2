"""What the server says about itself: a short line for people, or an object of JSON for programs. Never a secret."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, TextIO

SECRET: Final = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])")
"""A seat's secret; nothing else that is logged looks like one."""
HIDDEN: Final = "(secret)"
"""What stands in the log in place of a secret."""
PLAIN_FIELDS: Final = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName", "color_message"}
"""What every entry of a log has; anything else was added by the caller."""


def set_up(*, as_json: bool = False, stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send all messages of the program to standard error; requests that went well only as JSON, for programs."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("azulejos.requests").setLevel(level if as_json else max(level, logging.WARNING))
    for name in ("alembic", "sqlalchemy.engine", "websockets", "asyncio"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True
        logger.setLevel(max(level, logging.WARNING))
    logging.getLogger("uvicorn.error").addFilter(is_no_strangers_fault)


def is_no_strangers_fault(record: logging.LogRecord) -> bool:
    """Whether an entry is worth a line: text that is no UTF-8 closes its socket, and that is enough."""
    return not (record.exc_info and record.exc_info[0] is UnicodeDecodeError)


def hide_secrets(text: str) -> str:
    """The text without anything that looks like a seat's secret.

    >>> hide_secrets("hello from #" + 32 * "x")
    'hello from #(secret)'
    """
    return SECRET.sub(HIDDEN, text)


def printable(text: str) -> str:
    """Foreign text for a log or an answer: short, and on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:200])


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in record.__dict__.items() if name not in PLAIN_FIELDS}


class PlainFormatter(logging.Formatter):
    """A short line: time, level if it is worth a word, text, extras."""

    def format(self, record: logging.LogRecord) -> str:
        """An entry of the log as a line for people."""
        when = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        extras = "".join(f" {name}={value}" for name, value in _extras(record).items())
        text = f"{when} {level}{record.getMessage()}{extras}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return hide_secrets(text)


class JsonFormatter(logging.Formatter):
    """Writes each entry of the log as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """An entry of the log as a line of JSON."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "text": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return hide_secrets(json.dumps(entry, ensure_ascii=False, default=str))
