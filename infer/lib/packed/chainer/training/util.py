# This file makes triggers of what a program gives for them.


def _never_fire_trigger(trainer):
    return False


def get_trigger(trigger):
    if trigger is None:
        return _never_fire_trigger
    if callable(trigger):
        return trigger
    from .triggers import IntervalTrigger
    return IntervalTrigger(*trigger)
