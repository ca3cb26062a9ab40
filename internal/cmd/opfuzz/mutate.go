package main

// This file makes new calls from recorded ones: a size, a rank, a dtype or an
// argument becomes another.

import (
	"encoding/json"
	"math/rand"
)

// A call is a record of opdb as far as it is to be run.
type call struct {
	Op      string         `json:"op"`
	Variant string         `json:"variant"`
	Gen     string         `json:"gen"`
	Call    string         `json:"call"`
	Args    []any          `json:"args"`
	Kwargs  map[string]any `json:"kwargs,omitempty"`
}

// maxElements bounds the tensors of a call; maxValues those whose integer
// contents are written.
const (
	maxElements = 20_000
	maxValues   = 64
)

var dtypes = [...]string{"f32", "f32", "f32", "f64", "i64", "i32", "u8", "bool", "f16", "bf16", "c64"}

// plain reports whether a value is made only of what can be changed and rebuilt.
func plain(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if !plain(x) {
				return false
			}
		}
	case map[string]any:
		for k, x := range v {
			switch k {
			case "t", "s", "v", "dtype":
			case "tuple", "size":
				if !plain(x) {
					return false
				}
			default:
				return false
			}
		}
		if s, isTensor := v["s"]; isTensor && s == nil {
			return false
		}
	}
	return true
}

// mutate changes one to three places of a call. It reports whether the result
// can be run.
func mutate(rng *rand.Rand, c *call) bool {
	var places []func()
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case []any:
			for i := range v {
				walk(v[i], func(x any) { v[i] = x })
			}
		case map[string]any:
			if _, ok := v["t"]; ok {
				places = append(places, func() { retensor(rng, v) }, func() { retensor(rng, v) })
				return
			}
			for _, k := range [...]string{"tuple", "size"} {
				if x, ok := v[k]; ok {
					walk(x, func(y any) { v[k] = y })
				}
			}
			if _, ok := v["dtype"]; ok {
				places = append(places, func() { v["dtype"] = dtypes[rng.Intn(len(dtypes))] })
			}
		case float64:
			if v == float64(int64(v)) {
				places = append(places, func() { set(float64([...]int64{int64(v) + 1, int64(v) - 1, -int64(v), 0, 1, 2, -1}[rng.Intn(7)])) })
			}
		case bool:
			places = append(places, func() { set(!v) })
		}
	}
	for i := range c.Args {
		walk(c.Args[i], func(x any) { c.Args[i] = x })
	}
	for k, v := range c.Kwargs {
		walk(v, func(x any) { c.Kwargs[k] = x })
	}
	if len(places) == 0 {
		return false
	}
	for range 1 + rng.Intn(3) {
		places[rng.Intn(len(places))]()
	}
	ok := true
	fill(rng, c.Args, &ok)
	for _, v := range c.Kwargs {
		fill(rng, v, &ok)
	}
	return ok
}

// retensor changes a size, the rank or the dtype of a tensor.
func retensor(rng *rand.Rand, t map[string]any) {
	s, _ := t["s"].([]any)
	s = append([]any(nil), s...)
	delete(t, "v")
	n, k := len(s), rng.Intn(8)
	switch {
	case k == 0:
		t["t"] = dtypes[rng.Intn(len(dtypes))]
	case k == 1 && n < 5:
		i := rng.Intn(n + 1)
		s = append(s[:i:i], append([]any{float64(1 + rng.Intn(3))}, s[i:]...)...)
	case k == 2 && n > 0:
		i := rng.Intn(n)
		s = append(s[:i:i], s[i+1:]...)
	case k == 3 && n > 0:
		s[rng.Intn(n)] = float64(rng.Intn(2))
	case n > 0:
		i := rng.Intn(n)
		old, _ := s[i].(float64)
		s[i] = max(0, old+float64(rng.Intn(5)-2))
	}
	t["s"] = s
}

// fill writes the contents of integer tensors, on which results may depend.
func fill(rng *rand.Rand, v any, ok *bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			fill(rng, x, ok)
		}
	case map[string]any:
		d, isTensor := v["t"].(string)
		if !isTensor {
			for _, x := range v {
				fill(rng, x, ok)
			}
			return
		}
		n := 1
		s, _ := v["s"].([]any)
		for _, x := range s {
			f, _ := x.(float64)
			n *= int(f)
		}
		if n > maxElements {
			*ok = false
		}
		if _, given := v["v"]; given || d[0] == 'f' || d[0] == 'c' || d == "bf16" {
			return
		}
		if n > maxValues {
			*ok = false
			return
		}
		list := make([]any, n)
		for i := range list {
			list[i] = rng.Intn(3)
			if d == "bool" {
				list[i] = rng.Intn(2) == 0
			}
		}
		v["v"] = list
	}
}

// clone copies a call deeply.
func (c *call) clone() *call {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // it came from JSON
	}
	out := &call{}
	if err := json.Unmarshal(text, out); err != nil {
		panic(err)
	}
	return out
}
