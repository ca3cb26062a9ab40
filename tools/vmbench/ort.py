"""One side of vmbench: runs a model with ONNX Runtime, by the protocol that is in main.go."""
import json, sys, time
import numpy as np
import onnxruntime as rt

path, threads, out, seed_files = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
clock = time.process_time if threads == 1 else time.perf_counter
inputs = [np.load(f) for f in seed_files]
start = clock()
o = rt.SessionOptions()
o.intra_op_num_threads, o.inter_op_num_threads = threads, 1
o.log_severity_level = 3
s = rt.InferenceSession(path, o, providers=["CPUExecutionProvider"])
load = clock() - start
feed = {i.name: x for i, x in zip(s.get_inputs(), inputs)}


def resident():
    """The largest resident memory in MB. What getrusage says has the memory of the process that started this one in it."""
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) >> 10 for line in f if line.startswith("VmHWM"))


y = s.run(None, feed)
first = clock() - start
np.save(out, y[0])
print(json.dumps({"load": load, "first": first}), flush=True)
for line in sys.stdin:
    times = []
    for _ in range(int(line)):
        t = clock()
        s.run(None, feed)
        times.append((clock() - t) * 1e3)
    print(json.dumps({"ms": times, "mb": resident()}), flush=True)
