package lib

// This file knows which functions of the standard library do not become methods where they are attributes of a class.

import (
	_ "embed"
	"strings"
	"sync"

	"shapecheck/infer/value"
)

// compiledText are the functions of the standard library's modules in this package that CPython 3.11 defines in C, or that are methods of
// one object, as random's: inspection of the modules gave their types.
//
//go:embed compiled.txt
var compiledText string

var compiled = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, strings.Count(compiledText, "\n"))
	for l := range strings.Lines(compiledText) {
		m[strings.TrimSpace(l)] = true
	}
	return m
})

// isCompiled reports whether the function of a full name is such a one.
func isCompiled(name string) bool { return compiled()[name] }

// Binds reports whether a function becomes a method of each instance where it is an attribute of a class. A function of the standard
// library that is written in Python here may be one of C in CPython.
func Binds(f *value.Func) bool {
	return f.Class != nil || f.Module == nil || !f.Module.Prelude || !isCompiled(f.Module.Name+"."+f.Name)
}
