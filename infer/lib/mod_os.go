package lib

// This file defines os and os.path. Functions of path text are exact; what asks
// the file system is not known, since the analysis reads only the program. Paths are those of
// POSIX, whatever system the check runs on, so that its result does not depend on that.

import (
	"errors"
	"path"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// osModule makes os: names of constants as on Linux; functions that change files or processes do nothing and
// give None; questions about the machine have answers that are not known, of the right type. So a program that
// makes a folder for its checkpoints is checked like any other. A variable of the environment has a value only
// where the program sets it. What is not listed is unknown with the reason given to rest.
func osModule(m *mod) {
	th, w, h := m.th, m.w, m.th.Heap()
	for _, c := range []struct{ name, val string }{{"name", "posix"}, {"sep", "/"}, {"pathsep", ":"}, {"linesep", "\n"}, {"curdir", "."},
		{"pardir", ".."}, {"extsep", "."}, {"devnull", "/dev/null"}, {"defpath", "/bin:/usr/bin"}} {
		m.set(c.name, value.Str(c.val))
	}
	m.set("altsep", value.None)
	for i, name := range []string{"F_OK", "X_OK", "W_OK"} {
		m.set(name, value.Int(i))
	}
	m.set("R_OK", value.Int(4))
	// os.path is the module posixpath.
	if p, err := th.Import("posixpath"); err == nil {
		m.set("path", p)
	}
	env := osEnviron(m)
	m.set("environ", env)
	getenv := func(th value.Thread, a []value.Value) (value.Value, error) {
		// The default is used even if the variable may be set outside, which is the case of most
		// checks.
		if v, ok := env.Get(hashStr(a[0])); ok {
			return v, nil
		}
		return or(a[1], value.None), nil
	}
	m.def("getenv(key, default?)", getenv)
	m.def("fspath(path, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return fspath(th, a[0]) })
	m.def("fsdecode(path, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return fspath(th, a[0]) })
	m.def("fsencode(path, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return w.abstract(th, w.bytes), nil })
	pl := m.class("PathLike")
	pl.Meta = th.Class("abc.ABCMeta")
	// Any class with __fspath__ counts as a subclass of os.PathLike.
	pl.Data = abcHook{"__fspath__"}
	pl.Attrs.Set(h, "__class_getitem__", subscriptable("PathLike"))
	m.class("stat_result")
	m.class("DirEntry")
	m.set("error", w.classes["OSError"])
	for _, name := range strings.Fields(
		// They have no effect that the check could see.
		"makedirs mkdir remove unlink rmdir removedirs rename renames replace chdir chmod chown link symlink putenv unsetenv close " +
			"utime kill killpg setsid truncate fsync sync nice umask register_at_fork closerange") {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	}
	// Numbers from 0 on.
	for _, name := range strings.Fields("getpid getppid getuid getgid geteuid getegid system cpu_count process_cpu_count open write dup") {
		lo := int64(0)
		if name == "cpu_count" {
			lo = 1
		}
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return th.DataInt("n", lo, nil), nil
		})
	}
	for _, name := range []string{"getcwd", "getlogin", "readlink", "strerror", "ctermid"} {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return w.abstractStr(th, ""), nil
		})
	}
	m.fn("access", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.DataBool(nil), nil
	})
	// A list of texts of unknown length.
	m.fn("listdir", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Heap().NewOpenList(&value.Open{Elem: w.abstractStr(th, "")}), nil
	})
	// Each step gives a folder, its folders and its files.
	m.fn("walk", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		names := func() value.Value { return th.Heap().NewOpenList(&value.Open{Elem: w.abstractStr(th, "")}) }
		return newOpenIter(th, "generator", value.NewTuple(w.abstractStr(th, ""), names(), names()), symshape.Dim{}), nil
	})
	m.fn("urandom", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return w.abstract(th, w.bytes), nil
	})
	// It ends the program like sys.exit, which callers may catch here although os._exit cannot be
	// caught.
	m.fn("_exit", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return nil, raiseInstance(th, "SystemExit", args...)
	})
	m.rest("the operating system is not modelled")
}

// hashStr is the key under which a dict has a text. The key of a text in a dict is the text
// (HashKey).
func hashStr(v value.Value) any {
	s, _ := value.AsStr(v)
	return s
}

// osEnviron makes os.environ: a dict that is empty at the start. A variable that
// the program did not set itself has an unknown value. A key that is not there has an unknown value
// by the __missing__ of its class.
func osEnviron(m *mod) *value.Dict {
	c := newModClass(m.th, "os", "_Environ", m.w.dict)
	method(m.th, c, "__missing__(self, key, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Unknown("the environment is not known"), nil
	})
	d := m.th.Heap().NewDict()
	d.Class = c
	return d
}

// fspath gives the text of a path. TypeError for values that are no paths. An object with
// __fspath__ gives its path by that. A choice of two gives one text if both do, and is only wrong
// if both are.
func fspath(th value.Thread, v value.Value) (value.Value, error) {
	switch x := value.Plain(v).(type) {
	case value.Str, value.Bytes, *value.Abstract, *value.Unknown:
		return x, nil
	case *value.Choice: // a text that the path does not tell
		a, err := fspath(th, x.Then)
		var raised *value.Exception
		if err != nil && !errors.As(err, &raised) {
			return nil, err
		}
		b, errB := fspath(th, x.Else)
		switch {
		case err != nil: // it is the other, or the fault is the same
			return b, errB
		case errB != nil && errors.As(errB, &raised), a == b:
			return a, nil
		case errB != nil:
			return nil, errB
		}
		for _, side := range [...]value.Value{a, b} {
			if value.IsUnknown(side) {
				return side, nil
			}
		}
		// Both are texts, but different ones.
		if t := th.TypeOf(a); t == th.TypeOf(b) {
			return &value.Abstract{Class: t}, nil
		}
		return th.Unknown("a path that is a str or bytes"), nil
	}
	f, ok, err := th.LookupAttr(v, "__fspath__")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, th.Raise("TypeError", "expected str, bytes or os.PathLike object, not %s", th.TypeOf(v).Name)
	}
	return th.Call(f, nil, nil)
}

// pathFunc adds a function of path texts; when one of them is not known, so is
// the result, which abstract makes. f gives nil for texts of which the result is not known either.
// values are the arguments as texts.
func (m *mod) pathFunc(name string, f func(p []string) value.Value, abstract func(th value.Thread, args []value.Value) value.Value) {
	m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 0 {
			return nil, th.Raise("TypeError", "%s() missing 1 required positional argument: 'p'", name)
		}
		texts, values, known := make([]string, len(args)), make([]value.Value, len(args)), true
		for i, a := range args {
			v, err := fspath(th, a)
			if err != nil {
				return nil, err
			}
			if value.IsUnknown(v) {
				return v, nil
			}
			s, ok := value.AsStr(v)
			texts[i], values[i], known = s, v, known && ok
		}
		if known {
			if v := f(texts); v != nil {
				return v, nil
			}
		}
		return abstract(th, values), nil
	})
}

// osPathModule makes os.path. What texts alone decide is computed as posixpath does; of a text that is not
// known the result is a text marked as computed from it, so that equal calls are equal. Whether a file exists
// is not known. located knows the places of files that the check itself has read.
func osPathModule(m *mod) {
	w := m.w
	text := func(th value.Thread, _ []value.Value) value.Value { return w.abstractStr(th, "") }
	pure := func(name string) func(th value.Thread, args []value.Value) value.Value { // of the arguments alone
		return func(th value.Thread, args []value.Value) value.Value {
			return value.Computed(w.abstractStr(th, ""), "os.path."+name, args...)
		}
	}
	pair := func(th value.Thread, _ []value.Value) value.Value {
		return value.NewTuple(w.abstractStr(th, ""), w.abstractStr(th, ""))
	}
	// Functions of one path.
	str := func(f func(p string) string) func([]string) value.Value {
		return func(p []string) value.Value { return value.Str(f(p[0])) }
	}
	for _, c := range []struct{ name, val string }{{"sep", "/"}, {"pathsep", ":"}, {"curdir", "."}, {"pardir", ".."}, {"extsep", "."},
		{"devnull", "/dev/null"}} {
		m.set(c.name, value.Str(c.val))
	}
	m.set("altsep", value.None)
	m.set("supports_unicode_filenames", value.Bool(false))
	m.pathFunc("join", func(p []string) value.Value { return value.Str(pathJoin(p...)) }, pure("join"))
	m.pathFunc("split", func(p []string) value.Value {
		head, tail := pathSplit(p[0])
		return value.NewTuple(value.Str(head), value.Str(tail))
	}, pair)
	m.pathFunc("splitext", func(p []string) value.Value {
		root, ext := pathSplitExt(p[0])
		return value.NewTuple(value.Str(root), value.Str(ext))
	}, pair)
	// POSIX has no drives.
	m.pathFunc("splitdrive", func(p []string) value.Value { return value.NewTuple(value.Str(""), value.Str(p[0])) }, pair)
	m.pathFunc("basename", str(func(p string) string { _, t := pathSplit(p); return t }), pure("basename"))
	m.pathFunc("dirname", str(func(p string) string { h, _ := pathSplit(p); return h }), pure("dirname"))
	m.pathFunc("normpath", str(pathNorm), pure("normpath"))
	m.pathFunc("normcase", str(func(p string) string { return p }), pure("normcase"))
	m.pathFunc("isabs", func(p []string) value.Value { return value.Bool(strings.HasPrefix(p[0], "/")) },
		func(th value.Thread, _ []value.Value) value.Value { return th.DataBool(nil) })
	located := func(p string) value.Value {
		if in, ok := m.th.(value.Installed); ok {
			if s := in.SourcePath(p); s != "" {
				return value.Str(s)
			}
		}
		return nil
	}
	// A relative path depends on the working directory.
	m.pathFunc("abspath", func(p []string) value.Value {
		if strings.HasPrefix(p[0], "/") {
			return value.Str(pathNorm(p[0]))
		}
		return located(p[0])
	}, text)
	m.pathFunc("realpath", func(p []string) value.Value { return located(p[0]) }, text)
	// The home directory is not known.
	m.pathFunc("expanduser", func(p []string) value.Value {
		if strings.HasPrefix(p[0], "~") {
			return nil
		}
		return value.Str(p[0])
	}, text)
	m.pathFunc("expandvars", func(p []string) value.Value {
		if strings.Contains(p[0], "$") {
			return nil
		}
		return value.Str(p[0])
	}, text)
	m.pathFunc("relpath", func(p []string) value.Value {
		start := "."
		if len(p) > 1 {
			start = p[1]
		}
		if strings.HasPrefix(p[0], "/") != strings.HasPrefix(start, "/") {
			return nil
		}
		return value.Str(pathRel(p[0], start))
	}, text)
	// Even for a file that the check has read, as it may be gone where the program runs.
	for _, name := range []string{"exists", "lexists", "isfile", "isdir", "islink", "ismount", "samefile"} {
		m.pathFunc(name, func(p []string) value.Value { return nil },
			func(th value.Thread, _ []value.Value) value.Value { return th.DataBool(nil) })
	}
	m.pathFunc("getsize", func(p []string) value.Value { return nil },
		func(th value.Thread, _ []value.Value) value.Value { return th.DataInt("n", 0, nil) })
	for _, name := range []string{"getmtime", "getatime", "getctime"} {
		m.pathFunc(name, func(p []string) value.Value { return nil },
			func(th value.Thread, _ []value.Value) value.Value { return &value.SymFloat{} })
	}
	// Paths of unknown number or text give an unknown text.
	common := func(f func(list []string) string) func(th value.Thread, a []value.Value) (value.Value, error) {
		return func(th value.Thread, a []value.Value) (value.Value, error) {
			vs, err := elements(th, a[0])
			if err != nil {
				return openResult(th, "os.path.commonprefix", err)
			}
			list := make([]string, len(vs))
			for i, v := range vs {
				s, ok := value.AsStr(v)
				if !ok {
					return text(th, nil), nil
				}
				list[i] = s
			}
			return value.Str(f(list)), nil
		}
	}
	m.def("commonprefix(list, /)", common(commonPrefix))
	// A slash at the end lets whole names be compared.
	m.def("commonpath(paths, /)", common(func(list []string) string {
		for i := range list {
			list[i] = pathNorm(list[i]) + "/"
		}
		p := commonPrefix(list)
		if i := strings.LastIndexByte(p, '/'); i > 0 {
			return p[:i]
		} else if i == 0 {
			return "/"
		}
		return ""
	}))
	m.rest("the file system is not modelled")
}

// pathJoin begins again at an absolute part. As posixpath.join.
func pathJoin(p ...string) string {
	out := p[0]
	for _, s := range p[1:] {
		switch {
		case strings.HasPrefix(s, "/"):
			out = s
		case out == "" || strings.HasSuffix(out, "/"):
			out += s
		default:
			out += "/" + s
		}
	}
	return out
}

// pathSplit keeps the slash of a root. The head loses its trailing slashes unless it has nothing
// else.
func pathSplit(p string) (head, tail string) {
	i := strings.LastIndexByte(p, '/') + 1
	head, tail = p[:i], p[i:]
	if t := strings.TrimRight(head, "/"); t != "" {
		head = t
	}
	return head, tail
}

// pathSplitExt: leading dots of a name begin no extension.
func pathSplitExt(p string) (root, ext string) {
	base := strings.LastIndexByte(p, '/') + 1
	dot := strings.LastIndexByte(p, '.')
	if dot <= base || strings.Trim(p[base:dot], ".") == "" {
		return p, ""
	}
	return p[:dot], p[dot:]
}

// pathNorm is os.path.normpath; two leading slashes stay, as POSIX has it. path.Clean does the same
// in all other cases.
func pathNorm(p string) string {
	if strings.HasPrefix(p, "//") && !strings.HasPrefix(p, "///") {
		return "/" + path.Clean(p)
	}
	return path.Clean(p)
}

// pathRel leaves the common folders, goes up from the others, and down again. Both are absolute or
// both relative.
func pathRel(p, start string) string {
	split := func(s string) []string {
		s = strings.Trim(pathNorm(s), "/")
		if s == "" || s == "." {
			return nil
		}
		return strings.Split(s, "/")
	}
	a, b := split(start), split(p)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	var out []string
	for range a[i:] {
		out = append(out, "..")
	}
	if out = append(out, b[i:]...); len(out) == 0 {
		return "."
	}
	return strings.Join(out, "/")
}

// commonPrefix compares characters and not folders, as os.path.commonprefix does.
func commonPrefix(list []string) string {
	if len(list) == 0 {
		return ""
	}
	p := list[0]
	for _, s := range list[1:] {
		for !strings.HasPrefix(s, p) {
			p = p[:len(p)-1]
		}
	}
	return p
}
