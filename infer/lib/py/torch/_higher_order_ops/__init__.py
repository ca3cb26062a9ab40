# This file is torch._higher_order_ops: control flow as it runs when it is called eagerly.
from .. import cond


def while_loop(cond_fn, body_fn, carried_inputs):
    carried = carried_inputs
    while cond_fn(*carried):
        carried = body_fn(*carried)
    return carried
