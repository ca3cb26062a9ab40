"""Records what the functions of a file give with the real packages, in FILE.json:

  python record.py cases      opencv-python-headless 5.0, accelerate 1.x, scikit-learn 1.x, PyTorch 2.15
  python record.py models     torchvision 0.14, PyTorch 1.13; so boxes
  python record.py audio      torchaudio 0.13, PyTorch 1.13
  python record.py configs    omegaconf 2.3, hydra-core 1.3
  python record.py data       torchmetrics 1.9, peft 0.21, datasets 5.2, pandas 3.1, PyTorch 2.15
  python record.py spaces     gymnasium 1.4, numpy 2
  python record.py pipelines  albumentations 2.0, scikit-learn 1.9, librosa 0.11, tyro 1.0, PyTorch 2.15
  python record.py vision     timm 1.0, PyTorch 2.15
  python record.py axes       torch_einops_utils 0.2, einops 0.8, PyTorch 2.15
  python record.py signals    asteroid_filterbanks 0.4, julius 0.2, einx 0.4, PyTorch 2.15
  python record.py transforms torchvision 0.29, PyTorch 2.15; so detection, video, features

in this folder; it writes picture.png or sound.wav for the time of the run. Texts of more than 300 characters are kept as their SHA-256.
"""
import hashlib
import importlib
import json
import os
import re
import sys
import wave

name = sys.argv[1]
if name == 'cases':
    import cv2
    import numpy as np
    cv2.imwrite('picture.png', np.zeros((10, 20, 3), np.uint8))
if name == 'audio':
    with wave.open('sound.wav', 'wb') as f:
        f.setparams((2, 2, 8000, 0, 'NONE', ''))
        f.writeframes(bytes(400))
cases = importlib.import_module(name)
out = {}
for n in re.findall(r'^def (\w+)\(\):', open(name + '.py').read(), re.M):
    text = str(getattr(cases, n)())
    out[n] = text if len(text) <= 300 else 'sha256 ' + hashlib.sha256(text.encode()).hexdigest()
for file in ('picture.png', 'sound.wav'):
    if os.path.exists(file):
        os.remove(file)
with open(name + '.json', 'w') as f:
    json.dump(out, f, indent=1)
    f.write('\n')
