package driver

// This file reads what is to be run from words: those of the command line, and of
// the cases of tests, which are command lines too.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"shapecheck/infer"
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
	f.StringVar(&t.Run.TorchVersion, "torch-version", "", "what torch.__version__ says")
	f.Var(deviceFlag{&t.Run.Device}, "device", "what the machine has: cuda, one GPU (the default), or cpu, none")
}

// AssumeFlag adds the flag for conditions that hold.
func (t *Target) AssumeFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&t.Run.Assume, "assume", nil, "a condition on the sizes that holds: 'H % 32 == 0', 'H=32..512'")
}

// ErrNoFile is what Resolve returns where nothing says what to check.
var ErrNoFile = errors.New("no file given")

// Resolve completes a target by the words that are no flags: FILE, and after it the
// arguments of a script.
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
// --script in any order.
func ParseTarget(words []string) (*Target, error) {
	t := &Target{}
	f := pflag.NewFlagSet("run", pflag.ContinueOnError)
	f.Usage = func() {}
	t.Flags(f)
	t.AssumeFlag(f)
	script := f.Bool(ScriptFlag, false, "")
	if err := f.Parse(ScriptArgs(words, f)); err != nil {
		return nil, err
	}
	return t, t.Resolve(f.Args(), *script)
}

// ScriptArgs rewrites a command line so that a script's arguments stand after "--",
// where the parser of flags leaves them alone:
//
//	shapecheck FILE --script --epochs 3
//
// What follows --script belongs to the script, whatever it looks like, once FILE is
// known; a "--" right after it is dropped. With --script before FILE, as in
// shapecheck --script FILE --epochs 3, what follows FILE belongs to the script. Our
// own flags, which f has, stand before.
func ScriptArgs(args []string, f *pflag.FlagSet) []string {
	file, script := -1, -1
	for i := 0; i < len(args) && (file < 0 || script < 0); i++ {
		switch a := args[i]; {
		case a == "--":
			return args
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
		return args
	}
	end := max(file, script) + 1
	rest := args[end:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	return append(append(append([]string(nil), args[:end]...), "--"), rest...)
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

func (d deviceFlag) Set(s string) error {
	if s != infer.DeviceCUDA && s != infer.DeviceCPU {
		return fmt.Errorf("%q is neither cuda nor cpu", s)
	}
	*d.to = s
	return nil
}
