package vm

// This file runs programs.
//
// A run goes through four steps: ports orders the caller's values, bind computes sizes and checks
// the contract, enter takes an arena whose layout a plan has computed for these sizes, and run
// executes the instructions from pc 0. All state of a run is in its frame; the Model is only
// read, except for caches that have locks of their own, so any number of runs may go on at the
// same time.
//
// Memory has three owners. Values of the arena and values in blocks of their own belong to the
// frame and end by isa.Free. Constants belong to the Model or to the mapped file. Inputs belong
// to the caller. A value never moves between them while a run goes on: output copies where the
// owner must change.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// Run runs the program once. Inputs are by name; the result has a value for each output. It
// is safe for concurrent use. When ctx ends the run does, within an instruction, too. Errors are
// of type *Error. The steps before the first instruction report CodeInput for a value that is
// missing, unknown or of another type, and CodeContract for sizes that break a condition. What an
// instruction reports has its code, its pc and the place of the source that it was made of. Run
// returns no partial results: either all outputs are there or the error is.
func (m *Model) Run(ctx context.Context, in Inputs) (out Outputs, err error) {
	var f *frame
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, m.caught(f, r)
		}
	}()
	ports, err := m.ports(in)
	if err != nil {
		return nil, err
	}
	b, err := m.bind(ports)
	if err != nil {
		return nil, err
	}
	f = m.newFrame(m.kept)
	f.binding = b
	defer f.dropAll()
	f.enter()
	results := make([]tensor.Value, len(m.p.Outputs))
	if err := f.program(ctx, ports, results); err != nil {
		return nil, err
	}
	out = Outputs{}
	for k, port := range m.p.Outputs {
		out[port.Name] = results[k]
	}
	return out, nil
}

// caught makes an error of a panic, which ends this run only: a kernel's tables had no memory, or it has a fault. f is the run; nil: it
// has not begun. A FullError is an ordinary answer of a machine that has too little memory and is
// reported as such. Anything else is a fault of this program: it becomes CodePanic, so that one
// bad request does not end a server; Config.NoCatch lets tests see the stack instead.
func (m *Model) caught(f *frame, r any) error {
	full, ok := r.(*memory.FullError)
	switch {
	case ok && f != nil:
		return f.fail(CodeRun, full)
	case ok:
		return failed(CodeRun, full)
	case m.cfg.NoCatch:
		panic(r)
	case f != nil:
		return f.fail(CodePanic, fmt.Errorf("internal error: %v", r))
	}
	return failed(CodePanic, fmt.Errorf("internal error: %v", r))
}

// newFrame makes a frame; kept marks the values whose memory is not used again. The tables are as
// long as the program's values and instructions; they are made once and used again by a Runner,
// whose runs then allocate nothing.
func (m *Model) newFrame(kept []bool) *frame {
	f := &frame{m: m, kept: kept, slots: make([]tensor.Value, m.p.Values), owned: make([]int64, m.p.Values), own: make([]slot, m.p.Values),
		fit: make([]fitting, len(m.p.Code))}
	f.job.f = f
	f.job.do = f.job.tile
	f.ending = func() bool { return f.over() != nil }
	return f
}

// program runs the program, which is bound, from its beginning. It sets everything that depends
// on the caller of this run (the context, the budget, the hooks) and nothing that depends on the
// sizes, which bind and enter have set. The hook End is called on errors as well, with what was
// counted until then. An error of an instruction is an *Error; restoring constants may fail with
// the error of a mapped file.
func (f *frame) program(ctx context.Context, in, out []tensor.Value) error {
	f.ctx, f.in, f.out, f.pc, f.count = ctx, in, out, 0, 0
	f.limit, f.limited = ctx.Deadline()
	f.ends = f.limited || ctx.Done() != nil
	f.watched = f.ends || f.m.cfg.Budget.Instructions > 0
	f.bytes = memory.Budget{Limit: f.m.cfg.Budget.Bytes}
	h := f.m.cfg.Hooks
	f.plain = h == nil || h.Before == nil && h.After == nil && h.Kernel == nil && h.Tile == nil
	f.recycles = f.recycling()
	if h != nil && h.End != nil {
		defer func() {
			s := Stats{Instructions: f.count, PeakBytes: f.bytes.Peak()}
			if f.plan != nil {
				s.ArenaBytes, s.ArenaBound = f.plan.size, f.plan.bound
			}
			h.End(s)
		}()
	}
	if !f.recycles {
		if err := f.m.restoreAll(); err != nil { // who observes values may keep and read them
			return err
		}
	}
	f.m.pool.Begin()
	defer f.m.pool.End()
	return f.run()
}

// recycling reports whether memory of values that ended is used again. A hook may keep the values
// that it is shown, so with hooks each value keeps its memory, unless the hooks have promised by
// Borrow that they do not.
func (f *frame) recycling() bool {
	h := f.m.cfg.Hooks
	return f.kept != nil && (h == nil || h.Borrow || h.Before == nil && h.After == nil)
}

// A frame is a run. It belongs to one goroutine, except that workers of the pool read it through
// its job while a kernel runs. Slices that are named for values are indexed by the number of the
// value, those for instructions by pc. Sizes of memory are in bytes.
type frame struct {
	*binding
	m       *Model
	ctx     context.Context
	ends    bool // the context may end, after limit where that is there
	limit   time.Time
	limited bool
	in      []tensor.Value // by port
	out     []tensor.Value // by port; what is there when a run begins may be overwritten
	pc      int
	count   int64
	slots   []tensor.Value
	owned   []int64 // bytes of the budget that a value holds
	bytes   memory.Budget
	args    []tensor.Value // of the instruction

	plain    bool   // nobody observes the run
	recycles bool   // memory of values that ended is used again: no hook may have kept it
	copies   bool   // outputs are copies, into what is there for them
	mine     []bool // outputs that are there and nobody else's: values may be made there
	kept     []bool // values whose memory may be in use after they end; nil: all
	own      []slot // of values
	plan     *plan  // where values lie; nil: there is none
	arena    *memory.Buffer
	classes  []block  // of the plan, in the arena
	idle     []*block // without memory
	dims     []int64  // of a result that is made
	results  []*block // of the instruction, before its values are set
	scratch  []*memory.Buffer
	shared   *memory.Buffer
	call     kernel.Call
	calls    []*kernel.Call // of a group
	spaces   []kernel.Space // of workers, for groups
	job      job
	outs     []tensor.Value
	typed    bool        // they have the program's types
	fit      []fitting   // of instructions
	ending   func() bool // asks whether the run has ended, for kernels
	watched  bool        // the context may end, or instructions are bounded
}

// over is why the run's context has ended; nil: it has not. A deadline is compared with the clock: the timer that
// ends a context finds no processor while runs have all of them. It is asked before each
// instruction and, by kernels that take long, between their parts: a run ends within about one
// tile, not within one instruction.
func (f *frame) over() error {
	if !f.ends {
		return nil
	}
	return f.ended()
}

// ended asks the context, and the time itself where it has a deadline: without threads to spare a timer may
// fire late.
func (f *frame) ended() error {
	err := f.ctx.Err()
	if err == nil && f.limited && time.Now().After(f.limit) {
		return context.DeadlineExceeded
	}
	return err
}

// fail makes an error of the instruction that runs. An error that is already an *Error keeps its
// code and place, as it was made where more was known. The operands are written by their types
// only: their elements may be large, and may be a user's data.
func (f *frame) fail(code string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if over := f.over(); over != nil && errors.Is(err, over) { // an instruction stopped of itself
		code = CodeCancelled
	}
	e := &Error{Code: code, PC: f.pc, Reason: err.Error(), Err: err, Symbols: f.symbols()}
	var full *memory.FullError
	var stop *eval.Stop
	switch {
	case code == CodeCancelled:
		e.Reason = stopped(err)
	case errors.As(err, &full):
		e.Code, e.Reason = CodeBudget, f.full(full)
	case errors.As(err, &stop):
		e.Code = CodeBudget
	}
	if f.pc < len(f.m.p.Code) {
		i := f.m.p.Code[f.pc]
		if len(f.args) == 0 {
			f.operands(i)
		}
		e.Op = isa.Op(i.Op)
		e.Place, e.Nodes = Origin(f.m.p, f.pc)
		for _, v := range f.args {
			if v == nil {
				e.Operands = append(e.Operands, "~")
			} else {
				e.Operands = append(e.Operands, shortType(v))
			}
		}
	}
	return e
}

// full says that there is no memory for what the instruction makes.
func (f *frame) full(e *memory.FullError) string {
	what := "it"
	if f.pc < len(f.m.p.Code) {
		var list []string
		for _, r := range f.m.p.Code[f.pc].Out {
			if r.Value >= 0 {
				list = append(list, fmt.Sprintf("%%%d", r.Value))
			}
		}
		if len(list) > 0 {
			what = strings.Join(list, ", ")
		}
	}
	return what + " " + needs(e)
}

// run executes instructions until the last. quick has the common ones without the general step's preparations,
// groups are run as one. Without hooks a step is tried in the order of its cost: quick knows
// views, frees and kernels whose signature was seen in this run, a group is many instructions in
// one pass over the elements, and step is the general form that all instructions have.
func (f *frame) run() error {
	code := f.m.p.Code
	var groups []*group // by their first instruction
	if f.plain && f.plan != nil {
		groups = f.plan.groups
	}
	for f.pc < len(code) {
		if err := f.count1(); err != nil {
			return err
		}
		i := code[f.pc]
		var next int
		var done bool
		var err error
		if f.plain {
			next, done, err = f.quick(i)
		}
		switch {
		case done:
		case groups != nil && groups[f.pc] != nil:
			next, err = f.group(groups[f.pc])
		default:
			next, err = f.step(i)
		}
		if err != nil {
			return f.fail(CodeRun, err)
		}
		f.pc = next
	}
	return nil
}

// count1 counts the instruction that runs next, and says when it may not. The budget counts
// executed instructions, so that a loop of a program that somebody else wrote ends; members of a
// group count one each.
func (f *frame) count1() error {
	if f.watched {
		if err := f.cancelled(); err != nil {
			return err
		}
		if limit := f.m.cfg.Budget.Instructions; limit > 0 && f.count >= limit {
			return f.fail(CodeBudget, fmt.Errorf("more than %d instructions", limit))
		}
	}
	f.count++
	return nil
}

// step runs one instruction and gives the next one. The order within a step is fixed: operands,
// the hook Before, the computation, set, the hook After. A value's memory is taken before its
// operands are freed, since Free is an instruction of its own.
func (f *frame) step(i *isa.Instruction) (int, error) {
	f.typed = false
	f.operands(i)
	if h := f.m.cfg.Hooks; h != nil && h.Before != nil {
		h.Before(f.pc, i, f.args)
	}
	var outs []tensor.Value
	var err error
	next := f.pc + 1
	switch op := isa.Op(i.Op); op {
	case isa.Free:
		f.free(i.In[0])
	case isa.Out:
		err = f.output(i)
	case isa.Jmp, isa.Jmpt, isa.Jmpf:
		next, err = f.jump(i, op)
	case isa.LoopEnd:
		f.free(i.In[0])
		f.free(i.In[1])
	case isa.Bind:
		err = f.bindElements(i)
	case isa.LoopBegin, isa.LoopNext:
		outs, err = f.loop(i, op)
	default:
		outs, err = f.compute(i, op)
	}
	if err == nil {
		err = f.set(i, outs)
	}
	if err == nil && f.m.cfg.Hooks != nil && f.m.cfg.Hooks.After != nil {
		f.m.cfg.Hooks.After(f.pc, i, f.args, outs)
	}
	return next, err
}

// operands takes the instruction's.
func (f *frame) operands(i *isa.Instruction) {
	f.args = f.args[:0]
	for _, x := range i.In {
		f.args = append(f.args, f.operand(x))
	}
}

// operand gives the value of an operand; nil: absent. The verifier has seen that it is set.
func (f *frame) operand(x int32) tensor.Value {
	if c, ok := isa.ConstIndex(x); ok {
		return f.m.consts[c].now.Load()
	}
	if x < 0 {
		return nil
	}
	return f.slots[x]
}

// free ends a value: its block is used again, and what it counted for is given back. A block that
// other values share (by a view, or since a result was made in its operand's memory) stays until
// the last of them ends.
func (f *frame) free(x int32) {
	f.slots[x] = nil
	if z := &f.own[x]; z.block != nil {
		f.drop(z.block)
		z.block = nil
	}
	f.bytes.Give(f.owned[x])
	f.owned[x] = 0
}

// output hands a value to the caller. The cases are in order: what is no tensor, or nobody's
// block, is handed over as it is; a tensor that was computed in the output's memory needs
// nothing; a Runner's own output is resized and filled; memory that the caller gave must have
// exactly the type; and without any of these a new tensor is made. An error says that the value
// is not of the port's type, or that the caller's memory is not.
func (f *frame) output(i *isa.Instruction) error {
	port := f.m.p.Outputs[i.Int("port", 0)]
	if why := f.fits(port.Type, f.args[0]); why != "" {
		return fmt.Errorf("the output %q is %s: %s", port.Name, shortType(f.args[0]), why)
	}
	number := int(i.Int("port", 0))
	at := &f.out[number]
	x, isTensor := f.args[0].(*tensor.Tensor)
	switch {
	case !isTensor || !f.copies && f.blockOf(i.In[0]) == nil:
		f.m.file.lend(f.args[0])
		*at = f.args[0]
		if isTensor && f.recycles && i.In[0] >= 0 && !f.kept[i.In[0]] { // its head may be the run's
			y := &tensor.Tensor{}
			y.Become(x.DType(), x.Dims(), x.Bytes())
			*at = y
		}
	case *at == tensor.Value(x): // it was made there
	case f.mine != nil && f.mine[number]:
		y, err := f.ownOutput(number, x.DType(), x.Dims())
		if err != nil {
			return err
		}
		copy(y.Bytes(), x.Bytes())
	case *at != nil: // the caller's
		y, ok := (*at).(*tensor.Tensor)
		if !ok || y.DType() != x.DType() || !slices.Equal(y.Dims(), x.Dims()) {
			return fmt.Errorf("the output %q is %s, and the memory that is given for it is %s", port.Name, x.Type(), (*at).Type())
		}
		copy(y.Bytes(), x.Bytes())
	default:
		y, err := tensor.New(x.DType(), x.Dims()...)
		if err != nil {
			return err
		}
		copy(y.Bytes(), x.Bytes())
		*at = y
	}
	return nil
}

// set binds the symbols of the results and sets the values, which must be of the types that
// the program says. It returns an error when a result is missing, has another type than the
// program says, has a NaN or an infinity that the configuration forbids, or when the budget has
// no bytes left.
//
// Three steps are in this order for a reason. Symbols are bound first, because the types of the
// results may mention them. Shared blocks are counted before any old value of a slot is freed,
// because the old value of a loop's state may be the operand whose memory the result has. The
// slots are set last.
func (f *frame) set(i *isa.Instruction, outs []tensor.Value) error {
	if f.typed && len(outs) == 1 && len(f.results) == 1 && !f.m.cfg.CheckNaN && !f.m.cfg.CheckInf { // of a kernel
		if err := f.put(i.Out[0].Value, outs[0], f.results[0]); err != nil {
			return err
		}
		f.results = f.results[:0]
		return nil
	}
	if isa.Op(i.Op) == isa.Bind {
		return nil
	}
	for _, s := range i.Binds {
		if err := f.bindDim(i, s, outs); err != nil {
			return err
		}
	}
	for k := range i.Out { // before the operands end
		if k < len(f.results) {
			continue // it is made
		}
		if at := shares(i, k); at >= 0 {
			b, y := f.blockOf(i.In[at]), i.Out[k].Value
			if b != nil {
				b.values++
			}
			x, ok := outs[k].(*tensor.Tensor)
			if ok && isa.Op(i.Op) != isa.View && f.recycles && y >= 0 && !f.kept[y] { // a head of its own: the operand's may become another tensor
				outs[k] = f.own[y].head(x.DType(), x.Dims(), x.Bytes())
			}
			f.results = append(f.results, b)
		} else {
			f.results = append(f.results, nil)
		}
	}
	if isa.Op(i.Op) == isa.LoopNext {
		f.consume(i)
	}
	for k, r := range i.Out {
		if r.Value < 0 {
			continue
		}
		if k >= len(outs) || outs[k] == nil {
			return fmt.Errorf("there is no result %d", k)
		}
		if !f.typed {
			if why := f.misfit(r.Type, outs[k]); why != "" {
				return fmt.Errorf("result %d is %s: %s", k, shortType(outs[k]), why)
			}
		}
		if err := f.checkNumbers(k, outs[k]); err != nil {
			return err
		}
		if op := isa.Op(i.Op); op == isa.In || op == isa.Const { // those are the caller's and the model's
			if f.slots[r.Value] != nil {
				f.free(r.Value)
			}
			f.slots[r.Value], f.own[r.Value].block = outs[k], f.results[k]
		} else if err := f.put(r.Value, outs[k], f.results[k]); err != nil {
			return err
		}
		f.results[k] = nil
	}
	for _, b := range f.results {
		f.drop(b)
	}
	f.results = f.results[:0]
	return nil
}

// memoryOf is what a value takes of the budget. The rows that a loop appends to are counted with
// the whole buffer that they lie in.
func memoryOf(v tensor.Value) int64 {
	n := tensor.Memory(v)
	if r, ok := v.(*rows); ok {
		n += int64(len(r.data))
	}
	return n
}

// put makes a value that of a slot.
func (f *frame) put(x int32, v tensor.Value, b *block) error {
	return f.putBytes(x, v, b, memoryOf(v))
}

// putBytes is put for a value that takes n bytes of the budget. The old value of the slot is
// freed before the bytes are asked for: a loop whose state keeps its size must not need twice the
// memory. The error is CodeBudget.
func (f *frame) putBytes(x int32, v tensor.Value, b *block, n int64) error {
	if f.slots[x] != nil { // a loop's state
		f.free(x)
	}
	if !f.bytes.Take(n) {
		return f.fail(CodeBudget, fmt.Errorf("more than %d bytes", f.m.cfg.Budget.Bytes))
	}
	f.owned[x], f.slots[x], f.own[x].block = n, v, b
	return nil
}

// misfit is fits, or a comparison of kinds alone where types are not checked.
func (f *frame) misfit(t *isa.Type, v tensor.Value) string {
	if f.m.cfg.SkipTypeCheck && kindOf(v) == t.Kind {
		return ""
	}
	return f.fits(t, v)
}

// consume ends the lives of what a loop's body made for the next trip; see the verifier.
func (f *frame) consume(i *isa.Instruction) {
	for _, x := range f.m.turns[i.Region-1].ends {
		if f.slots[x] != nil {
			f.free(x)
		}
	}
}

// bindDim binds a symbol by a dimension of a result. The symbol is that of a size only a run
// knows, as the count of NonZero. The first result axis whose size is the symbol alone gives it;
// an axis with an expression of the symbol is checked against it later, by misfit. The error says
// that no axis has the symbol, which a verified program cannot have.
func (f *frame) bindDim(i *isa.Instruction, sym uint32, outs []tensor.Value) error {
	for k, r := range i.Out {
		if k >= len(outs) {
			break
		}
		x, ok := outs[k].(*tensor.Tensor)
		if !ok || r.Value < 0 || len(x.Dims()) != len(r.Type.Dims) {
			continue
		}
		for axis, d := range r.Type.Dims {
			if e, ok := f.m.p.Sizes[d].E.(*isa.Size_Symbol); ok && e.Symbol == sym {
				return f.binding.set(sym, x.Dims()[axis])
			}
		}
	}
	return fmt.Errorf("no result gives the symbol %s", f.m.p.Symbols[sym].Name)
}

// bindElements runs bind. Its operand is a tensor of integers, of which element k becomes symbol
// Binds[k]; an error says that their numbers differ, or that a value is outside the symbol's
// range.
func (f *frame) bindElements(i *isa.Instruction) error {
	t := f.args[0].(*tensor.Tensor)
	if t.Len() != len(i.Binds) {
		return fmt.Errorf("%s has not the %d elements that are bound", t.Type(), len(i.Binds))
	}
	for k, s := range i.Binds {
		if err := f.binding.set(s, t.Int(k)); err != nil {
			return err
		}
	}
	return nil
}

// truth reads a condition. Conditions of ONNX's If and Loop are tensors with one element, of any
// rank. How many elements there are may depend on sizes, so it is asked here and not by the
// verifier.
func truth(v tensor.Value) (bool, error) {
	t := v.(*tensor.Tensor)
	if t.Len() != 1 {
		return false, fmt.Errorf("the condition is %s and has not one element", t.Type())
	}
	return t.Int(0) != 0, nil
}

// jump gives the instruction to go on with. The targets were computed from the regions when the
// model was loaded.
func (f *frame) jump(i *isa.Instruction, op isa.Op) (int, error) {
	if op != isa.Jmp {
		is, err := truth(f.args[0])
		if err != nil {
			return 0, err
		}
		if is != (op == isa.Jmpt) {
			return f.pc + 1, nil
		}
	}
	return int(f.m.targets[f.pc]), nil
}

// goesOn reports whether a loop of at most trips goes on behind n of them. ONNX's Loop goes on
// while the trip number is less than M and the condition is true; either operand may be absent. n
// counts finished trips. The budget's Trips bounds loops without M. An error is CodeBudget, or an
// operand that has not one element.
func (f *frame) goesOn(n int64, trips, condition tensor.Value) (bool, error) {
	if limit := f.m.cfg.Budget.Trips; limit > 0 && n > limit {
		return false, f.fail(CodeBudget, fmt.Errorf("more than %d trips of a loop", limit))
	}
	if condition != nil {
		if is, err := truth(condition); err != nil || !is {
			return false, err
		}
	}
	if trips == nil {
		return true, nil
	}
	t := trips.(*tensor.Tensor)
	if t.Len() != 1 {
		return false, fmt.Errorf("the number of trips is %s and has not one element", t.Type())
	}
	return n < t.Int(0), nil
}

// moved runs a loop.next whose states are values of the body that nobody else has: they pass from
// hand to hand, and the counter is counted up where it is. False: nothing was done, as some are
// others. This is the common case of a recurrent loop. The general step makes a new counter and a
// new condition in each trip and shares the blocks between old and new states until the old ones
// end; here the blocks are handed over, and nothing is allocated or counted. It needs that each
// state's block has exactly one value: a state that is also an output of the body, or a view of
// another, goes the general way. Nothing may be changed before the last of these checks, as the
// caller then runs the instruction anew.
func (f *frame) moved(i *isa.Instruction, t *turn) (bool, error) {
	if !f.recycles || !t.moves || f.m.cfg.CheckNaN || f.m.cfg.CheckInf {
		return false, nil
	}
	for _, r := range i.Out[:2] {
		if b := f.own[r.Value].block; b == nil || b.values != 1 {
			return false, nil
		}
	}
	for k, r := range i.Out[2:] {
		x := i.In[3+k]
		if f.m.rows[x] > 0 && f.slots[x] != nil {
			continue
		}
		if b := f.own[x].block; b == nil || b.values != 1 {
			return false, nil
		}
		if _, ok := f.slots[x].(*tensor.Tensor); !ok || !t.fits[2+k] && f.misfit(r.Type, f.slots[x]) != "" {
			return false, nil
		}
	}
	f.args = f.args[:0]
	counter := f.slots[i.In[0]].(*tensor.Tensor)
	n := counter.Int(0) + 1
	goOn, err := f.goesOn(n, f.operand(i.In[1]), f.operand(i.In[2]))
	if err != nil {
		return true, err
	}
	counter.SetInt(0, n)
	f.slots[i.Out[1].Value].(*tensor.Tensor).Bytes()[0] = oneIf(goOn)
	for k, r := range i.Out[2:] {
		if f.slots[r.Value] != nil {
			f.free(r.Value)
		}
		x := i.In[3+k]
		v, y := f.slots[x], &f.own[r.Value]
		if t, ok := v.(*tensor.Tensor); ok {
			v = y.head(t.DType(), t.Dims(), t.Bytes())
		}
		f.slots[r.Value], y.block, f.owned[r.Value] = v, f.own[x].block, f.owned[x]
		f.slots[x], f.own[x].block, f.owned[x] = nil, nil, 0
	}
	f.consume(i) // the condition
	return true, nil
}

// oneIf is the element of a condition.
func oneIf(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// loop computes the counter, whether the loop goes on, and the states. The results are the
// counter (an int64 scalar), the condition (a bool scalar), and then the states, which are the
// operands themselves. A state that is a sequence to which each trip appends one row is replaced
// at LoopBegin by a buffer of rows, so that appending costs the row and not the sequence.
func (f *frame) loop(i *isa.Instruction, op isa.Op) ([]tensor.Value, error) {
	args, n := f.args, int64(0)
	if op == isa.LoopNext {
		n, args = args[0].(*tensor.Tensor).Int(0)+1, args[1:]
	}
	goOn, err := f.goesOn(n, args[0], args[1])
	if err != nil {
		return nil, err
	}
	counter, b, err := f.memory(i.Out[0], tensor.Int64, nil, -1, i)
	if err != nil {
		return nil, err
	}
	counter.SetInt(0, n)
	f.results = append(f.results, b)
	on, b, err := f.memory(i.Out[1], tensor.Bool, nil, -1, i)
	if err != nil {
		return nil, err
	}
	on.Bytes()[0] = oneIf(goOn)
	f.results = append(f.results, b)
	f.outs = append(append(f.outs[:0], counter, on), args[2:]...)
	if op == isa.LoopBegin {
		for k, r := range i.Out[2:] {
			if r.Value >= 0 {
				if rows := f.rowsOf(r.Value, args[2+k], args[0]); rows != nil {
					f.outs[2+k] = rows
				}
			}
		}
	}
	return f.outs, nil
}

// elements gives the sizes that the program says a result has, until the next call. The result is
// valid until the next call, as the slice is the frame's. The error is that of room.
func (f *frame) elements(t *isa.Type) ([]int64, error) {
	f.dims = f.dims[:0]
	for _, d := range t.Dims {
		f.dims = append(f.dims, f.vals[d])
	}
	dims := f.dims
	return dims, f.room(dims, tensor.DType(t.Elem))
}

// room refuses sizes that are too large for the machine, or for the budget. It is asked before
// memory is taken: a size that an input has chosen may overflow 64 bits, and an allocation of it
// would end the process and not the run.
func (f *frame) room(dims []int64, d tensor.DType) error {
	n, err := onnx.Count(dims)
	if err != nil {
		return err
	}
	size, err := onnx.ByteSize(d, n)
	if err != nil {
		return err
	}
	if limit := f.m.cfg.Budget.Bytes; limit > 0 && size > limit-f.bytes.Used() {
		return f.fail(CodeBudget, fmt.Errorf("a result of %d bytes is more than what is left of %d", size, limit))
	}
	return nil
}
