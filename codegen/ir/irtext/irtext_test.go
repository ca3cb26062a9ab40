package irtext

import (
	"os"
	"strings"
	"testing"

	"shapecheck/codegen/ir"
	"shapecheck/onnx/schema"
)

// lookup makes records of schemas alone.
func lookup() Lookup {
	made := map[string]*ir.Record{}
	return func(domain, name string) *ir.Record {
		op := schema.Last(domain, name)
		if op == nil {
			return nil
		}
		if made[domain+name] == nil {
			made[domain+name] = &ir.Record{Name: name, Domain: domain, Schema: op, Unranked: name == "If"}
		}
		return made[domain+name]
	}
}

func parse(t *testing.T, text string) *ir.Module {
	t.Helper()
	m, err := Parse(text, lookup(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func example(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/example.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheTextFormReadsBack(t *testing.T) {
	text := example(t)
	m := parse(t, text)
	if err := m.Verify(ir.Building); err != nil {
		t.Error(err)
	}
	if got := m.String(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
}

func TestFaultsOfTextsAreTold(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"Conv(%0", "Conv(%9", "not defined"},
		{"Conv(", "Nope(", "no operator"},
		{"f32[N,8,H,W] = Conv", "f32[M,8,H,W] = Conv", "not declared"},
		{"group=2", "groups=2", "no attribute"},
		{"  return", "  back", "no node"},
		{"const @0", "const @1", "number"},
		{"sym N 1..", "sym N ..", "invalid syntax"},
	} {
		text := strings.Replace(example(t), c.from, c.to, 1)
		if _, err := Parse(text, lookup(), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v, want %q", c.to, c.from, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	b, err := os.ReadFile("testdata/example.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text, lookup(), nil)
		if err != nil {
			return
		}
		once := m.String()
		again, err := Parse(once, lookup(), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := again.String(); twice != once {
			t.Fatalf("read back as\n%s\nwritten as\n%s", twice, once)
		}
		_ = m.Verify(ir.Building)
	})
}
