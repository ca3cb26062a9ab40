"""Records runs of single nodes of old versions, and of operators that ONNX's own tests leave out.

    python record.py OUT.tar.gz

The outputs are ONNX Runtime's, or where it refuses a node those of onnx.reference. Needs numpy, onnx, onnxruntime.
"""
import gzip
import io
import sys
import tarfile
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

warnings.simplefilter("ignore")
onnxruntime.set_default_logger_severity(4)
rng = np.random.default_rng(0)
files = {}
engines = {"onnxruntime": 0, "onnx.reference": 0}


def f(*dims):
    return rng.standard_normal(dims).astype(np.float32)


def i(*list, dtype=np.int64):
    return np.array(list, dtype)


def record(op, opset, ins, outs=1, domain="", fixed=(), only=None, nodes=None, **attrs):
    """fixed are the numbers of inputs that are initializers; None is an absent one."""
    ins = [None if x is None else np.asarray(x) for x in ins]
    names = [f"x{k}" if x is not None else "" for k, x in enumerate(ins)]
    results = [f"y{k}" for k in range(outs)]
    if nodes is None:
        nodes = [helper.make_node(op, names, results, domain=domain, **attrs)]
    inputs, inits, feeds = [], [], {}
    for k, x in enumerate(ins):
        if x is None:
            continue
        if k in fixed:
            inits.append(numpy_helper.from_array(x, names[k]))
            continue
        inputs.append(helper.make_tensor_value_info(names[k], helper.np_dtype_to_tensor_dtype(x.dtype), x.shape))
        feeds[names[k]] = x
    opsets = [helper.make_opsetid("", opset if not domain else 15)]
    if domain:
        opsets.append(helper.make_opsetid(domain, opset))
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_empty_tensor_value_info(r) for r in results], inits)
    model = helper.make_model(graph, opset_imports=opsets, ir_version=7 if opset < 15 else 10)
    got = None
    if only != "reference":
        try:
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            got = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, feeds)
            engines["onnxruntime"] += 1
        except Exception as error:
            if only:
                raise
            print(f"{op}-{opset}: {str(error).splitlines()[0][:110]}", file=sys.stderr)
    if got is None:
        try:
            got = ReferenceEvaluator(model).run(None, feeds)
        except Exception as error:
            print(f"NEITHER {op}-{opset}: {str(error).splitlines()[0][:110]}", file=sys.stderr)
            return
        engines["onnx.reference"] += 1
    for k, y in enumerate(got):
        graph_out = model.graph.output[k]
        graph_out.CopyFrom(helper.make_tensor_value_info(results[k], helper.np_dtype_to_tensor_dtype(np.asarray(y).dtype), np.asarray(y).shape))
    n = 0
    while f"old/{op}_{opset}_{n}/model.onnx" in files:
        n += 1
    base = f"old/{op}_{opset}_{n}/"
    files[base + "model.onnx"] = model.SerializeToString()
    at = 0
    for k in range(len(ins)):
        if names[k] in feeds:
            files[f"{base}test_data_set_0/input_{at}.pb"] = numpy_helper.from_array(feeds[names[k]]).SerializeToString()
            at += 1
    for k, y in enumerate(got):
        files[f"{base}test_data_set_0/output_{k}.pb"] = numpy_helper.from_array(np.asarray(y)).SerializeToString()


# softmax before 13 goes over all dimensions from axis on
for op in ("Softmax", "LogSoftmax", "Hardmax"):
    record(op, 11, [f(2, 3, 4)])
    record(op, 11, [f(2, 3, 4)], axis=0)
    record(op, 9, [f(2, 3, 4)], axis=2)
    record(op, 13, [f(2, 3, 4)])
    record(op, 13, [f(2, 3, 4)], axis=1)
# lists that were attributes
record("Squeeze", 11, [f(1, 3, 1, 4)], axes=[0])
record("Squeeze", 11, [f(1, 3, 1, 4)], axes=[-2])
record("Squeeze", 7, [f(1, 3, 1, 4)])
record("Squeeze", 13, [f(1, 3, 1, 4), i(2)])
record("Unsqueeze", 11, [f(3, 4)], axes=[0, 3])
record("Unsqueeze", 13, [f(3, 4), i(0, -1)])
for op in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare"):
    record(op, 11, [f(2, 3, 4)], axes=[1])
    record(op, 8, [f(2, 3, 4)], axes=[0, 2], keepdims=0)
    record(op, 13, [f(2, 3, 4)]) if op == "ReduceSum" else record(op, 13, [f(2, 3, 4)], axes=[-1])
    record(op, 18, [f(2, 3, 4), i(1)])
record("ReduceLogSum", 11, [np.abs(f(2, 3, 4))], axes=[1])
record("ReduceSum", 13, [f(2, 3, 4), i(0)], keepdims=0)
record("ReduceSum", 13, [f(2, 3, 4)], noop_with_empty_axes=1)
record("Clip", 6, [f(5)], min=-0.5, max=0.25)
record("Clip", 6, [f(5)])
record("Clip", 11, [f(5), np.float32(-0.5), None])
record("Clip", 12, [i(1, 5, 9, dtype=np.int32), None, np.int32(6)])
record("Clip", 13, [f(5), None, np.float32(0.1)])
record("Split", 2, [f(6, 2)], 2, axis=0, split=[2, 4])
record("Split", 11, [f(6, 2)], 3)
record("Split", 13, [f(6, 2), i(1, 5)], 2)
record("Split", 13, [f(2, 6)], 2, axis=-1)
record("Split", 18, [f(7, 2)], 3, num_outputs=3)
record("Slice", 1, [f(5, 6)], axes=[1], starts=[1], ends=[-1])
record("Slice", 1, [f(5, 6)], starts=[1, 2], ends=[4, 1000])
record("Slice", 10, [f(5, 6), i(4, 1), i(0, 6), i(0, 1), i(-2, 2)])
record("Slice", 13, [f(5, 6), i(-1), i(-1000), i(1), i(-1)])
record("Pad", 2, [f(2, 3)], pads=[1, 0, 2, 1], value=1.5)
record("Pad", 2, [f(4, 5)], pads=[1, 2, 2, 1], mode="reflect")
record("Pad", 11, [f(2, 3), i(0, 1, 1, -1), np.float32(2)])
record("Pad", 13, [f(2, 3), i(0, 1, 1, 1)], mode="edge")
record("Pad", 18, [f(2, 3), i(1, 1), np.float32(7), i(1)])
record("Pad", 19, [f(2, 3), i(1, 2, 1, 2)], mode="wrap")
record("TopK", 1, [f(3, 5)], 2, k=2)
record("TopK", 10, [f(3, 5), i(3)], 2, axis=0)
record("TopK", 11, [f(3, 5), i(3)], 2, largest=0)
record("Dropout", 7, [f(3, 5)], ratio=0.25)
record("Dropout", 10, [f(3, 5)], ratio=0.25)
record("Dropout", 12, [f(3, 5), np.float32(0.25)], 2)
record("Dropout", 13, [f(3, 5), np.float32(0.25), np.array(False)], 2)
stats = [f(2, 3, 4, 4), f(3), f(3), f(3), np.abs(f(3))]
for opset in (7, 9, 14, 15):
    record("BatchNormalization", opset, stats, epsilon=1e-2)
record("BatchNormalization", 14, stats, 3, training_mode=1, momentum=0.7)
record("BatchNormalization", 15, stats, 3, training_mode=1)
# resizing
x = f(1, 2, 4, 5)
scale, size = np.array([1, 1, 2, 0.6], np.float32), i(1, 2, 7, 3)
record("Upsample", 7, [x], scales=[1.0, 1.0, 2.0, 3.0])
record("Upsample", 7, [x], scales=[1.0, 1.0, 2.0, 2.0], mode="linear")
record("Upsample", 9, [x, np.array([1, 1, 2, 2], np.float32)], mode="nearest")
record("Upsample", 9, [x, np.array([1, 1, 1.5, 2], np.float32)], mode="linear")
for scales in ([1, 1, 2, 3], [1, 1, 0.5, 0.6], [1, 1, 2, 0.6]):
    record("Resize", 10, [x, np.array(scales, np.float32)])
    record("Resize", 10, [x, np.array(scales, np.float32)], mode="linear")
empty = np.array([], np.float32)
for opset in (11, 13, 18, 19):
    roi = empty if opset < 13 else None
    for mode in ("nearest", "linear", "cubic"):
        record("Resize", opset, [x, roi, scale], mode=mode)
        record("Resize", opset, [x, roi, empty if opset < 13 else None, size], mode=mode, coordinate_transformation_mode="align_corners")
        record("Resize", opset, [x, roi, scale], mode=mode, coordinate_transformation_mode="asymmetric")
        record("Resize", opset, [x, roi, scale], mode=mode, coordinate_transformation_mode="pytorch_half_pixel")
    record("Resize", opset, [x, roi, scale], mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1)
    for near in ("floor", "ceil", "round_prefer_ceil", "round_prefer_floor"):
        record("Resize", opset, [x, roi, np.array([1, 1, 2.5, 0.45], np.float32)], nearest_mode=near, coordinate_transformation_mode="asymmetric")
    record("Resize", opset, [x, np.array([0, 0, 0.2, 0.1, 1, 1, 0.9, 1.2], np.float32), empty if opset < 13 else None, size], mode="linear",
           coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9.0)
record("Resize", 11, [x, empty, scale], coordinate_transformation_mode="tf_half_pixel_for_nn")
record("Resize", 18, [x, None, np.array([0.5, 0.6], np.float32)], axes=[2, 3], mode="linear", antialias=1)
record("Resize", 18, [x, None, None, i(3, 9)], axes=[3, 2], mode="linear", keep_aspect_ratio_policy="not_larger")
record("GridSample", 16, [x, np.clip(f(1, 3, 4, 2), -1, 1)])
record("GridSample", 20, [x, f(1, 3, 4, 2)], mode="cubic", padding_mode="border", only="reference")  # ONNX Runtime moves both coordinates when one is outside
record("GridSample", 20, [x, f(1, 3, 4, 2)], mode="nearest", padding_mode="reflection", align_corners=1)
boxes = np.array([[0, 0, 3, 2], [1, 0.5, 4, 3]], np.float32)
record("RoiAlign", 10, [x, boxes, i(0, 0)], output_height=2, output_width=2, sampling_ratio=2)
record("RoiAlign", 16, [x, boxes, i(0, 0)], output_height=2, output_width=2)
record("RoiAlign", 16, [x, boxes, i(0, 0)], output_height=2, output_width=2, mode="max", coordinate_transformation_mode="output_half_pixel")
record("MaxRoiPool", 7, [x, np.array([[0, 0, 0, 3, 2], [0, 1, 1, 9, 9]], np.float32)], pooled_shape=[2, 2])
record("MaxRoiPool", 11, [x, np.array([[0, 0, 1, 3, 3]], np.float32)], pooled_shape=[2, 3], spatial_scale=0.9, only="onnxruntime")
# other changes of versions
scale3, group = f(2), f(4)
record("GroupNormalization", 18, [f(2, 4, 3), f(2), f(2)], num_groups=2)
record("GroupNormalization", 21, [f(2, 4, 3), f(4), f(4)], num_groups=2)
record("DFT", 17, [f(2, 6, 1)], axis=1)
record("DFT", 17, [f(2, 6, 1)], axis=1, onesided=1)
record("DFT", 20, [f(2, 6, 2), None, np.int64(1)], inverse=1)
record("Scatter", 9, [f(3, 3), np.array([[0, 1, 2], [2, 0, 1]]), f(2, 3)])
record("Scatter", 10, [f(3, 3), np.array([[0, 1], [2, 0]]), f(2, 2)], axis=1)
record("ScatterElements", 11, [f(3, 3), np.array([[0, 1], [2, 0]]), f(2, 2)], axis=1)
record("ScatterElements", 16, [f(3, 3), np.array([[0, 0], [2, 2]]), f(2, 2)], axis=1, reduction="add")
record("ScatterND", 11, [f(4, 2), np.array([[1], [3]]), f(2, 2)])
record("ScatterND", 16, [f(4, 2), np.array([[1], [1]]), f(2, 2)], reduction="mul")
record("Cast", 9, [f(4)], to=TensorProto.INT32)
record("Cast", 9, [np.array([0.0, 0.5, -3])], to=TensorProto.BOOL)
record("Cast", 13, [f(4)], to=TensorProto.FLOAT16)
record("Cast", 13, [i(200, -1, 70000)], to=TensorProto.INT8)
record("Gemm", 7, [f(2, 3), f(3, 4), f(4)], alpha=0.5)
record("Gemm", 11, [f(3, 2), f(4, 3)], transA=1, transB=1)
record("AveragePool", 7, [x], kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=1)
record("AveragePool", 7, [x], kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_LOWER")
record("AveragePool", 10, [x], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
record("AveragePool", 19, [x], kernel_shape=[2, 2], dilations=[2, 2], pads=[1, 1, 1, 1])
record("MaxPool", 8, [x], 2, kernel_shape=[2, 2], strides=[2, 2], storage_order=1)
record("MaxPool", 10, [x], kernel_shape=[2, 2], dilations=[2, 2], strides=[1, 2], ceil_mode=1)
record("LpPool", 2, [x], kernel_shape=[2, 2], p=3)
record("GlobalLpPool", 2, [x])
record("GlobalLpPool", 2, [x], p=3)
record("OneHot", 9, [i(0, 2, 1), i(3), f(2)])
record("OneHot", 11, [i(0, -1, 7), i(3), f(2)], axis=0)
record("Gather", 1, [f(4, 3), i(0, 2)])
record("Gather", 11, [f(4, 3), i(0, -1)], axis=1)
record("ArgMax", 7, [f(3, 4)], axis=1)
record("ArgMin", 11, [f(3, 4)], axis=-1, keepdims=0)
record("ArgMax", 12, [i(3, 3, 1, dtype=np.float32)], select_last_index=1)
record("Flatten", 7, [f(2, 3, 4)], axis=2)
record("Flatten", 11, [f(2, 3, 4)], axis=-1)
record("CumSum", 11, [f(5), np.int64(0)], exclusive=1, reverse=1)
record("PRelu", 7, [f(2, 3, 4), f(3, 1)])
record("PRelu", 9, [f(2, 3, 4), f(1)])
record("Mod", 10, [i(-7, 7, 8), i(3, -3, 3)])
record("Mod", 13, [f(6), f(6)], fmod=1)
record("Pow", 7, [np.abs(f(4)), f(4)])
record("Pow", 12, [i(2, 3, -2), f(3)])
record("QuantizeLinear", 10, [f(2, 3), np.float32(0.02), np.uint8(128)])
record("QuantizeLinear", 13, [f(2, 3), np.abs(f(3)), np.array([1, 2, 3], np.int8)], axis=1)
record("DequantizeLinear", 10, [np.array([[1, 200, 255]], np.uint8), np.float32(0.02), np.uint8(128)])
record("DequantizeLinear", 13, [np.array([[1, 2, -3]], np.int8), np.abs(f(3)), np.array([1, 2, 3], np.int8)], axis=1)
record("BitShift", 11, [np.array([1, 200, 255], np.uint8), np.array([1, 3, 7], np.uint8)], direction="RIGHT")
record("Where", 9, [np.array([True, False]), f(3, 2), f(2)])
record("Equal", 7, [i(1, 2), i(1, 3)])
record("Equal", 11, [f(2), f(2)])
record("EyeLike", 9, [f(3, 4)], k=1)
record("ConstantOfShape", 9, [i(2, 3)], value=helper.make_tensor("v", TensorProto.INT64, [1], [7]))
record("LRN", 7, [f(1, 6, 2, 2)], size=3, alpha=0.01)
record("LRN", 13, [f(1, 6, 2, 2)], size=5)
record("InstanceNormalization", 7, [f(2, 3, 4), f(3), f(3)])
record("LayerNormalization", 17, [f(2, 3, 4), f(4), f(4)])
record("MeanVarianceNormalization", 9, [f(2, 3, 4, 4)])
record("Conv", 7, [x, f(4, 1, 3, 3), f(4)], group=2, pads=[1, 0, 2, 1], strides=[2, 1], dilations=[1, 2])
record("Conv", 11, [x, f(3, 2, 3, 3)], auto_pad="SAME_LOWER", strides=[2, 2])
record("ConvTranspose", 7, [x, f(2, 3, 3, 3)], strides=[2, 2], pads=[1, 0, 0, 1], output_padding=[1, 1])
record("ConvTranspose", 11, [x, f(2, 2, 3, 3), f(4)], group=2, strides=[2, 2], dilations=[2, 1])
record("LSTM", 7, [f(3, 2, 4), f(2, 12, 4), f(2, 12, 3), f(2, 24), i(3, 2, dtype=np.int32), f(2, 2, 3), f(2, 2, 3), f(2, 9)], 3, hidden_size=3, direction="bidirectional")
record("LSTM", 14, [f(3, 2, 4), f(1, 12, 4), f(1, 12, 3)], 3, hidden_size=3, clip=0.5, input_forget=1)
record("GRU", 7, [f(3, 2, 4), f(1, 9, 4), f(1, 9, 3), f(1, 18)], 2, hidden_size=3, direction="reverse")
record("GRU", 14, [f(3, 2, 4), f(1, 9, 4), f(1, 9, 3), f(1, 18), i(1, 3, dtype=np.int32)], 2, hidden_size=3, linear_before_reset=1)
record("RNN", 7, [f(3, 2, 4), f(2, 3, 4), f(2, 3, 3)], 2, hidden_size=3, direction="bidirectional", activations=["Relu", "LeakyRelu"], activation_alpha=[0.1])
record("Mish", 18, [f(6)])
record("Mish", 22, [f(6)], only="reference")
record("Det", 11, [f(2, 3, 3)])
record("Einsum", 12, [f(2, 3), f(3, 4)], equation="ij,jk")
record("NonMaxSuppression", 10, [np.abs(f(1, 6, 4)), np.abs(f(1, 2, 6)), i(3), np.array([0.3], np.float32)])
record("QLinearConv", 10, [np.array(rng.integers(0, 255, (1, 2, 4, 4)), np.uint8), np.float32(0.02), np.uint8(120), np.array(rng.integers(0, 255, (3, 2, 2, 2)), np.uint8),
                           np.array([0.01, 0.02, 0.03], np.float32), np.array([100, 100, 100], np.uint8), np.float32(0.05), np.uint8(110), np.array([5, -9, 30], np.int32)])
record("MatMulInteger", 10, [np.array(rng.integers(0, 255, (3, 4)), np.uint8), np.array(rng.integers(-99, 99, (4, 2)), np.int8), np.uint8(7), np.array([1, -2], np.int8)])
# Scan's version 8 has the batch first
body = helper.make_graph([helper.make_node("Add", ["s", "x"], ["t"]), helper.make_node("Softmax", ["t"], ["u"], axis=0)], "body",
                         [helper.make_tensor_value_info("s", TensorProto.FLOAT, [2, 2]), helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 2])],
                         [helper.make_tensor_value_info("t", TensorProto.FLOAT, [2, 2]), helper.make_tensor_value_info("u", TensorProto.FLOAT, [2, 2])])
record("Scan", 8, [None, f(3, 2, 2), f(3, 4, 2, 2)], 2, body=body, num_scan_inputs=1, only="onnxruntime")
record("Scan", 9, [f(2, 2), f(4, 2, 2)], 2, body=body, num_scan_inputs=1, scan_input_directions=[1], scan_output_axes=[1])
# a function-like chain in one old model: each node by the version of the model
record("Chain", 11, [f(2, 3, 4)], nodes=[helper.make_node("Softmax", ["x0"], ["a"]), helper.make_node("ReduceSum", ["a"], ["b"], axes=[1]), helper.make_node("Squeeze", ["b"], ["y0"], axes=[1])])
# ai.onnx.ml
table = f(3, 4)
record("Scaler", 1, [table], domain="ai.onnx.ml", offset=[1.0, 2.0, 3.0, 4.0], scale=[0.5, 2.0, 1.0, 3.0])
record("Imputer", 1, [np.array([[1, np.nan], [np.nan, 4]], np.float32)], domain="ai.onnx.ml", imputed_value_floats=[7.0, 8.0], replaced_value_float=float("nan"))
record("Imputer", 1, [np.array([[1, 2], [2, 4]])], domain="ai.onnx.ml", imputed_value_int64s=[9], replaced_value_int64=2)
record("LinearRegressor", 1, [table], domain="ai.onnx.ml", coefficients=[1.0, 2.0, 3.0, 4.0, -1.0, 0.5, 0.25, 2.0], intercepts=[0.5, -0.5], targets=2)
record("FeatureVectorizer", 1, [f(2, 3), f(2, 2)], domain="ai.onnx.ml", inputdimensions=[3, 2])
record("OneHotEncoder", 1, [i(1, 5, 9)], domain="ai.onnx.ml", cats_int64s=[1, 9])
record("CategoryMapper", 1, [np.array(["a", "c", "x"], object)], domain="ai.onnx.ml", cats_strings=["a", "b", "c"], cats_int64s=[3, 4, 5])
record("CategoryMapper", 1, [i(4, 9)], domain="ai.onnx.ml", cats_strings=["a", "b", "c"], cats_int64s=[3, 4, 5])
record("LabelEncoder", 2, [i(1, 5, 9)], domain="ai.onnx.ml", keys_int64s=[1, 9], values_floats=[0.5, 1.5], default_float=-2.0)
record("TreeEnsembleRegressor", 1, [table], domain="ai.onnx.ml", n_targets=2, nodes_treeids=[0, 0, 0, 1, 1, 1], nodes_nodeids=[0, 1, 2, 0, 1, 2], nodes_featureids=[1, 0, 0, 3, 0, 0],
       nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_values=[0.1, 0.0, 0.0, -0.2, 0.0, 0.0], nodes_truenodeids=[1, 0, 0, 1, 0, 0], nodes_falsenodeids=[2, 0, 0, 2, 0, 0],
       nodes_hitrates=[1.0] * 6, target_treeids=[0, 0, 1, 1], target_nodeids=[1, 2, 1, 2], target_ids=[0, 1, 0, 1], target_weights=[1.0, 2.0, 3.0, 4.0])

tar = io.BytesIO()
with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as t:
    for name in sorted(files):
        info = tarfile.TarInfo(name)
        info.size = len(files[name])
        t.addfile(info, io.BytesIO(files[name]))
with open(sys.argv[1], "wb") as out:
    out.write(gzip.compress(tar.getvalue(), 9, mtime=0))
print(engines)
