package inference

// This file holds the record of an operator and joins the families' tables.

// An op is what is known of an operator. Operators of one name share a record for
// all versions; a rule asks for the version where they differ.
type op struct {
	name  string
	since int64  // the first opset that has it
	min   int64  // the first opset whose form the rule knows; older ones give unknown results
	in    [2]int // least and greatest number of inputs; -1: no limit
	out   [2]int // number of results
	rule  func(*call)
	// data follows the elements of small integer tensors; nil when they are not.
	data func(*call)
}

type opKey struct{ domain, name string }

// families lists the tables of the standard domain.
func families() [][]op {
	return [][]op{elementwiseOps[:], castOps[:], reduceOps[:], linalgOps[:], convOps[:], poolOps[:], normOps[:], rnnOps[:], viewOps[:], joinOps[:], sliceOps[:], indexOps[:], resizeOps[:], createOps[:], quantOps[:], signalOps[:], lossOps[:], textOps[:], visionOps[:], sequenceOps(), controlOps()}
}

// preview is the domain of ONNX's training operators.
const preview = "ai.onnx.preview.training"

func opTable() map[opKey]*op {
	t := map[opKey]*op{}
	for _, list := range families() {
		for i := range list {
			t[opKey{"", list[i].name}] = &list[i]
		}
	}
	for i := range previewOps {
		t[opKey{preview, previewOps[i].name}] = &previewOps[i]
	}
	for i := range chainerOps {
		t[opKey{Chainer, chainerOps[i].name}] = &chainerOps[i]
	}
	return t
}

// compute follows the elements of the results.
func (c *call) compute() {
	o := c.e.ops[opKey{"", c.n.Op}]
	if o != nil && o.data != nil && len(c.outs) > 0 && c.outs[0] != nil {
		o.data(c)
	}
}

// Shorthands for the tables.
var (
	one   = [2]int{1, 1}
	two   = [2]int{2, 2}
	three = [2]int{3, 3}
	any1  = [2]int{1, -1}
)
