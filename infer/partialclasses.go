package infer

// This file knows the classes of libraries that the prelude has in part only.

import (
	"strings"

	"shapecheck/infer/value"
)

// sketches begin the names of modules whose classes the prelude has in part only: what they
// lack may exist.
var sketches = [...]string{"logging", "argparse", "inspect", "importlib", "io", "concurrent", "contextvars", "weakref", "traceback",
	"threading",
	"subprocess", "socket", "huggingface_hub", "tqdm", "PIL", "torch.distributed", "torch.utils", "torch.cuda", "torch.fx", "torch.jit",
	"torch.export",
	"torch.profiler", "torch.autograd.profiler", "torch.multiprocessing", "torch.serialization", "torch.backends", "torch.ao", "torch.onnx"}

// sketchOf gives the class of v, or v, where it or one of its bases is such a class and none
// is a module of torch.nn, whose attributes are known, but for torchvision's transforms; else nil.
func sketchOf(v value.Value) *value.Class {
	c, ok := v.(*value.Class)
	if !ok {
		i, ok := v.(*value.Instance)
		if !ok {
			return nil
		}
		c = i.Class
	}
	sketch := false
	for _, k := range c.MRO {
		if !k.Prelude {
			continue
		}
		if strings.HasPrefix(k.Module, "torchvision.transforms") {
			return c
		}
		if strings.HasPrefix(k.Module, "torch.nn.") {
			return nil
		}
		for _, s := range sketches {
			sketch = sketch || k.Module == s || strings.HasPrefix(k.Module, s+".")
		}
	}
	if !sketch {
		return nil
	}
	return c
}
