package infer

// This file says which Python runs the program: the version that the caller names. What
// that version cannot parse is noted.

import (
	"fmt"
	"maps"
	"slices"

	"shapecheck/infer/lib"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// reportNewer notes the syntax of a file of the project that the named Python does not
// have: the first place of each kind, as one version mends them all.
func (im *imports) reportNewer(u *unit) {
	if im.cfg.PythonVersion == "" || len(u.tree.Features) == 0 || u.file.Prelude || len(u.diags) > 0 || !im.finder.isProjectFile(u.file) {
		return
	}
	version := lib.PythonVersion(im.cfg.PythonVersion)
	first := map[ast.Syntax]source.Span{}
	for _, x := range u.tree.Features {
		if int64(x.Syntax.Minor()) <= version[1] {
			continue
		}
		if at, ok := first[x.Syntax]; !ok || x.At.Start < at.Start {
			first[x.Syntax] = x.At
		}
	}
	for _, syntax := range slices.Sorted(maps.Keys(first)) {
		im.host.Report(diag.New(diag.NewerSyntax, first[syntax],
			fmt.Sprintf("this needs Python 3.%d: %s; the program runs on %s", syntax.Minor(), syntax, im.cfg.PythonVersion),
			syntax.Minor(), syntax.String(), im.cfg.PythonVersion))
	}
}
