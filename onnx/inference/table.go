package inference

// This file holds the record of an operator and joins the families' tables.

import "sync"

// An op is what is known of an operator besides its schema. Operators of one name share
// a record for all versions; a rule asks for the version where they differ.
type op struct {
	name string
	// rule gives the types of the results.
	rule func(*call)
	// data follows the elements of small integer tensors; nil when they are not.
	data func(*call)
}

type opKey struct{ domain, name string }

// families lists the tables of the standard domain.
func families() [][]op {
	return [][]op{elementwiseOps[:], castOps[:], reduceOps[:], linalgOps[:], convOps[:], poolOps[:], normOps[:], attentionOps[:], rnnOps[:],
		viewOps[:], joinOps[:], sliceOps[:], indexOps[:], resizeOps[:], createOps[:], quantOps[:], signalOps[:], lossOps[:], textOps[:],
		visionOps[:], sequenceOps(), controlOps()}
}

// preview is the domain of ONNX's training operators, experimental that of operators
// that may still change.
const (
	preview      = "ai.onnx.preview.training"
	experimental = "ai.onnx.preview"
)

func experimentalOps() []op { return []op{{"FlexAttention", flexAttention, nil}} }

// table is made at first use; the rules of control flow lead back to it, so that it
// cannot be a variable's initial value.
var table struct {
	once sync.Once
	ops  map[opKey]*op
}

// rules finds the record of an operator.
func rules() map[opKey]*op {
	table.once.Do(func() { table.ops = opTable() })
	return table.ops
}

// opTable joins the rules of all families under domain and name.
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
	for i := range mlOps {
		t[opKey{classical, mlOps[i].name}] = &mlOps[i]
	}
	for _, o := range experimentalOps() {
		t[opKey{experimental, o.name}] = &o
	}
	for i := range chainerOps {
		t[opKey{Chainer, chainerOps[i].name}] = &chainerOps[i]
	}
	return t
}
