package lib

// This file reads what is known of packages beside their files: over/packages.txt.

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed over/packages.txt
var packagesText string

// packages are the facts of over/packages.txt.
var packages = sync.OnceValue(func() (p struct {
	follow  map[string]bool
	write   map[string][2]string
	partial map[string]bool // with "modules"?
	either  map[string][2]string
	install map[string]string
}) {
	p.follow, p.write, p.partial, p.either = map[string]bool{}, map[string][2]string{}, map[string]bool{}, map[string][2]string{}
	p.install = map[string]string{}
	for line := range strings.Lines(packagesText) {
		w := strings.Fields(line)
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		w = append(w, "")
		switch w[0] {
		case "follow":
			p.follow[w[1]] = w[2] == "yes"
		case "write":
			p.write[w[1]] = [2]string{w[2], w[3]}
		case "partial":
			p.partial[w[1]] = w[2] == "modules"
		case "either":
			p.either[w[1]] = [2]string{w[2], w[3]}
		case "install":
			p.install[w[1]] = w[2]
		default:
			panic("over/packages.txt: " + line)
		}
	}
	return p
})

// Followed says whether an installed distribution of that name is followed; known is false where only its needs tell.
func Followed(distribution string) (yes, known bool) {
	yes, known = packages().follow[distribution]
	return yes, known
}

// Distribution is what pip installs a module by: the name that is listed for it or for the nearest package around it, else that of its
// outermost package.
func Distribution(module string) string {
	for name := module; ; {
		if d, ok := packages().install[name]; ok {
			return d
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			return name
		}
		name = name[:at]
	}
}

// WrittenModule is the module that a name stands for where arguments and entries are written, and the module beside which it does,
// empty where it always does.
func WrittenModule(name string) (module, beside string, ok bool) {
	m, ok := packages().write[name]
	return m[0], m[1], ok
}

// Partial reports whether the prelude has a part only of the classes of a module, and whether that is so of those that are modules
// of torch.nn, too. It is asked for each lookup of an attribute that fails, so each prefix of the name is looked up once.
func Partial(module string) (yes, modules bool) {
	for name := module; ; {
		if modules, yes = packages().partial[name]; yes {
			return yes, modules
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			return false, false
		}
		name = name[:at]
	}
}

// OtherName is the name under which a module may have what it lacks under another; ok is false where there is none.
func OtherName(module, name string) (other string, ok bool) {
	top, _, _ := strings.Cut(module, ".")
	e, known := packages().either[top]
	other, ok = strings.CutSuffix(name, e[1])
	return other, known && ok && strings.HasSuffix(other, e[0])
}
