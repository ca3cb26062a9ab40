package trace

// This file proposes changes of a script that let its functions trace less often, export or keep their state, and adds those
// of which a run of the changed script shows that they do.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/report"
	"shapecheck/internal/source"
)

// Bounds of the runs of changed scripts: their number, and their steps in all, which are the same on every machine.
const (
	maxTrials  = 12
	trialSteps = 5_000_000
)

// Propose adds edits to the findings of a script of which d is the report. run gives the result of the script with another text;
// nil: there is none. A proposal is added where the run of the changed script shows that it helps: against an error, if there is no error
// any more; against traces, if there are fewer. No call may lose its result for it.
func Propose(r *infer.Result, d *Script, run func(text string) *infer.Result) {
	if r.File == nil || r.File.Notebook != nil {
		return
	}
	p := &proposer{r: r, d: d, file: r.File, text: r.File.Text()}
	trials, left, added := 0, trialSteps, false
	before := costOf(d)
	for _, x := range r.Diagnostics {
		if len(x.Fixes) > 0 || !x.At.IsValid() || r.Files.Position(x.At.Start).File != p.file {
			continue
		}
		for _, f := range p.proposals(x) {
			changes := fix.Apply(r.Files, []*diag.Fix{&f}, func(*source.File) bool { return true })
			if len(changes) != 1 {
				continue
			}
			if trials++; trials > maxTrials || r.Steps > left {
				break
			}
			after := run(changes[0].Text)
			if left -= r.Steps; after == nil {
				continue
			}
			left -= max(after.Steps-r.Steps, 0)
			a := OfScript(after)
			if sameResults(d, a) && helps(x, before, costOf(a)) {
				x.Fixes = append(x.Fixes, f)
				added = true
				break
			}
		}
	}
	if added {
		d.Document = report.Build(r)
	}
}

// A cost is what a script loses.
type cost struct{ errors, refused, traces int }

// costOf counts errors, exports that fail, and traces.
func costOf(d *Script) cost {
	var c cost
	for _, x := range d.Diagnostics {
		if x.Severity == diag.Error.String() {
			c.errors++
		}
	}
	for i := range d.Calls {
		x := &d.Calls[i]
		if x.Error != nil {
			c.errors++
		}
		if e, ok := x.Result.(*Export); ok && !e.OK {
			c.refused++
		}
		if x.Traces != nil {
			c.traces += *x.Traces
		}
	}
	return c
}

// helps reports whether a change helps against a finding. Of state that a buffer keeps, a run beside the model tells nothing: both change it.
func helps(x *diag.Diagnostic, before, after cost) bool {
	switch {
	case x.Severity == diag.Error:
		return after.errors == 0 && after.refused == 0
	case x.Code == diag.KeptState:
		return after.errors <= before.errors && after.refused <= before.refused
	}
	return after.errors <= before.errors && after.refused <= before.refused && after.traces < before.traces
}

// sameResults reports whether each call that gave a result is made, and gives what it gave.
func sameResults(before, after *Script) bool {
	if len(after.Calls) < len(before.Calls) {
		return false
	}
	for i := range before.Calls {
		b, a := &before.Calls[i], &after.Calls[i]
		if b.Function != a.Function || b.Kind != a.Kind || b.Error == nil && a.Error != nil || b.Traces != nil && a.Traces == nil {
			return false
		}
		was, ok := b.Result.(string)
		if is, also := a.Result.(string); ok && (!also || !mayBeSame(was, is)) {
			return false
		}
	}
	return true
}

// mayBeSame reports whether two texts of types may be of one type: a size that is not known may be any.
func mayBeSame(a, b string) bool {
	if a == b {
		return true
	}
	x, y := typeText.FindAllStringSubmatch(a, -1), typeText.FindAllStringSubmatch(b, -1)
	if len(x) == 0 || len(x) != len(y) || typeText.ReplaceAllString(a, "") != typeText.ReplaceAllString(b, "") {
		return false
	}
	for i := range x {
		m, n := strings.Split(x[i][2], ","), strings.Split(y[i][2], ",")
		if x[i][1] != y[i][1] || len(m) != len(n) {
			return false
		}
		for k := range m {
			if intText.MatchString(m[k]) && intText.MatchString(n[k]) && m[k] != n[k] {
				return false
			}
		}
	}
	return true
}

// A proposer makes edits of a script.
type proposer struct {
	r    *infer.Result
	d    *Script
	file *source.File
	text string
}

// proposals are the changes that may help against a finding, the best one first.
func (p *proposer) proposals(x *diag.Diagnostic) []diag.Fix {
	switch x.Code {
	case diag.RetracesByType, diag.RetracesByValue:
		calls := p.callsOf(x)
		if len(calls) == 0 {
			return nil
		}
		switch calls[0].Framework {
		case "tf":
			return p.relaxed(calls, x.Code == diag.RetracesByType)
		case "compile":
			return p.dynamic(calls)
		}
	case diag.DataDecides:
		return append(p.conds(x, "torch.cond"), p.checked(x)...)
	case diag.KeptState:
		return p.buffers(x)
	case diag.TraceFails:
		return append(p.static(x), p.conds(x, "jax.lax.cond")...)
	}
	return p.static(x)
}

// callsOf are the calls of the function that a finding about traces is of.
func (p *proposer) callsOf(x *diag.Diagnostic) []*infer.RetraceCall {
	for _, calls := range byFunction(p.r.Retraces) {
		if slices.ContainsFunc(calls, func(c *infer.RetraceCall) bool { return c.At == x.At }) && strings.HasPrefix(x.Msg, calls[0].Function+" ") {
			return slices.DeleteFunc(slices.Clone(calls), func(c *infer.RetraceCall) bool { return c.Kind != "" })
		}
	}
	return nil
}

// span is a part of the file by its offsets.
func (p *proposer) span(from, to int) source.Span {
	return source.Span{Start: p.file.Pos(from), End: p.file.Pos(to)}
}

// insert is a fix that adds a text at an offset.
func (p *proposer) insert(title string, at int, text string) diag.Fix {
	return diag.Fix{Title: title, Edits: []diag.Edit{{At: p.span(at, at), NewText: text}}}
}

// wrapped finds the one place at which the file puts a function under a wrapper, as tf.function or jax.jit: a decorator or a call. It gives the
// wrapper's name as it is written, the text that stands before a further argument, and where that goes; ok is false where there is no such place,
// or an argument that says of arguments what the further one would say.
func (p *proposer) wrapped(function, wrapper string) (name, before, after string, at int, ok bool) {
	name = `((?:\w+\.)*` + wrapper + `)`
	q := regexp.QuoteMeta(function)
	decorator := `(?m)^[ \t]*@(?:(?:\w+\.)*partial\([ \t]*)?` + name + `(\([^()]*|[ \t]*,[^()]*|)\)?[ \t]*\r?\n(?:[ \t]*@.*\n)*[ \t]*def[ \t]+` + q + `\(`
	call := name + `(\([ \t]*(?:\w+\.)*` + q + `\b[^()]*)\)`
	type place struct {
		name, args string
		end        int
	}
	var found []place
	for _, pattern := range []string{decorator, call} {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatchIndex(p.text, -1) {
			found = append(found, place{p.text[m[2]:m[3]], p.text[m[4]:m[5]], m[5]})
		}
	}
	if len(found) != 1 || told.MatchString(found[0].args) {
		return "", "", "", 0, false
	}
	x := found[0]
	switch {
	case x.args == "":
		before, after = "(", ")"
	case strings.TrimSpace(x.args) != "(" && !strings.HasSuffix(strings.TrimSpace(x.args), ","):
		before = ", "
	}
	return x.name, before, after, x.end, true
}

var told = regexp.MustCompile(`\b(?:reduce_retracing|input_signature|static_argn\w+)\b`)

var (
	typeText   = regexp.MustCompile(`([a-z]+\d*)\[([^\[\]]*)\]`)
	tensorText = regexp.MustCompile(`^([a-z]+\d*)\[(?:(\d+(?:,\d+)*))?\]$`)
	intText    = regexp.MustCompile(`^-?\d+$`)
	floatText  = regexp.MustCompile(`^-?\d+\.\d*(?:e[-+]?\d+)?$`)
	staticText = regexp.MustCompile(`^(?:-?\d+|True|False|'[^'\\]*')$`)
)

var tfDtypes = map[string]string{"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
	"u8": "uint8", "bool": "bool", "string": "string", "str": "string", "c64": "complex64", "c128": "complex128"}

// relaxed lets tf.function keep open what varies: by reduce_retracing, or by a signature of what all calls have in common.
func (p *proposer) relaxed(calls []*infer.RetraceCall, bySize bool) []diag.Fix {
	name, before, after, at, ok := p.wrapped(calls[0].Function, "function")
	if !ok || slices.ContainsFunc(calls, func(c *infer.RetraceCall) bool { return c.Error != nil }) { // which may raise another exception then
		return nil
	}
	var out []diag.Fix
	if bySize {
		out = append(out, p.insert("let the traces keep open the sizes that vary", at, before+"reduce_retracing=True"+after))
	}
	if specs := signature(calls, strings.TrimSuffix(name, "function")); specs != "" {
		out = append(out, p.insert("give the signature of all calls", at, before+"input_signature=["+specs+"]"+after))
	}
	return out
}

// signature are the specs that all calls fit; empty: there are none.
func signature(calls []*infer.RetraceCall, prefix string) string {
	var specs []string
	for i := range calls[0].Args {
		dtype, sized, dims := "", false, []string(nil)
		open := false // the rank varies
		for _, c := range calls {
			if len(c.Args) != len(calls[0].Args) {
				return ""
			}
			d, size := "", []string{}
			switch m := tensorText.FindStringSubmatch(c.Args[i]); {
			case m != nil:
				if d = tfDtypes[m[1]]; m[2] != "" {
					size = strings.Split(m[2], ",")
				}
			case intText.MatchString(c.Args[i]):
				d = "int32"
			case floatText.MatchString(c.Args[i]):
				d = "float32"
			}
			switch {
			case d == "" || dtype != "" && d != dtype:
				return ""
			case !sized:
				dtype, dims, sized = d, size, true
			case len(size) != len(dims):
				open = true
			default:
				for k := range dims {
					if dims[k] != size[k] {
						dims[k] = "None"
					}
				}
			}
		}
		shape := "[" + strings.Join(dims, ", ") + "]"
		if open {
			shape = "None"
		}
		specs = append(specs, prefix+"TensorSpec("+shape+", "+prefix+dtype+")")
	}
	return strings.Join(specs, ", ")
}

// static makes arguments of a function under jax.jit static whose values Python asks for: one of them, or all that can be.
func (p *proposer) static(x *diag.Diagnostic) []diag.Fix {
	i := slices.IndexFunc(p.r.Retraces, func(c *infer.RetraceCall) bool { return c.Framework == "jax" && c.Error != nil && c.Error.Diag == x })
	if i < 0 {
		return nil
	}
	c := p.r.Retraces[i]
	params := p.parameters(c.Function)
	var names []string
	for i, a := range c.Args {
		name, text, keyword := strings.Cut(a, "=")
		if !keyword {
			if i >= len(params) {
				break
			}
			name, text = params[i], a
		}
		if staticText.MatchString(text) {
			names = append(names, `"`+name+`"`)
		}
	}
	_, before, after, at, ok := p.wrapped(c.Function, "jit")
	if !ok || len(names) == 0 {
		return nil
	}
	sets := [][]string{}
	for _, n := range names {
		sets = append(sets, []string{n})
	}
	if len(names) > 1 {
		sets = append(sets, names)
	}
	var out []diag.Fix
	for _, set := range sets {
		list := strings.Join(set, ", ")
		if len(set) == 1 {
			list += ","
		}
		out = append(out, p.insert("make static what Python asks for: a trace for each value", at, before+"static_argnames=("+list+")"+after))
	}
	return out
}

// parameters are the names of a function's parameters; nil: it has no single place, or others than names with defaults.
func (p *proposer) parameters(function string) []string {
	all := regexp.MustCompile(`(?m)^[ \t]*def[ \t]+`+regexp.QuoteMeta(function)+`\(([\w\s,=."'\-:]*)\)`).FindAllStringSubmatch(p.text, -1)
	if len(all) != 1 {
		return nil
	}
	var out []string
	for _, x := range strings.Split(all[0][1], ",") {
		if name := regexp.MustCompile(`^\s*(\w+)`).FindStringSubmatch(x); name != nil && name[1] != "self" {
			out = append(out, name[1])
		}
	}
	return out
}

var namedArguments = regexp.MustCompile(`[\w.]+\((\w+(?:, *\w+)*)\)`)

// dynamic marks the sizes that vary between the calls of a compiled function, before the first of them.
func (p *proposer) dynamic(calls []*infer.RetraceCall) []diag.Fix {
	first := calls[0]
	at := p.r.Files.Position(first.At.Start)
	if at.File != p.file {
		return nil
	}
	line := p.file.Line(at.Line)
	m := namedArguments.FindAllStringSubmatch(line, -1)
	if len(m) != 1 {
		return nil
	}
	names := strings.Split(strings.ReplaceAll(m[0][1], " ", ""), ",")
	if len(names) != len(first.Args) {
		return nil
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	var b strings.Builder
	for i, name := range names {
		var sizes []string
		varies := map[int]bool{}
		for _, c := range calls {
			if i >= len(c.Args) {
				return nil
			}
			x := tensorText.FindStringSubmatch(c.Args[i])
			if x == nil {
				sizes = nil
				break
			}
			s := strings.Split(x[2], ",")
			if sizes == nil {
				sizes = s
			}
			if len(s) != len(sizes) {
				return nil
			}
			for k := range s {
				varies[k] = varies[k] || s[k] != sizes[k]
			}
		}
		for k := range sizes {
			if varies[k] {
				fmt.Fprintf(&b, "%storch._dynamo.mark_dynamic(%s, %d)\n", indent, name, k)
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []diag.Fix{p.insert("mark the sizes that vary", p.file.Offset(p.file.LineStart(at.Line)), b.String())}
}

var (
	opposite   = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
	comparison = regexp.MustCompile(`^([^<>=!]+?)\s*(<=|>=|==|!=|<|>)\s*([^<>=!]+)$`)
	joined     = regexp.MustCompile(`\b(?:and|or|not|if|in|is|lambda)\b`)
)

// checked states by torch._check what a program relies on: the condition of an assert, the opposite of what raises, else the condition.
func (p *proposer) checked(x *diag.Diagnostic) []diag.Fix {
	test := p.file.Slice(x.At)
	n := p.r.Files.Position(x.At.Start).Line
	line := p.file.Line(n)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	start := p.file.Offset(p.file.LineStart(n))
	m := comparison.FindStringSubmatch(test)
	if m == nil || joined.MatchString(test) || !strings.Contains(line, test) {
		return nil
	}
	not := m[1] + " " + opposite[m[2]] + " " + m[3]
	body := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(body, "assert "+test):
		return []diag.Fix{{Title: "state it by torch._check, which is kept", Edits: []diag.Edit{{At: p.span(start, start+len(line)), NewText: indent + "torch._check(" + test + ")"}}}}
	case body != "if "+test+":":
		return nil
	}
	next := p.file.Line(n + 1)
	after := p.file.Line(n + 2)
	inner := len(next) - len(strings.TrimLeft(next, " \t"))
	alone := strings.TrimSpace(after) == "" || len(after)-len(strings.TrimLeft(after, " \t")) < inner && !strings.HasPrefix(strings.TrimSpace(after), "el")
	if strings.HasPrefix(strings.TrimSpace(next), "raise ") && alone {
		end := p.file.Offset(p.file.LineStart(n+1)) + len(next)
		return []diag.Fix{{Title: "state by torch._check what the program needs, which is kept", Edits: []diag.Edit{{At: p.span(start, end), NewText: indent + "torch._check(" + not + ")"}}}}
	}
	return []diag.Fix{p.insert("promise that this holds: the program is then for such values alone", start, indent+"torch._check("+test+")\n")}
}

var madeTensor = regexp.MustCompile(`(?m)^([ \t]*)self\.(\w+) = (torch\.\w+\(.*\))[ \t]*$`)

// buffers registers the tensors of a module that its methods write, where torch.export keeps them.
func (p *proposer) buffers(x *diag.Diagnostic) []diag.Fix {
	var edits []diag.Edit
	if !slices.ContainsFunc(p.r.Retraces, func(c *infer.RetraceCall) bool { return c.Framework == "export" && c.At == x.At }) {
		return nil
	}
	for _, m := range madeTensor.FindAllStringSubmatchIndex(p.text, -1) {
		name := p.text[m[4]:m[5]]
		write := regexp.MustCompile(`\bself\.` + name + `(?:\[[^\]\n]*\])?[ \t]*(?:[-+*/]?=[^=]|\.\w+_\()`)
		if len(write.FindAllStringIndex(p.text, -1)) < 2 { // the one that makes it
			continue
		}
		edits = append(edits, diag.Edit{At: p.span(m[3], m[7]), NewText: `self.register_buffer("` + name + `", ` + p.text[m[6]:m[7]] + ")"})
	}
	if len(edits) == 0 {
		return nil
	}
	return []diag.Fix{{Title: "keep in buffers what calls change", Edits: edits}}
}
