# Makes faulty models from ONNX's node tests and asks onnx.checker about each.
#
#     python mutants.py DIR COUNT SEED
#
# DIR holds the tests (DIR/node/NAME/model.onnx). Prints a JSON line for each model: "name" of the test, "did" what
# was changed, "model" (base64), "ok" what the checker says, "why" its message. Models of more than 4,000 bytes are
# left out. Each is changed in one to three places; "none" means that nothing was changed.
import base64
import glob
import json
import random
import sys

import onnx
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, checker, helper


def graphs(g):
    yield g
    for n in g.node:
        for a in n.attribute:
            if a.HasField("g"):
                yield from graphs(a.g)


class Change:
    def __init__(self, model, rng):
        self.m, self.r = model, rng
        self.graphs = list(graphs(model.graph))
        self.g = rng.choice(self.graphs)
        self.nodes = [n for g in self.graphs for n in g.node] + [n for f in model.functions for n in f.node]
        self.n = rng.choice(self.nodes) if self.nodes else None
        self.tensors = [t for g in self.graphs for t in g.initializer] + [
            a.t for n in self.nodes for a in n.attribute if a.HasField("t")
        ]
        self.values = [v for g in self.graphs for v in list(g.input) + list(g.output)]

    def attr(self):
        return self.r.choice(self.n.attribute) if self.n and self.n.attribute else None

    def ir(self):
        self.m.ir_version = self.r.choice([0, 1, 2, 3, 4, 7, 8, 9, 10, 12, 13, 14, 15, 99])

    def opset(self):
        if self.m.opset_import:
            o = self.r.choice(self.m.opset_import)
            o.version = self.r.choice([0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 28, 29, 1000, -3, 1 << 40])

    def no_opset(self):
        if self.m.opset_import:
            del self.m.opset_import[self.r.randrange(len(self.m.opset_import))]

    def opset_domain(self):
        if self.m.opset_import:
            self.r.choice(self.m.opset_import).domain = self.r.choice(["", "ai.onnx", "ai.onnx.ml", "x.y", "ai.onnx.preview"])

    def more_opsets(self):
        o = self.m.opset_import.add()
        o.domain, o.version = self.r.choice([("", 13), ("ai.onnx.ml", 3), ("my.domain", 1), ("ai.onnx", 18), ("org.chainer", 9)])

    def metadata(self):
        for k in self.r.choice([["a", "a"], ["a", "b"], ["", ""]]):
            e = self.m.metadata_props.add()
            e.key, e.value = k, "v"

    def graph_name(self):
        self.g.name = self.r.choice(["", "g"])

    def op(self):
        if self.n:
            self.n.op_type = self.r.choice(["", "Add", "Relu", "Conv", "Nope", "Upsample", "Scatter", "ATen", "Affine", "Softmax", "Split", "If", "Identity", "LSTM", "Resize", "Clip"])

    def domain(self):
        if self.n:
            self.n.domain = self.r.choice(["", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training", "my.domain", "org.chainer"])

    def drop_input(self):
        if self.n and self.n.input:
            del self.n.input[self.r.randrange(len(self.n.input))]

    def blank_input(self):
        if self.n and self.n.input:
            self.n.input[self.r.randrange(len(self.n.input))] = ""

    def wrong_input(self):
        if self.n and self.n.input:
            self.n.input[self.r.randrange(len(self.n.input))] = "not_there"

    def more_inputs(self):
        if self.n:
            self.n.input.extend([self.r.choice(["", self.n.input[0] if self.n.input else ""])] * self.r.choice([1, 2, 5]))

    def drop_output(self):
        if self.n and self.n.output:
            del self.n.output[self.r.randrange(len(self.n.output))]

    def blank_output(self):
        if self.n and self.n.output:
            self.n.output[self.r.randrange(len(self.n.output))] = ""

    def same_output(self):
        if self.n and self.n.output:
            self.n.output[0] = self.r.choice([self.n.input[0] if self.n.input else "q", "q"])

    def more_outputs(self):
        if self.n:
            self.n.output.extend(["extra%d" % i for i in range(self.r.choice([1, 2, 6]))])

    def nothing_in_or_out(self):
        if self.n:
            del self.n.input[:]
            del self.n.output[:]

    def twice(self):
        if self.g.node:
            self.g.node.add().CopyFrom(self.r.choice(self.g.node))

    def shuffle(self):
        nodes = [NodeProto.FromString(n.SerializeToString()) for n in self.g.node]
        self.r.shuffle(nodes)
        del self.g.node[:]
        self.g.node.extend(nodes)

    def no_node(self):
        if self.g.node:
            del self.g.node[self.r.randrange(len(self.g.node))]

    def attr_name(self):
        if a := self.attr():
            a.name = self.r.choice(["", "axis", "axes", "nope", "__internal", "alpha", "to"])

    def attr_type(self):
        if a := self.attr():
            a.type = self.r.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 13])

    def attr_no_type(self):
        if a := self.attr():
            a.ClearField("type")

    def attr_twice(self):
        if a := self.attr():
            self.n.attribute.add().CopyFrom(a)

    def attr_two_values(self):
        if a := self.attr():
            self.r.choice([lambda: a.ints.extend([7]), lambda: setattr(a, "f", 2.5), lambda: a.strings.extend([b"z"]), lambda: setattr(a, "i", 5)])()

    def attr_no_value(self):
        if a := self.attr():
            for f in ["f", "i", "s", "t", "g", "floats", "ints", "strings"]:
                a.ClearField(f)

    def attr_ref(self):
        if a := self.attr():
            a.ref_attr_name = "outer"
            if self.r.random() < 0.5:
                self.attr_no_value()

    def drop_attr(self):
        if self.n and self.n.attribute:
            del self.n.attribute[self.r.randrange(len(self.n.attribute))]

    def more_attrs(self):
        if self.n:
            self.n.attribute.append(helper.make_attribute(*self.r.choice([("axis", 1), ("nope", 3), ("alpha", 0.5), ("mode", "x"), ("axes", [1]), ("_x", 1), ("__x", 1), ("to", 1), ("epsilon", 1e-3)])))

    def value_name(self):
        if self.values:
            self.r.choice(self.values).name = self.r.choice(["", "renamed", "x"])

    def value_no_type(self):
        if self.values:
            self.r.choice(self.values).ClearField("type")

    def value_no_shape(self):
        if self.values:
            v = self.r.choice(self.values)
            if v.type.HasField("tensor_type"):
                v.type.tensor_type.ClearField(self.r.choice(["shape", "elem_type"]))

    def value_kind(self):
        if self.values:
            v = self.r.choice(self.values)
            self.r.choice([
                lambda: v.type.sequence_type.SetInParent(), lambda: v.type.optional_type.SetInParent(), lambda: v.type.map_type.SetInParent(),
                lambda: v.type.sequence_type.elem_type.tensor_type.SetInParent(), lambda: v.type.sparse_tensor_type.SetInParent(),
            ])()

    def value_twice(self):
        if self.g.input:
            self.g.input.add().CopyFrom(self.r.choice(self.g.input))

    def no_value(self):
        side = self.r.choice([self.g.input, self.g.output])
        if side:
            del side[self.r.randrange(len(side))]

    def initializer(self):
        t = helper.make_tensor(self.r.choice(["", "init", self.g.input[0].name if self.g.input else "i"]), TensorProto.FLOAT, [2], [1.0, 2.0])
        self.g.initializer.extend([t] * self.r.choice([1, 1, 2]))

    def tensor(self):
        if not self.tensors:
            self.initializer()
            return
        t = self.r.choice(self.tensors)
        self.r.choice([
            lambda: setattr(t, "data_type", self.r.choice([0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 13, 14, 16, 17, 21, 23, 25, 27, 40])),
            lambda: t.dims.extend([self.r.choice([0, 1, 2, -1, 1 << 62])]),
            lambda: t.ClearField("dims"),
            lambda: t.ClearField("raw_data"),
            lambda: setattr(t, "raw_data", t.raw_data[: self.r.randrange(len(t.raw_data) + 1)]),
            lambda: t.int64_data.extend([1, 2, 3]),
            lambda: t.float_data.extend([1.0]),
            lambda: t.string_data.extend([b"a"]),
            lambda: setattr(t, "data_location", TensorProto.EXTERNAL),
            lambda: t.ClearField("data_type"),
        ])()

    def sparse(self):
        s = self.g.sparse_initializer.add()
        k = self.r.choice([1, 2, 3])
        s.dims.extend(self.r.choice([[4], [2, 3], [0], [], [-1]]))
        s.values.CopyFrom(helper.make_tensor(self.r.choice(["sp", ""]), TensorProto.FLOAT, [k], [1.0] * k))
        idx = self.r.choice([list(range(k)), [0] * k, [3] * k, [9] * k, list(range(k))[::-1]])
        s.indices.CopyFrom(helper.make_tensor("ix", self.r.choice([TensorProto.INT64, TensorProto.INT64, TensorProto.INT32]), [k], idx))

    def function(self):
        """Adds a local function and a call of it."""
        f = self.m.functions.add()
        f.name, f.domain = self.r.choice(["F", "F", ""]), "my.domain"
        f.input.extend(self.r.choice([["a"], ["a", "a"], ["a", "b"]]))
        f.output.extend(self.r.choice([["o"], ["o", "o"]]))
        f.node.append(helper.make_node(self.r.choice(["Relu", "Nope", "Softmax"]), ["a"], ["o"]))
        if self.r.random() < 0.3:
            f.node.append(helper.make_node("F", ["o"], ["p"], domain="my.domain"))
        if self.r.random() < 0.3:
            f.node.append(helper.make_node("Relu", [self.r.choice(["zz", "o"])], [self.r.choice(["o", "r"])]))
        if self.r.random() < 0.9:
            f.opset_import.add().version = self.r.choice([self.m.opset_import[0].version if self.m.opset_import else 13, 9, 12, 13, 21])
        if self.r.random() < 0.9:
            o = f.opset_import.add()
            o.domain, o.version = "my.domain", 1
        if self.r.random() < 0.8:
            o = self.m.opset_import.add()
            o.domain, o.version = "my.domain", 1
        self.m.ir_version = self.r.choice([7, 8, 10])

    def none(self):
        pass


CHANGES = [name for name in vars(Change) if not name.startswith("_") and name != "attr"]


def main():
    root, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    files = sorted(glob.glob(root + "/node/*/model.onnx"))
    made = 0
    while made < count:
        path = rng.choice(files)
        data = open(path, "rb").read()
        if len(data) > 3500:
            continue
        m = ModelProto.FromString(data)
        did = []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            name = rng.choice(CHANGES)
            getattr(Change(m, rng), name)()
            did.append(name)
        try:
            b = m.SerializeToString()
        except Exception:
            continue
        if len(b) > 4000:
            continue
        why = ""
        try:
            checker.check_model(b)
        except checker.ValidationError as e:
            why = str(e).strip() or "refused"
        except Exception as e:  # pybind's errors for values that the checker itself trips over
            why = "%s: %s" % (type(e).__name__, e)
        print(json.dumps({"name": path.split("/")[-2], "did": " ".join(did), "ok": why == "", "why": why[:200], "model": base64.b64encode(b).decode()}))
        made += 1


main()
