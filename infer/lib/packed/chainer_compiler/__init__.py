# This file stands for chainer_compiler, whose annotations are read.
