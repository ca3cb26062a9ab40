package isa

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// programType is the type of programs as protobuf's own implementation has it.
func programType(t testing.TB) protoreflect.MessageDescriptor {
	b, err := os.ReadFile("testdata/program.descriptor")
	if err != nil {
		t.Fatal(err)
	}
	file := &descriptorpb.FileDescriptorProto{}
	if err := proto.Unmarshal(b, file); err != nil {
		t.Fatal(err)
	}
	d, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.Messages().ByName("Program")
}

// everyField is a program that sets each field of each message, also to values that are stored in another way than small ones.
func everyField() *Program {
	kind := &Type{Kind: Type_SEQUENCE, Elem: 1, Unranked: true, Dims: []uint32{0, 1, math.MaxUint32}, Of: &Type{Kind: -1, Of: &Type{}}}
	attr := func(v isAttr_V) *Attr { return &Attr{Name: "é", V: v} }
	return &Program{
		Major: Major, Minor: math.MaxUint32, Producer: "p", Name: "n", Features: []string{"", "real"},
		Symbols: []*Symbol{{Name: "N", Lo: math.MinInt64, Hi: math.MaxInt64, Upper: 1}, {}},
		Sizes: []*Size{{}, {E: &Size_Const{0}}, {E: &Size_Const{math.MinInt64}}, {E: &Size_Symbol{0}}, {E: &Size_Symbol{7}},
			{E: &Size_Op{&SizeOp{Kind: SizeOp_MIN, A: 1, B: 2}}}, {E: &Size_Op{&SizeOp{}}},
			{E: &Size_Real{&RealSize{Round: RealSize_CEIL, Steps: []*RealStep{{Op: RealStep_CONST, Size: 3, Const: math.Copysign(0, -1)},
				{Const: math.NaN()}, {}}}}}},
		Contract: []*Condition{{Cond: "N > 0", Because: []string{"x", ""}}},
		Inputs:   []*Port{{Name: "x", Type: kind, State: 1}}, Outputs: []*Port{{}},
		Constants: []*Constant{{Name: "c", Type: kind, Data: []byte{0, 1}, Segment: 1, Offset: math.MaxUint64}, {Data: []byte{}}},
		Classes:   []*Class{{Bytes: 1, Offset: 64}},
		Code: []*Instruction{{Op: 1, In: []int32{0, -1, math.MinInt32, math.MaxInt32}, Region: 1, Debug: 1, Binds: []uint32{1 << 20},
			Out: []*Result{{Value: -1, Type: kind, Class: 1, Alias: 1}},
			Attr: []*Attr{{}, attr(&Attr_I{0}), attr(&Attr_I{-1}), attr(&Attr_F{0}), attr(&Attr_F{math.Copysign(0, -1)}), attr(&Attr_S{nil}),
				attr(&Attr_S{[]byte{0xff}}), attr(&Attr_Ints{&Ints{}}), attr(&Attr_Ints{&Ints{List: make([]int64, 300)}}),
				attr(&Attr_Floats{&Floats{List: []float64{0, math.Inf(-1)}}}), attr(&Attr_Strings{&Strings{List: [][]byte{{}, {0xff}}}}),
				attr(&Attr_Type{kind}), attr(&Attr_Sizes{&SizeList{List: []uint32{0, 1}}}), attr(&Attr_Constant{0})}}},
		Regions: []*Region{{Kind: Region_LOOP, Begin: 1, Middle: 2, End: 3}},
		Groups: []*Group{{Name: "g", Form: make([]byte, 20000), Artefacts: []*Artefact{{Backend: "b", Version: "v", Target: "t", Data: []byte{1},
			Sha256: make([]byte, 32)}}}},
		Segments: []*Segment{{Kind: "data", Tier: "t", Offset: 1, Length: 2, Sha256: []byte{3}, File: "f", Name: "n",
			Packed: []*Packed{{Constant: 1, Form: "f", Op: 2, Flags: math.MaxUint64, Offset: 3, Length: 4}}}},
		Debug: &Debug{Places: []*Place{{File: "f", Line: 1, Module: "m"}},
			Origins: []*Origin{{Places: []uint32{0, 1}, Nodes: []string{"a"}, Pass: "p"}}},
		Metadata: []*Entry{{Key: "k", Value: "v"}},
		Values:   1,
	}
}

// Bytes are those that protobuf's own implementation reads and writes, and what it refuses is refused.
func TestMessagesAreAsProtobufHasThem(t *testing.T) {
	typ := programType(t)
	all, err := marshal(everyField())
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{all}
	for _, text := range programs(t) {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b)
	}
	r := rand.New(rand.NewPCG(1, 2))
	read, refused := 0, 0
	for k, text := range texts {
		compareWithProtobuf(t, typ, text)
		for range 500 {
			b := bytes.Clone(text)
			switch i := r.IntN(len(b)); r.IntN(4) {
			case 0:
				b[i] = byte(r.Uint32())
			case 1:
				b[i] ^= 1 << r.IntN(8)
			case 2:
				b = b[:i]
			case 3: // fields that come again are merged
				b = append(b, texts[r.IntN(len(texts))]...)
				b[i] ^= 1 << r.IntN(3)
			}
			if k == 0 && len(b) > 20000 { // mostly one field's zeros
				b = bytes.Replace(b, make([]byte, 19000), nil, 1)
			}
			if compareWithProtobuf(t, typ, b) {
				read++
			} else {
				refused++
			}
		}
	}
	if read < 200 || refused < 200 {
		t.Errorf("%d are read and %d refused: that says little", read, refused)
	}
}

// compareWithProtobuf reads b and writes it again in both ways, and reports whether it is read.
func compareWithProtobuf(t *testing.T, typ protoreflect.MessageDescriptor, b []byte) bool {
	t.Helper()
	want := dynamicpb.NewMessage(typ)
	wantErr := proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, want)
	got := &Program{}
	err := new(survey).message(0, b, 0)
	if err == nil {
		err = unmarshal(b, got)
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("protobuf says %v, we say %v: %x", wantErr, err, b)
	}
	if err != nil {
		return false
	}
	ours, err := marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	again := dynamicpb.NewMessage(typ)
	if err := proto.Unmarshal(ours, again); err != nil || !proto.Equal(want, again) || len(again.GetUnknown()) > 0 {
		t.Fatalf("what we read of %x is\n%v, not\n%v (%v)", b, again, want, err)
	}
	theirs, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
	if err != nil || !bytes.Equal(ours, theirs) {
		t.Fatalf("we write\n%x, protobuf\n%x (%v)", ours, theirs, err)
	}
	if clone, err := marshal(got.Clone()); err != nil || !bytes.Equal(clone, ours) {
		t.Fatalf("a copy of %x is\n%x (%v)", ours, clone, err)
	}
	return true
}

// A text that is no UTF-8 is neither written nor read; a copy of a program has it.
func TestTextsAreUTF8(t *testing.T) {
	p := &Program{Major: Major, Symbols: []*Symbol{{Name: "\xff"}}}
	if _, err := Encode(p.Clone()); err == nil {
		t.Error("such a text is written")
	}
	if got := p.Clone().Symbols[0].Name; got != "\xff" {
		t.Errorf("a copy has %q", got)
	}
	var w writer
	p.write(&w)
	if _, err := Decode(w.b); err == nil {
		t.Error("such a text is read")
	}
}
