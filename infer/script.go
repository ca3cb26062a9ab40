package infer

// This file runs a file as a script: from its top level, as the module __main__,
// with its own command line.
//
// It also knows what a notebook has that a program has not.

import (
	"errors"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// scriptModule is the name of the module that a script is.
const scriptModule = "__main__"

// startScript prepares the run of a script. All that runs counts as the entry.
func (en *entry) startScript(path string) string {
	en.in.options["argv"] = strings.Join(append([]string{path}, en.cfg.Script...), "\x00")
	en.in.stack.inEntry, en.called, en.in.rec.loading = true, true, false
	en.entryName = path
	return scriptModule
}

// endScript deals with an exception that reached the top of a script.
func (en *entry) endScript(err error) error {
	var e *value.Exception
	if !errors.As(err, &e) || !en.isExit(e.Value) {
		en.in.uncaught(err)
		return nil
	}
	if msg, ok := e.Value.Attrs.Get("_argparse"); ok {
		text, _ := value.AsStr(msg)
		return usagef("%s does not accept its arguments: %s", en.cfg.File, text)
	}
	en.exit = e.At
	how := en.exitStatus(e)
	if how == "" {
		return nil
	}
	// Nothing that follows was looked at.
	d := diag.New(diag.UncaughtRaise, e.At, "the script ends here "+how, "SystemExit", how)
	d.Severity = diag.Warning
	en.in.report(&value.Exception{Value: e.Value, Diag: d, At: e.At, Frames: e.Frames})
	return nil
}

// exitStatus says with what sys.exit was called; empty when that means success
// or is not known.
func (en *entry) exitStatus(e *value.Exception) string {
	status, _ := e.Value.Attrs.Get("code")
	if status == nil {
		if args, _ := e.Value.Attrs.Get("args"); args != nil {
			if t, ok := args.(*value.Tuple); ok && len(t.Elems) > 0 {
				status = t.Elems[0]
			}
		}
	}
	switch s := status.(type) {
	case nil, *value.Unknown, *value.SymInt, value.NoneType:
		return ""
	case value.Int:
		if s == 0 {
			return ""
		}
		return "with status " + itoa(int64(s))
	}
	en.in.quiet++
	defer func() { en.in.quiet-- }()
	text, ok := en.in.Str(status)
	if !ok {
		return ""
	}
	return "with: " + text
}

// dataNatives defines what the prelude's data sets are made of: numbers, texts
// and lists that files decide.
func (na *natives) dataNatives(def func(string, value.NativeFunc)) {
	def("data_int", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		prefix, lo, hi := "n", int64(0), int64(symshape.PosInf)
		for i, a := range args {
			switch n, _ := value.AsInt(a); i {
			case 0:
				prefix, _ = value.AsStr(a)
			case 1:
				lo = n
			case 2:
				hi = n
			}
		}
		e := na.pool.FreshIn(prefix, lo, hi)
		na.in.rec.data(e)
		return &value.SymInt{D: symshape.Dim{Expr: e}}, nil
	})
	def("data_str", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return &value.Abstract{Class: na.world.Class("str"), Cause: &value.Cause{At: na.in.Here(), Reason: "a text that comes from files"}}, nil
	})
	def("data_file", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		text := &value.Abstract{Class: na.world.Class("str"), Cause: &value.Cause{At: na.in.Here(), Reason: "a text that comes from files"}}
		if len(args) == 1 {
			na.in.builtin.noteFile(text, args[0])
		}
		return text, nil
	})
	def("batches", na.batches)
	def("each_batch", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 1 {
			return nil, na.in.Raise("TypeError", "each_batch takes a number")
		}
		n, ok := value.AsInt(args[0])
		return value.Bool(na.cfg.Retraces && ok && n <= maxEachBatch), nil
	})
	def("collated", na.collated)
	def("open_dict", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, na.in.Raise("TypeError", "open_dict takes 2 arguments")
		}
		from, ok := args[0].(*value.Dict)
		if !ok {
			return args[0], nil
		}
		d := na.heap.NewDict()
		for i := range from.Len() {
			if s, ok := value.AsStr(from.Key(i)); ok {
				d.SetStr(&na.heap, s, from.At(i))
			}
		}
		key := &value.Abstract{Class: na.world.Class("str"), Cause: &value.Cause{At: na.in.Here(), Reason: "a key that is not known"}}
		d.Open = &value.Open{Key: key, Elem: args[1]}
		return d, nil
	})
	def("is_open", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			switch v := args[0].(type) {
			case *value.Dict:
				return value.Bool(v.Open != nil), nil
			case *value.List:
				return value.Bool(v.Open != nil), nil
			}
		}
		return value.Bool(false), nil
	})
	def("known_keys", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			if d, ok := args[0].(*value.Dict); ok {
				return na.heap.NewList(slices.Clone(d.Keys())), nil
			}
		}
		return na.heap.NewList(nil), nil
	})
	def("open_list", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, na.in.Raise("TypeError", "open_list takes 2 arguments")
		}
		l := na.heap.NewList(nil)
		l.Open = &value.Open{Elem: args[0]}
		switch n := args[1].(type) {
		case value.Int:
			l.Open.Len = na.pool.ConstDim(int64(n))
		case *value.SymInt:
			l.Open.Len = n.D
		}
		return l, nil
	})
}

// collated notes that the tensors of a value that have n rows are one batch of a
// loader, and gives the value.
func (na *natives) collated(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "collated takes a value and a number")
	}
	var rows *symshape.Expr
	switch n := args[1].(type) {
	case value.Int:
		rows = na.pool.Const(int64(n))
	case *value.SymInt:
		rows = n.D.Expr
	}
	var batch []*graph.Value
	for x := range value.Walk(args[0], 6, value.Sequences|value.DictValues|value.Attributes) {
		if t, ok := x.(*value.Tensor); ok && t.V != nil && t.V.Type.Rank() > 0 && rows != nil && t.V.Type.Shape[0].Expr == rows {
			batch = append(batch, t.V)
		}
	}
	if len(batch) > 0 {
		na.in.batchesMade = append(na.in.batchesMade, batch)
	}
	return args[0], nil
}

// isExit reports whether an exception is one that ends a script, not a fault. At
// the top of a module that is only loaded the rest still defines names.
func (en *entry) isExit(e *value.Instance) bool {
	exit := en.world.Class("SystemExit")
	return en.cfg.Script != nil && exit != nil && e.Class.IsSubclass(exit)
}

// maxEachBatch bounds the batches of a loader of which each one is made, in a report of calls: a
// loop over more runs once for all of them, and how often what it calls runs is not known.
const maxEachBatch = 8

// batches makes the iterator over the batches of a loader: all of them when they
// are few; else a full and a last one, and one that stands for all.
func (na *natives) batches(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	l, ok := args[0].(*value.List)
	if len(args) != 2 || !ok || len(l.Elems) == 0 {
		return nil, na.in.Raise("TypeError", "batches takes a list and a number")
	}
	n := symshape.Dim{}
	switch x := args[1].(type) {
	case value.Int:
		n = na.pool.ConstDim(int64(x))
	case *value.SymInt:
		n = x.D
	}
	it := firstThen(na.in, nil, l.Elems, nil)
	if n.Known && n.Val <= int64(len(l.Elems)) {
		return it, nil
	}
	all := l.Elems[0]
	for _, e := range l.Elems[1:] {
		all = na.in.Join(all, e)
	}
	next := it.Next
	it.First = l.Elems
	it.Open = &value.Open{Elem: all, Len: n}
	it.Next = func(th value.Thread) (value.Value, bool, error) {
		v, ok, err := next(th)
		if !ok {
			return all, true, err
		}
		return v, ok, err
	}
	return it, nil
}

// firstThen iterates over first and then, when it is given, over what open sums
// up. In the body of a generator that is one more iteration: what it yields
// stands for all that follows.
func firstThen(th value.Thread, f *frame, first []value.Value, open *value.Open) *value.Iterator {
	if open != nil && open.Len.Expr != nil {
		rest := *open
		rest.Len = th.Pool().DimSub(open.Len, th.Pool().ConstDim(int64(len(first))))
		open = &rest
	}
	it := &value.Iterator{Header: th.Heap().Header(), Name: "iterator"}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		th.Heap().Touch(it)
		it.Pos++
		switch n := it.Pos - 1; {
		case n < len(first):
			return first[n], true, nil
		case open == nil:
			return nil, false, nil
		case f != nil && f.gen != nil:
			if n > len(first) {
				return nil, false, nil
			}
			f.gen.sums = true
			return open.Elem, true, nil
		}
		it.Open = open
		return open.Elem, true, nil
	}
	return it
}

// loopSteps is how many steps a loop of a script, or at the top of a module, may
// take before the rest of it is summed up: thousands of epochs are alike.
const loopSteps = 400_000

// loopFacts is how many facts its iterations may add: a number that data decide
// and that indexes a tensor adds one each time, and each makes deciding slower.
const loopFacts = 24

// A loopStart is where a loop began.
type loopStart struct{ steps, facts int }

func (en *entry) startLoop() loopStart {
	return loopStart{en.in.spent.steps, len(en.in.path.facts.Conds())}
}

// enough reports whether a loop that has run n iterations since start is better
// summed up from here on; exits of the iterations may have left it.
func (en *entry) enough(n, exits int, start loopStart) bool {
	if en.cfg.Script == nil && en.in.stack.inEntry || n < 3 {
		return false
	}
	return en.in.spent.steps-start.steps > loopSteps || exits >= scriptExits || len(en.in.path.facts.Conds())-start.facts > loopFacts
}

// scriptExits is how many iterations of a script's loop that may each have left
// it are run one by one: each makes what follows larger.
const scriptExits = 4

// repeated reports whether a script has met the same fault at the same place: a
// place that is run for batch after batch has it each time.
func (en *entry) repeated(d *diag.Diagnostic) bool {
	if en.cfg.Script == nil {
		return false
	}
	for _, x := range en.sink.All() {
		if x.Code == d.Code && x.At == d.At && (x.Severity >= d.Severity || en.in.doubtful.any()) {
			return true
		}
	}
	return false
}

// notebookNames are the names that IPython gives a notebook.
var notebookNames = []string{"display", "get_ipython", "In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_ih", "_oh", "_dh"}

// setNotebookNames gives the module of a notebook its names, of which nothing is known.
func (en *entry) setNotebookNames(m *value.Module) {
	for _, name := range notebookNames {
		m.Attrs.Set(&en.heap, name, en.in.losses.unknown(&value.Cause{At: source.Span{Start: m.File.LineStart(1),
			End: m.File.LineStart(1)}, Reason: "IPython gives the notebook its " + name}))
	}
}
