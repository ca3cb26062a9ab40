# This file defines the test tools of chainer_compiler that programs import; they
# say nothing of a model.


def generate_type_inference_results(model, forward_args, *args, **kwargs):
    return {}, {}


def generate_id2type_from_forward(model, args, *rest, **kwargs):
    return {}


def print_inference_results(id2type, id2node):
    pass
