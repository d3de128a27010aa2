"""The server: tables that people and computers play at, over HTTP and WebSocket."""
