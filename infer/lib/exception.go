package lib

// This file defines the exception classes. An exception is an Instance whose
// attribute table holds "args"; what else CPython keeps in C fields (errno,
// __cause__ …) is in the table once it is set, and attr.go gives the defaults. The texts of
// exceptions are CPython's. What the analysis itself raises comes through Raise of the thread,
// which adds a diagnostic; these classes are what the program sees of it. The hierarchy is
// CPython's; classes of io, json and the like are made by their modules.

import (
	"fmt"

	"shapecheck/infer/value"
)

// In the order of CPython's documentation. A base is defined before its subclasses, as each is
// looked up when a class is made.
var exceptionClasses = [...]classSpec{
	{name: "BaseException", procs: baseExceptionProcs},
	{name: "GeneratorExit", base: "BaseException"},
	{name: "KeyboardInterrupt", base: "BaseException"},
	{name: "SystemExit", base: "BaseException"},
	{name: "BaseExceptionGroup", base: "BaseException", procs: groupProcs},
	{name: "Exception", base: "BaseException"},
	{name: "ExceptionGroup", base: "BaseExceptionGroup", fill: exceptionGroup},
	{name: "ArithmeticError", base: "Exception"},
	{name: "FloatingPointError", base: "ArithmeticError"},
	{name: "OverflowError", base: "ArithmeticError"},
	{name: "ZeroDivisionError", base: "ArithmeticError"},
	{name: "AssertionError", base: "Exception"},
	{name: "AttributeError", base: "Exception"},
	{name: "BufferError", base: "Exception"},
	{name: "EOFError", base: "Exception"},
	{name: "ImportError", base: "Exception"},
	{name: "ModuleNotFoundError", base: "ImportError"},
	{name: "LookupError", base: "Exception"},
	{name: "IndexError", base: "LookupError"},
	{name: "KeyError", base: "LookupError"},
	{name: "MemoryError", base: "Exception"},
	{name: "NameError", base: "Exception"},
	{name: "UnboundLocalError", base: "NameError"},
	{name: "OSError", base: "Exception"},
	{name: "BlockingIOError", base: "OSError"},
	{name: "ChildProcessError", base: "OSError"},
	{name: "ConnectionError", base: "OSError"},
	{name: "BrokenPipeError", base: "ConnectionError"},
	{name: "ConnectionAbortedError", base: "ConnectionError"},
	{name: "ConnectionRefusedError", base: "ConnectionError"},
	{name: "ConnectionResetError", base: "ConnectionError"},
	{name: "FileExistsError", base: "OSError"},
	{name: "FileNotFoundError", base: "OSError"},
	{name: "InterruptedError", base: "OSError"},
	{name: "IsADirectoryError", base: "OSError"},
	{name: "NotADirectoryError", base: "OSError"},
	{name: "PermissionError", base: "OSError"},
	{name: "ProcessLookupError", base: "OSError"},
	{name: "TimeoutError", base: "OSError"},
	{name: "ReferenceError", base: "Exception"},
	{name: "RuntimeError", base: "Exception"},
	{name: "NotImplementedError", base: "RuntimeError"},
	{name: "RecursionError", base: "RuntimeError"},
	{name: "StopAsyncIteration", base: "Exception"},
	{name: "StopIteration", base: "Exception"},
	{name: "SyntaxError", base: "Exception"},
	{name: "IndentationError", base: "SyntaxError"},
	{name: "TabError", base: "IndentationError"},
	{name: "SystemError", base: "Exception"},
	{name: "TypeError", base: "Exception"},
	{name: "ValueError", base: "Exception"},
	{name: "UnicodeError", base: "ValueError"},
	{name: "UnicodeDecodeError", base: "UnicodeError"},
	{name: "UnicodeEncodeError", base: "UnicodeError"},
	{name: "UnicodeTranslateError", base: "UnicodeError"},
	{name: "Warning", base: "Exception"},
	{name: "BytesWarning", base: "Warning"},
	{name: "DeprecationWarning", base: "Warning"},
	{name: "EncodingWarning", base: "Warning"},
	{name: "FutureWarning", base: "Warning"},
	{name: "ImportWarning", base: "Warning"},
	{name: "PendingDeprecationWarning", base: "Warning"},
	{name: "ResourceWarning", base: "Warning"},
	{name: "RuntimeWarning", base: "Warning"},
	{name: "SyntaxWarning", base: "Warning"},
	{name: "UnicodeWarning", base: "Warning"},
	{name: "UserWarning", base: "Warning"},
}

// exceptionGroup adds the second base, which a classSpec cannot express. Its order of bases is
// given here as computing it needs both bases: the group's first, then Exception's.
func exceptionGroup(w *World, c *value.Class) {
	exc := w.classes["Exception"]
	c.Bases = append(c.Bases, exc)
	c.MRO = []*value.Class{c, w.classes["BaseExceptionGroup"], exc, w.classes["BaseException"], w.classes["object"]}
}

var baseExceptionProcs = []proc{
	{name: "__new__", params: "*args **kw", kind: newProc, fn: func(c *call) (value.Value, error) {
		// OSError makes an exception of the class of its number. Arguments are kept at __new__
		// already, so that a subclass whose __init__ does not call super() still has them.
		cls := c.self.(*value.Class)
		if cls == c.w.classes["OSError"] && len(c.rest) > 1 {
			if n, ok := smallInt(value.Plain(c.rest[0])); ok && errnoClasses[n] != "" {
				cls = c.w.classes[errnoClasses[n]]
			}
		}
		e := c.th.Heap().NewInstance(cls)
		e.Attrs.Set(c.th.Heap(), "args", value.NewTuple(c.rest...))
		return e, nil
	}},
	{name: "__init__", params: "*args **kw", fn: exceptionInit},
	{name: "__str__", fn: func(c *call) (value.Value, error) {
		text, known := c.w.exceptionText(c.th, c.self.(*value.Instance))
		return c.w.strResult(c.th, text, known), nil
	}},
	// It returns the exception, for raise e.with_traceback(tb).
	{name: "with_traceback", params: "tb", fn: func(c *call) (value.Value, error) {
		c.self.(*value.Instance).Attrs.Set(c.th.Heap(), "__traceback__", c.args[0])
		return c.self, nil
	}},
	// Notes are a list that is made at the first one.
	{name: "add_note", params: "note", fn: func(c *call) (value.Value, error) {
		e := c.self.(*value.Instance)
		notes, ok := e.Attrs.Get("__notes__")
		l, isList := notes.(*value.List)
		if !ok || !isList {
			l = c.th.Heap().NewList(nil)
			e.Attrs.Set(c.th.Heap(), "__notes__", l)
		}
		c.th.Heap().Touch(l)
		l.Elems = append(l.Elems, c.args[0])
		return value.None, nil
	}},
}

// exceptionInit stores all arguments; only the classes that CPython has so take keywords. The
// arguments replace those of __new__. Keywords become attributes.
func exceptionInit(c *call) (value.Value, error) {
	e, ok := c.self.(*value.Instance)
	if !ok {
		return value.None, nil
	}
	h := c.th.Heap()
	e.Attrs.Set(h, "args", value.NewTuple(c.rest...))
	allowed := ""
	switch {
	case e.Class.IsSubclass(c.w.classes["ImportError"]):
		allowed = "name path name_from"
	case e.Class.IsSubclass(c.w.classes["AttributeError"]):
		allowed = "name obj"
	case e.Class.IsSubclass(c.w.classes["NameError"]):
		allowed = "name"
	}
	for _, k := range c.kw {
		if !hasWord(allowed, k.Name) {
			return nil, c.th.Raise("TypeError", "%s() takes no keyword arguments", e.Class.Name)
		}
		e.Attrs.Set(h, k.Name, k.Value)
	}
	return value.None, nil
}

// hasWord reports whether a blank-separated list contains a word. It is a plain scan, as splitting
// would allocate for each exception that is made.
func hasWord(list, word string) bool {
	for len(list) > 0 {
		i := 0
		for i < len(list) && list[i] != ' ' {
			i++
		}
		if list[:i] == word {
			return true
		}
		list = list[min(i+1, len(list)):]
	}
	return false
}

// The exceptions of a group are drained into a tuple; where their number is not known the attribute
// is unknown, but args have what was passed.
var groupProcs = []proc{
	{name: "__init__", params: "message exceptions", fn: func(c *call) (value.Value, error) {
		e := c.self.(*value.Instance)
		h := c.th.Heap()
		elems, open, err := c.w.drain(c.th, c.args[1])
		if err != nil {
			return nil, err
		}
		var all value.Value = value.NewTuple(elems...)
		if open != nil {
			all = c.th.Unknown("number of exceptions is not known")
		}
		e.Attrs.Set(h, "args", value.NewTuple(c.args...))
		e.Attrs.Set(h, "message", c.args[0])
		e.Attrs.Set(h, "exceptions", all)
		return value.None, nil
	}},
}

// Exception makes an exception of a builtin class with a message. A class that there is not is
// Exception. It is what the analysis uses for an exception that it raises by name.
func (w *World) Exception(class, msg string) *value.Instance {
	c := w.Class(class)
	if c == nil {
		c = w.exception
	}
	e := w.heap.NewInstance(c)
	e.Attrs.Set(w.heap, "args", value.NewTuple(value.Str(msg)))
	return e
}

// exceptionArgs are the arguments of an exception, nil where the program has set another value. The
// program may assign args, or they may be unknown.
func exceptionArgs(e *value.Instance) []value.Value {
	v, _ := e.Attrs.Get("args")
	if t, ok := v.(*value.Tuple); ok {
		return t.Elems
	}
	return nil
}

// isException reports whether a value is an exception, and gives it as an instance. Exceptions of a
// class that the program defines are instances too.
func (w *World) isException(v value.Value) (*value.Instance, bool) {
	e, ok := v.(*value.Instance)
	if !ok || !e.Class.IsSubclass(w.classes["BaseException"]) {
		return nil, false
	}
	return e, true
}

// groupText is the message of a group with the number of its exceptions; known is false where its
// parts are not.
func groupText(th value.Thread, e *value.Instance) (string, bool) {
	msg, _ := e.Attrs.Get("message")
	list, _ := e.Attrs.Get("exceptions")
	all, ok := list.(*value.Tuple)
	if msg == nil || !ok {
		return "", false
	}
	text, known := th.Str(msg)
	plural := "s"
	if len(all.Elems) == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s (%d sub-exception%s)", text, len(all.Elems), plural), known
}

// exceptionText is str(e) without regard to a __str__ that the program defines. A KeyError quotes
// its key, an OSError has its number and file, and several arguments look like a tuple. The second
// result is false where a part is not known. BaseException.__str__ and repr.go's str() call it.
func (w *World) exceptionText(th value.Thread, e *value.Instance) (string, bool) {
	args := exceptionArgs(e)
	switch {
	case e.Class.IsSubclass(w.classes["BaseExceptionGroup"]):
		return groupText(th, e)
	case len(args) == 0:
		return "", true
	case len(args) == 1 && e.Class.IsSubclass(w.classes["KeyError"]):
		return th.Repr(args[0])
	case len(args) == 1:
		return th.Str(args[0])
	// Two or more arguments of an OSError are the number and the text; the third is a file name,
	// quoted by repr.
	case e.Class.IsSubclass(w.classes["OSError"]):
		no, k1 := th.Str(args[0])
		what, k2 := th.Str(args[1])
		text, known := "[Errno "+no+"] "+what, k1 && k2
		if len(args) > 2 && args[2] != value.None {
			name, k3 := th.Repr(args[2])
			text, known = text+": "+name, known && k3
		}
		return text, known
	}
	return th.Repr(value.NewTuple(args...))
}

// errnoClasses are the classes that OSError(errno, text) makes, by Linux's numbers. Other numbers
// stay an OSError.
var errnoClasses = map[int64]string{
	1: "PermissionError", 2: "FileNotFoundError", 3: "ProcessLookupError", 4: "InterruptedError", 10: "ChildProcessError",
	11: "BlockingIOError", 13: "PermissionError", 17: "FileExistsError", 20: "NotADirectoryError", 21: "IsADirectoryError",
	32: "BrokenPipeError", 103: "ConnectionAbortedError", 104: "ConnectionResetError", 110: "TimeoutError", 111: "ConnectionRefusedError",
}

// strResult makes a str of a text that may be abstract: then text is only its example. An example
// helps messages; the program itself cannot see it.
func (w *World) strResult(th value.Thread, text string, known bool) value.Value {
	if known {
		return value.Str(text)
	}
	return w.abstractStr(th, text)
}

// exceptionDefaults are attributes of C fields that nobody has set. __suppress_context__ is set by
// "raise … from".
var exceptionDefaults = map[string]value.Value{
	"__cause__": value.None, "__context__": value.None, "__traceback__": value.None,
	"__suppress_context__": value.Bool(false),
}

// exceptionAttr gives the attributes of exceptions that are not in the table: defaults, and those
// that the arguments of the class stand for. found is false where the exception has no such
// attribute, and reading it is an AttributeError. A SystemExit without arguments has the code None.
func (w *World) exceptionAttr(e *value.Instance, name string) (value.Value, bool) {
	if v, ok := exceptionDefaults[name]; ok {
		return v, true
	}
	args := exceptionArgs(e)
	at := func(i int) (value.Value, bool) {
		if i < len(args) {
			return args[i], true
		}
		return value.None, true
	}
	is := func(class string) bool { return e.Class.IsSubclass(w.classes[class]) }
	switch name {
	case "value":
		if is("StopIteration") {
			return at(0)
		}
	case "code":
		if is("SystemExit") {
			return at(0)
		}
	// An OSError with one argument has no number, text or file. Its fourth argument is winerror,
	// which is left out on other systems.
	case "errno", "strerror", "filename", "filename2":
		if is("OSError") {
			if len(args) < 2 {
				return value.None, true
			}
			return at(map[string]int{"errno": 0, "strerror": 1, "filename": 2, "filename2": 4}[name])
		}
	case "name", "path", "obj":
		if name != "obj" && is("ImportError") || name != "path" && is("AttributeError") || name == "name" && is("NameError") {
			return value.None, true
		}
	case "msg":
		if is("ImportError") || is("SyntaxError") {
			return at(0)
		}
	}
	return nil, false
}
