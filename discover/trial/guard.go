package trial

// This file reads the condition under which a program refuses its arguments, and chooses some that it takes.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// maxGuard bounds the lines of a condition and of what stands between it and its raise.
const maxGuard = 8

// guard is the condition at whose place a run failed: of an assert, which must hold, or of the if around a raise, which must
// not; empty where there is none.
func (t *trial) guard(d *diag.Diagnostic) (cond string, holds bool) {
	f := t.res.Files.File(d.At.Start)
	if f == nil || d.Code != diag.UncaughtRaise {
		return "", false
	}
	text := f.Text()
	at := f.Offset(d.At.Start)
	start := strings.LastIndexByte(text[:at], '\n') + 1
	if line := strings.TrimSpace(text[start:]); strings.HasPrefix(line, "assert ") || strings.HasPrefix(line, "assert(") {
		cond = text[start:max(f.Offset(d.At.End), at)]
		if i := strings.IndexByte(text[start:], '\n'); !strings.Contains(cond, "\n") && i >= 0 {
			cond = text[start : start+i]
		}
		return strings.TrimPrefix(strings.TrimSpace(cond), "assert"), true
	}
	inner := indent(text[start:])
	for end, n := start, 0; end > 0 && n < maxGuard; n++ {
		from := strings.LastIndexByte(text[:end-1], '\n') + 1
		line := text[from:end]
		if word := strings.TrimSpace(line); word != "" && indent(line) < inner {
			if strings.HasPrefix(word, "if ") || strings.HasPrefix(word, "elif ") {
				cond, _, _ = strings.Cut(text[from:start], ":\n")
				return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(cond), "el"))[len("if"):], false
			}
			if !strings.HasPrefix(word, ")") {
				return "", false
			}
		}
		end = from
	}
	return "", false
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

var (
	memberOf   = lazyregexp.New(`\b(\w+)\s+(not\s+)?in\s+(?:((?:\w+\.)*\w+)\b|([\[({][^\])}]*))`)
	lengthIs   = lazyregexp.New(`\blen\((?:self\.)?(\w+)\)\s*(==|!=)\s*(?:(\d+)|len\((?:self\.)?(\w+)\))`)
	comparison = lazyregexp.New(`\b(\w+)\s*(<=|>=|<|>)\s*(?:[\w.(-])`)
	instanceOf = lazyregexp.New(`(\bnot\s+)?\bisinstance\((?:self\.)?(\w+),\s*\(?(\w+)`)
	remainder  = lazyregexp.New(`\b(\w+)\s*%\s*(?:self\.)?(\w+)\s*(==|!=)\s*0`)
	firstOf    = lazyregexp.New(`^[\[({\s]*(-?\d+(?:\.\d+)?|'[^'\n]*'|"[^"\n]*")`)
)

// satisfyCondition gives the constructor what the condition asks for at whose place a run failed: an element of the table in which the
// value
// must be, a list of the length, a larger or a smaller number, a multiple, a value of the type.
func (r *remedies) satisfyCondition(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	cond, holds := t.guard(d)
	if cond == "" {
		return false
	}
	now := func(name string) string {
		for _, arg := range t.fill.made {
			if of, v, _ := strings.Cut(arg, "="); of == name {
				return v
			}
		}
		return ""
	}
	give := func(name, v string) bool {
		if old := now(name); old == "" || v == "" || v == old || slices.Contains(r.tried, name+"="+v) {
			return false
		}
		r.tried = append(slices.Clone(r.tried), name+"="+v)
		r.set(name, v)
		return true
	}
	for _, m := range memberOf.FindAllStringSubmatch(cond, -1) {
		if (m[2] == "") != holds {
			continue
		}
		list := m[4]
		if m[3] != "" {
			list = t.tableOf(d, m[3][strings.LastIndexByte(m[3], '.')+1:])
		}
		if first := firstOf.FindStringSubmatch(list); first != nil && give(m[1], first[1]) {
			return true
		}
	}
	for _, m := range lengthIs.FindAllStringSubmatch(cond, -1) {
		n, err := strconv.Atoi(m[3])
		if other := now(m[4]); err != nil && strings.HasPrefix(other, "[") {
			n, err = strings.Count(other, ",")+1, nil
		}
		if (m[2] == "==") != holds || err != nil || n < 1 || n > maxGuarded {
			continue
		}
		one := firstNumber(now(m[1]))
		if one != "" && give(m[1], "["+strings.Repeat(one+", ", n-1)+one+"]") {
			return true
		}
	}
	for _, m := range remainder.FindAllStringSubmatch(cond, -1) {
		x, err := strconv.Atoi(now(m[1]))
		of := m[2]
		if v := now(of); v != "" {
			of = v
		}
		y, no := strconv.Atoi(of)
		if (m[3] == "==") == holds && err == nil && no == nil && y > 0 && y < 1000 && x > 0 && x < 10_000 && give(m[1], strconv.Itoa(x*y)) {
			return true
		}
	}
	for _, m := range instanceOf.FindAllStringSubmatch(cond, -1) {
		if v := now(m[2]); (m[1] == "") == holds && v != "" && give(m[2], ofType(m[3], v)) {
			return true
		}
	}
	for _, m := range comparison.FindAllStringSubmatch(cond, -1) {
		if more := strings.HasPrefix(m[2], ">") == holds; give(m[1], scaled(now(m[1]), more)) {
			return true
		}
	}
	return false
}

// maxGuarded bounds the elements of a list that a condition asks for.
const maxGuarded = 64

// firstNumber is the first number in a value; empty where there is none.
func firstNumber(v string) string {
	if m := oneNumber.FindStringSubmatch(v); m != nil {
		return m[0]
	}
	return ""
}

var oneNumber = lazyregexp.New(`\b\d+\b`)

// tableOf is the text of the table of a name after its bracket, in the file of a fault: NAME = {18: …}, NAME = ["a", …]; empty where
// there is none.
func (t *trial) tableOf(d *diag.Diagnostic, name string) string {
	table, err := regexp.Compile(`(?m)^\s*(?:self\.)?` + name + `\s*(?::[^=\n]*)?=\s*(?:(?:set|list|tuple|frozenset|OrderedDict)\()?[\[({]`)
	if err != nil {
		return ""
	}
	for _, f := range []*source.File{t.res.Files.File(d.At.Start), t.res.File} {
		if f == nil {
			continue
		}
		if at := table.FindStringIndex(f.Text()); at != nil {
			return f.Text()[at[1]:]
		}
	}
	return ""
}

// ofType is a value of a type that stands for another one; empty where there is none.
func ofType(name, now string) string {
	one := firstNumber(now)
	if one == "" {
		one = "8"
	}
	switch name {
	case "list", "List", "Sequence", "Iterable":
		return "[" + one + ", " + one + "]"
	case "tuple":
		return "(" + one + ", " + one + ")"
	case "dict", "Mapping":
		return "{}"
	case "str":
		return "'a'"
	case "int", "Integral", "Number", "numbers":
		return one
	case "float":
		return "0.5"
	case "bool":
		return "True"
	}
	return ""
}

// scaled is a number that is larger, or smaller; empty where the text is none, or would be beyond all use.
func scaled(text string, more bool) string {
	if n, err := strconv.Atoi(text); err == nil {
		switch {
		case more && n > 0 && n < 1<<14:
			return strconv.Itoa(2 * n)
		case more && n == 0:
			return "1"
		case !more && n > 1:
			return strconv.Itoa(n / 2)
		}
		return ""
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || x < 0 || x > 1<<14:
		return ""
	case more && x < 1:
		x = (1 + x) / 2
	case more:
		x *= 2
	default:
		x /= 2
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
