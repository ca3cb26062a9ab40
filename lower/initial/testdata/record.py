# Records the elements of buffers.py's state_dict: python3 record.py
import gzip
import json
import torch
import buffers

state = buffers.Net().state_dict()
out = {k: {'dtype': str(v.dtype)[6:], 'dims': list(v.shape), 'data': [repr(x) for x in v.double().flatten().tolist()]} for k, v in state.items()}
with open('buffers.json.gz', 'wb') as f:
    f.write(gzip.compress(json.dumps(out, indent=0).encode(), 9, mtime=0))
print(len(out), 'tensors with PyTorch', torch.__version__)
