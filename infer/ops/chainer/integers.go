package chainer

// This file says which arguments Chainer takes for integers only if they are Python's, and
// which for a number of all axes rather than one for each.

import (
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// pythonInts are parameters that are tested with isinstance(x, int), alone or as elements of a
// sequence, so that numpy's scalars and arrays are refused; bools are ints there, unless numpy
// reads them as an axis afterwards.
var pythonInts = [...]struct {
	bools, one       bool // one: elements of a sequence are not tested
	names, functions string
}{
	{true, false, "axis", "rollaxis flip"},
	{true, true, "source destination", "moveaxis"},
	{true, false, "repeats", "repeat"},
	{true, false, "groups", "group_normalization"},
	{true, false, "blank_symbol", "connectionist_temporal_classification"},
	{true, false, "axes", "tensordot"},
	{false, false, "axis", "concat repeat argmin argmax cumsum cumprod logsumexp squeeze max min sum mean average"},
}

// iterables are the functions whose pairs are what can be iterated over: all others take
// whatever has an item, as numpy's scalars have, and fail to unpack it.
const iterables = " average_pooling_2d unpooling_2d upsampling_2d roi_average_pooling_2d roi_max_pooling_2d roi_average_align_2d roi_max_align_2d spatial_transformer_grid "

// An intParam is a parameter that takes Python's ints.
type intParam struct {
	name       string
	bools, one bool
}

var intParams = sync.OnceValue(func() map[string][]intParam {
	m := map[string][]intParam{}
	for _, r := range pythonInts {
		for _, f := range strings.Fields(r.functions) {
			for _, n := range strings.Fields(r.names) {
				m["chainer.functions."+f] = append(m["chainer.functions."+f], intParam{n, r.bools, r.one})
			}
		}
	}
	return m
})

// checkInts refuses what is no int of Python where one is asked for.
func (k *call) checkInts(params []intParam) {
	for _, p := range params {
		v := k.Value(p.name)
		elems := []value.Value{v}
		if several, isList, open := k.Sequence(v); isList && open == nil && !p.one {
			elems = several
		}
		for _, e := range elems {
			_, isBool := e.(value.Bool)
			if k.OK() && (isBool && !p.bools || ops.IsNumpyScalar(e) || ops.IsArray(e) && !ops.IsArray(v)) {
				k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an int of Python, not %s: use int()", k.Short(), p.name, ops.TypeName(e))
			}
		}
		if t, ok := v.(*value.Tensor); ok && k.OK() && ops.IsArray(v) && t.Type().Ranked && len(t.Type().Shape) == 0 {
			k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an int of Python, not an array: use int()", k.Short(), p.name)
		}
	}
}

// unpacks refuses one of numpy's scalars or an array without dimensions for all n axes: Chainer
// takes it for a sequence, as it has __getitem__.
func (k *call) unpacks(name string, v value.Value, n int) {
	t, _ := v.(*value.Tensor)
	array := t != nil && ops.IsArray(v) && t.Type().Ranked && len(t.Type().Shape) == 0
	if !array && (!ops.IsNumpyScalar(v) || strings.Contains(iterables, " "+k.Short()+" ")) {
		return
	}
	k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an int of Python or %s, not %s: use int()",
		k.Short(), name, ops.CountWord(n, "int"), ops.TypeName(v))
}
