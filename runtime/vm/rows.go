package vm

// This file keeps what the trips of a loop make for a tensor that is joined behind it: the rows lie side by side from the first one on, so
// that a trip copies its row and makes no value that lives on, and joining them is nothing.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// A rows stands for a sequence of tensors of one type, with which a program does nothing but append and, when all are
// there, join. The memory is that of the value's block, or Go's where the joined tensor may leave the run.
type rows struct {
	tensor.Value // marks it as one; none is there
	dtype        tensor.DType
	dims         []int64
	n            int
	data         []byte // of n rows, with room for more
	expect       int64  // how many there will be at most; 0: nobody knows
}

// Type lists the types of the rows.
func (r *rows) Type() string {
	return "[" + strings.TrimSuffix(strings.Repeat(r.row()+", ", r.n), ", ") + "]"
}

// row is the type of one.
func (r *rows) row() string {
	var t tensor.Tensor
	t.Become(r.dtype, r.dims, nil)
	return t.Type()
}

// maxExpected bounds the memory that is taken for rows that are yet to come.
const maxExpected = 64 << 20

// findRows finds the sequences that may be rows, by the value that is the loop's state and by the longer one that a
// trip makes: each has 1 + the value that the rows are joined to.
func (m *Model) findRows() []int32 {
	out := make([]int32, m.p.Values)
	uses := make([][]int, m.p.Values) // instructions, once for each operand
	for pc, i := range m.p.Code {
		for _, x := range i.In {
			if x >= 0 && isa.Op(i.Op) != isa.Free {
				uses[x] = append(uses[x], pc)
			}
		}
	}
	only := func(x int32, list ...int) bool { return slices.Equal(uses[x], list) }
	for end, stack := range m.p.Code {
		if isa.Op(stack.Op) != isa.SeqStack || stack.Int("axis", 0) != 0 || stack.In[0] < 0 {
			continue
		}
		state := stack.In[0]
		next := slices.IndexFunc(m.p.Code, func(i *isa.Instruction) bool {
			return isa.Op(i.Op) == isa.LoopNext && slices.ContainsFunc(i.Out, func(r *isa.Result) bool { return r.Value == state })
		})
		if next < 0 || end < next || len(uses[state]) != 2 || uses[state][1] != end {
			continue
		}
		at := uses[state][0]
		insert := m.p.Code[at]
		r := m.p.Regions[m.p.Code[next].Region-1]
		k := slices.IndexFunc(m.p.Code[next].Out, func(r *isa.Result) bool { return r.Value == state })
		elem := stack.Out[0].Type
		if isa.Op(insert.Op).String() != "SequenceInsert" || len(insert.In) != 2 || insert.In[1] == state || at <= int(r.Begin) || at >= next {
			continue
		}
		if bits := tensor.DType(elem.Elem).Bits(); bits%8 != 0 || bits == 0 {
			continue
		}
		if longer := insert.Out[0].Value; only(longer, next) && m.p.Code[next].In[k+1] == longer {
			out[state], out[longer] = stack.Out[0].Value+1, stack.Out[0].Value+1
		}
	}
	return out
}

// isRow reports whether an instruction appends to what may be rows, which copy what they get.
func (m *Model) isRow(i *isa.Instruction) bool {
	return isa.Op(i.Op).String() == "SequenceInsert" && i.In[0] >= 0 && m.rows[i.In[0]] > 0
}

// rowsOf is the rows that a loop begins with for a state; nil: it is none, or its first value has elements.
func (f *frame) rowsOf(state int32, first, trips tensor.Value) *rows {
	if s, ok := first.(*tensor.Sequence); !f.recycles || f.m.rows[state] == 0 || !ok || s.Len() > 0 {
		return nil
	}
	z := &f.own[state]
	if z.rows == nil {
		z.rows = &rows{}
	}
	*z.rows = rows{dims: z.rows.dims[:0]}
	if t, ok := trips.(*tensor.Tensor); ok {
		z.rows.expect = max(0, t.Int(0))
	}
	return z.rows
}

// appendRow puts a tensor behind the rows of an instruction's first operand.
func (f *frame) appendRow(i *isa.Instruction, r *rows, v tensor.Value) (tensor.Value, error) {
	x, ok := v.(*tensor.Tensor)
	if r.n == 0 && ok {
		r.dtype, r.dims = x.DType(), append(r.dims[:0], x.Dims()...)
	}
	if !ok || x.DType() != r.dtype || !slices.Equal(x.Dims(), r.dims) {
		return nil, fmt.Errorf("row %d is %s and not %s as the first", r.n, v.Type(), r.row())
	}
	b, row := f.blockOf(i.In[0]), x.Bytes()
	if need := len(r.data) + len(row); need > cap(r.data) {
		var err error
		if b, err = f.moreRows(i, r, int64(len(row)), int64(need)); err != nil {
			return nil, err
		}
	} else if b != nil {
		b.values++
	}
	r.data = append(r.data, row...)
	r.n++
	f.results = append(f.results, b)
	return r, nil
}

// moreRows gives rows memory for need bytes and for some of those that come. The block, of which the instruction's
// result is a value, is nil where it is Go's.
func (f *frame) moreRows(i *isa.Instruction, r *rows, row, need int64) (*block, error) {
	size := max(2*int64(len(r.data)), need)
	if r.expect <= maxExpected/max(row, 1) {
		size = max(need, r.expect*row)
	}
	if memory.Ask(size) != nil { // what is there may have room for fewer that are yet to come
		size = need + need/8
	}
	if limit := f.m.cfg.Budget.Bytes; limit > 0 {
		if size = min(size, limit-f.bytes.Used()); size < need {
			return nil, f.fail(CodeBudget, fmt.Errorf("%d rows of %d bytes are more than what is left of %d", r.n+1, row, limit))
		}
	}
	if f.kept[f.m.rows[i.In[0]]-1] {
		room, err := tensor.New(tensor.Uint8, size)
		if err == nil {
			r.data = append(room.Bytes()[:0], r.data...)
		}
		return nil, err
	}
	b, err := f.newBlock(i.Out[0].Value, size)
	if err != nil {
		return nil, err
	}
	b.values++
	r.data = append(b.buf.Bytes[:0], r.data...)
	return b, nil
}

// joined is the tensor of all rows, in their memory.
func (f *frame) joined(i *isa.Instruction, r *rows) (tensor.Value, error) {
	f.dims = append(append(f.dims[:0], int64(r.n)), r.dims...)
	b := f.blockOf(i.In[0])
	if b == nil {
		if len(r.data) < cap(r.data)/4*3 { // what leaves the run keeps no more than it needs
			r.data = slices.Clone(r.data)
		}
		return tensor.Wrap(r.dtype, slices.Clone(f.dims), r.data)
	}
	b.values++
	f.results = append(f.results, b)
	return f.own[i.Out[0].Value].head(r.dtype, f.dims, r.data), nil
}
