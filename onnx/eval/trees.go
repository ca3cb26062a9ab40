package eval

// This file evaluates ensembles of decision trees.
//
// There are two encodings of the same thing, both of parallel lists with an entry for each node.
// They are decoded to a list of splits, over which descend walks. What is not checked beforehand
// (references that go in circles or outside) is found on the way, so that decoding needs no
// search.

import (
	"math"

	"shapecheck/onnx"
)

// A split is a node of a tree. next has two entries, false before true, so that a condition is an
// index. leaf says which of them are numbers of leaves and not of nodes.
type split struct {
	feature int64
	holds   func(x float64) bool
	missing bool     // NaN goes to the true side
	next    [2]int64 // false, true: a node or a leaf
	leaf    [2]bool
	isLeaf  bool // a node that is itself a leaf (of the old form)
}

// holds gives the test of a mode. members are those of BRANCH_MEMBER. NaN satisfies BRANCH_NEQ
// alone. It fails for a mode that is not known.
func (c *call) holds(mode string, value float64, members []float64) func(x float64) bool {
	switch mode {
	case "BRANCH_LEQ":
		return func(x float64) bool { return x <= value }
	case "BRANCH_LT":
		return func(x float64) bool { return x < value }
	case "BRANCH_GTE":
		return func(x float64) bool { return x >= value }
	case "BRANCH_GT":
		return func(x float64) bool { return x > value }
	case "BRANCH_EQ":
		return func(x float64) bool { return x == value }
	case "BRANCH_NEQ":
		return func(x float64) bool { return x != value }
	case "BRANCH_MEMBER":
		return func(x float64) bool {
			for _, m := range members {
				if m == x {
					return true
				}
			}
			return false
		}
	}
	c.failf("the mode %s", mode)
	return nil
}

// descend goes from a node to a leaf: in the new form a number of the leaves, in the old
// form a node. row gives a feature by its number. A path of more nodes than there are is a
// circle, and fails.
func (c *call) descend(nodes []split, at int64, row func(i int64) float64) int64 {
	for range len(nodes) + 1 {
		c.tick(1)
		if at < 0 || at >= int64(len(nodes)) {
			c.failf("node %d of %d", at, len(nodes))
		}
		n := &nodes[at]
		if n.isLeaf {
			return at
		}
		x := row(n.feature)
		side := boolOf(n.holds(x) || n.missing && math.IsNaN(x))
		if at = n.next[side]; n.leaf[side] {
			return at
		}
	}
	c.failf("a tree with a circle")
	return 0
}

// A tally adds up what the leaves of the trees give to targets. n is the number of targets, and
// how the aggregate's name.
type tally struct {
	out   *Tensor
	n     int64
	how   string
	trees int
	seen  []bool
}

// tally makes the results, one for each row and target, with a flag whether a tree has reached it yet.
func (c *call) tally(d onnx.DType, rows, targets int64, how string, trees int) *tally {
	out := c.make(d, []int64{rows, targets})
	return &tally{out: out, n: targets, how: how, trees: trees, seen: make([]bool, out.Len())}
}

// add joins the weight of one tree: MIN and MAX take the first one as it is. The average divides
// by the number of trees and not by that of those that reached the target.
func (t *tally) add(c *call, row, target int64, w float64) {
	if target < 0 || target >= t.n {
		c.failf("target %d of %d", target, t.n)
	}
	i := row*t.n + target
	switch {
	case t.how == "MIN" && t.seen[i]:
		t.out.F[i] = min(t.out.F[i], w)
	case t.how == "MAX" && t.seen[i]:
		t.out.F[i] = max(t.out.F[i], w)
	case t.how == "AVERAGE":
		t.out.F[i] += w / float64(t.trees)
	default:
		t.out.F[i] += w
	}
	t.seen[i] = true
}

// features checks the input of an ensemble and gives its rows. The operand must be [rows,
// features] of numbers; a feature that is not there fails when a tree asks for it.
func (c *call) features(x *Tensor) (rows int64, row func(r int64) func(i int64) float64) {
	if len(x.Dims) != 2 || x.F == nil && x.I == nil {
		c.failf("an input %s%v", x.DType, x.Dims)
	}
	return x.Dims[0], func(r int64) func(i int64) float64 {
		return func(i int64) float64 {
			if i < 0 || i >= x.Dims[1] {
				c.failf("feature %d of %d", i, x.Dims[1])
			}
			return x.At(int(r*x.Dims[1] + i))
		}
	}
}

// Names of the numbers in attributes of TreeEnsemble.
var (
	// The order is that of the operator's text.
	treeModes      = []string{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER"}
	treeAggregates = []string{"AVERAGE", "SUM", "MIN", "MAX"}
)

// treeEnsemble reads TreeEnsemble of ai.onnx.ml, which has leaves in lists of their own. Sets of members are in
// one list, separated by nan. It fails for lists that are not as long as there are nodes, and for
// a transform of the result.
func treeEnsemble(c *call) []Value {
	x := c.floatArg(0)
	feature := c.ints("nodes_featureids")
	n := len(feature)
	modes, splits := c.tensor("nodes_modes"), c.tensor("nodes_splits")
	yes, no := length(c, "nodes_truenodeids", c.ints("nodes_truenodeids"), n), length(c, "nodes_falsenodeids", c.ints("nodes_falsenodeids"), n)
	yesLeaf, noLeaf := length(c, "nodes_trueleafs", c.ints("nodes_trueleafs"), n), length(c, "nodes_falseleafs", c.ints("nodes_falseleafs"), n)
	if modes.Len() != n || modes.I == nil || splits.Len() != n || splits.F == nil {
		c.failf("%d modes and %d splits of %d nodes", modes.Len(), splits.Len(), n)
	}
	missing := make([]int64, n)
	if l := c.ints("nodes_missing_value_tracks_true"); len(l) > 0 {
		missing = length(c, "nodes_missing_value_tracks_true", l, n)
	}
	var members []float64
	if t := c.tensor("membership_values"); t != nil {
		members = t.F
	}
	nodes := make([]split, n)
	for i := range nodes {
		if modes.I[i] < 0 || modes.I[i] >= int64(len(treeModes)) {
			c.failf("the mode %d", modes.I[i])
		}
		mode := treeModes[modes.I[i]]
		var own []float64
		for mode == "BRANCH_MEMBER" && len(members) > 0 { // the sets end with NaN
			m := members[0]
			if members = members[1:]; math.IsNaN(m) {
				break
			}
			own = append(own, m)
		}
		nodes[i] = split{feature: feature[i], holds: c.holds(mode, splits.F[i], own), missing: missing[i] != 0,
			next: [2]int64{no[i], yes[i]}, leaf: [2]bool{noLeaf[i] != 0, yesLeaf[i] != 0}}
	}
	targets, weights := c.ints("leaf_targetids"), c.tensor("leaf_weights")
	if weights.F == nil || weights.Len() != len(targets) {
		c.failf("%d weights of %d leaves", weights.Len(), len(targets))
	}
	how := c.int("aggregate_function")
	if how < 0 || how >= int64(len(treeAggregates)) || c.int("post_transform") != 0 {
		c.failf("the aggregate %d with the transform %d", how, c.int("post_transform"))
	}
	roots := c.ints("tree_roots")
	rows, row := c.features(x)
	t := c.tally(x.DType, rows, c.int("n_targets"), treeAggregates[how], len(roots))
	for r := range rows {
		for _, root := range roots {
			leaf := c.descend(nodes, root, row(r))
			if leaf < 0 || leaf >= int64(len(targets)) {
				c.failf("leaf %d of %d", leaf, len(targets))
			}
			t.add(c, r, targets[leaf], weights.F[leaf])
		}
	}
	return []Value{t.out}
}

// treeEnsembleRegressor is the form before version 5 of the domain: nodes have the number
// of their tree and their own, leaves are nodes. A tree's root is its first node in the list,
// whose trees must lie together. A leaf may have weights for several targets. base_values are
// added at the end, one for each target.
func treeEnsembleRegressor(c *call) []Value {
	x := c.arg(0)
	ids, trees := c.ints("nodes_nodeids"), c.ints("nodes_treeids")
	n := len(ids)
	feature, modes, value := length(c, "nodes_featureids", c.ints("nodes_featureids"), n), length(c, "nodes_modes", c.texts("nodes_modes"), n),
		length(c, "nodes_values", c.floats("nodes_values"), n)
	yes, no := length(c, "nodes_truenodeids", c.ints("nodes_truenodeids"), n), length(c, "nodes_falsenodeids", c.ints("nodes_falsenodeids"), n)
	length(c, "nodes_treeids", trees, n)
	at := map[[2]int64]int64{}
	var roots []int64
	for i := range n {
		at[[2]int64{trees[i], ids[i]}] = int64(i)
		if i == 0 || trees[i] != trees[i-1] {
			roots = append(roots, int64(i))
		}
	}
	missing := make([]int64, n)
	if l := c.ints("nodes_missing_value_tracks_true"); len(l) > 0 {
		missing = length(c, "nodes_missing_value_tracks_true", l, n)
	}
	find := func(tree, id int64) int64 {
		k, ok := at[[2]int64{tree, id}]
		if !ok {
			c.failf("tree %d has no node %d", tree, id)
		}
		return k
	}
	nodes := make([]split, n)
	for i := range nodes {
		if modes[i] == "LEAF" {
			nodes[i].isLeaf = true
			continue
		}
		nodes[i] = split{feature: feature[i], holds: c.holds(modes[i], value[i], nil), missing: missing[i] != 0,
			next: [2]int64{find(trees[i], no[i]), find(trees[i], yes[i])}}
	}
	targetTree, targetNode := c.ints("target_treeids"), c.ints("target_nodeids")
	m := len(targetTree)
	length(c, "target_nodeids", targetNode, m)
	targets, weights := length(c, "target_ids", c.ints("target_ids"), m), length(c, "target_weights", c.floats("target_weights"), m)
	leaves := map[int64][]int{}
	for k := range targets {
		leaf := find(targetTree[k], targetNode[k])
		leaves[leaf] = append(leaves[leaf], k)
	}
	if c.text("post_transform") != "NONE" {
		c.failf("the transform %s", c.text("post_transform"))
	}
	rows, row := c.features(x)
	t := c.tally(onnx.Float, rows, c.int("n_targets"), c.text("aggregate_function"), len(roots))
	for r := range rows {
		for _, root := range roots {
			for _, k := range leaves[c.descend(nodes, root, row(r))] {
				t.add(c, r, targets[k], weights[k])
			}
		}
		for i, b := range c.floats("base_values") {
			t.out.F[r*t.n+int64(min(i, int(t.n)-1))] += b
		}
	}
	return []Value{t.out}
}
