"""The WebAssembly module against native code: the same questions to both."""
