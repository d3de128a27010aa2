"""The fourth target: the compiled rules, search and network as a WebAssembly module for browsers and Node."""
