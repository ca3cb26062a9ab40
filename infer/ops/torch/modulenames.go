package torch

// This file knows every name that the files of torch.nn.modules bind: libraries ask
// them which functions of torch.nn.init they imported, to replace those.

import (
	_ "embed"
	"strconv"
	"strings"
)

// moduleNames has a line for each module of each recorded version: the version, the
// module, its names. modulenames.py prints it.
//
//go:embed modulenames.txt
var moduleNames string

// ModuleHas reports whether a module of PyTorch binds a name in a version such as
// "2.15.0". recorded is false where no list of the module's names is kept for the
// version; names that begin with two underscores are in no list.
func ModuleHas(version, module, name string) (has, recorded bool) {
	const kept = "torch.nn.modules."
	major, minor, ok := versionOf(version)
	if !ok || !strings.HasPrefix(module, kept) || strings.HasPrefix(name, "__") {
		return false, false
	}
	line := strconv.Itoa(major) + "." + strconv.Itoa(minor) + " " + module + " "
	for l := range strings.Lines(moduleNames) {
		if names, ok := strings.CutPrefix(l, line); ok {
			return strings.Contains(" "+strings.TrimSpace(names)+" ", " "+name+" "), true
		}
	}
	return false, false
}
