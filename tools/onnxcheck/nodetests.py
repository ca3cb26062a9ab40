"""Writes ONNX's node tests, which the wheel of onnx holds as code, in the layout of files:

    python nodetests.py DIR      # DIR/NAME/model.onnx, DIR/NAME/test_data_set_N/{input,output}_I.pb
"""
import pathlib
import sys

import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

MAKERS = {"sequence_type": numpy_helper.from_list, "optional_type": numpy_helper.from_optional, "map_type": numpy_helper.from_dict}


def write(folder, word, values, infos):
    for i, (value, info) in enumerate(zip(values, infos)):
        if not isinstance(value, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto)):
            value = MAKERS.get(info.type.WhichOneof("value"), numpy_helper.from_array)(value, info.name)
        (folder / f"{word}_{i}.pb").write_bytes(value.SerializeToString())


top = pathlib.Path(sys.argv[1])
count = 0
for case in collect_testcases(None):
    folder = top / case.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for n, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{n}"
        data.mkdir(exist_ok=True)
        write(data, "input", inputs, case.model.graph.input)
        write(data, "output", outputs, case.model.graph.output)
    count += 1
print(count, "tests written")
