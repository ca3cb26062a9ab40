package summary

// This file counts multiply-adds as torchinfo does, so that its users find the
// numbers that they know. The rule is that of LayerInfo.calculate_macs in
// torchinfo 1.8 (github.com/TylerYep/torchinfo, torchinfo/layer_info.py). It is
// applied to each call of a module without submodules. For each parameter of n
// elements of the module, out being the shape of its first output:
//
//	weight, bias of a class with Conv in its name: n · out[0] · out[2] · out[3] · …
//	weight, bias of any other class:               n · out[0]
//	other names with weight or bias (RNNs):        n · out[0] · out[1]
//	other names:                                   0
//
// It is an estimate: functions that are not modules count nothing, a Linear
// counts once for each row of the first dimension only, and so does attention,
// whose projections are no weights of a leaf. opcount.go has the exact number.

import (
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// multAdds is the number of a call of a leaf module.
func (s *Summary) multAdds(m *module, c *infer.ModuleCall) symshape.Dim {
	p := s.res.Pool
	sum := p.ConstDim(0)
	if len(m.own) == 0 || c.Out == nil {
		return sum
	}
	t := firstTensor(c.Out)
	if t == nil || !t.Type().Ranked {
		return symshape.Dim{}
	}
	out := t.Type().Shape
	conv := strings.Contains(m.inst.Class.Name, "Conv")
	for _, x := range m.own {
		times := p.ConstDim(1)
		switch named := x.name == "weight" || x.name == "bias"; {
		case named && conv:
			for i, d := range out {
				if i != 1 {
					times = p.DimMul(times, d)
				}
			}
		case named:
			if len(out) == 0 { // torchinfo fails here
				return symshape.Dim{}
			}
			times = out[0]
		case strings.Contains(x.name, "weight"), strings.Contains(x.name, "bias"):
			for _, d := range out[:min(2, len(out))] {
				times = p.DimMul(times, d)
			}
		default:
			continue
		}
		sum = p.DimAdd(sum, p.DimMul(times, s.numel(x.tensor)))
	}
	return sum
}

// firstTensor is what torchinfo takes for a module's output: the first tensor in a
// list or tuple, and the last value of a dict.
func firstTensor(v value.Value) *value.Tensor {
	var first value.Value
	for range value.MaxNesting { // a list may hold itself
		switch x := value.Plain(v).(type) {
		case *value.Tensor:
			return x
		case *value.Tuple:
			first = firstOf(x.Elems)
		case *value.List:
			first = firstOf(x.Elems)
		case *value.Dict:
			if first = nil; x.Len() > 0 {
				first = x.At(x.Len() - 1)
			}
		default:
			return nil
		}
		if v = first; v == nil {
			return nil
		}
	}
	return nil
}

func firstOf(list []value.Value) value.Value {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
