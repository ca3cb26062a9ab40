"""Records truth.json: what the functions of cases.py give with the real packages (opencv-python-headless 5.0, accelerate 1.x, scikit-learn 1.x, PyTorch 2.15).

  python record.py        in this folder; it writes picture.png for the time of the run
"""
import json
import os
import re
import cv2
import numpy as np

cv2.imwrite('picture.png', np.zeros((10, 20, 3), np.uint8))
import cases
out = {n: str(getattr(cases, n)()) for n in re.findall(r'^def (\w+)\(\):', open('cases.py').read(), re.M)}
os.remove('picture.png')
with open('truth.json', 'w') as f:
    json.dump(out, f, indent=1)
    f.write('\n')
