package main

// This file writes models in the newest form of the operators, whose results must have
// the types that are recorded, too.

import (
	"fmt"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// upgrade writes the nodes of a model's graphs in their newest form. A model that has
// functions, or versions that have no newer form (those before opset 7), stays as it is.
func upgrade(m *onnx.Model) {
	if len(m.Functions) > 0 {
		return
	}
	made := map[*onnx.Graph]schema.Upgraded{}
	names := 0
	fresh := func(hint string) string {
		names++
		return fmt.Sprintf("%s of the newest form %d", hint, names)
	}
	var graph func(g *onnx.Graph) bool
	graph = func(g *onnx.Graph) bool {
		var all schema.Upgraded
		for _, n := range g.Nodes {
			ok := true
			n.Subgraphs(func(_ string, sub *onnx.Graph) { ok = graph(sub) && ok })
			u := schema.Upgraded{Nodes: []*onnx.Node{n}}
			if op := schema.Lookup(n.Domain, n.Op, m.Opset(n.Domain)); ok && op != nil {
				var err error
				if u, err = op.Upgrade(n, nil, fresh); err != nil {
					ok = false
				}
			}
			if !ok {
				return false
			}
			all.Nodes, all.Constants = append(all.Nodes, u.Nodes...), append(all.Constants, u.Constants...)
		}
		made[g] = all
		return true
	}
	if !graph(m.Graph) {
		return
	}
	for g, u := range made {
		g.Nodes, g.Initializers = u.Nodes, append(g.Initializers, u.Constants...)
	}
	for i := range m.Opsets {
		if v := schema.NewestOf(m.Opsets[i].Domain); v > 0 {
			m.Opsets[i].Version = v
		}
	}
}
