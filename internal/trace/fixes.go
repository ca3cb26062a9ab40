package trace

// This file makes edits of what findings of scripts suggest: declarations of Dims as torch.export asks for, tf.print for print.

import (
	"regexp"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// declares begins the note of a finding that has a declaration.
const declares = "declare "

// addDimFixes adds to a finding of an export the edits that declare its Dims as its notes say, where each is made at one place
// of the file.
func addDimFixes(r *infer.Result, d *diag.Diagnostic) {
	if d.Code != diag.RestrictedDim || len(d.Fixes) > 0 || !d.At.IsValid() {
		return
	}
	file := r.Files.Position(d.At.Start).File
	texts, order := map[string]string{}, []string{}
	for _, n := range d.Notes {
		if decl, ok := strings.CutPrefix(n, declares); ok {
			name, text, _ := strings.Cut(strings.TrimSuffix(decl, infer.NotSuggested), " = ")
			if texts[name] == "" {
				order = append(order, name)
			}
			texts[name] = strings.ReplaceAll(strings.ReplaceAll(text, ", max=oo", ""), "'", `"`)
		}
	}
	var edits []diag.Edit
	for _, name := range order {
		at := dimCalls(file, name)
		switch {
		case len(at) == 0 && strings.HasPrefix(name, "_"):
			continue // of which another one is made
		case len(at) != 1:
			return
		}
		text := texts[name]
		if inner := "_" + name; texts[inner] != "" {
			text = strings.Replace(text, inner, spelled(file, at[0], texts[inner]), 1)
		} else if other := dimCalls(file, text); len(other) == 1 {
			text = file.Slice(other[0])
		} else {
			text = spelled(file, at[0], text)
		}
		if strings.ContainsAny(text, "_+") && !strings.Contains(text, "Dim(") {
			return // made of a Dim that has no single place
		}
		edits = append(edits, diag.Edit{At: at[0], NewText: text})
	}
	if len(edits) > 0 {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "declare the Dims as torch.export asks", Edits: edits})
	}
}

// spelled is a call of Dim under the name that the file has for it.
func spelled(file *source.File, at source.Span, text string) string {
	prefix, _, _ := strings.Cut(file.Slice(at), "Dim(")
	return strings.Replace(text, "Dim(", prefix+"Dim(", 1)
}

// dimCalls are the places at which a file makes a Dim of a name.
func dimCalls(file *source.File, name string) []source.Span {
	pattern, err := regexp.Compile(`(?:\w+\.)*\bDim\(\s*["']` + regexp.QuoteMeta(name) + `["'][^()]*\)`)
	if err != nil {
		return nil
	}
	var out []source.Span
	for _, m := range pattern.FindAllStringIndex(file.Text(), -1) {
		out = append(out, source.Span{Start: file.Pos(m[0]), End: file.Pos(m[1])})
	}
	return out
}

// importsTensorFlow finds the name under which a file has TensorFlow; plainPrint is a print of values as they are, not of a text
// that Python makes of them.
var (
	importsTensorFlow = regexp.MustCompile(`(?m)^import tensorflow as (\w+)`)
	plainPrint        = regexp.MustCompile(`^print\((?:"[^"%{]*"|'[^'%{]*'|[\w.]+|, )*\)$`)
)

// addPrintFix adds to a finding of a print while tracing the edit that prints at each call, where TensorFlow traces.
func addPrintFix(r *infer.Result, d *diag.Diagnostic) {
	if d.Code != diag.PrintedOnce || len(d.Fixes) > 0 || !strings.Contains(strings.Join(d.Notes, " "), printers["tf"]) {
		return
	}
	file := r.Files.Position(d.At.Start).File
	m := importsTensorFlow.FindStringSubmatch(file.Text())
	if m == nil || !plainPrint.MatchString(file.Slice(d.At)) {
		return
	}
	at := source.Span{Start: d.At.Start, End: d.At.Start + source.Pos(len("print"))}
	d.Fixes = append(d.Fixes, diag.Fix{Title: "print at each call", Edits: []diag.Edit{{At: at, NewText: m[1] + ".print"}}})
}
