package weights

// This file is an unpickler that builds data and nothing else: dicts, lists,
// tuples, numbers, text, and references to the globals of the caller's table. A
// global that is not in the table, and an opcode that is not needed for what
// torch.save writes, is an error. Every step and every object is counted.
//
// A pickle is a program for a stack machine with a memo (Python's module pickletools describes
// the opcodes). Python's own unpickler imports and calls whatever the program names, which is why
// loading a checkpoint can run code. This one cannot: a global is an entry of a table of the
// caller's, a call of it runs a Go function of that table, and nothing is looked up by name
// elsewhere. It reads protocols 2 to 5, of which PyTorch writes 2.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// maxObjects bounds the objects that a pickle may make: some hundred megabytes
// would be needed for more.
const maxObjects = 2 << 20

type (
	// A list, tuple or dict is a value of Python; other values are nil, bool,
	// int64, float64, string, []byte, and what the caller makes of globals and
	// persistent ids.
	list  struct{ items []any }
	tuple struct{ items []any }
	dict  struct {
		keys, values []any
	}
	// A global is a reference to an entry of the caller's table.
	global struct {
		name string
		// call makes what a call with these arguments gives; nil: it cannot be called.
		call func(u *unpickler, args []any) (any, error)
		// refused says what the global is for, and what to do; empty: it is read.
		refused string
	}
	// mark is what MARK puts on the stack.
	mark struct{}
)

// get looks a text up in a dict.
func (d *dict) get(key string) (any, bool) {
	for i := len(d.keys) - 1; i >= 0; i-- { // a later entry replaces an earlier one
		if d.keys[i] == key {
			return d.values[i], true
		}
	}
	return nil, false
}

var errPickleEnds = errors.New("the pickle ends too early")

// An unpickler runs one pickle. pos is the place of the next byte; objects are counted in left so
// that a small file cannot make a large structure.
type unpickler struct {
	data    []byte
	pos     int
	stack   []any
	memo    map[uint32]any
	left    int // objects that may still be made
	globals map[string]*global
	// persistent makes the object of a persistent id.
	persistent func(id any) (any, error)
	// wide is the one integer of more than 64 bits that is let pass, as true, with its opcode and the end of the pickle.
	wide string
}

// run returns the object of the pickle. Errors name the byte at which they were found. Values
// that are left on the stack at the end are an error too: a well-formed pickle leaves one object.
func (u *unpickler) run() (any, error) {
	u.memo, u.left = map[uint32]any{}, maxObjects
	for {
		op, err := u.bytes(1)
		if err != nil {
			return nil, err
		}
		if op[0] == '.' {
			v, err := u.pop()
			if err == nil && len(u.stack) > 0 {
				err = errors.New("values are left on the stack")
			}
			return v, err
		}
		if err := u.step(op[0]); err != nil {
			return nil, fmt.Errorf("pickle, byte %d: %w", u.pos-1, err)
		}
	}
}

// spend counts n objects.
func (u *unpickler) spend(n int) error {
	if u.left -= n; u.left < 0 {
		return fmt.Errorf("more than %d objects", maxObjects)
	}
	return nil
}

// They are not copied. The error is errPickleEnds.
func (u *unpickler) bytes(n int) ([]byte, error) {
	if n < 0 || n > len(u.data)-u.pos {
		return nil, errPickleEnds
	}
	b := u.data[u.pos : u.pos+n]
	u.pos += n
	return b, nil
}

// uint reads a little endian number of n bytes.
func (u *unpickler) uint(n int) (uint64, error) {
	var w [8]byte
	b, err := u.bytes(n)
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:]), err
}

// counted reads a length of n bytes, and as many bytes. The length is compared with the whole
// data first, as it may be more than an int.
func (u *unpickler) counted(n int) ([]byte, error) {
	k, err := u.uint(n)
	if err == nil && k > uint64(len(u.data)) {
		err = errPickleEnds
	}
	if err != nil {
		return nil, err
	}
	return u.bytes(int(k))
}

func (u *unpickler) line() (string, error) {
	for i := u.pos; i < len(u.data); i++ {
		if u.data[i] == '\n' {
			s := string(u.data[u.pos:i])
			u.pos = i + 1
			return s, nil
		}
	}
	return "", errPickleEnds
}

func (u *unpickler) push(v any) error {
	u.stack = append(u.stack, v)
	return u.spend(1)
}

func (u *unpickler) pop() (any, error) {
	if len(u.stack) == 0 {
		return nil, errors.New("the stack is empty")
	}
	v := u.stack[len(u.stack)-1]
	if _, ok := v.(mark); ok {
		return nil, errors.New("a mark where a value was expected")
	}
	u.stack = u.stack[:len(u.stack)-1]
	return v, nil
}

// popMark returns what is above the last mark. The items are copied, because the stack below them
// is written again.
func (u *unpickler) popMark() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if _, ok := u.stack[i].(mark); ok {
			items := append([]any(nil), u.stack[i+1:]...)
			u.stack = u.stack[:i]
			return items, u.spend(len(items))
		}
	}
	return nil, errors.New("no mark on the stack")
}

// popTuple makes a tuple of the last n values.
func (u *unpickler) popTuple(n int) error {
	items := make([]any, n)
	for i := n - 1; i >= 0; i-- {
		v, err := u.pop()
		if err != nil {
			return err
		}
		items[i] = v
	}
	return u.push(&tuple{items})
}

// step runs one opcode. The letters are those of pickle.py. Opcodes that make sets, instances or
// extension objects are refused as unnecessary, and so are persistent ids in text form.
func (u *unpickler) step(op byte) error {
	switch op {
	case 0x80: // PROTO
		v, err := u.uint(1)
		if err == nil && (v < 2 || v > 5) {
			err = fmt.Errorf("protocol %d: 2 to 5 are read", v)
		}
		return err
	case 0x95: // FRAME
		_, err := u.uint(8)
		return err
	case '(':
		return u.push(mark{})
	case '0': // POP
		_, err := u.pop()
		return err
	case '1': // POP_MARK
		_, err := u.popMark()
		return err
	case 'N':
		return u.push(nil)
	case 0x88:
		return u.push(true)
	case 0x89:
		return u.push(false)
	case 'J', 'K', 'M', 0x8a:
		if u.wide != "" && bytes.HasPrefix(u.data[u.pos-1:], []byte(u.wide)) {
			u.pos += len(u.wide) - 2
			return u.push(true)
		}
		return u.integer(op)
	case 'G': // BINFLOAT, big endian
		b, err := u.bytes(8)
		if err != nil {
			return err
		}
		return u.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case 'X', 0x8c, 0x8d, 'C', 'B', 0x8e, 'U', 'T':
		return u.text(op)
	case ']':
		return u.push(&list{})
	case '}':
		return u.push(&dict{})
	case ')':
		return u.popTuple(0)
	case 0x85, 0x86, 0x87:
		return u.popTuple(int(op) - 0x84)
	case 't':
		items, err := u.popMark()
		if err != nil {
			return err
		}
		return u.push(&tuple{items})
	case 'a', 'e', 's', 'u':
		return u.add(op)
	case 'q', 'r', 0x94, 'h', 'j':
		return u.memory(op)
	case 'c':
		module, err := u.line()
		if err != nil {
			return err
		}
		name, err := u.line()
		if err != nil {
			return err
		}
		return u.global(module, name)
	case 0x93: // STACK_GLOBAL
		name, err := u.pop()
		if err != nil {
			return err
		}
		module, err := u.pop()
		if err != nil {
			return err
		}
		m, ok1 := module.(string)
		n, ok2 := name.(string)
		if !ok1 || !ok2 {
			return errors.New("the name of a global is no text")
		}
		return u.global(m, n)
	case 'R':
		return u.reduce()
	case 'b':
		return u.build()
	case 'Q':
		id, err := u.pop()
		if err != nil {
			return err
		}
		v, err := u.persistent(id)
		if err != nil {
			return err
		}
		return u.push(v)
	}
	return fmt.Errorf("the opcode %#02x is not allowed: it is not needed for tensors", op)
}

// integer reads the four forms of whole numbers, little-endian in two's complement. Longer ones than 64 bits
// are an error: no size or offset needs them. The single exception is the caller's wide number:
// the legacy format begins with a magic number of 80 bits.
func (u *unpickler) integer(op byte) error {
	switch op {
	case 'J':
		v, err := u.uint(4)
		if err != nil {
			return err
		}
		return u.push(int64(int32(v)))
	case 'K', 'M':
		v, err := u.uint(map[byte]int{'K': 1, 'M': 2}[op])
		if err != nil {
			return err
		}
		return u.push(int64(v))
	}
	b, err := u.counted(1) // LONG1
	if err != nil {
		return err
	}
	if len(b) > 8 {
		return errors.New("an integer has more than 64 bits")
	}
	v := int64(0)
	for i, x := range b {
		v |= int64(x) << (8 * i)
	}
	if n := len(b); n > 0 && n < 8 && b[n-1] >= 0x80 {
		v -= 1 << (8 * n)
	}
	return u.push(v)
}

// lengths are the bytes of the length of texts and bytes.
var lengths = map[byte]int{'X': 4, 0x8c: 1, 0x8d: 8, 'C': 1, 'B': 4, 0x8e: 8, 'U': 1, 'T': 4}

// Texts are taken as UTF-8 without a check, bytes as they are.
func (u *unpickler) text(op byte) error {
	b, err := u.counted(lengths[op])
	if err != nil {
		return err
	}
	if op == 'C' || op == 'B' || op == 0x8e {
		return u.push(b)
	}
	return u.push(string(b))
}

// add adds to a list or dict on the stack. Dicts keep their keys in order, and a key that is
// there twice counts as its last entry (see get).
func (u *unpickler) add(op byte) error {
	var items []any
	var err error
	switch op {
	case 'a', 's':
		n := map[byte]int{'a': 1, 's': 2}[op]
		items = make([]any, n)
		for i := n - 1; i >= 0; i-- {
			if items[i], err = u.pop(); err != nil {
				return err
			}
		}
	default:
		if items, err = u.popMark(); err != nil {
			return err
		}
	}
	if len(u.stack) == 0 {
		return errors.New("the stack is empty")
	}
	switch to := u.stack[len(u.stack)-1].(type) {
	case *list:
		if op == 'a' || op == 'e' {
			to.items = append(to.items, items...)
			return u.spend(len(items))
		}
	case *dict:
		if (op == 's' || op == 'u') && len(items)%2 == 0 {
			for i := 0; i < len(items); i += 2 {
				to.keys, to.values = append(to.keys, items[i]), append(to.values, items[i+1])
			}
			return u.spend(len(items))
		}
	}
	return errors.New("items for something that is no list or dict")
}

// memory runs the opcodes of the memo. MEMOIZE (0x94) numbers by itself, the older PUT opcodes
// have the number. An error is a GET of a number that was not put.
func (u *unpickler) memory(op byte) error {
	if op == 0x94 {
		return u.put(uint32(len(u.memo)))
	}
	n := 4
	if op == 'q' || op == 'h' {
		n = 1
	}
	i, err := u.uint(n)
	if err != nil {
		return err
	}
	if op == 'q' || op == 'r' {
		return u.put(uint32(i))
	}
	v, ok := u.memo[uint32(i)]
	if !ok {
		return fmt.Errorf("nothing was remembered as %d", i)
	}
	return u.push(v)
}

// put stores the top of the stack in the memo.
func (u *unpickler) put(i uint32) error {
	v, err := u.pop()
	if err != nil {
		return err
	}
	u.memo[i] = v
	u.stack = append(u.stack, v)
	return u.spend(1)
}

// global pushes what the caller knows under the name. All other names are errors: a pickle can call anything
// that Python can import, and nothing of it is run here. The message of an unknown global says
// what can be saved instead.
func (u *unpickler) global(module, name string) error {
	full := module + "." + name
	g := u.globals[full]
	if g == nil {
		return fmt.Errorf("the pickle refers to %s, which is not a part of tensors: only state_dicts and checkpoints of plain data are read; save model.state_dict()", strconv.Quote(full))
	}
	if g.refused != "" {
		return fmt.Errorf("%s, which is %s", strconv.Quote(full), g.refused)
	}
	return u.push(g)
}

// reduce calls a global of the table. The error of the function is wrapped with the global's
// name.
func (u *unpickler) reduce() error {
	args, err := u.pop()
	if err != nil {
		return err
	}
	f, err := u.pop()
	if err != nil {
		return err
	}
	g, ok1 := f.(*global)
	t, ok2 := args.(*tuple)
	if !ok1 || !ok2 || g.call == nil {
		return errors.New("a call of something that cannot be called")
	}
	v, err := g.call(u, t.items)
	if err != nil {
		return fmt.Errorf("%s: %w", g.name, err)
	}
	return u.push(v)
}

// build drops the attributes of an OrderedDict: a state_dict has _metadata.
func (u *unpickler) build() error {
	if _, err := u.pop(); err != nil {
		return err
	}
	if len(u.stack) > 0 {
		if _, ok := u.stack[len(u.stack)-1].(*dict); ok {
			return nil
		}
	}
	return errors.New("attributes for something that is no OrderedDict")
}
