package catalog

// This file knows which functions become methods where they are attributes of a class.

import (
	_ "embed"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
)

// boundText are the functions of PyTorch 2.15 and NumPy 2.5 with a record whose objects have a method __get__ that binds them to an
// instance: those that are written in Python, and NumPy's dispatchers. The others are functions of C, which an instance gives as they are.
//
//go:embed bound.txt
var boundText string

var bound = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, strings.Count(boundText, "\n"))
	for l := range strings.Lines(boundText) {
		m[strings.TrimSpace(l)] = true
	}
	return m
})

// Binds reports whether the function of a name becomes a method of each instance where it is an attribute of a class:
//
//	class Net:
//	    pool = torch.relu    # self.pool(x) is torch.relu(x)
//	    act = F.relu         # self.act(x) is F.relu(self, x)
//
// Methods do, and so do the functions of libraries that are written in Python.
func Binds(name string) bool {
	switch l := LibraryOf(name); l {
	case ops.Torch, numpy.Library:
		return l.IsMethod(name) || bound()[name]
	}
	return true
}
