package lib

// This file defines the module sys. What depends on the run of a program is as it would be at its
// start: no exception, no hooks, the arguments of the command line. Texts and numbers that describe
// the machine are those of a 64-bit Linux.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
)

// PythonVersion gives the numbers of a version that a caller names, such as 3.12 or
// 3.12.1; of none, those of the Python that programs find else. Parts that are no numbers are 0.
func PythonVersion(named string) [3]int64 {
	v := [3]int64{3, 11, 0}
	if named == "" {
		return v
	}
	v = [3]int64{}
	for i, part := range strings.SplitN(named, ".", len(v)) {
		v[i], _ = strconv.ParseInt(part, 10, 64)
	}
	return v
}

// dotted writes a version. Any number of parts.
func dotted(numbers []int64) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, ".")
}

// sysModule makes sys as on a 64-bit Linux, with the Python version of the configuration, since programs branch
// on it.
func sysModule(m *mod) {
	th, w, h := m.th, m.w, m.th.Heap()
	strs := func(list ...string) *value.List {
		l := h.NewList(nil)
		for _, s := range list {
			l.Elems = append(l.Elems, value.Str(s))
		}
		return l
	}
	version := PythonVersion(th.Option("python-version"))
	if c, err := w.namedTuple(th, "version_info", []string{"major", "minor", "micro", "releaselevel", "serial"}, nil, w.tuple); err == nil {
		m.set("version_info", &value.Tuple{Class: c, Elems: []value.Value{value.Int(version[0]), value.Int(version[1]), value.Int(version[2]),
			value.Str("final"), value.Int(0)}})
	}
	for _, c := range []struct{ name, val string }{
		{"version", dotted(version[:]) + " (main, Oct 24 2022, 00:00:00) [GCC]"}, {"platform", "linux"}, {"byteorder", "little"},
		{"executable", "python3"},
		{"prefix", "/usr"}, {"exec_prefix", "/usr"}, {"base_prefix", "/usr"}, {"base_exec_prefix", "/usr"}, {"copyright", ""},
		{"float_repr_style", "short"},
	} {
		m.set(c.name, value.Str(c.val))
	}
	m.set("maxsize", value.Int(1<<63-1))
	m.set("maxunicode", value.Int(0x10ffff))
	m.set("hexversion", value.Int(version[0]<<24|version[1]<<16|version[2]<<8|0xf0))
	m.set("api_version", value.Int(1013))
	m.set("dont_write_bytecode", value.Bool(false))
	// The driver puts the arguments of --script into the option "argv", separated by NUL.
	argv := strs("")
	if s := th.Option("argv"); s != "" {
		argv = strs(strings.Split(s, "\x00")...)
	}
	m.set("argv", argv)
	m.set("orig_argv", argv)
	// The folder of the program is the first entry, which is the empty text.
	m.set("path", strs(""))
	m.set("meta_path", strs())
	m.set("path_hooks", strs())
	m.set("warnoptions", strs())
	m.set("path_importer_cache", h.NewDict())
	m.set("builtin_module_names", value.NewTuple())
	m.set("modules", sysModules(m))
	file := m.class("_TextIO")
	sysFile(th, w, file)
	for _, name := range []string{"stdout", "stderr", "stdin", "__stdout__", "__stderr__", "__stdin__"} {
		f := h.NewInstance(file)
		f.Attrs.Set(h, "name", value.Str("<"+strings.Trim(name, "_")+">"))
		f.Attrs.Set(h, "encoding", value.Str("utf-8"))
		f.Attrs.Set(h, "closed", value.Bool(false))
		f.Attrs.Set(h, "softspace", value.Int(0))
		m.set(name, f)
	}
	// sys.exit raises SystemExit, which the program may catch.
	m.def("exit(status?, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return nil, systemExit(th, a[0]) })
	for _, name := range []string{"setrecursionlimit", "settrace", "setprofile", "setswitchinterval", "displayhook", "excepthook",
		"set_int_max_str_digits", "audit", "addaudithook", "breakpointhook"} {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	}
	consts := map[string]value.Value{"getrecursionlimit": value.Int(1000), "getdefaultencoding": value.Str("utf-8"),
		"getfilesystemencoding": value.Str("utf-8"),
		"exc_info":              value.NewTuple(value.None, value.None, value.None), "gettrace": value.None, "is_finalizing": value.Bool(false),
		"getprofile": value.None}
	for _, name := range sortedNames(consts) {
		v := consts[name]
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return v, nil })
	}
	m.def("intern(string, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	// Sizes of objects are not known.
	for _, name := range []string{"getsizeof", "getrefcount", "getallocatedblocks"} {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return th.DataInt("n", 0, nil), nil
		})
	}
	m.set("float_info", record(th, m.class("_float_info"), map[string]value.Value{
		"max": value.Float(1.7976931348623157e308), "min": value.Float(2.2250738585072014e-308), "epsilon": value.Float(2.220446049250313e-16),
		"dig": value.Int(15), "mant_dig": value.Int(53), "max_exp": value.Int(1024), "min_exp": value.Int(-1021), "radix": value.Int(2),
		"max_10_exp": value.Int(308), "min_10_exp": value.Int(-307), "rounds": value.Int(1)}))
	m.set("implementation", record(th, m.class("_implementation"),
		map[string]value.Value{"name": value.Str("cpython"), "cache_tag": value.Str(fmt.Sprintf("cpython-%d%d", version[0], version[1]))}))
	m.set("flags", record(th, m.class("_flags"), map[string]value.Value{"debug": value.Int(0), "optimize": value.Int(0),
		"verbose":     value.Int(0),
		"interactive": value.Int(0), "inspect": value.Int(0), "dev_mode": value.Bool(false), "utf8_mode": value.Int(0), "no_site": value.Int(0)}))
	m.rest("the state of the Python process")
}

// record makes an instance with attributes. In the order of the names.
func record(th value.Thread, c *value.Class, attrs map[string]value.Value) value.Value {
	i := th.Heap().NewInstance(c)
	for _, name := range sortedNames(attrs) {
		i.Attrs.Set(th.Heap(), name, attrs[name])
	}
	return i
}

// raiseInstance makes the error of a program that raises an exception itself;
// unlike th.Raise it reports nothing. An error of making the instance is returned instead.
func raiseInstance(th value.Thread, class string, args ...value.Value) error {
	v, err := th.Instance(th.Class(class), args...)
	if err != nil {
		return err
	}
	inst, ok := v.(*value.Instance)
	if !ok {
		return th.Raise(class, "")
	}
	return &value.Exception{Value: inst, At: th.Here()}
}

// sysFile defines the methods of the standard streams: what is written goes nowhere. Reading gives
// unknown texts, and a stream is a terminal or not.
func sysFile(th value.Thread, w *World, c *value.Class) {
	for _, name := range []string{"flush", "close", "reconfigure", "writelines"} {
		rawMethod(th, c, name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	}
	method(th, c, "write(self, text, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return w.callBuiltin(th, "len", a[1])
	})
	for _, name := range []string{"isatty", "readable", "writable", "seekable"} {
		rawMethod(th, c, name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return th.DataBool(nil), nil
		})
	}
	rawMethod(th, c, "fileno", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.DataInt("n", 0, nil), nil
	})
	for _, name := range []string{"read", "readline"} {
		rawMethod(th, c, name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return w.abstractStr(th, ""), nil
		})
	}
	rawMethod(th, c, "readlines", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Heap().NewOpenList(&value.Open{Elem: w.abstractStr(th, "")}), nil
	})
	method(th, c, "__iter__(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return &value.Iterator{Name: "_TextIO", Open: &value.Open{Elem: w.abstractStr(th, "")}}, nil
	})
	method(th, c, "__next__(self)", func(th value.Thread, a []value.Value) (value.Value, error) { return w.abstractStr(th, ""), nil })
	method(th, c, "__enter__(self)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	rawMethod(th, c, "__exit__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	rawMethod(th, c, "__getattr__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Unknown("a standard stream"), nil
	})
}

// sysModules makes sys.modules: a view of the importer. A module that can be imported here counts as one of
// its entries. Iteration gives the modules that the program itself has imported by then, and what it has set;
// those that the standard library imports for itself are not among them, and the number of all is not known.
// Assigning an entry makes it importable under that name.
func sysModules(m *mod) value.Value {
	th := m.th
	c := m.class("_Modules")
	has := func(v value.Value) (string, bool) {
		s, ok := value.AsStr(v)
		return s, ok
	}
	// Entries that the program has set are attributes of the view.
	own := func(a value.Value) *value.Attrs { return a.(*value.Instance).Attrs }
	modules := th.Heap().NewInstance(c)
	m.w.loaded = modules.Attrs
	// Looking a module up imports it.
	find := func(th value.Thread, self, key value.Value) (value.Value, bool) {
		s, ok := has(key)
		if !ok {
			return nil, false
		}
		if v, ok := own(self).Get(s); ok {
			return v, true
		}
		v, err := th.Import(s)
		return v, err == nil
	}
	method(th, c, "__getitem__(self, key, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if v, ok := find(th, a[0], a[1]); ok {
			return v, nil
		}
		return th.Unknown("a module that was not loaded"), nil
	})
	// A module that cannot be imported has the default.
	method(th, c, "get(self, key, default?, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if v, ok := find(th, a[0], a[1]); ok && !value.IsUnknown(v) {
			return v, nil
		}
		return or(a[2], value.None), nil
	})
	method(th, c, "__contains__(self, key, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := has(a[1])
		if !ok {
			return th.DataBool(nil), nil
		}
		if _, ok := own(a[0]).Get(s); ok {
			return value.Bool(true), nil
		}
		in, ok := th.(value.Installed)
		if ok && in.IsLoaded(s) {
			return value.Bool(true), nil
		}
		return value.Bool(m.known(s) && !(ok && Extra(s))), nil
	})
	method(th, c, "__len__(self, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.DataInt("n", 1, nil), nil })
	method(th, c, "__setitem__(self, key, value, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if s, ok := has(a[1]); ok {
			own(a[0]).Set(th.Heap(), s, a[2])
		}
		return value.None, nil
	})
	method(th, c, "__delitem__(self, key, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if s, ok := has(a[1]); ok {
			own(a[0]).Delete(th.Heap(), s)
		}
		return value.None, nil
	})
	rawMethod(th, c, "update", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
	// now is a dict of the entries.
	now := func(th value.Thread, self value.Value) *value.Dict {
		d := th.Heap().NewDict()
		a := own(self)
		names := make([]string, 0, a.Len())
		for i := range a.Len() {
			names = append(names, a.Name(i))
		}
		if in, ok := th.(value.Installed); ok {
			names = append(names, in.LoadedModules()...)
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			v, _ := find(th, self, value.Str(name))
			if v == nil {
				v = th.Unknown("a module that was not loaded")
			}
			d.SetStr(th.Heap(), name, v)
		}
		return d
	}
	method(th, c, "copy(self, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return now(th, a[0]), nil })
	for _, name := range []string{"keys", "values", "items", "__iter__"} {
		method(th, c, name+"(self, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
			return th.CallMethod(now(th, a[0]), name)
		})
	}
	// What was removed may be imported again.
	rawMethod(th, c, "pop", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Unknown("the loaded modules"), nil
	})
	return modules
}

// systemExit is the exception of sys.exit and its kin; status may be nil. The status is the
// exception's argument.
func systemExit(th value.Thread, status value.Value) error {
	if status == nil {
		return raiseInstance(th, "SystemExit")
	}
	return raiseInstance(th, "SystemExit", status)
}

// exit() and quit().
func exitProc(c *call) (value.Value, error) {
	var status value.Value
	if len(c.args) > 0 {
		status = c.args[0]
	}
	return nil, systemExit(c.th, status)
}
