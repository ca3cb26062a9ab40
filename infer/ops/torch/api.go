package torch

// This file knows the names of PyTorch's public API, with or without a record:
// a name in it that has no record gives Unknown, any other is a misspelling.

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"shapecheck/internal/packedtext"
)

//go:generate go run ../../../tools/packstubs api.txt more.txt
//go:embed api.txt.gz
var apiText []byte

// moreText are the public names and modules of PyTorch 1.13 and 2.15 beside those of
// apiText, for which no coverage is claimed (docs/operators.md).
//
//go:embed more.txt.gz
var moreText []byte

var api = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, packed := range [...][]byte{apiText, moreText} {
		text := packedtext.Read(packed)
		for l := range strings.Lines(text) {
			m[strings.TrimSpace(l)] = true
		}
	}
	return m
})

// KnownAPI reports whether PyTorch has a public function, class or module of that full name.
func KnownAPI(name string) bool { return api()[name] }

// privateText are the private attributes of tensors: those that PyTorch 1.13 and
// 2.15 list (dir), and those that their Python code writes to tensors.
//
//go:embed private.txt
var privateText string

var private = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, strings.Count(privateText, "\n"))
	for l := range strings.Lines(privateText) {
		m[strings.TrimSpace(l)] = true
	}
	return m
})

// KnownTensorAttr reports whether tensors have the method or property, or may have
// the private attribute by what PyTorch itself does with them.
func KnownTensorAttr(name string) bool { return api()["torch.Tensor."+name] || private()[name] }

// NamesIn lists the public names of a namespace of PyTorch, for suggestions.
func NamesIn(module string) []string { return slices.Clone(namespaces()[module]) }

// namespaces are the names in api, sorted, by what is before their last dot.
var namespaces = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for name := range api() {
		i := max(strings.LastIndexByte(name, '.'), 0)
		m[name[:i]] = append(m[name[:i]], strings.TrimPrefix(name[i:], "."))
	}
	for _, names := range m {
		slices.Sort(names)
	}
	return m
})
