"""One side of vmbench: runs a model with OpenVINO, by the protocol that is in main.go."""
import json, os, sys, time
import numpy as np
import openvino as ov

path, threads, out, seed_files = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
clock = time.process_time if threads == 1 else time.perf_counter
feed = {i: np.load(f) for i, f in enumerate(seed_files)}
start = clock()
options = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": os.environ["VMBENCH_PRECISION"]}
try:
    c = ov.Core().compile_model(path, "CPU", options)
except RuntimeError as e:  # such as an operator of a domain that it does not know
    sys.exit("OpenVINO does not read %s: %s" % (path, str(e).strip().splitlines()[-1][:200]))
r = c.create_infer_request()
load = clock() - start


def resident():
    """The largest resident memory in MB."""
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) >> 10 for line in f if line.startswith("VmHWM"))


y = r.infer(feed)
first = clock() - start
np.save(out, y[c.outputs[0]])
print(json.dumps({"load": load, "first": first}), flush=True)
for line in sys.stdin:
    times = []
    for _ in range(int(line)):
        t = clock()
        r.infer(feed)
        times.append((clock() - t) * 1e3)
    print(json.dumps({"ms": times, "mb": resident()}), flush=True)
