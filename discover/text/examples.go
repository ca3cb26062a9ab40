package text

// This file reads how the text makes models: the examples in their docstrings (>>> model = Net(10), >>> model(torch.rand(2, 3, 8, 8))),
// and the calls of the file.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// An Example is how the docstring of a class makes an instance, and with what it calls it.
type Example struct {
	// Entry is the expression that makes it; empty: there is no example that stands for itself.
	Entry string
	// Inputs are the types of the arguments of its call, by position, with the batch as a symbol; empty where
	// the example does not tell.
	Inputs []string
}

var (
	exampleMade = lazyregexp.New(`(?m)^[ \t]*(?:>>>[ \t]*)?(\w+)[ \t]*=[ \t]*((\w+)(?:\.from_\w+)?\(.*\))[ \t]*$`)
	// A name that an example imports, but for one with another name there.
	exampleImport = lazyregexp.New(`(?m)^[ \t]*(?:>>>[ \t]*)?from ([\w.]+) import (\w+(?: *, *\w+)*)[ \t]*$`)
	exampleInput  = lazyregexp.New(`(?m)^[ \t]*(?:>>>[ \t]*)?(\w+)[ \t]*=[ \t]*(torch\.(?:rand|randn|zeros|ones|randint)\(.*\))[ \t]*$`)
	madeTensor    = lazyregexp.New(
		`^torch\.(rand|randn|zeros|ones)\([\[(]?((?: *\d+ *,)* *\d+) *,?[\])]?(?:, *device=\w+)?\)$|^torch\.randint\((?:\w+=)?\d+, *(?:(?:\w+=)?\d+, *)?(?:size=)?[\[(]((?: *\d+ *,)* *\d+) *,?[\])]\)$`)
	quoted     = lazyregexp.New(`'[^']*'|"[^"]*"|[A-Za-z_][\w.]*( *=)?`)
	exampleArg = lazyregexp.New(`torch\.\w+\([^()]*(?:\([^()]*\))?[^()]*\)|\w+`)
)

// Example reads the first example of a class that needs no other names.
func (f *File) Example(class string) Example {
	c := f.classes[class]
	if c == nil {
		return Example{}
	}
	texts := []string{docstring(c.Body)}
	for _, name := range []string{"__init__", "forward"} {
		if fn := method(c, name); fn != nil {
			texts = append(texts, docstring(fn.Body))
		}
	}
	doc := strings.Join(texts, "\n")
	imported := map[string]string{}
	for _, m := range exampleImport.FindAllStringSubmatch(doc, -1) {
		for _, name := range strings.Split(m[2], ",") {
			imported[strings.TrimSpace(name)] = m[1]
		}
	}
	for _, m := range exampleMade.FindAllStringSubmatch(doc, -1) {
		if m[3] != class {
			continue
		}
		if args, ok := withModules(m[2][len(class):], imported); ok {
			return Example{class + args, exampleInputs(doc, m[1])}
		}
	}
	return Example{}
}

// withModules gives the arguments of a call with the modules of the names that an example imports; ok is false where it has others,
// as of what the example makes.
func withModules(args string, imported map[string]string) (text string, ok bool) {
	text = quoted.ReplaceAllStringFunc(args, func(w string) string {
		first, _, _ := strings.Cut(w, ".")
		if module := imported[first]; module != "" && !strings.HasSuffix(w, "=") {
			return module + "." + w
		}
		return w
	})
	alone := quoted.ReplaceAllStringFunc(args, func(w string) string {
		if first, _, _ := strings.Cut(w, "."); imported[first] != "" && !strings.HasSuffix(w, "=") {
			return "None"
		}
		return w
	})
	return text, standsAlone(alone)
}

// standsAlone reports whether the arguments of a call are literals.
func standsAlone(args string) bool {
	for _, w := range quoted.FindAllString(args, -1) {
		switch {
		case w[0] == '\'' || w[0] == '"' || strings.Contains(w, "="):
		case w == "True" || w == "False" || w == "None" || strings.HasPrefix(w, ".from_") || strings.HasPrefix(w, "from_"):
		case strings.HasPrefix(w, "torch.nn.") || strings.HasPrefix(w, "e"): // 1e-5
		default:
			return false
		}
	}
	return true
}

// exampleInputs are the types of the arguments with which an example calls its instance.
func exampleInputs(doc, name string) []string {
	at := regexp.MustCompile(`(?m)\b` + name + `\((.*)\)`).FindStringSubmatch(doc)
	if at == nil {
		return nil
	}
	known := map[string]string{}
	for _, m := range exampleInput.FindAllStringSubmatch(doc, -1) {
		known[m[1]] = m[2]
	}
	var out []string
	for _, arg := range exampleArg.FindAllString(at[1], -1) {
		if text, ok := known[arg]; ok {
			arg = text
		}
		m := madeTensor.FindStringSubmatch(arg)
		switch {
		case m == nil:
			out = append(out, "")
		case m[2] != "":
			out = append(out, withBatch("f32", m[2]))
		default:
			out = append(out, withBatch("i64", m[3]))
		}
	}
	return out
}

// maxCalls bounds the calls of a class that are tried.
const maxCalls = 3

// Calls are different calls of a class or function in the file with arguments that mean the same everywhere, those at
// the end first, where programs are. Others says that there are calls with other arguments, or more calls.
func (f *File) Calls(name string) (texts []string, others bool) {
	for _, call := range slices.Backward(f.calls[name]) {
		text := f.literalCall(name, call)
		switch {
		case len(call.Args)+len(call.Keywords) == 0 || slices.Contains(texts, text):
		case text == "" || len(texts) == maxCalls:
			others = true
		default:
			texts = append(texts, text)
		}
	}
	if text := f.namedCall(name); text != "" && len(texts) == 0 {
		texts = append(texts, text)
	}
	return texts, others
}

// literalCall is the text of a call whose arguments are literals, or constants of the file, with their values; empty for others.
func (f *File) literalCall(name string, call *ast.Call) string {
	var args []string
	for _, a := range call.Args {
		args = append(args, cmp.Or(f.literal(a), f.resolved(a, maxNested)))
	}
	for _, k := range call.Keywords {
		text := cmp.Or(f.literal(k.Value), f.resolved(k.Value, maxNested))
		if k.Name.Name == "" {
			return "" // **settings
		}
		if text != "" {
			text = k.Name.Name + "=" + text
		}
		args = append(args, text)
	}
	if _, ok := call.Func.(*ast.Name); !ok || slices.Contains(args, "") {
		return ""
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// withBatch is a type whose first size is a symbol.
func withBatch(dtype, sizes string) string {
	list := strings.Split(strings.ReplaceAll(sizes, " ", ""), ",")
	if len(list) > 1 {
		list[0] = "B"
	}
	return dtype + "[" + strings.Join(list, ",") + "]"
}
