package eval

// This file holds the optimisers of ai.onnx.preview.training. Each input beyond the rate
// and the count comes for a number of tensors: first all values, then all gradients, then
// what the optimiser keeps.

import (
	"math"
)

func preview(name string) opName { return opName{domain: "ai.onnx.preview.training", name: name} }

var training = map[opName]kernel{preview("Adagrad"): adagrad, preview("Adam"): adam, preview("Momentum"): momentum}

// optimise calls step for each element of each tensor with its value, its gradient and
// the states, which it changes. kept is the number of states.
func (c *call) optimise(kept int, norm float64, step func(x, g float64, s []float64) float64) []Value {
	all := c.tensors(2)
	n := len(all) / (2 + kept)
	if n*(2+kept) != len(all) {
		c.failf("%d tensors", len(all))
	}
	outs := make([]Value, n*(1+kept))
	for i := range n {
		x, g := all[i], all[n+i]
		c.sized("a gradient", g, x.Dims...)
		y := c.like(x, x.DType)
		outs[i] = y
		states := make([]*Tensor, kept)
		for k := range states {
			c.sized("a state", all[(2+k)*n+i], x.Dims...)
			states[k] = c.copied(all[(2+k)*n+i])
			outs[(1+k)*n+i] = states[k]
			c.same(x, states[k])
		}
		if x.F == nil || g.F == nil {
			c.failf("elements of type %s", x.DType)
		}
		s := make([]float64, kept)
		for j, f := range x.F {
			c.tick(1)
			for k := range s {
				s[k] = states[k].F[j]
			}
			y.F[j] = step(f, g.F[j]+norm*f, s)
			for k := range s {
				states[k].F[j] = s[k]
			}
		}
	}
	return outs
}

func adagrad(c *call) []Value {
	rate, t, eps := c.oneFloat(0), float64(c.oneInt(1)), c.float("epsilon")
	rate /= 1 + t*c.float("decay_factor")
	return c.optimise(1, c.float("norm_coefficient"), func(x, g float64, s []float64) float64 {
		s[0] += g * g
		return x - rate*g/(math.Sqrt(s[0])+eps)
	})
}

// adam is Kingma and Ba's (2015) with bias correction, which is part of the rate here, and with
// the operator's two regularisations: of the gradient before and of the result after.
func adam(c *call) []Value {
	rate, t := c.oneFloat(0), float64(c.oneInt(1))
	alpha, beta, eps, after := c.float("alpha"), c.float("beta"), c.float("epsilon"), c.float("norm_coefficient_post")
	if t > 0 {
		rate *= math.Sqrt(1-math.Pow(beta, t)) / (1 - math.Pow(alpha, t))
	}
	return c.optimise(2, c.float("norm_coefficient"), func(x, g float64, s []float64) float64 {
		s[0] = alpha*s[0] + (1-alpha)*g
		s[1] = beta*s[1] + (1-beta)*g*g
		return (1 - after) * (x - rate*s[0]/(math.Sqrt(s[1])+eps))
	})
}

// momentum is the heavy ball or Nesterov's form. The first step takes the gradient whole, as if
// beta were 1.
func momentum(c *call) []Value {
	rate, t := c.oneFloat(0), c.oneInt(1)
	alpha, beta, nesterov := c.float("alpha"), c.float("beta"), c.text("mode") == "nesterov"
	if t <= 0 {
		beta = 1
	}
	return c.optimise(1, c.float("norm_coefficient"), func(x, g float64, s []float64) float64 {
		s[0] = alpha*s[0] + beta*g
		if nesterov {
			return x - rate*(g+alpha*s[0])
		}
		return x - rate*s[0]
	})
}
