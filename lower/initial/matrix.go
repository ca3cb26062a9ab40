package initial

// This file draws matrices whose elements depend on each other.

import (
	"math"
	"math/rand/v2"
)

// orthogonal is a matrix with orthonormal rows or columns, whichever are fewer, times
// gain: the columns of a random normal matrix are made orthogonal one by one
// (Gram-Schmidt, twice, which is enough for rounding). The result is uniform over
// all such matrices.
func orthogonal(r *rand.Rand, dims []int64, gain float64) []float64 {
	rows, n := int(dims[0]), 1
	for _, d := range dims {
		n *= int(d)
	}
	if n == 0 {
		return nil
	}
	cols := n / rows
	// Vector k has the elements k·along + i·across of the result.
	count, length, along, across := rows, cols, cols, 1
	if rows > cols {
		count, length, along, across = cols, rows, 1, cols
	}
	list := make([][]float64, count)
	for k := range list {
		v := make([]float64, length)
		for {
			for i := range v {
				v[i] = r.NormFloat64()
			}
			for range 2 {
				for _, u := range list[:k] {
					f := 0.0
					for i, x := range u {
						f += x * v[i]
					}
					for i, x := range u {
						v[i] -= f * x
					}
				}
			}
			sum := 0.0
			for _, x := range v {
				sum += x * x
			}
			if sum > 1e-20 {
				for i := range v {
					v[i] /= math.Sqrt(sum)
				}
				break
			}
		}
		list[k] = v
	}
	out := make([]float64, n)
	for k, v := range list {
		for i, x := range v {
			out[k*along+i*across] = gain * x
		}
	}
	return out
}

// sparse is normal with a share of zeros in each column.
func sparse(r *rand.Rand, dims []int64, sparsity, std float64) []float64 {
	rows, cols := int(dims[0]), int(dims[1])
	out := make([]float64, rows*cols)
	for i := range out {
		out[i] = std * r.NormFloat64()
	}
	zeros := min(int(math.Ceil(sparsity*float64(rows))), rows)
	for c := range cols {
		for _, i := range r.Perm(rows)[:zeros] {
			out[i*cols+c] = 0
		}
	}
	return out
}
