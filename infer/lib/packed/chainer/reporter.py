# The module under which chainer.report and its kin are defined.
from .reporting import DictSummary, Reporter, Summary, get_current_reporter, report, report_scope
