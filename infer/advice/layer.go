package advice

// This file proposes other sizes for the layer in which a call failed, and finds
// the arguments with which the user's source made it. A layer is an instance of one of torch.nn's
// classes whose constructor was called in the user's source. The fault was raised in its call, and
// the proposal is another number in the constructor. It is tried on a new instance, so no parameter
// of the program's own layer changes.

import (
	"fmt"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A layerSize is the parameter of a layer's constructor that must be the size of
// an axis of its input; rank gives further the number of dimensions it is for. axis gives the axis
// for an input of a rank.
type layerSize struct {
	// ? stands for one character, the number of dimensions.
	class string // pattern of matches
	param string
	axis  func(l *value.Instance, rank int) int // negative: there is none
}

func lastAxis(_ *value.Instance, rank int) int { return rank - 1 }

// Channels, also of inputs without space.
func secondAxis(_ *value.Instance, rank int) int { return min(1, rank-1) }

// channelAxis is the axis of channels before the n axes of an image, n from the class's name. The
// last but one character of the class's name is the number of axes of space.
func channelAxis(l *value.Instance, rank int) int {
	name := l.Class.Name
	if len(name) < 2 {
		return -1
	}
	n := int(name[len(name)-2] - '0')
	if rank != n+1 && rank != n+2 {
		return -1
	}
	return rank - n - 1
}

var layerSizes = [...]layerSize{
	{"Linear", "in_features", func(_ *value.Instance, rank int) int {
		if rank > 3 { // a missing flatten, more likely
			return -1
		}
		return rank - 1
	}},
	{"Conv?d", "in_channels", channelAxis},
	{"ConvTranspose?d", "in_channels", channelAxis},
	{"BatchNorm?d", "num_features", secondAxis},
	{"InstanceNorm?d", "num_features", channelAxis},
	{"SyncBatchNorm", "num_features", secondAxis},
	{"GroupNorm", "num_channels", secondAxis},
	{"LayerNorm", "normalized_shape", lastAxis},
	{"RMSNorm", "normalized_shape", lastAxis},
	{"PReLU", "num_parameters", secondAxis},
	{"LSTM", "input_size", lastAxis},
	{"GRU", "input_size", lastAxis},
	{"RNN", "input_size", lastAxis},
	{"LSTMCell", "input_size", lastAxis},
	{"GRUCell", "input_size", lastAxis},
	{"RNNCell", "input_size", lastAxis},
	{"MultiheadAttention", "embed_dim", lastAxis},
	{"TransformerEncoderLayer", "d_model", lastAxis},
	{"TransformerDecoderLayer", "d_model", lastAxis},
}

// layerSizes proposes the size that the layer's input has. The first entry whose name fits decides.
// nil without a layer, for other faults, and for a rank that is another mistake.
func (s *Site) layerSizes() []advice {
	x := s.tensor(0)
	if s.layer == nil || x == nil {
		return nil
	}
	switch s.diag.Code {
	case diag.ShapeMismatch, diag.BadValue:
	default:
		return nil
	}
	name := s.layer.Class.Name
	for i := range layerSizes {
		l := &layerSizes[i]
		// Patterns are as long as the names they fit.
		if !matches(strings.ReplaceAll(l.class, "?", "*"), name) || len(l.class) != len(name) {
			continue
		}
		axis := l.axis(s.layer, x.Type().Rank())
		if axis < 0 || axis >= x.Type().Rank() {
			return nil
		}
		return s.layerSize(l.param, x.Type().Shape[axis])
	}
	return nil
}

// layerSize proposes another number for a parameter of a layer's constructor. It is tried on a new layer with
// otherwise the same arguments, called in the mode (training or not) of the old one, so that nothing of the
// program changes. Where the call that made the layer is not in the user's code there is nothing to edit, and
// no advice. d is the size that the input has.
func (s *Site) layerSize(param string, d symshape.Dim) []advice {
	v := value.FromDim(d)
	kw := s.constructorArgs(s.layer)
	var old value.Value
	for i := range kw {
		if kw[i].Name == param {
			old = kw[i].Value
			if t, ok := old.(*value.Tuple); ok && len(t.Elems) != 1 {
				return nil // the sizes of several axes
			}
			kw[i].Value = v
		}
	}
	if old == nil {
		return nil
	}
	if _, ok := value.AsInt(v); !ok { // nothing that could be written there
		if param == "in_features" {
			return s.openFeatures(s.tensor(0), old, d)
		}
		return nil
	}
	text, _ := s.host.Repr(v)
	a := advice{title: fmt.Sprintf("%s should be %s", param, text)}
	if call, e := s.constructorArg(s.layer, param); e != nil {
		a.edits = s.literal(e, v)
	} else if call == nil {
		return nil // not made where the user could change it
	}
	a.try = func() (value.Value, error) {
		inst, err := s.host.Call(s.layer.Class, nil, kw)
		if err != nil {
			return nil, err
		}
		// A new layer is in training mode, which the old one may not be.
		if mode, ok := s.layer.Attrs.Get("training"); ok {
			if err := s.host.SetAttr(inst, "training", mode); err != nil {
				return nil, err
			}
		}
		args, named := s.split(s.vals)
		return s.host.Call(inst, args, named)
	}
	return []advice{a}
}

// constructorArgs gives the arguments that make a layer like l: its attributes
// under the names of the parameters of its constructor, but for those that have
// the default. Attributes that are missing take the constructor's default.
func (s *Site) constructorArgs(l *value.Instance) []value.Kw {
	var kw []value.Kw
	for _, p := range constructorParams(l.Class) {
		v, ok := l.Attrs.Get(p.name)
		if p.name == "bias" { // a parameter, or None in the table
			t, _ := l.Attrs.Get("_parameters")
			d, isDict := t.(*value.Dict)
			if !isDict {
				continue
			}
			b, given := d.GetStr("bias")
			v, ok = value.Bool(false), given && b == value.None
		}
		if !ok || p.name == "device" || p.name == "dtype" || p.def != nil && v == p.def {
			continue
		}
		kw = append(kw, value.Kw{Name: p.name, Value: v})
	}
	return kw
}

// A param is a parameter of a constructor and its default, or nil.
type param struct {
	name string
	def  value.Value
}

// constructorParams are the parameters of a class's constructor. One that passes
// *args on has those of its base; the recurrent layers add the mode. nil for a constructor that is
// not Python code.
func constructorParams(c *value.Class) []param {
	for _, k := range c.MRO {
		m, ok := k.Attrs.Get("__init__")
		if !ok {
			continue
		}
		fn, ok := m.(*value.Func)
		if !ok {
			return nil
		}
		if fn.Params.VarArg != nil {
			continue
		}
		var out []param
		first := len(fn.Params.Args) - len(fn.Defaults)
		for i, p := range fn.Params.Args {
			if i == 0 || p.Name == "mode" && k != c {
				continue
			}
			x := param{name: p.Name}
			if i >= first {
				x.def = fn.Defaults[i-first]
			}
			out = append(out, x)
		}
		return out
	}
	return nil
}

// constructorCall finds the call in the user's source that made a layer: that
// which made its first parameter. The place where the first parameter was made is that of the
// constructor's call. nil where it was made elsewhere.
func (s *Site) constructorCall(l *value.Instance) *ast.Call {
	at := madeAt(new(value.Visit), l, 3)
	if !at.IsValid() {
		return nil
	}
	call, _ := s.nodeAt(at).(*ast.Call)
	if call == nil || lastName(call.Func) != l.Class.Name {
		return nil
	}
	return call
}

// madeAt is where the first parameter or buffer of a module was made. depth bounds the modules in
// modules.
func madeAt(w *value.Visit, l *value.Instance, depth int) source.Span {
	if !w.Enter(l) {
		return source.Span{}
	}
	defer w.Leave()
	for _, table := range [...]string{"_parameters", "_buffers", "_modules"} {
		t, _ := l.Attrs.Get(table)
		d, ok := t.(*value.Dict)
		if !ok {
			continue
		}
		for i := range d.Len() {
			switch x := d.At(i).(type) {
			case *value.Tensor:
				return x.V.At
			case *value.Instance:
				if depth > 0 {
					if at := madeAt(w, x, depth-1); at.IsValid() {
						return at
					}
				}
			}
		}
	}
	return source.Span{}
}

// constructorArg finds the expression of one argument of the constructor; nil
// when it was not given or cannot be told. Keywords go first, then the position.
func (s *Site) constructorArg(l *value.Instance, param string) (*ast.Call, ast.Expr) {
	call := s.constructorCall(l)
	if call == nil {
		return nil, nil
	}
	if e := keywordExpr(call, param); e != nil {
		return call, e
	}
	for i, p := range constructorParams(l.Class) {
		if i >= len(call.Args) {
			break
		}
		if _, star := call.Args[i].(*ast.Starred); star {
			break
		}
		if p.name == param {
			return call, call.Args[i]
		}
	}
	return call, nil
}

// layerBefore are the edits that put a layer in front of s.layer in the
// Sequential that it stands in. The new line has the indentation of the old one.
func (s *Site) layerBefore(text string) []diag.Edit {
	call := s.constructorCall(s.layer)
	if call == nil {
		return nil
	}
	parent, _ := s.parentOf(call).(*ast.Call)
	if parent == nil || lastName(parent.Func) != "Sequential" {
		return nil
	}
	f := s.host.Files().File(call.Span().Start)
	line, col := f.LineCol(call.Span().Start)
	gap := " "
	if lead := f.Line(line)[:col]; strings.TrimSpace(lead) == "" { // a line of its own
		gap = "\n" + lead
	}
	return []diag.Edit{insert(call.Span().Start, text+","+gap)}
}

// nodeAt finds the expression of the user's source at a span. The outermost expression with exactly
// that span.
func (s *Site) nodeAt(at source.Span) ast.Expr {
	var found ast.Expr
	inspect(s.host, at, func(n, _ ast.Node) {
		if e, ok := n.(ast.Expr); ok && found == nil && n.Span() == at {
			found = e
		}
	})
	return found
}

// nil for a node that is not in the user's source.
func (s *Site) parentOf(node ast.Node) ast.Node {
	var found ast.Node
	inspect(s.host, node.Span(), func(n, parent ast.Node) {
		if n == node {
			found = parent
		}
	})
	return found
}

// inspect calls f for the nodes around a span, from the outermost, with their parents. It passes
// over trees that were not parsed for this run.
func inspect(h Host, at source.Span, f func(n, parent ast.Node)) {
	file := h.Files().File(at.Start)
	if file == nil || file.Prelude {
		return
	}
	tree := h.Tree(file)
	if tree == nil {
		return
	}
	var walk func(n, parent ast.Node)
	walk = func(n, parent ast.Node) {
		if span := n.Span(); span.IsValid() && (span.Start > at.Start || span.End < at.End) {
			if !decorated(n) { // decorators come before the span
				return
			}
		}
		if def, ok := n.(*ast.FunctionDef); ok {
			n = h.Whole(def)
		}
		f(n, parent)
		ast.Children(n, func(c ast.Node) { walk(c, n) })
	}
	ast.Children(tree, func(c ast.Node) { walk(c, tree) })
}

func decorated(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FunctionDef:
		return len(n.Decorators) > 0
	case *ast.ClassDef:
		return len(n.Decorators) > 0
	}
	return false
}

// The name before the parenthesis, without the module.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		return e.Attr.Name
	}
	return ""
}

// literal are the edits that write v for an expression that is a number, or
// consists of numbers; none for others, whose value may be meant elsewhere, too. A name or a call
// may be used in other places, so it is not replaced.
func (s *Site) literal(e ast.Expr, v value.Value) []diag.Edit {
	n, ok := value.AsInt(v)
	if !ok || e == nil || !isNumeral(e) {
		return nil
	}
	return []diag.Edit{{At: e.Span(), NewText: fmt.Sprint(n)}}
}

// As 3 * 16 * 16.
func isNumeral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return e.Kind == ast.IntConst
	case *ast.UnaryOp:
		return isNumeral(e.Operand)
	case *ast.BinOp:
		return isNumeral(e.Left) && isNumeral(e.Right)
	}
	return false
}
