"""The game as an environment for the libraries of reinforcement learning. Each module needs only its own library.

| module | what it is | needs |
|---|---|---|
| `pettingzoo` | all seats act in turn (AEC) | pettingzoo |
| `gymnasium` | one learner against given players | gymnasium |
| `vector` | thousands of games in one call, by Gymnasium's vector API | gymnasium |
| `batch` | the same thousands of games as plain NumPy arrays | nothing |
| `batch_cuda` | the same on a CUDA device, arrays exchanged by DLPack | numba-cuda |
| `jax` | pure functions for JAX on the processor | jax |
| `openspiel` | the game `azul` with explicit chance | open_spiel |

All of them show what the network sees (`azulejos.net.features`) and take the action numbers 0 to 324.
"""
