package vm

// This file looks at rows of inputs where they lie: a Slice along the first axis needs no copy, as nobody writes what the caller has.

import (
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// findRowsOfInputs marks the Slices of inputs, of views of them and of such slices, along the first axis alone and with a step of 1.
func (m *Model) findRowsOfInputs() {
	slice := isa.Lookup("", "Slice")
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
		case slice:
			t := i.Out[0].Type
			if !from || t.Kind != isa.Type_TENSOR || t.Unranked || tensor.DType(t.Elem).Bits()%8 != 0 ||
				len(i.In) < 4 || !is(i.In[3], 0) || len(i.In) > 4 && i.In[4] != isa.Absent && !is(i.In[4], 1) || m.kept[y] || m.inside[y] || m.direct[y] > 0 {
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

// isRowsOfInput reports whether an instruction is such a Slice.
func (m *Model) isRowsOfInput(pc int) bool { return m.rowsOfInput != nil && m.rowsOfInput[pc] }

// inputRows gives the rows where they lie; nil: the operands are others than those of a Slice along one axis.
func (f *frame) inputRows(i *isa.Instruction) (tensor.Value, error) {
	dims, err := f.elements(i.Out[0].Type)
	if err != nil {
		return nil, err
	}
	x, ok := f.args[0].(*tensor.Tensor)
	var ends [2]int64
	for k := range ends {
		t, is := f.args[1+k].(*tensor.Tensor)
		if !ok || !is || t.Len() != 1 || len(x.Dims()) != len(dims) || len(dims) == 0 || t.DType() != tensor.Int64 && t.DType() != tensor.Int32 {
			return nil, nil
		}
		n := x.Dims()[0]
		if ends[k] = t.Int(0); ends[k] < 0 {
			ends[k] += n
		}
		ends[k] = min(max(ends[k], 0), n)
	}
	if !f.recycles || dims[0] != max(ends[1]-ends[0], 0) || !slices.Equal(dims[1:], x.Dims()[1:]) {
		return nil, nil
	}
	row := int64(x.DType().Bits() / 8)
	for _, d := range dims[1:] {
		row *= d
	}
	data := x.Bytes()[ends[0]*row:][:dims[0]*row]
	return f.own[i.Out[0].Value].head(x.DType(), dims, data[:len(data):len(data)]), nil
}
