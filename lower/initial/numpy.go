package initial

// This file runs functions of numpy as the functions of torch that do the same.

import (
	"strings"

	"shapecheck/infer/graph"
)

// numpyNames are numpy's functions and methods with torch's: of each of torch's
// parameters the name of numpy's that is passed.
var numpyNames = map[string]string{
	"numpy.sin": "torch.sin input=x", "numpy.cos": "torch.cos input=x", "numpy.exp": "torch.exp input=x", "numpy.log": "torch.log input=x",
	"numpy.sqrt": "torch.sqrt input=x", "numpy.tanh": "torch.tanh input=x", "numpy.power": "torch.pow input=x1 exponent=x2",
	"numpy.ndarray.__truediv__": "torch.div input=x1 other=x2", "numpy.ndarray.__mul__": "torch.mul input=x1 other=x2",
	"numpy.ndarray.__add__": "torch.add input=x1 other=x2", "numpy.ndarray.__sub__": "torch.sub input=x1 other=x2",
	"numpy.ndarray.__rtruediv__": "torch.div input=x2 other=x1", "numpy.ndarray.__rmul__": "torch.mul input=x2 other=x1",
	"numpy.ndarray.__radd__": "torch.add input=x2 other=x1", "numpy.ndarray.__rsub__": "torch.sub input=x2 other=x1",
	"numpy.ndarray.__itruediv__": "torch.div input=x1 other=x2", "numpy.ndarray.__imul__": "torch.mul input=x1 other=x2",
	"numpy.ndarray.__iadd__": "torch.add input=x1 other=x2", "numpy.ndarray.__isub__": "torch.sub input=x1 other=x2",
	"numpy.ndarray.__neg__": "torch.neg input=x", "numpy.ndarray.__pow__": "torch.pow self=x1 exponent=x2", "numpy.ndarray.__rpow__": "torch.pow self=x2 exponent=x1",
	"numpy.arange": "torch.arange start=start end=stop step=step", "numpy.ndarray.__getitem__": "torch.Tensor.__getitem__ self=a key=key",
	"numpy.ndarray.__setitem__": "torch.Tensor.__setitem__ self=a key=key value=value",
}

// asTorch gives a node of numpy as one of torch; another as it is.
func asTorch(n *graph.Node) *graph.Node {
	words := strings.Fields(numpyNames[n.Op])
	if len(words) == 0 {
		return n
	}
	m := *n
	m.Op, m.Args = words[0], nil
	for _, w := range words[1:] {
		to, from, _ := strings.Cut(w, "=")
		m.Args = append(m.Args, graph.Arg{Name: to, Value: arg(n, from)})
	}
	return &m
}
