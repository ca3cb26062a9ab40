# This file is chainer.training.
from . import extensions, triggers, updaters, util
from .extension import PRIORITY_EDITOR, PRIORITY_READER, PRIORITY_WRITER, Extension, make_extension
from .trainer import Trainer
from .triggers import IntervalTrigger
from .updaters import ParallelUpdater, StandardUpdater, Updater
from .util import get_trigger
