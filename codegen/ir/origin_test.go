package ir

import (
	"fmt"
	"testing"
)

// TestUnionOfManyIsBounded merges a node with many others, one after the other, as cse does with the copies of a function's body.
func TestUnionOfManyIsBounded(t *testing.T) {
	all := Origin{Pass: "cse", Nodes: []string{"first"}}
	for i := range 1 << 17 {
		all = Union("cse", all, Origin{Nodes: []string{fmt.Sprint("n", i), "first"}})
	}
	if len(all.Nodes) != maxOrigins || all.Nodes[0] != "first" || all.Nodes[1] != "n0" {
		t.Errorf("%d names, the first %q", len(all.Nodes), all.Nodes[:2])
	}
}
