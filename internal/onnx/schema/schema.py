"""Writes types.txt: the element types that each operator's inputs may have, from the schemas of the installed onnx (1.12 has opset 17; types18.txt has the rest). python3 schema.py > types.txt"""
import onnx
from onnx import TensorProto, defs

CODES = {"tensor(%s)" % n: c for n, c in {
    "float": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "uint16": TensorProto.UINT16, "int16": TensorProto.INT16,
    "int32": TensorProto.INT32, "int64": TensorProto.INT64, "string": TensorProto.STRING, "bool": TensorProto.BOOL, "float16": TensorProto.FLOAT16,
    "double": TensorProto.DOUBLE, "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64, "complex64": TensorProto.COMPLEX64,
    "complex128": TensorProto.COMPLEX128, "bfloat16": TensorProto.BFLOAT16}.items()}
lines = []
for s in defs.get_all_schemas_with_history():
    if s.domain or not s.inputs:
        continue
    fields = []
    for f in s.inputs:
        codes = sorted(CODES[t] for t in f.types if t in CODES)
        # An input that may be a sequence or the like, and one of any type, is not checked.
        free = len(codes) < len(f.types) or len(codes) >= 16
        fields.append("*" if free else ",".join(map(str, codes)))
    if s.inputs[-1].option == defs.OpSchema.FormalParameterOption.Variadic:
        fields[-1] += "+"
    # Also a version that takes anything is listed: it ends what held of an older one.
    lines.append("%s %d %s" % (s.name, s.since_version, " ".join(fields)))
print("# Written by schema.py from onnx %s: operator, first opset, and of each input the numbers of the element types (+: of all further ones, too)." % onnx.__version__)
print("\n".join(sorted(lines, key=lambda l: (l.split()[0], int(l.split()[1])))))
