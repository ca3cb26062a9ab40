"""Writes the files that the tests read, with torch and numpy, and what is in
them: python3 write.py (torch 1.13, numpy 1.24; any newer ones do as well).

expect.json has, for each file, the tensors in order: name, numpy's type, shape
and the elements as hexadecimal bytes, little endian and row-major.
"""

import collections
import json
import struct

import numpy as np
import torch

out = {}


def raw(t):
    if isinstance(t, torch.Tensor):
        t = t.detach().contiguous()
        if t.dtype == torch.bfloat16:
            return "bf16", t.view(torch.int16).numpy().tobytes()
        t = t.numpy()
    t = np.ascontiguousarray(t)
    names = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32", "int16": "i16",
             "int8": "i8", "uint8": "u8", "bool": "bool", "complex64": "c64", "complex128": "c128", "uint16": "u16"}
    return names[t.dtype.name], t.tobytes()


def expect(name, tensors):
    out[name] = [[k, raw(v)[0], list(v.shape), raw(v)[1].hex()] for k, v in tensors.items()]


torch.manual_seed(0)
base = torch.arange(60, dtype=torch.float32).reshape(3, 4, 5)
state = collections.OrderedDict([
    ("plain", torch.randn(2, 3)),
    ("scalar", torch.tensor(7)),
    ("empty", torch.zeros(0, 3)),
    ("transposed", base.permute(2, 0, 1)),
    ("view", base[1:, ::2, 1:4]),
    ("shared", base),
    ("expanded", torch.tensor([1.5, 2.5]).expand(3, 2)),
    ("bf16", torch.randn(5).bfloat16()),
    ("half", torch.randn(2, 2).half().t()),
    ("double", torch.randn(3).double()),
    ("flag", torch.tensor([True, False])),
    ("bytes", torch.arange(4, dtype=torch.uint8)),
    ("short", torch.arange(4, dtype=torch.int16)),
    ("complex", torch.randn(2, dtype=torch.complex64)),
    ("param", torch.nn.Parameter(torch.randn(2))),
])
state._metadata = {"": {"version": 2}}
torch.save(state, "state.pt")
expect("state.pt", state)

model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
opt = torch.optim.Adam(model.parameters())
model(torch.randn(4, 2)).sum().backward()
opt.step()
torch.save({"epoch": 3, "loss": 0.25, "name": "x", "done": None, "big": -(1 << 40), "optimizer": opt.state_dict(), "model": model.state_dict()}, "checkpoint.pt")
expect("checkpoint.pt", model.state_dict())

torch.save({"a": {"w": torch.ones(1)}, "b": {"w": torch.zeros(1)}}, "ambiguous.pt")
torch.save(model, "module.pt")
torch.jit.save(torch.jit.script(torch.nn.Linear(1, 1)), "script.pt")

arrays = {
    "c": np.arange(6, dtype=np.float32).reshape(2, 3),
    "f": np.asfortranarray(np.arange(24, dtype=np.int16).reshape(2, 3, 4)),
    "scalar": np.array(2.5),
    "empty": np.zeros((0, 2), np.int32),
    "half": np.arange(3, dtype=np.float16),
    "flag": np.array([True, False]),
    "u16": np.arange(3, dtype=np.uint16),
    "c128": np.array([1 + 2j]),
    "a.b": np.arange(2, dtype=np.int8),
}
np.savez("plain.npz", **arrays)
np.savez_compressed("deflated.npz", **arrays)
expect("plain.npz", arrays)
expect("deflated.npz", arrays)
np.save("array.npy", arrays["f"])
expect("array.npy", {"array": arrays["f"]})
np.savez("objects.npz", o=np.array([{}], dtype=object))


def safetensors(path, tensors, metadata=None):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    types = {"f32": "F32", "f64": "F64", "i64": "I64", "bf16": "BF16", "bool": "BOOL", "f16": "F16"}
    for k, v in tensors.items():
        t, b = raw(v)
        header[k] = {"dtype": types[t], "shape": list(v.shape), "data_offsets": [len(data), len(data) + len(b)]}
        data += b
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


tensors = {k: state[k] for k in ["plain", "scalar", "empty", "transposed", "bf16", "half", "flag"]}
safetensors("plain.safetensors", tensors, {"format": "pt"})
expect("plain.safetensors", tensors)
names = list(tensors)
safetensors("model-00001-of-00002.safetensors", {k: tensors[k] for k in names[:3]})
safetensors("model-00002-of-00002.safetensors", {k: tensors[k] for k in names[3:]})
index = {"metadata": {"total_size": 1}, "weight_map": {k: "model-0000%d-of-00002.safetensors" % (1 + (i > 2)) for i, k in enumerate(names)}}
json.dump(index, open("model.safetensors.index.json", "w"), indent=1)
expect("model.safetensors.index.json", tensors)

json.dump(out, open("expect.json", "w"), indent=1)
