package trace

// This file makes edits of what findings of scripts suggest: declarations of Dims as torch.export asks for, tf.print for print.

import (
	"regexp"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
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
		case len(at) != 1 || sharedDim(r, file, at[0], name, d.At):
			return
		}
		text := texts[name]
		if inner := "_" + name; texts[inner] != "" {
			dim := texts[inner]
			if strings.Contains(text, " - ") && !strings.Contains(dim, "min=") { // from 0 on, the least size would be negative
				dim = strings.Replace(dim, `")`, `", min=2)`, 1)
			}
			text = strings.Replace(text, inner, spelled(file, at[0], dim), 1)
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

// sharedDim reports whether a Dim that is declared apart from the exports is one of another export that succeeds.
func sharedDim(r *infer.Result, file *source.File, dim source.Span, name string, export source.Span) bool {
	if dim.Start >= export.Start && dim.End <= export.End {
		return false
	}
	if m := assigned.FindStringSubmatch(file.Text()[:file.Offset(dim.Start)]); m != nil {
		name = m[1]
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(r.Retraces, func(c *infer.RetraceCall) bool {
		exported := len(c.Exports) > 0 && c.Exports[0] != nil && c.Exports[0].Error == nil
		return c.At != export && exported && file.Contains(c.At.Start) && word.MatchString(file.Slice(c.At))
	})
}

// assigned finds the variable to which what follows is assigned.
var assigned = regexp.MustCompile(`(\w+)\s*=\s*$`)

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
	importsTensorFlow = lazyregexp.New(`(?m)^import tensorflow as (\w+)`)
	plainPrint        = lazyregexp.New(`^print\((?:"[^"%{]*"|'[^'%{]*'|[\w.]+|, )*\)$`)
	printsShape       = lazyregexp.New(`\.shape\b`) // which tf.print refuses where a size is open
)

// addPrintFix adds to a finding of a print while tracing the edit that prints at each call, where TensorFlow traces.
func addPrintFix(r *infer.Result, d *diag.Diagnostic) {
	if d.Code != diag.PrintedOnce || len(d.Fixes) > 0 || !strings.Contains(strings.Join(d.Notes, " "), printers["tf"]) {
		return
	}
	file := r.Files.Position(d.At.Start).File
	m := importsTensorFlow.FindStringSubmatch(file.Text())
	if text := file.Slice(d.At); m == nil || !plainPrint.MatchString(text) || printsShape.MatchString(text) || madeOnce(r, d.At) {
		return
	}
	at := source.Span{Start: d.At.Start, End: d.At.Start + source.Pos(len("print"))}
	d.Fixes = append(d.Fixes, diag.Fix{Title: "print at each call", Edits: []diag.Edit{{At: at, NewText: m[1] + ".print"}}})
}

// madeOnce reports whether a print may be in the first trace alone of a call that makes variables, as in a layer's build: that graph is dropped.
func madeOnce(r *infer.Result, at source.Span) bool {
	made, again := false, false
	for _, c := range r.Retraces {
		if slices.Contains(c.Prints, at) {
			made, again = made || c.MadeVariables, again || !c.MadeVariables
		}
	}
	return made && !again
}

// exceptionAdvice is what helps against the exceptions of JAX and TensorFlow where a tensor without a value is used as one.
var exceptionAdvice = map[string]string{
	"TracerBoolConversionError":      "jax.lax.cond keeps both ways, jnp.where chooses elements; an argument that is a number of Python can be static (static_argnames)",
	"TracerIntegerConversionError":   "jax.lax.fori_loop and scan repeat in the graph; an argument that is a number of Python can be static (static_argnames)",
	"OperatorNotAllowedInGraphError": "tf.cond and tf.where keep both ways, tf.debugging.Assert checks at each call",
}

// conditional finds the lines of statements that ask for a truth value.
var conditional = lazyregexp.New(`^\s*(?:if|elif|while|assert)\b`)

// advise adds to a finding what helps where no edit does by itself.
func advise(r *infer.Result, d *diag.Diagnostic) {
	at := r.Files.Position(d.At.Start)
	if !d.At.IsValid() || at.File == nil {
		return
	}
	advice := ""
	asks := conditional.MatchString(at.File.Line(at.Line))
	switch d.Code {
	case diag.TraceFails:
		for _, c := range r.Retraces {
			if c.Error != nil && c.Error.Diag == d {
				advice = exceptionAdvice[c.Error.Value.Class.Name]
			}
		}
	case diag.GraphBreak:
		switch {
		case asks:
			advice = "torch.cond keeps both ways in one graph, torch.where chooses elements"
		case strings.HasSuffix(at.File.Slice(d.At), ".item()"):
			advice = "torch._dynamo.config.capture_scalar_outputs = True keeps the number in the graph"
		}
	case diag.DataBranch:
		advice = "torch.where keeps both ways for elements; torch.export keeps them by torch.cond"
	case diag.KeptState:
		advice = "what changes belongs in a buffer (register_buffer), or is an argument"
	}
	if advice != "" {
		d.Notes = append(d.Notes, advice)
	}
}
