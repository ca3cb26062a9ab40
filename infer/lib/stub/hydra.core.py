# hydra.core.
