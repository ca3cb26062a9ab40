package ir

import (
	"os"
	"strings"
	"testing"

	"shapecheck/internal/onnx/schema"
)

// lookup makes records of schemas alone.
func lookup() Lookup {
	made := map[string]*Record{}
	return func(domain, name string) *Record {
		op := schema.Last(domain, name)
		if op == nil {
			return nil
		}
		if made[domain+name] == nil {
			made[domain+name] = &Record{Name: name, Domain: domain, Schema: op, Unranked: name == "If"}
		}
		return made[domain+name]
	}
}

func parse(t *testing.T, text string) *Module {
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
	if err := m.Verify(Building); err != nil {
		t.Error(err)
	}
	if got := m.String(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
}

// TestVerifyFindsFaults breaks the example in one place for each rule.
func TestVerifyFindsFaults(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(*Module)
	}{
		{"uses: ", func(m *Module) { m.Main.Params[0].Uses = nil }},
		{"uses: ", func(m *Module) { n := m.Main.Nodes; n[0], n[1] = n[1], n[0] }},
		{"uses: ", func(m *Module) { v := m.Main.Params[0]; v.Uses = append(v.Uses, v.Uses[0]) }},
		{"uses: ", func(m *Module) { m.Main.Nodes[0].Outs[0].Index = 3 }},
		{"closed: ", func(m *Module) { ifNode(m).Graphs[0].SetResult(0, m.Main.Params[0]) }},
		{"types: ", func(m *Module) { m.Main.Nodes[0].Outs[0].Type.Elem = 0 }},
		{"types: ", func(m *Module) { m.Main.Nodes[0].Outs[0].Type.Ranked = false }},
		{"dims: ", func(m *Module) { m.Main.Nodes[0].Outs[0].Type.Dims[0] = m.Pool.Symbol("free") }},
		{"dims: ", func(m *Module) { m.Syms[0].Axis = 1 }},
		{"attrs: ", func(m *Module) { m.Main.Nodes[0].SetInput(1, nil) }},
		{"ports: ", func(m *Module) { m.Ins[1].Name = m.Ins[0].Name }},
		{"ports: ", func(m *Module) { m.Main.Nodes[0].From = Origin{} }},
		{"layouts: ", func(m *Module) { m.Main.Nodes[0].Outs[0].Layout.ChannelsLast = true }},
		{"consts: ", func(m *Module) { m.Consts.List[0].Bytes++ }},
	} {
		m := parse(t, example(t))
		c.change(m)
		err := m.Verify(Building)
		if err == nil || !strings.Contains(err.Error(), c.rule) {
			t.Errorf("want a fault of rule %s got %v", c.rule, err)
		}
	}
	m := parse(t, example(t))
	if err := m.Verify(Scheduled); err == nil || !strings.Contains(err.Error(), "order: ") {
		t.Errorf("a module without orders is taken as scheduled: %v", err)
	}
}

func ifNode(m *Module) *Node {
	for _, n := range m.Main.Nodes {
		if n.Op.Name == "If" {
			return n
		}
	}
	return nil
}

func TestChangesKeepUses(t *testing.T) {
	m := parse(t, example(t))
	conv := m.Main.Nodes[0]
	relu := m.Main.Nodes[1]
	relu.Outs[0].ReplaceUses(conv.Outs[0])
	if !relu.Dead() || conv.Outs[0].Single() {
		t.Error("the uses have not moved")
	}
	m.RemoveNode(relu)
	branch := ifNode(m)
	branch.Outs[0].ReplaceUses(conv.Outs[0])
	m.RemoveNode(branch)
	if err := m.Verify(Building); err != nil {
		t.Error(err)
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
		_ = m.Verify(Building)
	})
}
