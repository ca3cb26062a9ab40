package isa

// This file reads and writes messages in protobuf's wire format. What belongs to one message is in program.pb.go.

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A message is one of those of program.proto.
type message interface {
	// write appends the fields; those that are zero are left out.
	write(w *writer)
	// read takes one field, and leaves out one that it has not.
	read(f *field)
}

// errText is a text that is no UTF-8, which protobuf's texts are.
var errText = errors.New("a text is not UTF-8")

// A fieldInfo is what is known of a field before it is read.
type fieldInfo struct {
	known     bool           // the message has it
	wire      protowire.Type // of a single value
	isText    bool
	isList    bool // of numbers
	isMessage bool
	message   uint8 // its place in fieldsOf
}

// A writer has the bytes of the messages that are written.
type writer struct {
	b   []byte
	err error
}

// marshal gives the bytes of a message; those of equal messages are equal. It returns an error if a text is not UTF-8.
func marshal(m message) ([]byte, error) {
	var w writer
	m.write(&w)
	return w.b, w.err
}

func (w *writer) varint(num protowire.Number, x uint64) {
	w.b = protowire.AppendVarint(protowire.AppendTag(w.b, num, protowire.VarintType), x)
}

func (w *writer) fixed(num protowire.Number, x uint64) {
	w.b = protowire.AppendFixed64(protowire.AppendTag(w.b, num, protowire.Fixed64Type), x)
}

func (w *writer) bytes(num protowire.Number, x []byte) {
	w.b = protowire.AppendBytes(protowire.AppendTag(w.b, num, protowire.BytesType), x)
}

func (w *writer) text(num protowire.Number, x string) {
	if !utf8.ValidString(x) {
		w.err = errText
	}
	w.b = protowire.AppendString(protowire.AppendTag(w.b, num, protowire.BytesType), x)
}

func (w *writer) message(num protowire.Number, m message) {
	at := w.open(num)
	m.write(w)
	w.close(at)
}

// open begins what has its length before it, with room for a short one.
func (w *writer) open(num protowire.Number) (at int) {
	w.b = append(protowire.AppendTag(w.b, num, protowire.BytesType), 0)
	return len(w.b)
}

// close puts the length of what was written since before it.
func (w *writer) close(at int) {
	n := len(w.b) - at
	more := protowire.SizeVarint(uint64(n)) - 1
	for range more {
		w.b = append(w.b, 0)
	}
	if more > 0 {
		copy(w.b[at+more:], w.b[at:at+n])
	}
	protowire.AppendVarint(w.b[:at-1], uint64(n))
}

// A field is one that is read: its bytes, or its bits as a number.
type field struct {
	num protowire.Number
	typ protowire.Type
	b   []byte
	n   uint64
	in  bool  // b is a list of numbers, of which some are read
	err error // the first one of the message and all in it
}

// unmarshal reads a message into m, which keeps no part of b. It returns an error if b is malformed. Texts are taken as
// they are, and nesting is as deep as b has it: see survey.
func unmarshal(b []byte, m message) error {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			return protowire.ParseError(size)
		}
		f := field{num: num, typ: typ}
		switch val := b[n : n+size]; typ {
		case protowire.VarintType:
			f.n, _ = protowire.ConsumeVarint(val)
		case protowire.Fixed64Type:
			f.n, _ = protowire.ConsumeFixed64(val)
		case protowire.BytesType:
			f.b, _ = protowire.ConsumeBytes(val)
		}
		if m.read(&f); f.err != nil {
			return f.err
		}
		b = b[n+size:]
	}
	return nil
}

// is reports whether the field has the form of its values; one that has not is as one that is unknown.
func (f *field) is(wire protowire.Type) bool { return f.typ == wire }

// next goes to the next number of a list: fields of one each, or of many one behind the other.
func (f *field) next(wire protowire.Type) bool {
	if !f.in {
		f.in = true
		if f.typ != protowire.BytesType {
			return f.typ == wire
		}
	}
	if len(f.b) == 0 || f.err != nil {
		return false
	}
	var n int
	if wire == protowire.Fixed64Type {
		f.n, n = protowire.ConsumeFixed64(f.b)
	} else {
		f.n, n = protowire.ConsumeVarint(f.b)
	}
	if n < 0 {
		f.err = protowire.ParseError(n)
		return false
	}
	f.b = f.b[n:]
	return true
}

// bytes is a copy of the field's.
func (f *field) bytes() []byte { return append([]byte{}, f.b...) }

func (f *field) text() string { return string(f.b) }

// message reads the field into m, and reports whether it is a message.
func (f *field) message(m message) bool {
	if f.typ != protowire.BytesType {
		return false
	}
	if err := unmarshal(f.b, m); err != nil {
		f.err = err
	}
	return true
}

// Clone gives a copy of the program that shares nothing with it.
func (p *Program) Clone() *Program {
	var w writer // its error does not count: texts may be anything
	p.write(&w)
	out := &Program{}
	if err := unmarshal(w.b, out); err != nil {
		panic(fmt.Sprintf("a message is not read that was just written: %v", err))
	}
	return out
}
