"""Writes operators.txt: the records of all operators and versions, from the definitions in PyPI's onnx (schema.go says which).

    python3 schema.py > operators.txt     # schema.go describes the form

The definitions say nothing of the values that an attribute may have; CHECKS does, from the operators' documentation."""
import json
import re

import numpy
import onnx
from onnx import defs, helper

SHORT = {
    "float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "bool", "string": "str", "complex64": "c64", "complex128": "c128",
    "int2": "i2", "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint2": "u2", "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float8e4m3fn": "f8e4m3fn", "float8e4m3fnuz": "f8e4m3fnuz", "float8e5m2": "f8e5m2", "float8e5m2fnuz": "f8e5m2fnuz", "float8e8m0": "f8e8m0",
    "float4e2m1": "f4e2m1", "float6e2m3": "f6e2m3", "float6e3m2": "f6e3m2",
}

# What an attribute's value must be: by operator and attribute, else by attribute. "min N" is of an integer or of each of a list; "oneof" of a string or of each
# of a list ("''" is the empty one); "dtype" is the number of an element type, or 0 where the attribute can be left out.
POST = "oneof NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT"
CHECKS = {
    "auto_pad": "oneof NOTSET SAME_UPPER SAME_LOWER VALID ''",
    "strides": "min 1", "dilations": "min 1", "kernel_shape": "min 1", "group": "min 1", "blocksize": "min 1", "num_outputs": "min 1", "hidden_size": "min 1",
    "post_transform": POST, "dtype": "dtype", "output_dtype": "dtype", "stash_type": "dtype",
    "Cast.to": "dtype", "BitCast.to": "dtype",
    "BitShift.direction": "oneof LEFT RIGHT", "LSTM.direction": "oneof forward reverse bidirectional",
    "GRU.direction": "oneof forward reverse bidirectional", "RNN.direction": "oneof forward reverse bidirectional",
    "Gelu.approximate": "oneof none tanh", "GridSample.padding_mode": "oneof zeros border reflection",
    "GridSample.mode": "oneof linear nearest cubic bilinear bicubic", "Pad.mode": "oneof constant reflect edge wrap",
    "Resize.mode": "oneof nearest linear cubic", "Upsample.mode": "oneof nearest linear bilinear", "Resize.nearest_mode": "oneof round_prefer_floor round_prefer_ceil floor ceil",
    "Resize.coordinate_transformation_mode":
        "oneof half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn tf_crop_and_resize",
    "Resize.keep_aspect_ratio_policy": "oneof stretch not_larger not_smaller",
    "RoiAlign.coordinate_transformation_mode": "oneof half_pixel output_half_pixel", "RoiAlign.mode": "oneof avg max",
    "DepthToSpace.mode": "oneof DCR CRD", "SpaceToDepth.mode": "oneof DCR CRD", "TfIdfVectorizer.mode": "oneof TF IDF TFIDF",
    "NegativeLogLikelihoodLoss.reduction": "oneof none sum mean", "SoftmaxCrossEntropyLoss.reduction": "oneof none sum mean",
    "ScatterElements.reduction": "oneof none add mul max min", "ScatterND.reduction": "oneof none add mul max min",
    "StringNormalizer.case_change_action": "oneof LOWER UPPER NONE", "TensorScatter.mode": "oneof linear circular", "Normalizer.norm": "oneof MAX L1 L2",
    "ImageDecoder.pixel_format": "oneof RGB BGR Grayscale", "Momentum.mode": "oneof standard nesterov",
    "SVMClassifier.kernel_type": "oneof LINEAR POLY RBF SIGMOID", "SVMRegressor.kernel_type": "oneof LINEAR POLY RBF SIGMOID",
    "TreeEnsembleRegressor.aggregate_function": "oneof AVERAGE SUM MIN MAX", "CastMap.map_form": "oneof DENSE SPARSE", "CastMap.cast_to": "oneof TO_FLOAT TO_STRING TO_INT64",
    "LinearAttention.update_rule": "oneof linear gated delta gated_delta", "Cast.round_mode": "oneof up down nearest", "CastLike.round_mode": "oneof up down nearest",
    "CausalConvWithState.activation": "oneof none silu swish",
}

# Defaults that the definitions give in words only. "each N" is of a list whose length the node's other parts decide.
WORDS = {
    "strides": "each 1", "dilations": "each 1", "pads": "each 0", "output_padding": "each 0", "scan_input_axes": "each 0", "scan_output_axes": "each 0",
    "scan_input_directions": "each 0", "scan_output_directions": "each 0", "Scan.directions": "each 0", "ConstantOfShape.value": "f32 0", "SequenceEmpty.dtype": "1",
}


def type_name(text):
    """The name that shapecheck has for one of ONNX's type strings."""
    text = text.replace(" ", "")
    if m := re.fullmatch(r"tensor\((\w+)\)", text):
        return SHORT[m.group(1)]
    if m := re.fullmatch(r"(seq|optional|sparse_tensor)\((.*)\)", text):
        return {"seq": "seq", "optional": "opt", "sparse_tensor": "sparse"}[m.group(1)] + "(" + type_name(m.group(2)) + ")"
    if m := re.fullmatch(r"map\((\w+),(.*)\)", text):
        return "map(%s,%s)" % (SHORT[m.group(1)], type_name(m.group(2)) if "(" in m.group(2) else SHORT[m.group(2)])
    raise ValueError(text)


sets = {}


def type_set(types):
    """The number of a set of types, which many operators share."""
    return sets.setdefault(" ".join(sorted(map(type_name, types))), len(sets))


def literal(x):
    if isinstance(x, bytes):
        return json.dumps(x.decode())
    return str(numpy.float32(x)) if isinstance(x, float) else str(x)


def default(operator, a):
    v = a.default_value
    if not v.type:
        words = "" if a.required else WORDS.get("%s.%s" % (operator, a.name), WORDS.get(a.name, ""))
        return " = " + words if words else ""
    v = helper.get_attribute_value(v)
    if v == b"foward":  # GRU 1
        v = b"forward"
    return " = " + (",".join(map(literal, v)) if isinstance(v, list) else literal(v))


def counts(s, which, low, high):
    """The counts of inputs or outputs that the checker takes, where they are not all of a range."""
    if high - low > 100:
        return ""
    taken = []
    for n in range(low, high + 1):
        names = ["x%d" % i for i in range(n)]
        fill = ["y%d" % i for i in range(s.min_input if which == "outputs" else s.min_output)]
        node = helper.make_node(s.name, names if which == "inputs" else fill, names if which == "outputs" else fill, domain=s.domain)
        c = onnx.checker.C.CheckerContext()
        c.ir_version, c.opset_imports = onnx.IR_VERSION, {s.domain: s.since_version}
        try:
            onnx.checker.check_node(node, c)
        except onnx.checker.ValidationError as err:
            if "not in allowed" in str(err) or "not in range" in str(err):
                continue
        taken.append(n)
    return "" if taken == list(range(low, high + 1)) else " " + which + "=" + ",".join(map(str, taken))


def record(s):
    # Package schema computes the least number of inputs and outputs so, as the definitions do.
    for params, low in ((s.inputs, s.min_input), (s.outputs, s.min_output)):
        last = params[-1] if params else None
        least = max((i + 1 for i, p in enumerate(params) if p.option.name == "Single"), default=0)
        assert low == (len(params) - 1 + last.min_arity if last and last.option.name == "Variadic" else least), s.name
    flags = (" deprecated" if s.deprecated else "") + (" experimental" if s.support_level == defs.OpSchema.SupportType.EXPERIMENTAL else "")
    if not s.deprecated:
        flags += counts(s, "inputs", s.min_input, s.max_input) + counts(s, "outputs", s.min_output, s.max_output)
    lines = ["op %s %s %d%s" % (s.domain or "-", s.name, s.since_version, flags)]
    for c in s.type_constraints:
        lines.append("var %s %d" % (c.type_param_str, type_set(c.allowed_type_strs)))
    variables = {c.type_param_str for c in s.type_constraints}
    for key, params in (("in", s.inputs), ("out", s.outputs)):
        for p in params:
            mark = {"Single": "", "Optional": "?", "Variadic": "*"}[p.option.name]
            if mark == "*":
                mark += str(p.min_arity) + ("" if p.is_homogeneous else "~")
            lines.append("%s %s%s %s" % (key, p.name, mark, p.type_str if p.type_str in variables else type_set(p.types)))
    for name, a in sorted(s.attributes.items()):
        check = CHECKS.get("%s.%s" % (s.name, name), CHECKS.get(name, ""))
        if check == "dtype" and a.type.name != "INT":  # a name, in the first version of Cast
            check = ""
        lines.append("attr %s %s%s%s%s" % (name, a.type.name.lower(), "!" if a.required else "", default(s.name, a), " | " + check if check else ""))
    return lines


if __name__ == "__main__":
    schemas = sorted(defs.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version))
    records = [record(s) for s in schemas]
    print("# Written by schema.py from onnx %s; schema.go describes the form." % onnx.__version__)
    for types, number in sets.items():
        print("types %d %s" % (number, types))
    for r in records:
        print("\n".join(r))
