package aten

// This file lowers torch.einsum to Einsum. Equations are written in full: letters
// in the place of an ellipsis, the output named, sizes of 1 that are broadcast left
// out, so that no runtime has to choose.

import (
	"sort"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var einsumRecords = []Record{{Op: "torch.einsum", Lower: einsum}}

// einsumLetters are those that stand for dimensions, in the order of their use.
const einsumLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// einsumArgs returns the equation with its subscripts as lists, and the operands.
// A label "0", "1" … is a dimension of an ellipsis, counted from its end.
func (c *Call) einsumArgs() (inputs [][]string, output []string, explicit bool, operands []*graph.Value) {
	var flat []graph.Operand
	for _, a := range c.Node.Args {
		flat = append(flat, operandList(a.Value)...)
	}
	if len(flat) == 0 {
		failf("there is no equation")
	}
	tensors := func(list []graph.Operand) {
		for _, o := range list {
			for _, e := range operandList(o) {
				v, ok := e.(*graph.Value)
				if !ok {
					failf("an operand is not a tensor")
				}
				operands = append(operands, v)
			}
		}
	}
	equation, ok := flat[0].(graph.Str)
	if !ok {
		failf("the form with lists of subscripts")
	}
	tensors(flat[1:])
	left, right, explicit := strings.Cut(strings.ReplaceAll(string(equation), " ", ""), "->")
	for i, s := range strings.Split(left, ",") {
		if i >= len(operands) {
			failf("the equation has more operands than there are")
		}
		inputs = append(inputs, einsumLabels(s, operands[i].Type.Rank()))
	}
	if explicit {
		output = einsumLabels(right, c.OutRank(0))
	}
	return inputs, output, explicit, operands
}

func einsumLabels(s string, rank int) []string {
	var out []string
	if rank < 0 {
		failf("the number of dimensions of an operand is not known")
	}
	dots := rank - len(strings.ReplaceAll(s, ".", ""))
	for i := 0; i < len(s); i++ {
		if s[i] != '.' {
			out = append(out, s[i:i+1])
			continue
		}
		i += 2
		for k := dots - 1; k >= 0; k-- {
			out = append(out, string(rune('0'+k)))
		}
	}
	return out
}

// einsum lowers to ONNX's Einsum, which takes letters as labels and does not broadcast: axes of size 1
// whose label has another size elsewhere are squeezed, and an output that is not written is spelled out,
// the dimensions of the ellipsis first, then the labels that occur once, sorted.
func einsum(c *Call) {
	e := c.emit
	inputs, output, explicit, operands := c.einsumArgs()
	if !explicit { // dimensions of the ellipsis, then the labels that stand once
		count, dots := map[string]int{}, 0
		for _, in := range inputs {
			for _, l := range in {
				count[l]++
				if l <= "9" {
					dots = max(dots, int(l[0]-'0')+1)
				}
			}
		}
		for k := dots - 1; k >= 0; k-- {
			output = append(output, string(rune('0'+k)))
		}
		var once []string
		for l, n := range count {
			if n == 1 && l > "9" {
				once = append(once, l)
			}
		}
		sort.Strings(once)
		output = append(output, once...)
	}
	d := c.OutDType(0)
	work := workType(d)
	terms := make([]string, len(operands))
	var ins []V
	letters := map[string]byte{}
	letter := func(l string) string {
		if letters[l] == 0 {
			if len(letters) == len(einsumLetters) {
				failf("there are more labels than letters")
			}
			letters[l] = einsumLetters[len(letters)]
		}
		return string(letters[l])
	}
	wide := map[string]bool{} // labels that are not everywhere of size 1
	for i, v := range operands {
		for k, l := range inputs[i] {
			if n, ok := v.Type.Shape[k].Const(); !ok || n != 1 {
				wide[l] = true
			}
		}
	}
	for i, v := range operands {
		x := e.Cast(c.Value("operands_"+string(rune('0'+i%10)), v), work)
		var drop []int64
		for k, l := range inputs[i] {
			if n, ok := v.Type.Shape[k].Const(); ok && n == 1 && wide[l] {
				drop = append(drop, int64(k))
				continue
			}
			terms[i] += letter(l)
		}
		if len(drop) > 0 {
			x = e.Squeeze(x, drop...)
		}
		ins = append(ins, x)
	}
	out := ""
	for _, l := range output {
		out += letter(l)
	}
	c.Return(e.Cast(e.Op("Einsum", ins, onnx.StringAttr("equation", strings.Join(terms, ",")+"->"+out)), d))
}
