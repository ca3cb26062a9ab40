package torch

// This file knows the names of PyTorch's public API, with or without a record:
// a name in it that has no record gives Unknown, any other is a misspelling.

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
)

//go:embed api.txt
var apiText string

var api = sync.OnceValue(func() map[string]bool {
	lines := strings.Split(strings.TrimSpace(apiText), "\n")
	m := make(map[string]bool, len(lines))
	for _, l := range lines {
		m[l] = true
	}
	return m
})

// KnownAPI reports whether PyTorch has a public function or class of that full name.
func KnownAPI(name string) bool { return api()[name] }

// KnownTensorAttr reports whether tensors have the method or property. Private
// names are taken to exist: no list of them is kept.
func KnownTensorAttr(name string) bool {
	return api()["torch.Tensor."+name] || strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__")
}

// NamesIn lists the public names of a namespace of PyTorch, for suggestions.
func NamesIn(module string) []string {
	var out []string
	for name := range api() {
		if rest, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(rest, ".") {
			out = append(out, rest)
		}
	}
	sort.Strings(out)
	return out
}
