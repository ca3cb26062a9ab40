# This file stands for the functions that are made from a file of Caffe: their layers are in it.
class CaffeFunction:
    def __new__(cls, model_path=None):
        import _shapecheck
        return _shapecheck.unknown('the layers of a Caffe model are in its file')
