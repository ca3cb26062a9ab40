package lib

// This file defines the modules that only have to be importable: they talk to
// the operating system, other processes or files, of which the analysis knows
// nothing. A name that is not listed gives Unknown. Such a module must not end the analysis at its
// import, since a program imports it for a part that is no computation of tensors. Common functions
// have the type of their result here, which keeps the program known: a str of which the text is
// open, for instance. A module that is worth more has a file of its own.

import (
	"strings"

	"shapecheck/infer/value"
)

// A stub describes such a module. The lists are separated by blanks. The causes name what the
// module does, as a message gives the reason why a value is not known.
type stub struct {
	what    string // for the cause of an Unknown: "pickle reads files"
	none    string // functions that return None
	unknown string // functions whose result is not known
	classes string // classes, to derive from or to make instances of
	errors  string // exception classes, as Name or Name(Base)
	floats  string // functions that return a float that is not known
	ints    string // functions that return an int ≥ 0 that is not known
	strs    string // functions that return a str that is not known
}

// The key is the full name of the module; an empty stub is importable and knows no name.
var stubModules = map[string]stub{
	"array": {}, "ast": {}, "asyncio": {none: "run set_event_loop sleep"}, "atexit": {none: "register unregister"},
	"binascii": {}, "calendar": {}, "cmd": {}, "code": {none: "interact"}, "codecs": {}, "colorsys": {},
	"configparser": {classes: "ConfigParser RawConfigParser SafeConfigParser", errors: "Error"},
	"copyreg":      {none: "pickle constructor"}, "cProfile": {none: "run runctx"}, "csv": {errors: "Error"},
	"ctypes": {}, "ctypes.util": {}, "curses": {}, "dbm": {}, "difflib": {}, "dis": {none: "dis"}, "distutils.util": {},
	"doctest": {none: "testmod testfile"}, "email": {}, "email.mime": {}, "encodings": {}, "errno": {},
	"faulthandler": {none: "enable disable dump_traceback register"},
	"fcntl":        {none: "flock lockf"}, "filecmp": {}, "fileinput": {}, "ftplib": {}, "getopt": {errors: "GetoptError"},
	"getpass": {strs: "getpass getuser"}, "gettext": {},
	"grp": {}, "html": {strs: "escape unescape"}, "html.parser": {classes: "HTMLParser"}, "http": {}, "http.client": {}, "http.server": {},
	"imp":       {},
	"ipaddress": {}, "linecache": {}, "locale": {none: "setlocale"}, "marshal": {}, "mimetypes": {}, "mmap": {},
	"multiprocessing": {what: "multiprocessing starts processes", none: "set_start_method freeze_support set_executable", ints: "cpu_count",
		strs: "get_start_method", classes: "Process", errors: "ProcessError TimeoutError AuthenticationError"},
	"multiprocessing.pool": {classes: "ThreadPool Pool"}, "multiprocessing.managers": {}, "multiprocessing.shared_memory": {},
	"multiprocessing.spawn": {},
	"netrc":                 {}, "opcode": {}, "optparse": {}, "pdb": {none: "set_trace post_mortem"},
	"pickle": {what: "pickle reads and writes files", none: "dump", classes: "Pickler Unpickler",
		errors: "PickleError PicklingError(PickleError) UnpicklingError(PickleError)"},
	"plistlib": {}, "profile": {}, "pstats": {}, "pwd": {}, "py_compile": {},
	"queue":    {classes: "Queue LifoQueue PriorityQueue SimpleQueue", errors: "Empty Full"},
	"readline": {}, "reprlib": {strs: "repr"}, "resource": {none: "setrlimit"}, "runpy": {}, "sched": {},
	"secrets": {strs: "token_hex token_urlsafe"}, "select": {}, "selectors": {}, "shelve": {},
	"shlex": {}, "shutil": {what: "shutil works on files", none: "rmtree copyfileobj copymode copystat",
		strs: "copy copy2 copyfile copytree move which make_archive", errors: "Error(OSError) SameFileError(OSError)"},
	"signal": {none: "signal alarm pause"}, "site": {}, "smtplib": {},
	"socket": {strs: "gethostname getfqdn gethostbyname", errors: "timeout(OSError) gaierror(OSError)"}, "socketserver": {},
	"sqlite3": {}, "ssl": {}, "stat": {}, "struct": {errors: "error"},
	"subprocess": {what: "subprocess runs other programs", classes: "Popen CompletedProcess",
		errors: "SubprocessError CalledProcessError(SubprocessError) TimeoutExpired(SubprocessError)"},
	"symtable": {}, "sysconfig": {}, "syslog": {}, "tarfile": {},
	"termios": {}, "threading": {what: "threading runs code at the same time",
		classes: "Thread Timer local Lock RLock Event Condition Semaphore BoundedSemaphore Barrier", ints: "get_ident active_count",
		unknown: "current_thread main_thread"},
	"timeit": {floats: "default_timer timeit"}, "tkinter": {}, "token": {}, "tokenize": {}, "tracemalloc": {none: "start stop"},
	"turtle": {}, "unicodedata": {strs: "normalize category name"},
	"urllib":       {what: "urllib reads the network"},
	"urllib.error": {errors: "URLError(OSError) HTTPError(OSError)"}, "urllib.parse": {},
	"urllib.request": {what: "urllib reads the network"},
	"uuid":           {}, "venv": {}, "wave": {}, "webbrowser": {}, "winreg": {}, "xml": {}, "xml.dom": {}, "xml.dom.minidom": {}, "xml.etree": {},
	"xml.etree.ElementTree": {}, "xml.etree.cElementTree": {}, "xml.sax": {},
	"xmlrpc": {}, "zipfile": {errors: "BadZipFile"}, "zipimport": {}, "zlib": {}, "zoneinfo": {},
}

// fillStub makes a module from its description. The functions take any arguments and look at none
// of them.
func fillStub(m *mod, s *stub) {
	w := m.w
	what := s.what
	if what == "" {
		what = "the contents of module " + m.name + " are not modelled"
	}
	for _, f := range []struct {
		names  string
		result func(th value.Thread) value.Value
	}{
		{s.none, func(value.Thread) value.Value { return value.None }},
		{s.unknown, func(th value.Thread) value.Value { return th.Unknown(what) }},
		{s.floats, func(value.Thread) value.Value { return &value.SymFloat{} }},
		{s.ints, func(th value.Thread) value.Value { return th.DataInt("n", 0, nil) }},
		{s.strs, func(th value.Thread) value.Value { return w.abstractStr(th, "") }},
	} {
		for _, name := range strings.Fields(f.names) {
			m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
				return f.result(th), nil
			})
		}
	}
	for _, name := range strings.Fields(s.classes) {
		c := m.class(name)
		// Whatever is asked of it is unknown, and it can be derived from.
		c.UnknownBase = &value.Cause{Reason: what}
	}
	// A base is an exception of the module that stands before in the list, or a builtin one, else
	// Exception.
	for _, e := range strings.Fields(s.errors) {
		name, base, _ := strings.Cut(strings.TrimSuffix(e, ")"), "(")
		b := w.exception
		if v, ok := m.attrs.Get(base); ok {
			b, _ = v.(*value.Class)
		} else if c := w.classes[base]; c != nil {
			b = c
		}
		m.class(name, b)
	}
	m.rest(what)
}

// rest makes every name that the module does not have an unknown value. Names with two leading
// underscores are excepted, as Python asks for them by itself, and so are submodules, which the
// import finds. from m import * binds nothing: __all__ is empty.
func (m *mod) rest(what string) {
	m.fn("__getattr__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			if s, ok := value.AsStr(args[0]); ok && (strings.HasPrefix(s, "__") || m.known(m.name+"."+s)) {
				return nil, th.Raise("AttributeError", "module '%s' has no attribute '%s'", m.name, s)
			}
		}
		return th.Unknown(what), nil
	})
	m.set("__all__", m.th.Heap().NewList(nil))
}
