package schema

// This file holds the operators of the standard domain whose newest form is not the
// old node with the same inputs and attributes.
//
// Each rule writes nodes of the newest version that compute the same as a node of an old one:
// attributes that became inputs are constants now, changed defaults are written out, and changed
// meanings are spelled with other operators. Operators without a rule are taken as they are. A
// rule that finds a use without an equivalent sets u.err.

import (
	"fmt"

	"shapecheck/onnx"
)

// An upgradeRule writes the versions of an operator before a version of the domain. Versions from
// before on are up to date.
type upgradeRule struct {
	before int64
	write  func(*upgrade)
}

// all is above every version: of operators that were replaced.
const all = 1 << 30

// upgrades lists the rules by the old operator's name.
var upgrades = map[string]*upgradeRule{
	"Add":                {7, upgradeAligned},
	"And":                {7, upgradeAligned},
	"BatchNormalization": {14, upgradeBatchNorm},
	"Cast":               {6, upgradeCast},
	"Clip":               {11, upgradeClip},
	"Concat":             {4, upgradeConcat},
	"DFT":                {20, upgradeDFT},
	"Div":                {7, upgradeAligned},
	"Dropout":            {12, upgradeDropout},
	"Equal":              {7, upgradeAligned},
	"GRU":                {7, upgradeRecurrent},
	"Gemm":               {7, upgradeGemm},
	"GlobalLpPool":       {2, upgradePower},
	"Greater":            {7, upgradeAligned},
	"GridSample":         {20, upgradeGridSample},
	"GroupNormalization": {21, upgradeGroupNorm},
	"Hardmax":            {13, flattened},
	"LSTM":               {7, upgradeRecurrent},
	"Less":               {7, upgradeAligned},
	"LogSoftmax":         {13, flattened},
	"LpPool":             {2, upgradePower},
	"Mul":                {7, upgradeAligned},
	"Or":                 {7, upgradeAligned},
	"PRelu":              {7, upgradePRelu},
	"Pad":                {11, upgradePad},
	"Pow":                {7, upgradeAligned},
	"RNN":                {7, upgradeRecurrent},
	"ReduceL1":           {18, axesInput},
	"ReduceL2":           {18, axesInput},
	"ReduceLogSum":       {18, axesInput},
	"ReduceLogSumExp":    {18, axesInput},
	"ReduceMax":          {18, axesInput},
	"ReduceMean":         {18, axesInput},
	"ReduceMin":          {18, axesInput},
	"ReduceProd":         {18, axesInput},
	"ReduceSum":          {13, axesInput},
	"ReduceSumSquare":    {18, axesInput},
	"Reshape":            {5, upgradeReshape},
	"Resize":             {19, upgradeResize},
	"RoiAlign":           {16, upgradeRoiAlign},
	"Scan":               {9, upgradeScan},
	"Scatter":            {all, upgradeScatter},
	"Slice":              {10, upgradeSlice},
	"Softmax":            {13, flattened},
	"Split":              {18, upgradeSplit},
	"Squeeze":            {13, axesInput},
	"Sub":                {7, upgradeAligned},
	"Tile":               {6, upgradeTile},
	"TopK":               {10, upgradeTopK},
	"Unsqueeze":          {13, axesInput},
	"Upsample":           {all, upgradeUpsample},
	"Xor":                {7, upgradeAligned},
}

// axesInput moves the attribute axes to an input. An empty list is as good as none. Without axes
// all are reduced, except by Unsqueeze, which needs them.
func axesInput(u *upgrade) {
	ins := []string{u.in(0), ""}
	if list := u.a.Ints("axes"); len(list) > 0 || u.n.Op == "Unsqueeze" {
		ins[1] = u.ints("axes", list...)
	}
	u.node(u.n.Op, ins, u.n.Outputs, u.keep(u.n.Op)...)
}

// flattened is a softmax before opset 13: over all dimensions from axis on, at once. The axes
// from axis on are made one, which the newer operator then is along.
func flattened(u *upgrade) {
	axis := u.a.Int("axis")
	last := onnx.IntAttr("axis", -1)
	if axis == -1 {
		u.node(u.n.Op, u.n.Inputs, u.n.Outputs, last)
		return
	}
	rows := u.value("Flatten", []string{u.in(0)}, onnx.IntAttr("axis", axis))
	rows = u.value(u.n.Op, []string{rows}, last)
	shape := u.value("Shape", []string{u.in(0)})
	u.node("Reshape", []string{rows, shape}, u.n.Outputs, onnx.IntAttr("allowzero", 1))
}

// like adds a number as a constant of the element type that the first input has. CastLike gives
// it the type, which the rule itself need not know.
func (u *upgrade) like(hint string, f float32) string {
	return u.value("CastLike", []string{u.float(hint, f), u.in(0)})
}

// upgradeClip has bounds by default, too: the largest finite numbers of binary32.
func upgradeClip(u *upgrade) {
	u.node("Clip", []string{u.in(0), u.like("min", u.a.Float("min")), u.like("max", u.a.Float("max"))}, u.n.Outputs)
}

func upgradePad(u *upgrade) {
	pads := "pads"
	if u.a.op.Since < 2 {
		pads = "paddings"
	}
	ins := []string{u.in(0), u.ints("pads", u.a.Ints(pads)...), ""}
	if f := u.a.Float("value"); f != 0 {
		ins[2] = u.like("value", f)
	}
	u.node("Pad", ins, u.n.Outputs, u.keep("Pad")...)
}

func upgradeSlice(u *upgrade) {
	ins := []string{u.in(0), u.ints("starts", u.a.Ints("starts")...), u.ints("ends", u.a.Ints("ends")...), ""}
	if u.a.Has("axes") {
		ins[3] = u.ints("axes", u.a.Ints("axes")...)
	}
	u.node("Slice", ins, u.n.Outputs)
}

func upgradeTopK(u *upgrade) {
	u.node("TopK", []string{u.in(0), u.ints("k", u.a.Int("k"))}, u.n.Outputs, u.keep("TopK")...)
}

// upgradeSplit says the number of parts where no lengths are given.
func upgradeSplit(u *upgrade) {
	ins := []string{u.in(0), u.in(1)}
	if ins[1] != "" && u.a.op.Since < 2 { // of the input's type
		ins[1] = u.value("Cast", []string{ins[1]}, onnx.IntAttr("to", int64(onnx.Int64)))
	}
	if list := u.a.Ints("split"); len(list) > 0 {
		ins[1] = u.ints("split", list...)
	}
	attrs := u.keep("Split")
	if ins[1] == "" {
		attrs = append(attrs, onnx.IntAttr("num_outputs", int64(len(u.n.Outputs))))
	}
	u.node("Split", ins, u.n.Outputs, attrs...)
}

// upgradeDropout is that of inference: the input itself. The mask had the input's type
// before opset 10.
func upgradeDropout(u *upgrade) {
	if !u.tested() {
		return
	}
	ins := []string{u.in(0), u.float("ratio", u.a.Float("ratio"))}
	mask := u.result(1)
	if mask == "" || u.a.op.Since >= 10 {
		u.node("Dropout", ins, u.n.Outputs)
		return
	}
	bools := u.fresh("mask")
	u.node("Dropout", ins, []string{u.result(0), bools})
	u.node("CastLike", []string{bools, u.in(0)}, []string{mask})
}

// upgradeBatchNorm trains when it has more than one result; the statistics of the batch
// are then results, too, which a momentum of zero gives. Without spatial there are
// statistics for each position of a sample. Before version 14 the results said whether it trains.
func upgradeBatchNorm(u *upgrade) {
	if !u.tested() {
		return
	}
	if u.a.op.Attr("is_test") != nil { // the other results have no meaning
		m := *u.n
		m.Outputs = m.Outputs[:1]
		u.n = &m
	}
	saved := u.result(3) != "" || u.result(4) != ""
	trains := u.result(1) != "" || u.result(2) != "" || saved
	if u.a.Has("spatial") && !u.a.Bool("spatial") {
		if trains {
			u.err = fmt.Errorf("training with statistics for each position (spatial is 0) has no newer form")
			return
		}
		u.eachPosition()
		return
	}
	attrs := u.keep("BatchNormalization")
	if !trains {
		u.node("BatchNormalization", u.n.Inputs, u.n.Outputs[:1], attrs...)
		return
	}
	attrs = append(attrs, onnx.IntAttr("training_mode", 1))
	outs := []string{u.result(0), u.result(1), u.result(2)}
	if outs[0] == "" {
		outs[0] = u.fresh("y")
	}
	for i, hint := range []string{"mean", "var"} { // both or none
		if outs[1+i] == "" {
			outs[1+i] = u.fresh(hint)
		}
	}
	u.node("BatchNormalization", u.n.Inputs, outs, attrs...)
	if saved {
		outs := []string{u.fresh("y"), u.result(3), u.result(4)}
		for i, hint := range []string{"mean", "var"} {
			if outs[1+i] == "" {
				outs[1+i] = u.fresh(hint)
			}
		}
		u.node("BatchNormalization", u.n.Inputs, outs, onnx.FloatAttr("epsilon", u.a.Float("epsilon")), onnx.FloatAttr("momentum", 0),
			onnx.IntAttr("training_mode", 1))
	}
}

func (u *upgrade) eachPosition() {
	y := u.value("Sub", []string{u.in(0), u.in(3)})
	deviation := u.value("Sqrt", []string{u.value("Add", []string{u.in(4), u.like("epsilon", u.a.Float("epsilon"))})})
	y = u.value("Mul", []string{u.value("Div", []string{y, deviation}), u.in(1)})
	u.node("Add", []string{y, u.in(2)}, u.n.Outputs[:1])
}

// upgradeGroupNorm repeats what was given for each group for each channel. Scale and bias had a
// number for each group before version 21.
func upgradeGroupNorm(u *upgrade) {
	groups := u.a.Int("num_groups")
	channels := u.value("Shape", []string{u.in(0)}, onnx.IntAttr("start", 1), onnx.IntAttr("end", 2))
	each := u.value("Div", []string{channels, u.ints("groups", groups)})
	shape := u.value("Concat", []string{u.ints("groups", groups), each}, onnx.IntAttr("axis", 0))
	repeat := func(name string) string {
		column := u.value("Unsqueeze", []string{name, u.ints("axes", 1)})
		return u.value("Reshape", []string{u.value("Expand", []string{column, shape}), channels})
	}
	u.node("GroupNormalization", []string{u.in(0), repeat(u.in(1)), repeat(u.in(2))}, u.n.Outputs, u.keep("GroupNormalization")...)
}

func upgradeDFT(u *upgrade) {
	axis := onnx.NewInts([]int64{}, u.a.Int("axis"))
	u.node("DFT", []string{u.in(0), u.in(1), u.constant("axis", axis)}, u.n.Outputs, u.keep("DFT", "axis")...)
}

func upgradeGridSample(u *upgrade) {
	mode := u.a.String("mode")
	switch mode {
	case "bilinear":
		mode = "linear"
	case "bicubic":
		mode = "cubic"
	}
	u.node("GridSample", u.n.Inputs, u.n.Outputs, append(u.keep("GridSample", "mode"), onnx.StringAttr("mode", mode))...)
}

func upgradeRoiAlign(u *upgrade) {
	u.node("RoiAlign", u.n.Inputs, u.n.Outputs, append(u.keep("RoiAlign"),
		onnx.StringAttr("coordinate_transformation_mode", "output_half_pixel"))...)
}

func upgradeScatter(u *upgrade) {
	u.node("ScatterElements", u.n.Inputs, u.n.Outputs, u.keep("ScatterElements")...)
}

// The coordinates of Upsample and of the first Resize: the position divided by the
// scale, rounded down.
func asymmetric(mode, nearest string) []*onnx.Attr {
	if mode == "bilinear" {
		mode = "linear"
	}
	return []*onnx.Attr{onnx.StringAttr("mode", mode), onnx.StringAttr("coordinate_transformation_mode", "asymmetric"),
		onnx.StringAttr("nearest_mode", nearest)}
}

// upgradeUpsample makes a Resize of it, with asymmetric coordinates rounded down, which is how
// Upsample computed.
func upgradeUpsample(u *upgrade) {
	scales := u.in(1)
	var list []float32
	switch {
	case u.a.op.Since < 7:
		list = []float32{1, 1, u.a.Float("height_scale"), u.a.Float("width_scale")}
	case u.a.Has("scales"):
		list = u.a.Floats("scales")
	}
	if list != nil {
		wide := make([]float64, len(list))
		for i, f := range list {
			wide[i] = float64(f)
		}
		t, err := onnx.NewFloats(onnx.Float, []int64{int64(len(list))}, wide)
		if err != nil {
			u.err = err
			return
		}
		scales = u.constant("scales", t)
	}
	u.node("Resize", []string{u.in(0), "", scales}, u.n.Outputs, asymmetric(u.a.String("mode"), "floor")...)
}

// upgradeResize: the version of opset 10 rounds positions down where it enlarges and up
// where it reduces; from opset 11 on, sizes count before scales, which are then an
// empty tensor. A scale of both kinds is done in two steps, as one mode of rounding holds for all
// axes of a node.
func upgradeResize(u *upgrade) {
	if u.a.op.Since >= 11 {
		ins := []string{u.in(0), u.in(1), u.in(2), u.in(3)}
		if ins[3] != "" {
			ins[2] = ""
		}
		u.node("Resize", ins, u.n.Outputs, u.keep("Resize")...)
		return
	}
	mode := u.a.String("mode")
	if mode != "nearest" {
		u.node("Resize", []string{u.in(0), "", u.in(1)}, u.n.Outputs, asymmetric(mode, "floor")...)
		return
	}
	one := u.float("one", 1)
	larger := u.value("Resize", []string{u.in(0), "", u.value("Max", []string{u.in(1), one})}, asymmetric(mode, "floor")...)
	u.node("Resize", []string{larger, "", u.value("Min", []string{u.in(1), one})}, u.n.Outputs, asymmetric(mode, "ceil")...)
}

// upgradeScan: the version of opset 8 goes over the samples of a batch, and over each
// sample's steps. The batch becomes an outer Scan, whose body is one node.
func upgradeScan(u *upgrade) {
	body := u.a.Graph("body")
	scans := int(u.a.Int("num_scan_inputs"))
	switch ins := u.n.Inputs; {
	case u.in(0) != "":
		u.err = fmt.Errorf("lengths of sequences (sequence_lens of version 8) have no newer form")
		return
	case scans < 1 || scans >= len(ins):
		u.err = fmt.Errorf("num_scan_inputs is %d; the node has %d inputs", scans, len(ins))
		return
	}
	attrs := []*onnx.Attr{onnx.GraphAttr("body", body), onnx.IntAttr("num_scan_inputs", int64(scans))}
	if list := u.a.Ints("directions"); len(list) > 0 {
		attrs = append(attrs, onnx.IntsAttr("scan_input_directions", list...))
	}
	sample := &onnx.Graph{Name: "sample"}
	inner := &onnx.Node{Name: u.n.Name, Op: "Scan", Attrs: attrs, Metadata: u.n.Metadata}
	var outs []string
	for range u.n.Inputs[1:] {
		name := u.fresh("sample")
		inner.Inputs = append(inner.Inputs, name)
		sample.Inputs = append(sample.Inputs, &onnx.ValueInfo{Name: name})
	}
	for _, name := range u.n.Outputs {
		of := u.fresh("result")
		inner.Outputs = append(inner.Outputs, of)
		sample.Outputs = append(sample.Outputs, &onnx.ValueInfo{Name: of})
		if name == "" {
			name = u.fresh("unused")
		}
		outs = append(outs, name)
	}
	sample.Nodes = []*onnx.Node{inner}
	u.node("Scan", u.n.Inputs[1:], outs, onnx.GraphAttr("body", sample), onnx.IntAttr("num_scan_inputs", int64(len(u.n.Inputs)-1)))
}
