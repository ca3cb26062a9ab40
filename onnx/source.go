package onnx

// This file finds the source lines that nodes come from.

import "shapecheck/internal/lazyregexp"

// SourceOf finds the source line of a node: `net.py:12`, where shapecheck wrote the
// file, or what PyTorch's exporters write.
func SourceOf(n *Node) string {
	for _, key := range []string{"source", "pkg.torch.onnx.stack_trace"} {
		if s, ok := Meta(n.Metadata, key); ok {
			if at := placeIn(s); at != "" {
				return at
			}
		}
	}
	return placeIn(n.Doc)
}

// placeIn finds the last place of a source file in a text: `file.py:12`,
// `file.py(12)` or `File "file.py", line 12`.
func placeIn(s string) string {
	const longest = 1 << 16
	if len(s) > longest {
		s = s[len(s)-longest:]
	}
	if m := placePattern.FindAllStringSubmatch(s, -1); len(m) > 0 {
		last := m[len(m)-1]
		return last[1] + ":" + last[2]
	}
	return ""
}

// placePattern matches places in source files; see placeIn.
var placePattern = lazyregexp.New(`(?:File ")?([\w./\\<>~ +-]*[\w>]\.(?:py|ipynb:cell \d+))(?:", line |:|\()(\d+)`)
