"""A wire to a server of this machine, with the faults that networks have."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """A wire to a server that can be cut as networks are: one end notices, the other does not."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._cut_after = b""
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        self.was_cut = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close all connections to the client; the server is told nothing. New ones can be made at once."""
        for client, _ in self._pairs:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def hold_cut(self) -> None:
        """Cut, and let no new connection last until it is mended."""
        self._is_cut = True
        self.cut()

    def swallow(self) -> None:
        """Carry nothing until it is mended, and say nothing: connections stay, new ones are made, nobody answers."""
        self._flows.clear()

    def mend(self) -> None:
        """Carry everything again; what was under way arrives late, if anybody still waits for it."""
        self._is_cut = False
        self._flows.set()

    def cut_after(self, what: bytes) -> None:
        """Cut when this goes to the server, before its answer comes back."""
        self._cut_after = what

    def close(self) -> None:
        """Close everything."""
        self.mend()
        self._listener.close()
        for client, server in self._pairs:
            client.close()
            server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_cut:
                    client.close()
                else:
                    threading.Thread(target=self._join, args=(client,), daemon=True).start()

    def _join(self, client: socket.socket) -> None:
        self._flows.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self._to))
        except OSError:  # nobody is there
            client.close()
            return
        self._pairs.append((client, server))
        threading.Thread(target=self._to_server, args=(client, server), daemon=True).start()
        self._to_client(client, server)

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                self._flows.wait()
                if self._cut_after and self._cut_after in data:
                    self._cut_after = b""
                    client.shutdown(socket.SHUT_RDWR)
                    server.sendall(data)
                    self.was_cut.set()
                    return
                server.sendall(data)

    def _to_client(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                self._flows.wait()
                client.sendall(data)


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    """A wire to a port of this machine."""
    wire = Wire(port)
    try:
        yield wire
    finally:
        wire.close()
