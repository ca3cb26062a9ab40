# This file is chainer.training.extensions.
from .evaluator import Evaluator
from .quiet import (DumpGraph, ExponentialShift, FailOnNonNumber, InverseShift, LinearShift, LogReport, MicroAverage, MultistepShift, ParameterStatistics, PlotReport,
                    PolynomialShift, PrintReport, ProgressBar, StepShift, VariableStatisticsPlot, WarmupShift, observe_lr, observe_value, snapshot, snapshot_object,
                    unchain_variables)

dump_graph = DumpGraph
