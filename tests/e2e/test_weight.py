"""What is loaded before the first move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from azulejos.net.choice import WEIGHTS
from tests.e2e.conftest import Coming

MOST = 300 * 1024


def test_the_first_view_is_light_and_asks_no_other_host(coming: Coming) -> None:
    person = coming()
    wire = person.context.new_cdp_session(person.page)
    wire.send("Network.enable")
    sizes: list[float] = []

    def count(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.on("Network.loadingFinished", count)
    person.open("/")
    person.wait()
    person.page.wait_for_load_state("networkidle")
    ready = person.page.evaluate("performance.now()")
    print(f"first view: {len(sizes)} answers, {sum(sizes) / 1024:.0f} KB as transferred, board after {ready:.0f} ms")
    assert len(sizes) >= 4
    assert 20 * 1024 < sum(sizes) <= MOST
    assert person.complaints == []  # among them: a request to another host


def test_module_and_networks_are_small(page_is_built: Path) -> None:
    (module,) = (page_is_built / "assets").glob("*.wasm.br")
    assert module.stat().st_size <= 150_000
    networks = list((page_is_built / "assets").glob("*.weights"))
    assert len(networks) == len(set(WEIGHTS.values()))
    assert max(path.stat().st_size for path in networks) <= 2_200_000
