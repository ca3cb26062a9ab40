package check

// This file reads what is to be run from words: those of the command line, and of
// the cases of tests, which are command lines too.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"shapecheck/infer"
	srcfile "shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/project/config"
)

// ScriptFlag asks for the run of a file as a script. What follows it belongs to the
// script.
const ScriptFlag = "script"

// Flags adds the flags that say what to run; they fill t.
func (t *Target) Flags(f *pflag.FlagSet) {
	f.StringVarP(&t.Run.Module, "module", "m", "", "check a module by its name under the roots instead of FILE")
	f.StringVar(&t.Run.Entry, "entry", "", "what to run: an expression in the file's scope, such as 'Net(10)'")
	f.StringArrayVar(&t.Run.Args, "arg", nil, "an argument: x:f32[B,3,H,W], n:int=3, h=None, xs=[f32[L,3]]")
	f.StringArrayVar(&t.Run.Set, "set", nil, "give a global a value: NAME=EXPR")
	f.StringVar(&t.Run.Call, "call", "", "call this method of the entry")
	f.BoolVar(&t.Run.Eval, "eval", false, "call eval() on the model first")
	f.StringArrayVar(&t.Run.Roots, "path", nil, "a directory in which modules are looked for")
	f.StringArrayVar(&t.Run.Stubs, "stubs", nil, "a directory of Python files that stand for modules")
	f.StringVar(&t.Run.Environment.Python, "python", "",
		"the environment whose packages are used: its folder, its interpreter, a folder site-packages, or none")
	f.Var(pythonVersionFlag{&t.Run.PythonVersion}, "python-version",
		"the Python that runs the program, such as 3.12: what sys.version_info says; newer syntax is noted")
	f.StringVar(&t.Run.TorchVersion, "torch-version", "", "what torch.__version__ says")
	f.StringVar(&t.Run.NumpyVersion, "numpy-version", "", "what numpy.__version__ says")
	f.Var(deviceFlag{&t.Run.Device}, "device", "what the machine has: cuda, one GPU (the default), or cpu, none")
}

// AssumeFlag adds the flag for conditions that hold.
func (t *Target) AssumeFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&t.Run.Assume, "assume", nil, "a condition on the sizes that holds: 'H % 32 == 0', 'H=32..512'")
}

// ErrNoFile is what Resolve returns where nothing says what to check.
var ErrNoFile = errors.New("no file given")

// Resolve completes a target by the words that are no flags: FILE, and after it the
// arguments of a script. It returns ErrNoFile where words name no file and no module is given, and an error where there
// is more than one FILE, or a FILE beside -m.
func (t *Target) Resolve(words []string, script bool) error {
	if script && len(words) > 0 {
		t.Run.Script, words = append([]string{}, words[1:]...), words[:1]
	}
	switch {
	case t.Run.Module != "" && len(words) > 0:
		return errors.New("give either FILE or -m MODULE")
	case t.Run.Module != "":
		if len(t.Run.Roots) == 0 {
			t.Run.Roots = []string{"."}
		}
	case len(words) == 0:
		return ErrNoFile
	case len(words) > 1:
		return errors.New("unexpected argument " + words[1] + ": one FILE is checked at a time; arguments of the file's own need --script")
	default:
		t.Run.File = words[0]
	}
	return nil
}

// ParseTarget reads a whole command line: FILE, and the flags of Flags, --assume and
// --script in any order. It returns an error for a flag that is not known or has an invalid value, and the errors of
// Resolve.
func ParseTarget(words []string) (*Target, error) {
	t := &Target{}
	f := pflag.NewFlagSet("run", pflag.ContinueOnError)
	f.Usage = func() {}
	t.Flags(f)
	t.AssumeFlag(f)
	script := f.Bool(ScriptFlag, false, "")
	if err := f.Parse(ScriptArgs(words, f, nil).Words); err != nil {
		return nil, err
	}
	return t, t.Resolve(f.Args(), *script)
}

// ScriptArgs rewrites a command line so that a script's arguments stand after "--",
// where the parser of flags leaves them alone:
//
//	shapecheck FILE --script --epochs 3
//
// What follows FILE and --script belongs to the script, but for flags of ours, which f
// has, where a "--" tells what is whose: what stands before it is ours, the rest the
// script's. Without a "--", a flag of ours that the script's text does not have is ours:
//
//	shapecheck FILE --script --output-format json --epochs 3
//
// text gives the text of a file; nil, or one that cannot be read: all is the script's.
func ScriptArgs(args []string, f *pflag.FlagSet, text func(file string) (string, error)) ScriptLine {
	file, script := -1, -1
	for i := 0; i < len(args) && (file < 0 || script < 0); i++ {
		switch a := args[i]; {
		case a == "--":
			return ScriptLine{Words: args}
		case a == "--"+ScriptFlag:
			script = i
		case takesNext(a, f):
			i++
		case len(a) > 1 && a[0] == '-', file < 0 && a == "check" && i == 0:
		default:
			file = i
		}
	}
	if file < 0 || script < 0 {
		return ScriptLine{Words: args}
	}
	end := max(file, script) + 1
	ours, rest := slices.Clone(args[:end]), args[end:]
	var out ScriptLine
	if i := slices.Index(rest, "--"); i >= 0 {
		ours, rest = append(ours, rest[:i]...), rest[i+1:]
	} else if text != nil {
		if source, err := text(args[file]); err == nil {
			ours, rest, out.Given = split(ours, rest, f, source)
		}
	}
	out.Words = append(append(ours, "--"), rest...)
	return out
}

// A ScriptLine is a command line with a script's arguments after "--".
type ScriptLine struct {
	Words []string
	// Given are flags of ours that went to the script, although its text has them only as
	// names: who makes options of names (fire, dataclasses) has them.
	Given []string
}

// remarks removes from a text what is no code: comments, as a limit in a remark on how to run it is no option of the script. names
// also lacks the strings that are more than a word, as docstrings and messages: an option's name in one is prose.
func remarks(text string) (source, names string) {
	var a, b strings.Builder
	from := 0
	f := srcfile.NewFile("", text)
	for _, p := range parser.Pieces(f) {
		switch {
		case p.Kind == parser.CommentPiece:
			a.WriteString(text[from:p.Start])
			b.WriteString(text[from:p.Start])
			from = p.End
		case p.Kind == parser.StringPiece:
			a.WriteString(text[from:p.End])
			b.WriteString(text[from:p.Start])
			if piece := text[p.Start:p.End]; !strings.ContainsAny(piece, " \t\n") {
				b.WriteString(piece)
			}
			from = p.End
		}
	}
	a.WriteString(text[from:])
	b.WriteString(text[from:])
	return a.String(), b.String()
}

// split takes our flags out of what follows a script, by the script's text.
func split(ours, rest []string, f *pflag.FlagSet, text string) (mine, scripts, given []string) {
	source, names := remarks(text)
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		name, _, hasValue := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		switch {
		case isShort(word, f) && !strings.Contains(source, word):
			ours = append(ours, word)
		case !strings.HasPrefix(word, "--") || f.Lookup(name) == nil || strings.Contains(source, "--"+name):
			scripts = append(scripts, word)
		case !strings.Contains(source, "argparse") && hasWord(names, strings.ReplaceAll(name, "-", "_")):
			scripts, given = append(scripts, word), append(given, "--"+name)
		default:
			if ours = append(ours, word); !hasValue && takesNext(word, f) && i+1 < len(rest) {
				i++
				ours = append(ours, rest[i])
			}
		}
	}
	return ours, scripts, given
}

// isShort reports whether a word is a flag of ours of one letter, without a value.
func isShort(word string, f *pflag.FlagSet) bool {
	if len(word) != 2 || word[0] != '-' || word[1] == '-' {
		return false
	}
	flag := f.ShorthandLookup(word[1:])
	return flag != nil && flag.NoOptDefVal != ""
}

// hasWord reports whether a text has a name of Python.
func hasWord(text, name string) bool {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		if end := i + len(name); (i == 0 || !part(text[i-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		from = i + 1
	}
}

// takesNext reports whether a word is a flag of ours whose value is the next word: it
// is no FILE.
func takesNext(word string, f *pflag.FlagSet) bool {
	var flag *pflag.Flag
	if name, ok := strings.CutPrefix(word, "--"); ok {
		flag = f.Lookup(name)
	} else if len(word) == 2 && word[0] == '-' && word[1] != '-' {
		flag = f.ShorthandLookup(word[1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}

// A deviceFlag is one of the devices that a machine may have.
type deviceFlag struct{ to *string }

func (d deviceFlag) String() string {
	if d.to == nil {
		return ""
	}
	return *d.to
}

func (deviceFlag) Type() string { return "cuda|cpu" }

// Set takes cuda or cpu, and returns an error for every other name.
func (d deviceFlag) Set(s string) error {
	if s != infer.DeviceCUDA && s != infer.DeviceCPU {
		return fmt.Errorf("%q is neither cuda nor cpu", s)
	}
	*d.to = s
	return nil
}

// A pythonVersionFlag is a version of Python.
type pythonVersionFlag struct{ to *string }

func (p pythonVersionFlag) String() string {
	if p.to == nil {
		return ""
	}
	return *p.to
}

func (pythonVersionFlag) Type() string { return "string" }

// Set returns an error for what is no version of Python that can be checked for.
func (p pythonVersionFlag) Set(s string) error {
	*p.to = s
	return config.CheckPythonVersion(s)
}
