# This file defines the base of iterators over batches.


class Iterator:
    def __iter__(self):
        return self

    def __next__(self):
        raise NotImplementedError

    def next(self):
        return self.__next__()

    def finalize(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.finalize()

    def serialize(self, serializer):
        pass
