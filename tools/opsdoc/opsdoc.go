package main

// This file makes the document from the operator table, the lists of the libraries'
// public names and the lists of what is left out.

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
)

// readAPI reads PyTorch's public names of a file such as infer/ops/torch/api.txt.
func readAPI(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(data)), nil
}

// readLeftOut reads the reasons: lines of a name, a tab and the reason.
func readLeftOut(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, "\t")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: expected a name, a tab and a reason", path, n+1)
		}
		if out[name] != "" {
			return nil, fmt.Errorf("%s:%d: %s is listed twice", path, n+1, name)
		}
		out[name] = reason
	}
	return out, nil
}

// inPrelude asks the interpreter which names the library classes and functions
// written in Python, or natively, provide; modules are those to import.
func inPrelude(modules string, names []string) (map[string]bool, error) {
	var b strings.Builder
	b.WriteString("import _shapecheck, " + modules + "\n" +
		"def known(get):\n    try:\n        return not _shapecheck.is_unknown(get())\n    except (AttributeError, ImportError):\n        return False\n" +
		"def forward():\n    return [")
	for _, n := range names {
		fmt.Fprintf(&b, "known(lambda: %s),\n", n)
	}
	b.WriteString("]\n")
	res, err := infer.Run(infer.Config{File: "names.py", Text: b.String(), Entry: "forward"})
	if err != nil {
		return nil, err
	}
	list, ok := res.Output.(*value.List)
	if !ok || len(list.Elems) != len(names) {
		return nil, fmt.Errorf("the names could not be looked up: %v", res.Output)
	}
	out := map[string]bool{}
	for i, n := range names {
		out[n] = list.Elems[i] == value.Value(value.Bool(true))
	}
	return out, nil
}

// recorded reports whether a name has an operator record.
func recorded(name string) bool {
	if _, ok := catalog.Lookup(name); ok {
		return true
	}
	_, ok := catalog.Lookup(name + ".get")
	return ok
}

// missing lists the public names that are neither known nor left out on purpose.
func missing(api []string, left map[string]string) ([]string, map[string]bool, error) {
	var rest, out []string
	for _, n := range api {
		if !recorded(n) {
			rest = append(rest, n)
		}
	}
	prelude, err := inPrelude("torch, torch.nn, torch.linalg, torch.fft, torch.special", rest)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range rest {
		if !prelude[n] && left[n] == "" {
			out = append(out, n)
		}
	}
	return out, prelude, nil
}

// front writes the public names of a library beside PyTorch: those without a record and those that are not known.
func front(b *strings.Builder, root string, f int) error {
	text, err := os.ReadFile(filepath.Join(root, fronts[f].names))
	if err != nil {
		return err
	}
	reasons, err := readLeftOut(filepath.Join(root, fronts[f].unknown))
	if err != nil {
		return err
	}
	var rest []string
	n := 0
	for line := range strings.Lines(string(text)) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); name != "" && name[0] != '#' {
			if n++; !recorded(name) {
				rest = append(rest, name)
			}
		}
	}
	known, err := inPrelude(fronts[f].modules, rest)
	if err != nil {
		return err
	}
	var python, out []string
	for _, name := range rest {
		reason := ""
		for p := name; reason == "" && p != ""; p = p[:max(0, strings.LastIndexByte(p, '.'))] { // of the name, or of its module
			reason = reasons[p]
		}
		if reason != "" && !known[name] {
			out = append(out, fmt.Sprintf("| `%s` | %s |\n", name, cell(reason)))
		} else { // a name that only another version has is known, too: it has no reason
			python = append(python, "`"+name+"`")
		}
	}
	fmt.Fprintf(b, "\n## %s\n\nOf %d public names %d have a record above, %d are known from the library's Python part:\n\n%s\n\nNot known are %d:\n\n| name | reason |\n|---|---|\n%s",
		fronts[f].title, n, n-len(python)-len(out), len(python), strings.Join(python, " "), len(out), strings.Join(out, ""))
	return nil
}

// document writes docs/ops.md.
func document(root string, api []string, left map[string]string) (string, error) {
	miss, prelude, err := missing(api, left)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var records []*ops.Op
	catalog.All(func(o *ops.Op) { records = append(records, o) })
	sort.SliceStable(records, func(i, j int) bool { return records[i].Names[0] < records[j].Names[0] })
	var classes, out []string
	for _, n := range api {
		switch {
		case recorded(n):
		case prelude[n]:
			classes = append(classes, n)
		default:
			out = append(out, n)
		}
	}
	fmt.Fprintf(&b, "# What is known of the libraries\n\nGenerated by `go run ./tools/opsdoc`; do not edit.\n\n")
	fmt.Fprintf(&b, "%d operator records; %d further public names of PyTorch from the library's Python part; %d left out with a reason; %d not looked at.\n\n",
		len(records), len(classes), len(out)-len(miss), len(miss))
	b.WriteString("## Records\n\nSeveral signatures of one function are separated by `∣`. A form with a trailing underscore, and `out=`, are named under forms.\n\n| function | signatures | forms | what |\n|---|---|---|---|\n")
	for _, o := range records {
		var forms []string
		if o.InPlace {
			forms = append(forms, "in place")
		}
		if o.Out {
			forms = append(forms, "`out=`")
		}
		if n := len(o.Names) - 1; n > 0 {
			forms = append(forms, strings.Join(quoted(o.Names[1:]), " "))
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", o.Names[0], cell(o.Sig), strings.Join(forms, ", "), cell(o.Doc))
	}
	b.WriteString("\n## PyTorch: classes and functions in Python\n\n")
	for _, n := range classes {
		fmt.Fprintf(&b, "- `%s`\n", n)
	}
	b.WriteString("\n## PyTorch: left out\n\nA name without a rule gives an unknown value and one note; the run goes on.\n\n| name | reason |\n|---|---|\n")
	for _, n := range out {
		reason := left[n]
		if reason == "" {
			reason = "not looked at"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", n, cell(reason))
	}
	for f := range fronts {
		if err := front(&b, root, f); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + n + "`"
	}
	return out
}

// cell keeps a text from ending a cell of the table.
func cell(s string) string {
	return strings.NewReplacer("|", "∣", "\n", " ").Replace(s)
}
