package catalog

// This file knows what the function objects of the libraries are like: which are functions of Python, and what inspect says of them.

import (
	_ "embed"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/packedtext"
)

// functionsText is written by functions.py from PyTorch 2.15, NumPy 2.5, einops 0.8 and Chainer 7.8.1.
//
//go:generate go run ../../../tools/packstubs functions.txt
//go:embed functions.txt.gz
var functionsText []byte

// functionLines has the line of each name.
var functionLines = sync.OnceValue(func() map[string]string {
	text := packedtext.Read(functionsText)
	m := make(map[string]string, strings.Count(text, "\n"))
	for l := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		m[name] = rest
	}
	return m
})

// funcKinds are the kinds by their words in functionsText.
var funcKinds = map[string]value.FuncKind{"native": value.OfC, "dispatcher": value.Dispatcher, "function": value.OfPython}

// unrecorded is a function of C without a signature.
var unrecorded = &value.FuncObject{}

// ObjectOf is what programs can see of the function of a name.
func ObjectOf(name string) *value.FuncObject {
	l, ok := functionLines()[name]
	if !ok {
		return unrecorded
	}
	c := strings.Split(l, "\t")
	owner, last := cutLast(name)
	if LibraryOf(name).IsMethod(name) {
		module, class := cutLast(owner)
		owner, last = module, class+"."+last
	}
	for i, own := range [...]string{1: owner, 2: last, 3: ""} {
		if c[i] == "-" {
			c[i] = own
		}
	}
	if same, ok := strings.CutPrefix(c[3], "@"); ok {
		c[3] = ObjectOf(same).Signature
	}
	return &value.FuncObject{Kind: funcKinds[c[0]], Module: c[1], Qualname: c[2], Signature: c[3]}
}

// cutLast cuts a name at its last dot.
func cutLast(name string) (before, after string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:]
}

// Binds reports whether the function of a name becomes a method of each instance where it is an attribute of a class:
//
//	class Net:
//	    pool = torch.relu    # self.pool(x) is torch.relu(x)
//	    act = F.relu         # self.act(x) is F.relu(self, x)
//
// Methods do, and so do the functions of libraries that are written in Python, and NumPy's dispatchers.
func Binds(name string) bool {
	switch l := LibraryOf(name); l {
	case ops.Torch, numpy.Library:
		return l.IsMethod(name) || ObjectOf(name).Kind != value.OfC
	}
	return true
}
