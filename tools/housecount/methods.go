package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// largestType gives the type with the most methods. Methods of pointers and of values count
// together; of two types with as many the first by name is given.
func largestType(h *house) string {
	count := map[string]int{}
	h.eachFunc(func(r *room, _ *file, d *ast.FuncDecl) {
		if d.Recv == nil {
			return
		}
		if f, ok := r.info.Defs[d.Name].(*types.Func); ok {
			t := f.Signature().Recv().Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := t.(*types.Named); ok {
				count[r.pkg.Name()+"."+n.Obj().Name()]++
			}
		}
	})
	best := ""
	for name, n := range count {
		if n > count[best] || n == count[best] && name < best {
			best = name
		}
	}
	return fmt.Sprintf("%s %d", best, count[best])
}

// largest is the package with the most files.
func (h *house) largest() *room {
	return slices.MaxFunc(h.rooms, func(a, b *room) int { return len(a.files) - len(b.files) })
}

func largestPackage(h *house) string {
	r := h.largest()
	return fmt.Sprintf("%s %d", r.pkg.Name(), len(r.files))
}

// arrows gives, for each pair of files of a package, whether the first uses what the second declares.
func (h *house) arrows(r *room) [][]bool {
	number := map[string]int{}
	out := make([][]bool, len(r.files))
	for i, f := range r.files {
		number[f.name] = i
		out[i] = make([]bool, len(r.files))
	}
	for i, f := range r.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := r.info.Uses[id]
			if obj == nil || obj.Pkg() != r.pkg || !obj.Pos().IsValid() {
				return true
			}
			if v, ok := obj.(*types.Var); ok && v.IsField() || obj.Parent() != r.pkg.Scope() && !isMethod(obj) {
				return true
			}
			if j, ok := number[h.fset.Position(obj.Pos()).Filename]; ok && j != i {
				out[i][j] = true
			}
			return true
		})
	}
	return out
}

func isMethod(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

func arrowCount(h *house) string {
	all, _ := upward(h.arrows(h.largest()))
	return fmt.Sprint(all)
}

func arrowsUp(h *house) string {
	all, up := upward(h.arrows(h.largest()))
	return fmt.Sprintf("%d (%.0f %%)", up, 100*float64(up)/float64(max(all, 1)))
}

// upward counts the arrows, and those that lead up in an order of the files that has few of them. The order is that of
// Eades, Lin and Smyth ("A fast and effective heuristic for the feedback arc set problem", 1993): sinks last, sources
// first, else the file with the largest surplus of arrows out; then files move to their best positions while that
// takes arrows away. The least number is not known: it takes exponential time.
func upward(arrows [][]bool) (all, up int) {
	n := len(arrows)
	var first, last []int
	left := map[int]bool{}
	for i := range n {
		left[i] = true
		for j := range n {
			if arrows[i][j] {
				all++
			}
		}
	}
	degrees := func(i int) (out, in int) {
		for j := range left {
			if arrows[i][j] {
				out++
			}
			if arrows[j][i] {
				in++
			}
		}
		return out, in
	}
	for len(left) > 0 {
		best, surplus := -1, 0
		for i := range n {
			if !left[i] {
				continue
			}
			out, in := degrees(i)
			if out == 0 {
				best, surplus = i, -2*n
				break
			}
			if in == 0 {
				best, surplus = i, 2*n
			} else if best < 0 || out-in > surplus {
				best, surplus = i, out-in
			}
		}
		delete(left, best)
		if surplus == -2*n {
			last = append(last, best)
		} else {
			first = append(first, best)
		}
	}
	slices.Reverse(last)
	order := append(first, last...)
	for improvePositions(order, arrows) {
	}
	for i := range order {
		for j := range i {
			if arrows[order[i]][order[j]] {
				up++
			}
		}
	}
	return all, up
}

// improvePositions moves each file to the position at which the fewest of its arrows lead up. It reports whether one moved.
func improvePositions(order []int, arrows [][]bool) bool {
	moved := false
	for _, x := range slices.Clone(order) {
		at := slices.Index(order, x)
		rest := slices.Delete(slices.Clone(order), at, at+1)
		cost := 0 // of x in front of all: what leads to x from behind
		for _, y := range rest {
			if arrows[y][x] {
				cost++
			}
		}
		here, best, to := 0, cost, 0
		for k, y := range rest {
			if k == at {
				here = cost
			}
			if arrows[y][x] {
				cost--
			}
			if arrows[x][y] {
				cost++
			}
			if cost < best {
				best, to = cost, k+1
			}
		}
		if at == len(rest) {
			here = cost
		}
		if best < here {
			copy(order, slices.Insert(rest, to, x))
			moved = true
		}
	}
	return moved
}
