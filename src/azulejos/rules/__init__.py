"""The rules of the game, once: plain functions on one NumPy record, compiled for processor and graphics card.

The entry points are `turn.step`, `turn.legal_mask`, `supply.deal` and `random_play.play_out`, each on one record, and
the same for whole arrays in `batch`. Nothing here checks its arguments: that is what `azulejos.Game` is for.
"""
