"""Changes ONNX's node tests in one or two places and records what becomes of them.

    python vary.py DIR OUT SEED [OPERATOR...]

DIR holds the tests as files (DIR/node/NAME). Writes OUT/varied.tar.gz: models that run, with their inputs and outputs; and
OUT/refused.tar.gz: models that do not, with their inputs and verdict.txt, which says who refuses them: "inference"
(onnx.shape_inference, strict, with small inputs as constants), "load" (ONNX Runtime, of the same model), "run" (ONNX Runtime and
the reference implementation of onnx, or the one of them that has the operator). With names of operators, only their models are
made anew.

Outputs are those on which ONNX Runtime and onnx.reference agree, or those of the one that has the operator with these types.
Needs numpy, onnx, onnxruntime.
"""
import glob
import gzip
import io
import os
import pickle
import random
import select
import signal
import sys
import tarfile
import warnings
import zlib

import numpy as np
import onnxruntime
from onnx import ModelProto, TensorProto, ValueInfoProto, defs, helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

warnings.simplefilter("ignore")
onnxruntime.set_default_logger_severity(4)
# What the operators' documentation allows, by attribute, or by operator and attribute.
MODES = {
    "auto_pad": ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"],
    "direction": ["forward", "reverse", "bidirectional"],
    "BitShift.direction": ["LEFT", "RIGHT"],
    "mode": ["nearest", "linear", "cubic"],
    "Pad.mode": ["constant", "reflect", "edge", "wrap"],
    "Upsample.mode": ["nearest", "linear"],
    "RoiAlign.mode": ["avg", "max"],
    "DepthToSpace.mode": ["DCR", "CRD"],
    "TfIdfVectorizer.mode": ["TF", "IDF", "TFIDF"],
    "reduction": ["none", "sum", "mean"],
    "ScatterElements.reduction": ["none", "add", "mul", "max", "min"],
    "ScatterND.reduction": ["none", "add", "mul", "max", "min"],
    "padding_mode": ["zeros", "border", "reflection"],
    "coordinate_transformation_mode": ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"],
    "RoiAlign.coordinate_transformation_mode": ["half_pixel", "output_half_pixel"],
    "nearest_mode": ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"],
    "keep_aspect_ratio_policy": ["stretch", "not_larger", "not_smaller"],
    "approximate": ["none", "tanh"],
    "case_change_action": ["NONE", "LOWER", "UPPER"],
}
# Operators whose engines broadcast what the documentation does not allow: their inputs keep their ranks, or their sizes too.
KEEP_RANKS = {"GroupNormalization", "InstanceNormalization", "PRelu"}
KEEP_SIZES = {"Adagrad", "Adam", "Momentum", "GroupNormalization", "QuantizeLinear", "DequantizeLinear"}
# Operators whose reference takes what the documentation excludes: what only the reference runs says nothing.
LENIENT = {"ReverseSequence", "MaxUnpool", "SoftmaxCrossEntropyLoss"}
KINDS = [np.float32, np.float64, np.float16, np.int64, np.int32, np.int8, np.uint8, np.bool_, np.int16, np.uint64]
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
LEFT_OUT = {"ImageDecoder", "Gradient", "Dropout"} | RANDOM


class Variant:
    def __init__(self, base, rng):
        self.m = ModelProto.FromString(base["model"])
        self.ins = {k: v for k, v in base["ins"].items()}
        self.r, self.did = rng, []
        self.n = self.m.graph.node[0]
        version = next(o.version for o in self.m.opset_import if o.domain in (self.n.domain, "ai.onnx" if not self.n.domain else ""))
        self.schema = defs.get_schema(self.n.op_type, version, self.n.domain)

    def attr(self):
        """gives an attribute another value, the node has it or not."""
        names = [a for a in self.schema.attributes.values() if str(a.type).split(".")[-1] in ("INT", "FLOAT", "STRING", "INTS", "FLOATS")]
        if not names:
            return False
        a = self.r.choice(sorted(names, key=lambda a: a.name))
        old = next((x for x in self.n.attribute if x.name == a.name), None)
        rank = max([v.ndim for v in self.ins.values()] + [1])
        kind = str(a.type).split(".")[-1]
        if kind == "INT":
            if a.name in ("to", "dtype", "output_dtype", "saturate"):
                value = self.r.choice([1, 2, 3, 6, 7, 9, 10, 11, 0, 1])
            elif a.name in ("stash_type", "precision"):
                value = 1
            else:
                value = self.r.choice([-3, -2, -1, 0, 1, 1, 2, 3, 5])
        elif kind == "FLOAT":
            value = self.r.choice([0.0, 0.5, 1.0, -1.5, 2.0, 0.01])
        elif kind == "STRING":
            modes = MODES.get(f"{self.n.op_type}.{a.name}", MODES.get(a.name))
            if modes is None:
                return False
            value = self.r.choice(modes)
        elif old is None:
            n = self.r.choice([1, 2, rank, max(rank - 2, 1), 2 * max(rank - 2, 1), 2 * rank])
            value = [self.r.choice([0, 1, 1, 2, -1]) if kind == "INTS" else self.r.choice([0.5, 1.0, 2.0]) for _ in range(n)]
        else:
            value = list(old.ints if kind == "INTS" else old.floats)
            at = self.r.randrange(len(value)) if value else 0
            what = self.r.randrange(5)
            if what == 0 and value:
                del value[at]
            elif what == 1:
                value.insert(at, self.r.choice([0, 1, 2]))
            elif what == 2:
                self.r.shuffle(value)
            elif value:
                value[at] += self.r.choice([-1, 1, -2, 2])
            if not value:
                return False
        if old is not None:
            self.n.attribute.remove(old)
        self.n.attribute.append(helper.make_attribute(a.name, value))

    def no_attr(self):
        if not self.n.attribute:
            return False
        del self.n.attribute[self.r.randrange(len(self.n.attribute))]

    def some(self):
        return self.r.choice(sorted(self.ins)) if self.ins else None

    def resize(self):
        """repeats or cuts an input along an axis, all inputs with the same size there too in half of the cases."""
        name = self.some()
        if name is None or self.ins[name].ndim == 0 or self.n.op_type in KEEP_SIZES:
            return False
        x = self.ins[name]
        axis = self.r.randrange(x.ndim)
        size = x.shape[axis]
        to = self.r.choice([0, 1, size + 1, max(size - 1, 0), 2])
        if to == size:
            return False
        together = self.r.random() < 0.5
        for k, v in self.ins.items():
            if k == name or together and v.ndim == x.ndim and v.shape[axis] == size:
                self.ins[k] = np.take(v, np.arange(to) % max(size, 1), axis) if size else np.zeros(v.shape[:axis] + (to,) + v.shape[axis + 1 :], v.dtype)

    def rank(self):
        name = self.some()
        if name is None or self.n.op_type in KEEP_RANKS | KEEP_SIZES:
            return False
        x = self.ins[name]
        what = self.r.randrange(4)
        if what == 0:
            y = x[None]
        elif what == 1:
            y = x[..., None]
        elif x.ndim == 0:
            return False
        elif what == 2:
            y = x[0] if x.shape[0] else x.reshape(x.shape[1:] if 0 in x.shape[1:] else -1)
        else:
            y = x.reshape(-1)
        if y.shape == x.shape:
            return False
        self.ins[name] = y

    def kind(self):
        """gives all inputs of an element type another one, or only one of them."""
        name = self.some()
        if name is None:
            return False
        old, new = self.ins[name].dtype, self.r.choice(KINDS)
        if old == new or old.kind not in "fiub":
            return False
        together = self.r.random() < 0.7
        for k, v in self.ins.items():
            if k == name or together and v.dtype == old:
                self.ins[k] = v.astype(new)

    def number(self):
        """changes an element of an input of integers."""
        names = sorted(k for k, v in self.ins.items() if v.dtype.kind in "iu" and v.size)
        if not names:
            return False
        name = self.r.choice(names)
        x = self.ins[name].copy()
        x.reshape(-1)[self.r.randrange(x.size)] = self.r.choice([0, 1, 2, 3, 4] + ([-1, -2, -3] if x.dtype.kind == "i" else []))
        self.ins[name] = x

    def no_input(self):
        if not self.n.input:
            return False
        at = self.r.randrange(len(self.n.input))
        if at == len(self.n.input) - 1:
            del self.n.input[at]
        else:
            self.n.input[at] = ""
        if at == 0:
            return self.r.random() < 0.1
        for name in list(self.ins):
            if not any(name in n.input for n in self.m.graph.node):
                del self.ins[name]

    def no_output(self):
        if len(self.n.output) < 2:
            return False
        at = self.r.randrange(len(self.n.output))
        name = self.n.output[at]
        if at == len(self.n.output) - 1:
            del self.n.output[at]
        else:
            self.n.output[at] = ""
        for o in list(self.m.graph.output):
            if o.name == name:
                self.m.graph.output.remove(o)

    def more_output(self):
        have = len(self.n.output)
        if have >= len(self.schema.outputs):
            return False
        self.n.output.append("more")
        self.m.graph.output.append(ValueInfoProto(name="more"))

    def finish(self):
        g = self.m.graph
        for v in list(g.input):
            if v.name not in self.ins:
                g.input.remove(v)
            else:
                x = self.ins[v.name]
                v.CopyFrom(helper.make_tensor_value_info(v.name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape))
        names = [o.name for o in g.output]
        del g.output[:]
        for name in names:
            g.output.add().name = name
        del g.value_info[:]
        for a in self.n.attribute:  # bodies have the types of what goes in
            for v in [*a.g.input, *a.g.output, *a.g.value_info]:
                if v.type.HasField("tensor_type"):
                    v.type.tensor_type.ClearField("shape")
        self.m.producer_name = self.m.graph.doc_string = self.n.doc_string = ""
        if self.m.ir_version > 10:
            self.m.ir_version = 10


def bound(model, ins):
    """the model with small inputs as constants."""
    m = ModelProto.FromString(model)
    for v in list(m.graph.input):
        x = ins[v.name]
        if x.dtype.kind in "iub" and x.size <= 1024 or x.dtype == np.float32 and x.size <= 8 and x.ndim < 2:
            m.graph.input.remove(v)
            m.graph.initializer.append(numpy_helper.from_array(x, v.name))
    return m


def line(error):
    return " ".join(str(error).split())[:160] or type(error).__name__


def judge(model, ins):
    """gives the outputs, or None and who refuses."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1

    def load(m):
        return onnxruntime.InferenceSession(m, options, providers=["CPUExecutionProvider"])

    def no(error):  # it has no kernel, or does not know the version: no verdict
        return any(w in str(error) for w in ("NOT_IMPLEMENTED", "NotImplemented", "not implemented", "Unexpected input data type", "under development", "Could not find an implementation", "is not a registered function/op"))

    verdict = {}
    small = bound(model, ins)
    try:
        shape_inference.infer_shapes(small, check_type=True, strict_mode=True, data_prop=True)
    except Exception as e:
        verdict["inference"] = line(e)
    try:
        load(small.SerializeToString())
    except Exception as e:
        if not no(e):
            verdict["load"] = line(e)
    ort = ref = None
    try:
        ort = load(model).run(None, ins)
    except Exception as e:
        ort = None if no(e) else e
        if isinstance(e, (TypeError, ValueError, RuntimeError)) and type(e).__module__ == "builtins":
            ort = None
    try:
        ref = ReferenceEvaluator(ModelProto.FromString(model)).run(None, ins)
    except NotImplementedError:
        ref = None
    except Exception as e:
        ref = e
    if isinstance(ort, list) and isinstance(ref, list):
        return (ort, {}) if same(ort, ref) else (None, {"disputed": "1"})
    if isinstance(ort, list):
        return ort, {}
    if isinstance(ref, list) and ort is None and ModelProto.FromString(model).graph.node[0].op_type not in LENIENT:
        return (ref, {}) if not verdict else (None, {"disputed": "1"})
    if isinstance(ort, Exception) and not isinstance(ref, list):
        verdict["run"] = line(ort)
    if isinstance(ref, list) and "inference" not in verdict:
        return None, {"disputed": "1"}
    return None, verdict


def same(a, b):
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if isinstance(x, list) or isinstance(y, list):
            if not (isinstance(x, list) and isinstance(y, list) and same(x, y)):
                return False
            continue
        x, y = np.asarray(x), np.asarray(y)
        if x.dtype != y.dtype or x.shape != y.shape:
            return False
        if x.dtype.kind in "OSU":
            if not (x == y).all():
                return False
        elif x.dtype.kind in "fV":
            if not np.allclose(x.astype(np.float64), y.astype(np.float64), 1e-3, 1e-4, equal_nan=True):
                return False
        elif not (x == y).all():
            return False
    return True


def apart(model, ins):
    """judge in a process of its own, as a runtime may crash."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(r)
        out = None
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            out = pickle.dumps(judge(model, ins))
        except BaseException:
            out = pickle.dumps((None, {"disputed": "1"}))
        with os.fdopen(w, "wb") as f:
            f.write(out)
        os._exit(0)
    os.close(w)
    data = b""
    while True:
        if not select.select([r], [], [], 60)[0]:
            os.kill(pid, signal.SIGKILL)
            break
        part = os.read(r, 1 << 16)
        if not part:
            break
        data += part
    os.close(r)
    os.waitpid(pid, 0)
    try:
        return pickle.loads(data)
    except Exception:
        return None, {"disputed": "1"}


def bases(root):
    """tests of one node with small tensors, by operator, the smallest ones first."""
    found = {}
    for path in sorted(glob.glob(root + "/node/*/model.onnx")):
        if "_expanded" in path:
            continue
        model = open(path, "rb").read()
        m = ModelProto.FromString(model)
        if len(m.graph.node) != 1 or len(model) > 3000 or m.functions or m.graph.node[0].op_type in LEFT_OUT:
            continue
        ins, size = {}, len(model)
        for i, v in enumerate(m.graph.input):
            f = os.path.dirname(path) + f"/test_data_set_0/input_{i}.pb"
            if not v.type.HasField("tensor_type") or not os.path.exists(f):
                break
            x = numpy_helper.to_array(TensorProto.FromString(open(f, "rb").read()))
            if v.type.tensor_type.elem_type == TensorProto.BFLOAT16 and x.dtype == np.uint16:
                break
            ins[v.name] = x
            size += x.nbytes
        else:
            if size < 6000:
                n = m.graph.node[0]
                found.setdefault((n.domain, n.op_type), []).append({"name": path.split("/")[-2], "model": model, "ins": ins, "size": size})
    for list in found.values():
        list.sort(key=lambda b: (b["size"], b["name"]))
    return found


CHANGES = ["attr"] * 5 + ["resize"] * 3 + ["rank"] * 2 + ["kind"] * 2 + ["number"] * 2 + ["no_input", "no_output", "no_attr", "more_output"]


def main():
    root, dest, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    found = sorted(bases(root).items())
    accepted, refused, tally = {}, {}, {}
    if only := sys.argv[4:]:
        found = [f for f in found if f[0][1] in only]
        mine = {b["name"] for _, list in found for b in list}
        for name, files in (("varied", accepted), ("refused", refused)):
            with tarfile.open(f"{dest}/{name}.tar.gz") as t:
                files.update({m.name: t.extractfile(m).read() for m in t if m.name.split("/")[1].rpartition("_")[0] not in mine})
    judge(found[0][1][0]["model"], found[0][1][0]["ins"])  # loads what every process then has
    for (domain, op), list in found:
        rng = random.Random(f"{seed} {domain} {op}")
        seen, kept, no = set(), 0, 0
        # those with another set of attributes or inputs first
        forms = {}
        for b in list:
            n = ModelProto.FromString(b["model"]).graph.node[0]
            forms.setdefault((tuple(sorted(a.name for a in n.attribute)), tuple(map(bool, n.input)), len(n.output)), b)
        chosen = [*forms.values()][:8] or list[:1]
        attrs = len(Variant(chosen[0], rng).schema.attributes)
        most, few = 5 + 2 * min(attrs, 6), 3 + min(attrs, 5)
        for _ in range(4 * (most + few)):
            if kept >= most and no >= few:
                break
            b = rng.choice(chosen)
            v = Variant(b, rng)
            try:
                for _ in range(rng.choice([1, 1, 1, 2])):
                    change = rng.choice(CHANGES)
                    if getattr(v, change)() is not False:
                        v.did.append(change)
                v.finish()
                model = v.m.SerializeToString()
            except Exception:
                continue
            key = zlib.crc32(model + b"".join(x.tobytes() for x in v.ins.values() if x.dtype != object))
            if not v.did or key in seen:
                continue
            seen.add(key)
            outs, verdict = apart(model, v.ins)
            name = f"{b['name']}_{key:08x}"
            if outs is not None and kept < most and sum(np.asarray(x).nbytes for x in outs if not isinstance(x, type([]))) < 6000:
                if write(accepted, "varied/" + name, v, outs):
                    kept += 1
            elif outs is None and verdict and "disputed" not in verdict and no < few:
                write(refused, "refused/" + name, v, None)
                refused[f"refused/{name}/verdict.txt"] = "".join(f"{k}: {w}\n" for k, w in sorted(verdict.items())).encode()
                no += 1
        tally[op] = (kept, no)
        print(op, kept, no, flush=True)
    for name, files in (("varied", accepted), ("refused", refused)):
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as t:
            for n in sorted(files):
                info = tarfile.TarInfo(n)
                info.size = len(files[n])
                t.addfile(info, io.BytesIO(files[n]))
        with open(f"{dest}/{name}.tar.gz", "wb") as out:
            out.write(gzip.compress(tar.getvalue(), 9, mtime=0))
    print(sum(k for k, _ in tally.values()), "run,", sum(k for _, k in tally.values()), "are refused")


def legal(v):
    """reports whether nothing speaks against a model that runs: engines are lenient."""
    axes, x = v.ins.get("axes"), next(iter(v.ins.values()), None)
    for a in v.n.attribute:
        if a.name == "axes":
            axes = np.array(a.ints)
    if v.n.op_type in ("MaxUnpool", "SoftmaxCrossEntropyLoss") and "resize" in v.did + ["resize"][: v.n.op_type == "MaxUnpool" and len(v.ins) > 2]:
        return False  # the places are in an image that runtimes do not agree on; weights need not be as many as classes
    if axes is not None and v.n.op_type not in ("Unsqueeze", "Slice", "Pad") and (axes.ndim != 1 or any(not -x.ndim <= a < x.ndim for a in axes) or len({a % x.ndim for a in axes}) < len(axes)):
        return False
    try:
        shape_inference.infer_shapes(v.m, check_type=True, strict_mode=True, data_prop=True)
    except Exception:
        return False
    return True


def write(files, base, v, outs):
    made = {}
    if outs is not None:
        del v.m.graph.output[:]
        names = [o for o in v.n.output if o]
        if len(names) != len(outs):
            return False
        for k, (name, y) in enumerate(zip(names, outs)):
            if isinstance(y, list):
                if not y or not all(isinstance(e, np.ndarray) for e in y):
                    return False
                v.m.graph.output.append(helper.make_tensor_sequence_value_info(name, helper.np_dtype_to_tensor_dtype(y[0].dtype), None))
                made[f"output_{k}.pb"] = numpy_helper.from_list(y).SerializeToString()
                continue
            y = np.asarray(y)
            if y.dtype.kind == "U":
                y = y.astype(object)
            v.m.graph.output.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(y.dtype), y.shape))
            made[f"output_{k}.pb"] = numpy_helper.from_array(y).SerializeToString()
    for i, value in enumerate(v.m.graph.input):
        made[f"input_{i}.pb"] = numpy_helper.from_array(v.ins[value.name]).SerializeToString()
    if outs is not None and not legal(v):
        return False
    files[base + "/model.onnx"] = v.m.SerializeToString()
    for k, b in made.items():
        files[f"{base}/test_data_set_0/{k}"] = b
    return True


main()
