package lib

// This file knows the modules of packages that ours have in one piece: chainer.functions.activation.relu has what
// chainer.functions has.

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed packed/chainer/modules.txt
var splitText string

// splitModules gives for each module the package whose names it has; a package in between has none.
var splitModules = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(splitText) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 3 {
			continue
		}
		for p := cells[1]; p != cells[0]; p = p[:strings.LastIndexByte(p, '.')] { // the first column is a prefix of the second
			of[p] = ""
		}
		for m := range strings.FieldsSeq(cells[2]) {
			of[cells[1]+"."+m] = cells[0]
		}
	}
	return of
})

// splitSource gives the text of such a module. What its package lacks, as the classes behind functions, is unknown.
func splitSource(name string) (text string, isPackage, ok bool) {
	if !strings.HasPrefix(name, "chainer.") {
		return "", false, false
	}
	of, ok := splitModules()[name]
	if of == "" {
		return "", true, ok
	}
	inside := "" // the module's own name, where the package has a file of what such modules define for themselves
	if of == "chainer.functions" {
		inside = name[strings.LastIndexByte(name, '.')+1:]
	}
	return fmt.Sprintf(`import importlib
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module '%[1]s' has no attribute '%%s'" %% name)
    if '%[3]s' and name.startswith('_'):
        inside = importlib.import_module('%[2]s._inside')
        for place in (getattr(inside, '%[3]s', None), inside):
            if hasattr(place, name):
                return getattr(place, name)
    package = importlib.import_module('%[2]s')
    return getattr(package, name) if hasattr(package, name) else _shapecheck.unknown('%[1]s.%%s is not modelled' %% name)
`, name, of, inside), false, true
}
