package text

// This file reads patterns as git has them in .gitignore.

import (
	"regexp"
	"strings"
)

// rules are the patterns of one folder.
type rules struct {
	base string
	list []rule
}

type rule struct {
	form *regexp.Regexp
	// keep says that what it matches is not left out; folders that it matches only these.
	keep, folders bool
}

// maxRule bounds the length of a pattern.
const maxRule = 1024

// parseRules reads patterns, one on a line. One that cannot be read matches nothing.
func parseRules(text string) []rule {
	var out []rule
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' || len(line) > maxRule {
			continue
		}
		var r rule
		if line[0] == '!' {
			r.keep, line = true, line[1:]
		}
		line = strings.TrimPrefix(line, "\\")
		if strings.HasSuffix(line, "/") {
			r.folders, line = true, strings.TrimRight(line, "/")
		}
		anchored := strings.Contains(line, "/")
		line = strings.TrimPrefix(line, "/")
		prefix := ""
		if !anchored {
			prefix = "(?:.*/)?"
		}
		form, err := regexp.Compile("^" + prefix + expression(line) + "$")
		if err != nil || line == "" {
			continue
		}
		r.form = form
		out = append(out, r)
	}
	return out
}

// expression is a pattern as a regular expression.
func expression(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(p[i+1:], ']')
			if end <= 0 {
				b.WriteString(`\[`)
				continue
			}
			class := p[i+1 : i+1+end]
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
			i += end + 1
		case c == '\\' && i+1 < len(p):
			i++
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	return b.String()
}

// say reports whether the rules leave a path out, and whether they speak of it; the last rule
// that matches counts.
func (r rules) say(rel string, isDir bool) (out, said bool) {
	for i := len(r.list) - 1; i >= 0; i-- {
		x := r.list[i]
		if (isDir || !x.folders) && x.form.MatchString(rel) {
			return !x.keep, true
		}
	}
	return false, false
}
