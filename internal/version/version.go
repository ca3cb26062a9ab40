// Package version says which version of the program this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Next is the version that the sources lead to; what is built between two tags has it.
const Next = "0.1.0"

// Distribution is the name of the Python package: of its wheels, in import statements, of its
// folder below python, and of the script with which it starts the program. It is another than the
// program's, because shapecheck is another author's package on PyPI. tools/rename changes it.
const Distribution = "shapeproof"

// stamped is set by the linker: -X PATH/internal/version.stamped=1.2.3.
var stamped string

// String is the version: the one that the linker was given, else the tag of the commit that
// was built, else Next.
func String() string { return text() }

var text = sync.OnceValue(func() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v, ok := Tag(info); ok {
			return v
		}
	}
	return Next
})

// Tag is the version that the go command stamped from a tag of the repository, without its
// v. A build of a commit without tag, of a changed tree, or without a repository has none.
func Tag(info *debug.BuildInfo) (string, bool) {
	v := info.Main.Version
	if !semver.IsValid(v) || semver.Build(v) != "" || module.IsPseudoVersion(v) {
		return "", false
	}
	return strings.TrimPrefix(v, "v"), true
}

// Long is the version with the commit and the version of Go: "0.2.0 (a9b4108, go1.26)".
func Long() string {
	var about []string
	if info, ok := debug.ReadBuildInfo(); ok {
		if c := Setting(info, "vcs.revision"); c != "" {
			about = append(about, c[:min(len(c), 7)])
		}
	}
	return fmt.Sprintf("%s (%s)", String(), strings.Join(append(about, runtime.Version()), ", "))
}

// Setting is the value of a setting of a build, such as vcs.time; "" where it has none.
func Setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
