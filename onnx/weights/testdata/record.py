"""Writes files of weights of every feature with torch 2.15, h5py 3.16 and numpy 2, reads them again with these, and puts files
and values into formats.zip: python3 record.py (or record.py FOLDER: the files, unpacked).

expect.json has, for each file, the tensors [name, type, shape, bytes in hexadecimal, little endian and row-major], or the
words with which the file is refused. Values are what the library reads from the file, not what was written.
"""

import collections
import io
import json
import os
import pickle
import struct
import sys
import tarfile
import tempfile
import warnings
import zipfile

import h5py
import numpy as np
import torch

warnings.simplefilter("ignore")
NAMES = {"float16": "f16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
         "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "bool", "complex64": "c64", "complex128": "c128"}
CASES = []
rs = np.random.RandomState(15)


def case(name, refused=None):
    """A file that a function writes to a path, by the name of what it has."""
    def add(f):
        CASES.append((name, f, refused))
        return f
    return add


# --- torch


def saved(name, make, refused=None, **how):
    CASES.append((name, lambda path: torch.save(make(), path, **how), refused))


def model():
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).state_dict()


def pair(dtype):
    return torch.tensor([1 + 2j, -3 + 0.5j, 0 - 1j], dtype=dtype)


old = {"_use_new_zipfile_serialization": False}
saved("torch_negative.pt", lambda: {"w": torch._neg_view(torch.tensor([-1.0, 2.0, 0.0]))})
saved("torch_negative_types.pt", lambda: {str(d): torch._neg_view(torch.tensor([-1, 2, 100, 0]).to(d)) for d in (
    torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)})
saved("torch_conjugate.pt", lambda: {"a": pair(torch.complex64).conj(), "b": pair(torch.complex128).conj(), "t": pair(torch.complex64).reshape(3, 1).mH})
saved("torch_conjugate_imag.pt", lambda: {"w": pair(torch.complex64).conj().imag, "r": pair(torch.complex64).real})
saved("torch_both_bits.pt", lambda: {"w": torch._neg_view(pair(torch.complex64).conj()), "n": torch._neg_view(pair(torch.complex128))})
saved("torch_negative_strided.pt", lambda: {"w": torch._neg_view(torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)), "v": torch._neg_view(torch.arange(9.0))[::2]})
saved("torch_negative_parameter.pt", lambda: {"w": torch.nn.Parameter(torch._neg_view(torch.ones(2)))})
saved("torch_buffer.pt", lambda: {"w": torch.nn.Buffer(torch.arange(3.0)), "x": torch._neg_view(torch.ones(2))})
saved("torch_attribute.pt", lambda: {"w": tagged(torch.nn.Parameter(torch.arange(3.0))), "v": tagged(torch.arange(2.0))})
saved("torch_new_types.pt", lambda: {str(d): torch.tensor([1, 2, 3], dtype=d) for d in (torch.uint16, torch.uint32, torch.uint64)})
saved("torch_protocol_4.pt", model, pickle_protocol=4)
saved("torch_protocol_5.pt", model, pickle_protocol=5)
saved("torch_old.pt", model, **old)
saved("torch_old_protocol_4.pt", model, pickle_protocol=4, **old)
saved("torch_old_checkpoint.pt", lambda: {"epoch": 3, "name": "x", "big": -(1 << 40), "state_dict": model()}, **old)
saved("torch_old_views.pt", lambda: views(), **old)
saved("torch_old_types.pt", lambda: {str(d): torch.tensor([1, 2, 0]).to(d) for d in (
    torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool, torch.complex64)}, **old)
saved("torch_old_untyped.pt", lambda: {"w": torch.tensor([1], dtype=torch.uint16)}, "storage has no type", **old)  # PyTorch cannot load it either
saved("torch_old_signs.pt", lambda: {"n": torch._neg_view(torch.tensor([-1.0, 2.0])), "c": pair(torch.complex64).conj()}, **old)
saved("torch_old_many.pt", lambda: collections.OrderedDict(("layers.%d.weight.of.a.module.with.a.long.name" % i, torch.tensor([float(i)])) for i in range(700)), **old)
saved("torch_sparse.pt", lambda: {"w": torch.eye(3).to_sparse()}, "sparse tensor: save it again with to_dense()")
saved("torch_sparse_rows.pt", lambda: {"w": torch.eye(3).to_sparse_csr()}, "sparse tensor: save it again with to_dense()")
saved("torch_sparse_old.pt", lambda: {"w": torch.eye(3).to_sparse()}, "sparse tensor: save it again with to_dense()", **old)
saved("torch_quantized.pt", lambda: {"w": torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.qint8)}, "dequantize()")
saved("torch_nested.pt", lambda: {"w": torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])}, "nested tensor")
saved("torch_meta.pt", lambda: {"w": torch.zeros(2, device="meta")}, "device meta")
saved("torch_lazy.pt", lambda: torch.nn.LazyLinear(3).state_dict(), "lazy module")
saved("torch_numpy.pt", lambda: {"w": np.ones(2)}, "array of NumPy")


def tagged(t):
    t.tag = "x"
    return t


def views():
    base = torch.arange(24.0)
    return {"base": base, "part": base[5:11], "turned": base.reshape(4, 6).t(), "step": base[1::3], "wide": base[:2].expand(3, 2)}


@case("torch_big.pt")
def _(path):
    """What a big-endian machine writes: the entry byteorder, and elements the other way around."""
    b = io.BytesIO()
    state = {"f": torch.arange(6.0).reshape(2, 3).t(), "c": pair(torch.complex64), "n": torch._neg_view(torch.tensor([1.0, -2.0])),
             "l": torch.tensor([1, -2]), "b": torch.tensor([True, False])}
    torch.save(state, b)
    sizes = {4 * 6: 4, 8 * 3: 4, 4 * 2: 4, 8 * 2: 8, 2: 1}
    order = [4, 4, 4, 8, 1]
    with zipfile.ZipFile(b) as z, zipfile.ZipFile(path, "w") as out:
        for e in z.infolist():
            data = z.read(e)
            if e.filename.endswith("/byteorder"):
                data = b"big"
            if "/data/" in e.filename:
                n = order[int(e.filename.split("/")[-1])]
                data = np.frombuffer(data, "V%d" % n if n == 1 else "<u%d" % n)
                data = data.tobytes() if n == 1 else data.astype(">u%d" % n).tobytes()
            out.writestr(e.filename, data)


@case("torch_big_untyped.pt", "storage has no type")
def _(path):
    b = io.BytesIO()
    torch.save({"w": torch.tensor([1, 2], dtype=torch.uint16)}, b)
    with zipfile.ZipFile(b) as z, zipfile.ZipFile(path, "w") as out:
        for e in z.infolist():
            out.writestr(e.filename, b"big" if e.filename.endswith("/byteorder") else z.read(e))


@case("torch_version.pt", 'version "11"')
def _(path):
    b = io.BytesIO()
    torch.save({"w": torch.ones(1)}, b)
    with zipfile.ZipFile(b) as z, zipfile.ZipFile(path, "w") as out:
        for e in z.infolist():
            out.writestr(e.filename, b"11\n" if e.filename.endswith("/version") else z.read(e))


@case("torch_old_part.pt")
def _(path):
    """Files before PyTorch 0.4 have storages that are parts of others."""
    class P(pickle.Pickler):
        def persistent_id(self, x):
            return x.id if isinstance(x, Part) else None

        def reducer_override(self, x):
            if x is torch.FloatStorage:
                return "FloatStorage"
            return NotImplemented

    class Part:
        def __init__(self, *id):
            self.id = id

    class Tensor:
        def __init__(self, *args):
            self.args = args

        def __reduce__(self):
            return torch._utils._rebuild_tensor, self.args

    root = ("storage", torch.FloatStorage, "111", "cpu", 8)
    with open(path, "wb") as f:
        for x in (0x1950a86a20f9469cfc6c, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}):
            pickle.dump(x, f, protocol=2)
        P(f, protocol=2).dump({"w": Tensor(Part(*root, None), 1, (2, 3), (3, 1)), "p": Tensor(Part(*root, ("222", 2, 5)), 1, (2, 2), (1, 2))})
        pickle.dump(["111"], f, protocol=2)
        f.write(struct.pack("<q", 8) + np.arange(8, dtype="<f4").tobytes())


@case("torch_tar.pt", "tar archive")
def _(path):
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as t:
        for name in ("sys_info", "pickle", "storages", "tensors"):
            data = pickle.dumps(0, protocol=2)
            e = tarfile.TarInfo(name)
            e.size = len(data)
            t.addfile(e, io.BytesIO(data))


# --- numpy


@case("numpy_big.npz")
def _(path):
    np.savez(path, **big())


@case("numpy_big_deflated.npz")
def _(path):
    np.savez_compressed(path, **big())


@case("numpy_big.npy")
def _(path):
    np.save(path, np.arange(6, dtype=">f4").reshape(2, 3))


@case("numpy_big_columns.npy")
def _(path):
    np.save(path, np.asfortranarray(np.arange(24, dtype=">i2").reshape(2, 3, 4)))


@case("numpy_texts.npz", 'type "<U2"')
def _(path):
    np.savez(path, x=np.array(["ab", "c"]))


@case("numpy_records.npz", "records")
def _(path):
    np.savez(path, x=np.zeros(2, [("a", "f4"), ("b", "i4")]))


@case("numpy_times.npz", 'type "<M8[D]"')
def _(path):
    np.savez(path, x=np.array(["2020-01-01"], "M8[D]"))


@case("numpy_long.npz", 'type "<f16"')
def _(path):
    np.savez(path, x=np.zeros(2, np.longdouble))


def big():
    return {k: (rs.randn(3, 4) * 100).astype(">" + k) for k in ("f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "c8", "c16", "b1", "i1")} | {
        "column": np.asfortranarray(rs.randn(3, 5).astype(">f8")), "scalar": np.array(2.5, ">f4"), "none": np.zeros((0, 2), ">i4")}


# --- HDF5


def hdf5(name, refused=None, **how):
    def add(f):
        def write(path):
            with h5py.File(path, "w", **how) as x:
                f(x)
        CASES.append((name, write, refused))
        return f
    return add


KINDS = ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16")


def everything(f):
    a = rs.rand(7, 5, 4).astype("f4")
    f["plain"] = a
    f["scalar"] = np.int64(7)
    f["none"] = np.zeros((0, 3), "f4")
    f["empty"] = h5py.Empty("f4")
    f["named"] = np.dtype("f4")
    f.create_dataset("of_named", data=a[0], dtype=f["named"])
    f.attrs["text"] = "x"
    f["plain"].attrs["about"] = np.arange(5)
    for kind in KINDS:
        f.create_dataset("kinds/" + kind.replace("?", "bool"), data=(rs.rand(6) * 3).astype(kind))
    compact(f, "compact", a[0], "f4")
    for name, how in CHUNKS.items():
        f.create_dataset("chunks/" + name, data=a, **how)


CHUNKS = {
    "fixed": {"chunks": (2, 3, 4)}, "limit": {"chunks": (2, 3, 4), "maxshape": (20, 7, 4)}, "growing": {"chunks": (2, 3, 4), "maxshape": (None, 5, 4)},
    "growing_last": {"chunks": (2, 3, 1), "maxshape": (9, 8, None)}, "growing_twice": {"chunks": (2, 3, 4), "maxshape": (None, None, 4)},
    "single": {"chunks": (7, 5, 4)}, "single_large": {"chunks": (8, 8, 8), "maxshape": (8, 8, 8)},
    "gzip": {"chunks": (2, 3, 4), "compression": "gzip"}, "gzip_growing": {"chunks": (2, 3, 4), "maxshape": (None, 5, 4), "compression": "gzip"},
    "gzip_twice": {"chunks": (2, 3, 4), "maxshape": (None, None, 4), "compression": "gzip", "shuffle": True},
    "gzip_single": {"chunks": (7, 5, 4), "compression": "gzip"}, "sum": {"chunks": (3, 3, 3), "fletcher32": True}, "lzf": {"chunks": (7, 5, 4), "compression": "lzf"},
    "all": {"chunks": (3, 5, 1), "compression": "gzip", "shuffle": True, "fletcher32": True, "maxshape": (7, None, 4)},
}


def compact(f, name, a, dtype):
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    p.set_layout(h5py.h5d.COMPACT)
    d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(np.dtype(dtype)), h5py.h5s.create_simple(a.shape), p)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(a))


for version in ("earliest", "v108", "v110", "v112", "v114", "latest"):
    hdf5("hdf5_%s.h5" % version, libver=version)(everything)


def fills(f):
    for name, how in {"run": {}, "fixed": {"chunks": (2, 2)}, "growing": {"chunks": (2, 2), "maxshape": (None, 5)}, "twice": {"chunks": (2, 2), "maxshape": (None, None)},
                      "single": {"chunks": (5, 5)}, "limit": {"chunks": (2, 2), "maxshape": (9, 9)}, "gzip": {"chunks": (2, 2), "compression": "gzip"}}.items():
        f.create_dataset("never/" + name, (5, 5), "f4", fillvalue=7, **how)
        if "chunks" in how:
            d = f.create_dataset("partly/" + name, (5, 5), "f4", fillvalue=-2.5, **how)
            d[3, 1:4] = 1
    f.create_dataset("big", (3,), ">i2", fillvalue=300)
    f.create_dataset("big_chunks", (3,), ">f4", fillvalue=1.5, chunks=(2,))
    f.create_dataset("zero", (3,), "f4")
    f.create_dataset("bool", (3,), "?", fillvalue=True)
    f.create_dataset("complex", (2,), "c8", fillvalue=1 + 2j, chunks=(1,))
    d = f.create_dataset("grown", (2, 2), "i4", fillvalue=9, chunks=(2, 2), maxshape=(None, None))
    d[...] = 1
    d.resize((5, 3))
    d = f.create_dataset("shrunk", (5, 3), "i4", fillvalue=9, chunks=(2, 2), maxshape=(None, 3))
    d[...] = 1
    d.resize((2, 3))
    d.resize((4, 3))


for version in ("earliest", "v108", "latest"):
    hdf5("hdf5_fill_%s.h5" % version, libver=version)(fills)


def created(f, name, shape, dtype, **how):
    """A dataset with properties that h5py's own functions do not set."""
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if "chunks" in how:
        p.set_chunk(how["chunks"])
    if "fill" in how:
        p.set_fill_value(np.array(how["fill"], dtype))
    if "alloc" in how:
        p.set_alloc_time(how["alloc"])
    if "time" in how:
        p.set_fill_time(how["time"])
    if "external" in how:
        p.set_external(*how["external"])
    if "options" in how:
        p.set_chunk_opts(how["options"])
    if "gzip" in how:
        p.set_deflate(4)
    t = h5py.h5t.py_create(np.dtype(dtype)) if not isinstance(dtype, h5py.h5t.TypeID) else dtype
    return h5py.Dataset(h5py.h5d.create(f.id, name.encode(), t, h5py.h5s.create_simple(shape, how.get("most")), p))


@hdf5("hdf5_early.h5", libver="latest")
def _(f):
    """Chunks that follow each other, as of early allocation."""
    early = h5py.h5d.ALLOC_TIME_EARLY
    d = created(f, "implicit", (5, 7), "f4", chunks=(2, 3), alloc=early, fill=3)
    d[1:4, 2:6] = np.arange(12).reshape(3, 4)
    d = created(f, "limit", (5, 7), "f4", chunks=(2, 3), alloc=early, fill=3, most=(9, 20))
    d[1:4, 2:6] = np.arange(12).reshape(3, 4)
    created(f, "run", (5,), "f4", alloc=early, fill=3)
    created(f, "late", (5,), "f4", alloc=h5py.h5d.ALLOC_TIME_LATE, fill=3)
    created(f, "unwritten", (5, 2), "f4", chunks=(2, 2), alloc=h5py.h5d.ALLOC_TIME_LATE, fill=3)


if hasattr(h5py.h5p.PropDCID, "set_chunk_opts"):
    @hdf5("hdf5_plain_edges.h5", libver="latest")
    def _(f):
        created(f, "w", (5, 7), "f4", chunks=(2, 3), options=2, gzip=True)[...] = np.arange(35).reshape(5, 7)


@hdf5("hdf5_no_fill.h5", "no fill value", libver="latest")
def _(f):
    created(f, "w", (5,), "f4", chunks=(2,), time=h5py.h5d.FILL_TIME_NEVER)[:2] = 1


@hdf5("hdf5_never_filled.h5")
def _(f):
    created(f, "w", (4,), "f4", chunks=(2,), time=h5py.h5d.FILL_TIME_NEVER, fill=5)[...] = 1


@hdf5("hdf5_long_index.h5", libver="latest")
def _(f):
    """Indexes in pages and in further blocks; few chunks of many are there."""
    d = f.create_dataset("fixed", (3000,), "u1", chunks=(1,), fillvalue=9)
    for i in (0, 1, 1023, 1024, 2900, 2999):
        d[i] = 1 + i % 7
    d = f.create_dataset("growing", (140000,), "u1", chunks=(1,), maxshape=(None,), fillvalue=9)
    for i in (0, 3, 4, 19, 20, 100, 243, 244, 500, 10000, 65000, 131059, 131060, 131061, 133000, 139999):
        d[i] = 1 + i % 7
    d = f.create_dataset("growing_last", (3, 300), "u1", chunks=(2, 1), maxshape=(4, None), fillvalue=9)
    for i in range(0, 300, 7):
        d[:, i] = 1 + i % 7
    d = f.create_dataset("twice", (20, 20), "u1", chunks=(1, 1), maxshape=(None, None), fillvalue=9)
    d[...] = np.arange(400).reshape(20, 20) % 200


@hdf5("hdf5_many_links.h5", libver="latest")
def _(f):
    f["first"] = np.float32(3)
    for i in range(600):
        f["links/a link of some length %d" % i] = f["first"]
    for i in range(20):
        f["attributes/%d" % i] = np.float32(i)
        for k in range(20):
            f["attributes/%d" % i].attrs["attribute %d" % k] = k


@hdf5("hdf5_order.h5", libver="latest", track_order=True)
def _(f):
    for name in ("z", "a", "ü"):
        f[name] = np.float32(len(name))
    for i in range(30):
        f["g/%d" % (30 - i)] = np.float32(i)


@hdf5("hdf5_many_old.h5")
def _(f):
    for i in range(100):
        f["g/%03d" % i] = np.float32(i)
    for i in range(100):
        f.attrs["a%d" % i] = i


@hdf5("hdf5_big_earliest.h5", libver="earliest")
@hdf5("hdf5_big_latest.h5", libver="latest")
def _(f):
    for k in ("f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "c8", "c16"):
        f[k] = (rs.rand(2, 3) * 100).astype(">" + k)
    f.create_dataset("chunks", data=rs.rand(5, 3).astype(">f8"), chunks=(2, 2), compression="gzip", shuffle=True)
    compact(f, "compact", rs.rand(3).astype(">f4"), ">f4")


@hdf5("hdf5_user_block.h5", userblock_size=1024)
def _(f):
    f["w"] = np.arange(3, dtype="f4")


@hdf5("hdf5_user_block_latest.h5", userblock_size=512, libver="latest")
def _(f):
    f["w"] = np.arange(3, dtype="f4")


@hdf5("hdf5_external.h5", "external storage")
def _(f):
    with open(os.path.join(os.path.dirname(f.filename), "w.raw"), "wb") as raw:
        raw.write(np.arange(3, dtype="f4").tobytes())
    created(f, "w", (3,), "f4", external=(b"w.raw", 0, 12))


@hdf5("hdf5_virtual.h5", "virtual dataset", libver="latest")
def _(f):
    f["a"] = np.arange(3, dtype="f4")
    layout = h5py.VirtualLayout((3,), "f4")
    layout[:] = h5py.VirtualSource(f["a"])
    f.create_virtual_dataset("w", layout)


for version in ("earliest", "latest"):
    @hdf5("hdf5_soft_link_%s.h5" % version, "leads to a path", libver=version)
    def _(f):
        f["a"] = np.arange(3, dtype="f4")
        f["b"] = h5py.SoftLink("/a")

    @hdf5("hdf5_texts_%s.h5" % version, "array of", libver=version)
    def _(f):
        f["a"] = ["x", "y"]


@hdf5("hdf5_link_outside.h5", "leads to another file")
def _(f):
    f["b"] = h5py.ExternalLink("other.h5", "/a")


@hdf5("hdf5_scale_offset.h5", "scale-offset")
def _(f):
    f.create_dataset("w", data=np.arange(9), chunks=(3,), scaleoffset=0)


@hdf5("hdf5_fixed_texts.h5", "array of texts")
def _(f):
    f["w"] = np.array([b"ab", b"c"])


@hdf5("hdf5_records.h5", "compounds")
def _(f):
    f["w"] = np.zeros(2, [("a", "f4"), ("b", "i4")])


@hdf5("hdf5_enumeration.h5", "enumerations")
def _(f):
    f.create_dataset("w", (3,), h5py.enum_dtype({"A": 0, "B": 1}, "i1"))


@hdf5("hdf5_references.h5", "references")
def _(f):
    f.create_dataset("w", (1,), h5py.ref_dtype)


@hdf5("hdf5_arrays.h5", "arrays")
def _(f):
    f.create_dataset("w", (2,), np.dtype(("f4", (3,))))


@hdf5("hdf5_opaque.h5", "opaque")
def _(f):
    f["w"] = np.zeros(2, "V4")


@hdf5("hdf5_few_bits.h5", "integers of 4 bytes")
def _(f):
    t = h5py.h5t.NATIVE_INT32.copy()
    t.set_precision(20)
    created(f, "w", (3,), t)


@hdf5("hdf5_other_float.h5", "floating-point numbers of 4 bytes")
def _(f):
    t = h5py.h5t.IEEE_F32LE.copy()
    t.set_ebias(120)
    created(f, "w", (3,), t)


# --- reading


def raw(a):
    if isinstance(a, torch.Tensor):
        a = a.detach().resolve_conj().resolve_neg().contiguous()
        if a.dtype == torch.bfloat16:
            return "bf16", list(a.shape), a.view(torch.int16).numpy().tobytes().hex()
        a = a.numpy()
    a = np.asarray(a)
    return NAMES[a.dtype.name], list(a.shape), a.astype(a.dtype.newbyteorder("<"), order="C").tobytes().hex()


def read(path):
    """The tensors of a file, by the library that it is for."""
    out = {}
    base, ext = os.path.splitext(os.path.basename(path))
    if ext == ".pt":
        d = torch.load(path, weights_only=False)
        out = d.get("state_dict", d)
    elif ext == ".npz":
        with np.load(path) as z:
            out = {k: z[k] for k in z.files}
    elif ext == ".npy":
        out = {base: np.load(path)}
    else:
        def visit(name, x):
            if isinstance(x, h5py.Dataset) and x.shape is not None:
                out[name] = x[()]
        with h5py.File(path, "r") as f:
            walk(f, "", visit)
    return [[k, *raw(v)] for k, v in out.items()]


def walk(group, prefix, visit):
    """Every member, also further names of one object."""
    for name in sorted(group, key=lambda s: s.encode()):
        x = group[name]
        visit(prefix + name, x)
        if isinstance(x, h5py.Group):
            walk(x, prefix + name + "/", visit)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    expect = {}
    for name, write, refused in CASES:
        path = os.path.join(folder, name)
        write(path)
        expect[name] = refused or read(path)
    with open(os.path.join(folder, "expect.json"), "w") as f:
        json.dump(expect, f, indent=0)
    print(len(CASES), "files,", sum(isinstance(x, str) for x in expect.values()), "refused")
    if len(sys.argv) == 1:
        with zipfile.ZipFile(os.path.join(here, "formats.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
            for name in sorted(expect) + ["expect.json"]:
                z.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), open(os.path.join(folder, name), "rb").read(), zipfile.ZIP_DEFLATED, 9)


main()
