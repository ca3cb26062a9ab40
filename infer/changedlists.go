package infer

// This file knows the lists and dicts of the program that something unknown was given: it may put
// more into them, then or later.

import (
	"errors"

	"shapecheck/infer/value"
)

// How deep, and how many elements of each, containers inside of containers are looked at.
const (
	givenDepth = 2
	maxGiven   = 64
)

// givesContainers notes the containers in v. What is empty is there to be filled: its contents are unknown
// from now on. Of others those stay known that are in them.
func (in *Interp) givesContainers(v value.Value, depth int) {
	c := &value.Cause{At: in.Here(), Reason: "something unknown was given the container and may have put it there"}
	switch x := v.(type) {
	case *value.List:
		if len(x.Elems) == 0 && x.Open == nil {
			in.heap.Touch(x)
			x.Open = &value.Open{Elem: in.losses.unknown(c), Len: in.DataInt("n", 0, nil).D}
			return
		}
	case *value.Dict:
		if x.Len() == 0 && x.Open == nil {
			in.heap.Touch(x)
			x.Open = &value.Open{Key: in.losses.unknown(c), Elem: in.losses.unknown(c)}
			return
		}
	default:
		return
	}
	if in.given == nil {
		in.given = map[value.Value]*value.Cause{}
	}
	in.given[v] = c
	if depth > 0 {
		in.givesElements(v, depth-1)
	}
}

// givesElements notes the containers that are elements of one: which of them an unknown index means is
// not known, and what is written into it is written into one of these.
func (in *Interp) givesElements(v value.Value, depth int) {
	switch x := v.(type) {
	case *value.List:
		for _, e := range x.Elems[:min(len(x.Elems), maxGiven)] {
			in.givesContainers(e, depth)
		}
	case *value.Dict:
		for i := range min(x.Len(), maxGiven) {
			in.givesContainers(x.At(i), depth)
		}
	}
}

// mixes are the builtins whose result gives their arguments' elements on: an unknown one among the arguments
// leaves nothing known of it.
var mixes = map[string]bool{"zip": true, "map": true, "filter": true}

// mayHold reports why a container may hold what a lookup did not find in it; nil: it does not.
func (in *Interp) mayHold(container value.Value, err error) *value.Cause {
	var e *value.Exception
	c := in.given[container]
	if c == nil || !errors.As(err, &e) || !e.Value.Class.IsSubclass(in.world.Class("LookupError")) {
		return nil
	}
	return c
}
