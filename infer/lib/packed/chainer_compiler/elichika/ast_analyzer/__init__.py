# This file stands for a package of chainer_compiler, whose annotations are read.
