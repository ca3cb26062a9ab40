// Package ops is what shapecheck knows of library functions: one record for
// each, with all its names, its signature and its rule.
//
// A record is found by any of its names (Lookup) and applied to arguments by
// Apply, which binds them to one of the signatures, runs the rule, records the
// node of the typed graph, and turns faults into diagnostics. The records stand
// in one file per family (conv.go, pool.go, view.go …) as array tables, listed
// in table.go.
//
//	op.go         the record            sig.go        signatures, bind.go their binding
//	call.go       Call: the arguments as a rule reads them, and its results
//	dims.go       comparing, unifying and broadcasting dimensions
//	pointwise.go  results of element-wise work; strides.go  views
//	promote.go    type promotion        contents.go   elements of small tensors
//	apply.go      Apply, in-place and out= forms
//	table.go      the list of families and the index by name
package ops

import "shapecheck/infer/value"

// An Op is the record of one library function.
type Op struct {
	// Names are all spellings, the canonical one first: functions
	// ("torch.nn.functional.conv2d"), methods ("torch.Tensor.view") and, with the
	// suffix ".get", properties ("torch.Tensor.shape.get").
	Names []string
	// Sig holds the overloads in PyTorch's schema notation, separated by " | ".
	// See sig.go.
	Sig string
	// Sig1 holds the overloads in PyTorch 1.x where they differ, in the same order.
	Sig1 string
	// Rule computes the result: usually through c.Out for each tensor. After a
	// fault (c.Errorf) or a loss (c.Lose) what it returns does not matter.
	Rule func(c *Call) value.Value
	// InPlace says that the form with a trailing underscore exists.
	InPlace bool
	// Reshapes says that the in-place form takes the result's shape, as squeeze_
	// does; other in-place forms keep the tensor's own.
	Reshapes bool
	// Repeats says that the in-place form may write to a tensor of which several
	// elements are one place in memory, as expand makes them: it writes one number
	// to all it writes, or changes the view alone.
	Repeats bool
	// Out says that the functions take out=.
	Out bool
	// ExactOut says that out= must have the result's dtype; otherwise the result
	// is converted.
	ExactOut bool
	// Pure results are Python values (sizes, booleans) that are not recorded in
	// the graph.
	Pure bool
	// Doc is one line: what it does and the source of the rule where it is not
	// PyTorch's documentation of the function itself.
	Doc string
}
