"""Traces for OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where to; else nothing is imported or done.

Spans name kinds of requests and messages, tables and versions: never a secret, a name of a person or an address.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from azulejos import __version__

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable that names who gathers the spans; the library knows many others."""
MISSING: Final = f"{ENDPOINT} needs the extra `traces`: pip install 'azulejos[traces]'"
"""What to do where the library is not installed."""

_NOTHING: Final = nullcontext()
_provider: Any = None
_tracer: Any = None


def set_up(environment: Mapping[str, str] = os.environ) -> None:
    """Send spans from now on, if that is wanted; raises `ValueError` if it cannot be done."""
    if not environment.get(ENDPOINT) or _tracer is not None:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as fault:
        raise ValueError(MISSING) from fault
    name = environment.get("OTEL_SERVICE_NAME") or "azulejos"
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": __version__}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    use(provider)


def use(provider: Any) -> None:
    """Give spans to a provider of the library; to nobody if it is None."""
    global _provider, _tracer
    _provider, _tracer = provider, provider and provider.get_tracer("azulejos", __version__)


def close() -> None:
    """Send what has not been sent yet, and no more."""
    provider = _provider
    use(None)
    if provider is not None:
        provider.shutdown()


def span(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """A span for what is done inside, part of the one that is open."""
    return _NOTHING if _tracer is None else _tracer.start_as_current_span(name, attributes=attributes)


def traced(name: str, job: Callable[[], Awaitable[None]], **attributes: str | int) -> Callable[[], Awaitable[None]]:
    """A job with a span that begins now, while the job still waits for its turn."""
    if _tracer is None:
        return job
    since, tracer = time.time_ns(), _tracer

    async def do() -> None:
        with tracer.start_as_current_span(name, attributes=attributes, start_time=since):
            await job()

    return do
