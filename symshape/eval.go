// This file evaluates expressions on concrete sizes.

package symshape

import (
	"errors"
	"fmt"
)

var (
	errUnknown  = errors.New("unknown expression")
	errZeroDiv  = errors.New("division by zero")
	errOverflow = errors.New("integer overflow")
)

// With is e with the symbols that env knows replaced by their numbers.
func (e *Expr) With(env func(sym string) (int64, bool)) *Expr {
	if e == nil {
		return nil
	}
	return e.pool.Subst(e, func(sym *Expr) *Expr {
		if name, ok := sym.IsSymbol(); ok {
			if n, ok := env(name); ok {
				return e.pool.Const(n)
			}
		}
		return nil
	})
}

// Eval computes e with the symbols' values from env, by Python's rules. It fails on a symbol without a value, on
// division by zero and where int64 overflows.
func (e *Expr) Eval(env func(sym string) (int64, bool)) (int64, error) {
	if e == nil {
		return 0, errUnknown
	}
	sum := e.c
	e.pool.evals += int64(len(e.terms))
	for _, t := range e.terms {
		x := t.coef
		for _, f := range t.mono.factors {
			v, err := f.atom.eval(env)
			if err != nil {
				return 0, err
			}
			for range f.pow {
				var ok bool
				if x, ok = mulOverflow(x, v); !ok {
					return 0, errOverflow
				}
			}
		}
		var ok bool
		if sum, ok = addOverflow(sum, x); !ok {
			return 0, errOverflow
		}
	}
	return sum, nil
}

// eval computes an atom. It returns an error for a symbol without a value, a division by 0, and a
// number that has no integer.
func (a *atom) eval(env func(string) (int64, bool)) (int64, error) {
	switch a.kind {
	case atomSymbol:
		if v, ok := env(a.name); ok {
			return v, nil
		}
		return 0, fmt.Errorf("no value for %s", a.name)
	case atomDiv:
		x, err := a.args[0].Eval(env)
		if err != nil {
			return 0, err
		}
		y, err := a.args[1].Eval(env)
		if err != nil {
			return 0, err
		}
		if y == 0 {
			return 0, errZeroDiv
		}
		return floorDiv(x, y), nil
	case atomMax, atomMin:
		best := int64(0)
		for i, arg := range a.args {
			v, err := arg.Eval(env)
			if err != nil {
				return 0, err
			}
			if i == 0 || (a.kind == atomMax) == (v > best) {
				best = v
			}
		}
		return best, nil
	}
	v, err := a.real.eval(env)
	if err != nil {
		return 0, err
	}
	return RoundFloat(v, a.round)
}

// Env makes an environment for Eval from a map.
func Env(values map[string]int64) func(string) (int64, bool) {
	return func(name string) (int64, bool) {
		v, ok := values[name]
		return v, ok
	}
}
