"""Many machines as one: Dask places pages on workers, and each worker has an ordinary daemon."""
