package infer

// This file knows what a notebook has that a program has not.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
)

// notebookNames are the names that IPython gives a notebook.
var notebookNames = []string{"display", "get_ipython", "In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_ih", "_oh", "_dh"}

// setNotebookNames gives the module of a notebook its names, of which nothing is known.
func (in *Interp) setNotebookNames(m *value.Module) {
	for _, name := range notebookNames {
		m.Attrs.Set(&in.heap, name, in.losses.unknown(&value.Cause{At: source.Span{Start: m.File.LineStart(1),
			End: m.File.LineStart(1)}, Reason: "IPython gives the notebook its " + name}))
	}
}
