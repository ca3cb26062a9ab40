package vm

// This file looks at rows of inputs where they lie: a Slice along the first axis, and a Gather of one place of it,
// need no copy, as nobody writes what the caller has.

import (
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// findRowsOfInputs marks the Slices of inputs, of views of them and of such slices, along the first axis alone and with a step of 1, and
// Gathers along it.
func (m *Model) findRowsOfInputs() {
	slice, gather := isa.Lookup("", "Slice"), isa.Lookup("", "Gather")
	ofInput, makers := make([]bool, m.p.Values), make([]int, m.p.Values)
	for _, i := range m.p.Code {
		for _, r := range i.Out {
			if r.Value >= 0 {
				makers[r.Value]++
			}
		}
	}
	is := func(x int32, want int64) bool { // a constant of one element
		c, ok := isa.ConstIndex(x)
		if !ok {
			return false
		}
		t := m.consts[c].now.Load()
		return t.Len() == 1 && t.Bytes() != nil && (t.DType() == tensor.Int64 || t.DType() == tensor.Int32) && t.Int(0) == want
	}
	for pc, i := range m.p.Code {
		if len(i.Out) != 1 || i.Out[0].Value < 0 || makers[i.Out[0].Value] > 1 || len(i.Binds) > 0 {
			continue
		}
		from := len(i.In) > 0 && i.In[0] >= 0 && ofInput[i.In[0]]
		switch y := i.Out[0].Value; isa.Op(i.Op) {
		case isa.In:
			ofInput[y] = true
		case isa.View:
			ofInput[y] = from
		case slice, gather:
			t := i.Out[0].Type
			if !from || t.Kind != isa.Type_TENSOR || t.Unranked || tensor.DType(t.Elem).Bits()%8 != 0 || m.kept[y] || m.inside[y] ||
				m.direct[y] > 0 {
				continue
			}
			if isa.Op(i.Op) == gather && i.Int("axis", 0) != 0 ||
				isa.Op(i.Op) == slice && (len(i.In) < 4 || !is(i.In[3], 0) || len(i.In) > 4 && i.In[4] != isa.Absent && !is(i.In[4], 1)) {
				continue
			}
			ofInput[y] = true
			if m.rowsOfInput == nil {
				m.rowsOfInput = make([]bool, len(m.p.Code))
			}
			m.rowsOfInput[pc] = true
		}
	}
}

// shortRow is below how many bytes a row is copied: trips of a loop repeat that in less time than it takes to look at the row.
const shortRow = 2 << 10

// isRowsOfInput reports whether an instruction is such a Slice or Gather.
func (m *Model) isRowsOfInput(pc int) bool { return m.rowsOfInput != nil && m.rowsOfInput[pc] }

// inputRows gives the rows where they lie; nil: the operands are others than those of a Slice along one axis, or of a Gather of one place.
func (f *frame) inputRows(i *isa.Instruction) (tensor.Value, error) {
	dims, err := f.elements(i.Out[0].Type)
	if err != nil {
		return nil, err
	}
	x, ok := f.args[0].(*tensor.Tensor)
	if !f.recycles || !ok || len(x.Dims()) == 0 {
		return nil, nil
	}
	n := x.Dims()[0]
	place := func(arg int) (at int64, ok bool) { // counted from the first row
		t, ok := f.args[arg].(*tensor.Tensor)
		if !ok || t.Len() != 1 || t.DType() != tensor.Int64 && t.DType() != tensor.Int32 {
			return 0, false
		}
		if at = t.Int(0); at < 0 {
			at += n
		}
		return at, true
	}
	first, ok := place(1)
	end, row, isSlice := first+1, dims, len(i.In) > 2
	if isSlice {
		var is bool
		end, is = place(2)
		first, end = min(max(first, 0), n), min(max(end, 0), n)
		if ok = ok && is && len(dims) > 0 && dims[0] == max(end-first, 0); !ok {
			return nil, nil
		}
		end, row = first+dims[0], dims[1:]
	}
	if !ok || first < 0 || end > n || !slices.Equal(row, x.Dims()[1:]) { // the kernel computes it, or the reference says what is wrong
		return nil, nil
	}
	size := int64(x.DType().Bits() / 8)
	for _, d := range row {
		size *= d
	}
	if !isSlice && size < shortRow {
		return nil, nil
	}
	data := x.Bytes()[first*size : end*size : end*size]
	return f.own[i.Out[0].Value].head(x.DType(), dims, data), nil
}
