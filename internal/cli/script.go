package cli

// This file separates the arguments of a script from ours:
//
//	shapecheck FILE --script --epochs 3
//
// What follows --script belongs to the script, whatever it looks like, once FILE
// is known; a "--" right after it is dropped. With --script before FILE, as in
// shapecheck --script FILE --epochs 3, what follows FILE belongs to the script.
// Our own flags stand before.

// scriptFlag asks for the run of a file as a script.
const scriptFlag = "--script"

// valueFlags are our flags that take a value as the next argument: it is no FILE.
var valueFlags = map[string]bool{
	"-m": true, "--module": true, "--entry": true, "--arg": true, "--set": true, "--call": true,
	"--path": true, "--torch-version": true, "--output-format": true,
	"--select": true, "--ignore": true, "--baseline": true, "--write-baseline": true, "--stdin-filename": true, "--config": true, "--shard": true, "--assume": true, "--at": true, "--depth": true,
}

// scriptArgs rewrites a command line so that the script's arguments stand after
// "--", where the parser of flags leaves them alone.
func scriptArgs(args []string) []string {
	file, script := -1, -1
	for i := 0; i < len(args) && (file < 0 || script < 0); i++ {
		switch a := args[i]; {
		case a == "--":
			return args
		case a == scriptFlag:
			script = i
		case valueFlags[a]:
			i++
		case len(a) > 0 && a[0] == '-', file < 0 && a == "check" && i == 0:
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

// script moves the arguments after FILE to the script.
func (t *target) script(on bool, args []string) []string {
	if !on || len(args) == 0 {
		return args
	}
	t.cfg.Script = append([]string{}, args[1:]...)
	return args[:1]
}
