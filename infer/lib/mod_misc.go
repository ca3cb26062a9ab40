package lib

// This file defines small native modules: warnings, time, types, importlib,
// builtins, platform, gc, weakref and the native helpers of enum. Of modules that look at the
// machine, the clock or the garbage collector only as much is here as lets a program run: their
// functions exist, and results are unknown values of the right type.

import (
	"strings"

	"shapecheck/infer/value"
)

// It takes any arguments.
func returns(v value.Value) value.NativeFunc {
	return func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return v, nil }
}

// Warnings are not given, so filters have no effect.
func warningsModule(m *mod) {
	th := m.th
	for _, name := range strings.Fields("warn warn_explicit showwarning formatwarning filterwarnings simplefilter resetwarnings _warn") {
		m.fn(name, returns(value.None))
	}
	m.set("filters", th.Heap().NewList(nil))
	c := m.class("catch_warnings")
	rawMethod(th, c, "__init__", returns(value.None))
	rawMethod(th, c, "__enter__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Unknown("the warnings that a program gives"), nil
	})
	rawMethod(th, c, "__exit__", returns(value.None))
	m.def("deprecated(msg, /, **kw)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return defFunc("warnings", "decorator(arg, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil }), nil
	})
}

// Times differ between runs and are unknown numbers.
func timeModule(m *mod) {
	for _, name := range strings.Fields("time perf_counter monotonic process_time thread_time clock clock_gettime mktime") {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return &value.SymFloat{}, nil
		})
	}
	for _, name := range strings.Fields("time_ns perf_counter_ns monotonic_ns process_time_ns") {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return th.DataInt("n", 0, nil), nil
		})
	}
	for _, name := range strings.Fields("strftime ctime asctime") {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return m.w.abstractStr(th, ""), nil
		})
	}
	m.fn("sleep", returns(value.None))
	m.class("struct_time")
	m.rest("the time of day is not known")
}

// typesModule gives the names of builtin classes; SimpleNamespace and other
// classes are in py/types.py. A class that the engine does not have becomes an empty one, of which
// nothing is an instance.
func typesModule(m *mod) {
	w := m.w
	for _, c := range []struct{ name, class string }{{"FunctionType", "function"}, {"LambdaType", "function"}, {"MethodType", "method"},
		{"BuiltinFunctionType", "builtin_function_or_method"}, {"BuiltinMethodType", "builtin_function_or_method"}, {"ModuleType", "module"},
		{"GeneratorType", "generator"}, {"NoneType", "NoneType"}, {"EllipsisType", "ellipsis"}, {"NotImplementedType", "NotImplementedType"},
		{"GenericAlias", "GenericAlias"}, {"UnionType", "UnionType"}, {"WrapperDescriptorType", "wrapper_descriptor"},
		{"DynamicClassAttribute", "property"},
		{"MappingProxyType", "mappingproxy"}, {"CoroutineType", "coroutine"}, {"CodeType", "code"}, {"FrameType", "frame"},
		{"TracebackType", "traceback"},
		{"AsyncGeneratorType", "async_generator"}, {"CellType", "cell"}, {"MethodWrapperType", "method-wrapper"},
		{"MethodDescriptorType", "method_descriptor"},
		{"ClassMethodDescriptorType", "classmethod_descriptor"}, {"GetSetDescriptorType", "getset_descriptor"},
		{"MemberDescriptorType", "member_descriptor"}} {
		if k := w.classes[c.class]; k != nil {
			m.set(c.name, k)
		} else {
			m.set(c.name, newModClass(m.th, "types", c.class))
		}
	}
}

// Importing a module by name works as the import statement does; an unknown name gives an unknown
// module.
func importlibModule(m *mod) {
	m.def("import_module(name, package?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		if !ok {
			return th.Unknown("name of a module is not known"), nil
		}
		s, err := absoluteModule(th, s, a[1])
		if err != nil {
			return nil, err
		}
		if in, ok := th.(value.Installed); ok {
			return in.ImportModule(s)
		}
		return th.Import(s)
	})
	m.def("reload(module)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	m.fn("invalidate_caches", returns(value.None))
	m.rest("how modules are found")
}

// absoluteModule resolves a name that begins with dots. parent is the package that the dots start
// from. TypeError without one.
func absoluteModule(th value.Thread, name string, parent value.Value) (string, error) {
	rest := strings.TrimLeft(name, ".")
	if rest == name {
		return name, nil
	}
	pkg, ok := value.AsStr(or(parent, value.None))
	if !ok {
		return "", th.Raise("TypeError", "the 'package' argument is required to perform a relative import for %s", value.StrRepr(name))
	}
	for range len(name) - len(rest) - 1 {
		pkg = pkg[:max(0, strings.LastIndexByte(pkg, '.'))]
	}
	return strings.TrimSuffix(pkg+"."+rest, "."), nil
}

// None is the answer for a module that is not installed, which programs use to choose a way.
func importlibUtilModule(m *mod) {
	m.def("find_spec(name, package?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		in, knows := th.(value.Installed)
		if !ok || !knows {
			return th.Unknown("the specification of a module"), nil
		}
		s, err := absoluteModule(th, s, a[1])
		if err != nil {
			return nil, err
		}
		return in.FindSpec(s)
	})
	m.rest("how modules are found")
}

// importlibMetadataModule tells the versions of installed packages. Versions are those of the
// environment that was found.
func importlibMetadataModule(m *mod) {
	m.class("PackageNotFoundError", m.w.classes["ModuleNotFoundError"])
	m.def("version(distribution_name)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		if in, knows := th.(value.Installed); ok && knows {
			return in.Version(s)
		}
		return m.w.abstractStr(th, ""), nil
	})
	m.def("_distributions(module, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		in, knows := th.(value.Installed)
		if !ok || !knows {
			return th.Unknown("installed packages are not known"), nil
		}
		var names []value.Value
		for _, n := range in.Distributions(s) {
			names = append(names, value.Str(n))
		}
		return th.Heap().NewList(names), nil
	})
	m.rest("installed packages are not known")
}

// builtinsModule is the namespace in which the engine looks up builtins.
func builtinsModule(m *mod) {
	b := m.w.b
	for i := range b.Len() {
		m.set(b.Name(i), b.At(i))
	}
}

// The version is the one that the check was asked for, and the system always Linux.
func platformModule(m *mod) {
	version := PythonVersion(m.th.Option("python-version"))
	for _, c := range []struct{ name, val string }{{"system", "Linux"}, {"python_version", dotted(version[:])},
		{"python_implementation", "CPython"}, {"machine", "x86_64"}} {
		m.fn(c.name, returns(value.Str(c.val)))
	}
	m.fn("python_version_tuple", returns(value.NewTuple(value.Str(dotted(version[:1])), value.Str(dotted(version[1:2])),
		value.Str(dotted(version[2:])))))
	for _, name := range []string{"node", "platform", "processor", "release", "version"} {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return m.w.abstractStr(th, ""), nil
		})
	}
	m.rest("the machine is not known")
}

// collect returns some number of objects.
func gcModule(m *mod) {
	m.fn("collect", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.DataInt("n", 0, nil), nil
	})
	for _, name := range strings.Fields("enable disable freeze unfreeze set_threshold set_debug") {
		m.fn(name, returns(value.None))
	}
	m.fn("isenabled", returns(value.Bool(true)))
	m.rest("the state of the garbage collector")
}

// enumModule is the native part of enum.
func enumModule(m *mod) {
	m.def("_is_descriptor(value, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		switch x := a[0].(type) {
		case *value.Func, *value.Property, *value.StaticMethod, *value.ClassMethod, *value.BoundMethod:
			return value.Bool(true), nil
		case *value.Builtin:
			return value.Bool(false), nil // as in CPython, where they do not bind
		case *value.Instance:
			for _, n := range []string{"__get__", "__set__", "__delete__"} {
				if _, ok := x.Class.Lookup(n); ok {
					return value.Bool(true), nil
				}
			}
		}
		return value.Bool(false), nil
	})
	// The first class with a name of its own; with a metaclass only among its
	// instances, or among the other classes. __dict__ would make a dict of each.
	m.def("_owner(classes, name, meta?, of?, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		list, _ := a[0].(*value.Tuple)
		name, ok := value.AsStr(a[1])
		if list == nil || !ok {
			return value.None, nil
		}
		meta, _ := a[2].(*value.Class)
		for _, e := range list.Elems {
			c, ok := e.(*value.Class)
			if !ok || meta != nil && (c.Meta != nil && c.Meta.IsSubclass(meta)) != (a[3] == value.Value(value.Bool(true))) {
				continue
			}
			if _, ok := c.Attrs.Get(name); ok {
				return c, nil
			}
		}
		return value.None, nil
	})
}

// weakrefModule: references are strong, since nothing is ever freed.
func weakrefModule(m *mod) {
	m.def("proxy(object, callback?, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	m.fn("getweakrefcount", returns(value.Int(0)))
	m.fn("getweakrefs", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return th.Heap().NewList(nil), nil
	})
}

// futureModule is __future__.
func futureModule(m *mod) {
	for _, name := range strings.Fields(
		"annotations division absolute_import print_function unicode_literals generators nested_scopes with_statement generator_stop barry_as_FLUFL") {
		m.set(name, value.Bool(true))
	}
}
