package isa

import (
	"bytes"
	"testing"
)

// check does with bytes what loading does. Whatever the verifier accepts has the same bytes
// after going through its text.
func check(t *testing.T, b []byte) {
	p, err := Decode(b)
	if err != nil {
		return
	}
	if Verify(p) != nil {
		return
	}
	canon, err := Encode(p.Clone())
	if err != nil {
		t.Fatalf("a verified program is not encoded: %v", err)
	}
	text, err := Text(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again, err := Encode(q); err != nil || !bytes.Equal(canon, again) {
		t.Fatalf("the text has other bytes (%v):\n%s\nagainst\n%s", err, text, must(Text(q)))
	}
	if err := Verify(q); err != nil {
		t.Fatalf("the canonical form is refused: %v\n%s", err, text)
	}
	vals := make([]int64, len(p.Sizes))
	_ = p.EvalSizes(make([]int64, len(p.Symbols)), nil, vals, nil) // errors are of the sizes; it must only not panic
	p.Dependents()
}

func seeds(f *testing.F) (out [][]byte) {
	for name, text := range programs(f) {
		p, err := Parse(text)
		if err != nil {
			f.Fatalf("%s: %v", name, err)
		}
		b, err := Encode(p)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func FuzzBytes(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(check)
}

func FuzzText(f *testing.F) {
	for _, text := range programs(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if b, err := Encode(p); err == nil {
			check(t, b)
		}
	})
}

// FuzzMutated changes one number of a valid program: an operand, a result, a size, a region.
func FuzzMutated(f *testing.F) {
	list := seeds(f)
	f.Add(uint8(0), uint16(3), int64(1))
	f.Add(uint8(1), uint16(30), int64(-2))
	f.Fuzz(func(t *testing.T, which uint8, at uint16, to int64) {
		p, err := Decode(list[int(which)%len(list)])
		if err != nil {
			t.Fatal(err)
		}
		n := int(at)
		num := func(x *uint32) {
			if n == 0 {
				*x = uint32(to)
			}
			n--
		}
		for _, i := range p.Code {
			num(&i.Op)
			for k := range i.In {
				x := uint32(i.In[k])
				num(&x)
				i.In[k] = int32(x)
			}
			for _, r := range i.Out {
				x := uint32(r.Value)
				num(&x)
				r.Value = int32(x)
				num(&r.Class)
				num(&r.Alias)
				num(&r.Type.Elem)
				for k := range r.Type.Dims {
					num(&r.Type.Dims[k])
				}
			}
			num(&i.Region)
			num(&i.Debug)
			for k := range i.Binds {
				num(&i.Binds[k])
			}
		}
		for _, r := range p.Regions {
			num(&r.Begin)
			num(&r.Middle)
			num(&r.End)
		}
		for _, z := range p.Sizes {
			switch e := z.E.(type) {
			case *Size_Const:
				if n == 0 {
					e.Const = to
				}
				n--
			case *Size_Symbol:
				num(&e.Symbol)
			case *Size_Op:
				num(&e.Op.A)
				num(&e.Op.B)
			}
		}
		for _, s := range p.Symbols {
			num(&s.Upper)
		}
		for _, c := range p.Constants {
			num(&c.Segment)
		}
		b, err := marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		check(t, b)
	})
}
