"""Training the network: self-play, learning, measuring. Needs PyTorch (`pip install azulejos[train]`)."""
