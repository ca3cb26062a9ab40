package ir_test

import (
	"os"
	"strings"
	"testing"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/ir/irtext"
	"shapecheck/onnx/schema"
)

// lookup makes records of schemas alone.
func lookup() irtext.Lookup {
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
	m, err := irtext.Parse(text, lookup(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func example(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("irtext/testdata/example.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestVerifyFindsFaults breaks the example in one place for each rule.
func TestVerifyFindsFaults(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(*ir.Module)
	}{
		{"uses: ", func(m *ir.Module) { m.Main.Params[0].Uses = nil }},
		{"uses: ", func(m *ir.Module) { n := m.Main.Nodes; n[0], n[1] = n[1], n[0] }},
		{"uses: ", func(m *ir.Module) { v := m.Main.Params[0]; v.Uses = append(v.Uses, v.Uses[0]) }},
		{"uses: ", func(m *ir.Module) { m.Main.Nodes[0].Outs[0].Index = 3 }},
		{"closed: ", func(m *ir.Module) { ifNode(m).Graphs[0].SetResult(0, m.Main.Params[0]) }},
		{"types: ", func(m *ir.Module) { m.Main.Nodes[0].Outs[0].Type.Elem = 0 }},
		{"types: ", func(m *ir.Module) { m.Main.Nodes[0].Outs[0].Type.Ranked = false }},
		{"dims: ", func(m *ir.Module) { m.Main.Nodes[0].Outs[0].Type.Dims[0] = m.Pool.Symbol("free") }},
		{"dims: ", func(m *ir.Module) { m.Syms[0].Axis = 1 }},
		{"attrs: ", func(m *ir.Module) { m.Main.Nodes[0].SetInput(1, nil) }},
		{"ports: ", func(m *ir.Module) { m.Ins[1].Name = m.Ins[0].Name }},
		{"ports: ", func(m *ir.Module) { m.Main.Nodes[0].From = ir.Origin{} }},
		{"consts: ", func(m *ir.Module) { m.Consts.List[0].Bytes++ }},
	} {
		m := parse(t, example(t))
		c.change(m)
		err := m.Verify(ir.Building)
		if err == nil || !strings.Contains(err.Error(), c.rule) {
			t.Errorf("want a fault of rule %s got %v", c.rule, err)
		}
	}
	m := parse(t, example(t))
	if err := m.Verify(ir.Scheduled); err == nil || !strings.Contains(err.Error(), "order: ") {
		t.Errorf("a module without orders is taken as scheduled: %v", err)
	}
}

func ifNode(m *ir.Module) *ir.Node {
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
	if err := m.Verify(ir.Building); err != nil {
		t.Error(err)
	}
}
