package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
)

// text writes what an upgrade gave: `Softmax x -> y axis=-1; …`, constants last.
func (u Upgraded) text() string {
	var parts []string
	for _, n := range u.Nodes {
		s := n.Op + " " + strings.Join(n.Inputs, ",") + " -> " + strings.Join(n.Outputs, ",")
		attrs := slices.Clone(n.Attrs)
		slices.SortFunc(attrs, func(a, b *onnx.Attr) int { return strings.Compare(a.Name, b.Name) })
		for _, a := range attrs {
			switch a.Type {
			case onnx.AttrInt:
				s += fmt.Sprintf(" %s=%d", a.Name, a.Int)
			case onnx.AttrFloat:
				s += fmt.Sprintf(" %s=%g", a.Name, a.Float)
			case onnx.AttrString:
				s += fmt.Sprintf(" %s=%s", a.Name, a.String)
			case onnx.AttrInts:
				s += fmt.Sprintf(" %s=%v", a.Name, a.Ints)
			}
		}
		parts = append(parts, s)
	}
	for _, t := range u.Constants {
		if list, err := t.Ints(); err == nil {
			parts = append(parts, fmt.Sprintf("%s=%v", t.Name, list))
		} else if list, err := t.Float64s(); err == nil {
			parts = append(parts, fmt.Sprintf("%s=%g", t.Name, list))
		}
	}
	return strings.Join(parts, "; ")
}

func numbered() func(string) string {
	n := 0
	return func(hint string) string { n++; return fmt.Sprintf("%s%d", strings.ToLower(hint), n) }
}

func TestUpgrade(t *testing.T) {
	for _, c := range []struct {
		op    string
		opset int64
		ins   string
		outs  string
		attrs []*onnx.Attr
		want  string
	}{
		{"Relu", 7, "x", "y", nil, "Relu x -> y"},
		{"Softmax", 13, "x", "y", nil, "Softmax x -> y"},
		{"Softmax", 11, "x", "y", nil,
			"Flatten x -> flatten1 axis=1; Softmax flatten1 -> softmax2 axis=-1; Shape x -> shape3; Reshape softmax2,shape3 -> y allowzero=1"},
		{"LogSoftmax", 12, "x", "y", []*onnx.Attr{onnx.IntAttr("axis", -1)}, "LogSoftmax x -> y axis=-1"},
		{"Squeeze", 11, "x", "y", nil, "Squeeze x -> y"},
		{"Squeeze", 12, "x", "y", []*onnx.Attr{onnx.IntsAttr("axes", 0, 2)}, "Squeeze x,axes1 -> y; axes1=[0 2]"},
		{"ReduceMax", 17, "x", "y", []*onnx.Attr{onnx.IntsAttr("axes", -1), onnx.IntAttr("keepdims", 0)},
			"ReduceMax x,axes1 -> y keepdims=0; axes1=[-1]"},
		{"ReduceSum", 17, "x,a", "y", nil, "ReduceSum x,a -> y"},
		{"Clip", 10, "x", "y", []*onnx.Attr{onnx.FloatAttr("min", 0)},
			"CastLike min1,x -> castlike2; CastLike max3,x -> castlike4; Clip x,castlike2,castlike4 -> y; min1=[0]; max3=[3.4028234663852886e+38]"},
		{"Clip", 11, "x,,h", "y", nil, "Clip x,,h -> y"},
		{"BatchNormalization", 9, "x,s,b,m,v", "y", []*onnx.Attr{onnx.FloatAttr("epsilon", 0.5)},
			"BatchNormalization x,s,b,m,v -> y epsilon=0.5"},
		{"BatchNormalization", 9, "x,s,b,m,v", "y,m2,v2,,", nil, "BatchNormalization x,s,b,m,v -> y,m2,v2 training_mode=1"},
		{"BatchNormalization", 9, "x,s,b,m,v", "y,,,sm,", nil,
			"BatchNormalization x,s,b,m,v -> y,mean1,var2 training_mode=1; BatchNormalization x,s,b,m,v -> y3,sm,var4 epsilon=1e-05 momentum=0 training_mode=1"},
		{"BatchNormalization", 7, "x,s,b,m,v", "y", []*onnx.Attr{onnx.IntAttr("spatial", 0)},
			"Sub x,m -> sub1; CastLike epsilon2,x -> castlike3; Add v,castlike3 -> add4; Sqrt add4 -> sqrt5; Div sub1,sqrt5 -> div6; Mul div6,s -> mul7; Add mul7,b -> y; epsilon2=[9.999999747378752e-06]"},
		{"BatchNormalization", 15, "x,s,b,m,v", "y,a,b", []*onnx.Attr{onnx.IntAttr("training_mode", 1)},
			"BatchNormalization x,s,b,m,v -> y,a,b training_mode=1"},
		{"Dropout", 7, "x", "y,m", []*onnx.Attr{onnx.FloatAttr("ratio", 0.25)},
			"Dropout x,ratio1 -> y,mask2; CastLike mask2,x -> m; ratio1=[0.25]"},
		{"Split", 11, "x", "a,b", nil, "Split x -> a,b num_outputs=2"},
		{"Split", 17, "x,s", "a,b", []*onnx.Attr{onnx.IntAttr("axis", 1)}, "Split x,s -> a,b axis=1"},
		{"Upsample", 9, "x,s", "y", nil, "Resize x,,s -> y coordinate_transformation_mode=asymmetric mode=nearest nearest_mode=floor"},
		{"Upsample", 12, "x,s", "y", nil, "Resize x,,s -> y coordinate_transformation_mode=asymmetric mode=nearest nearest_mode=floor"},
		{"Resize", 10, "x,s", "y", []*onnx.Attr{onnx.StringAttr("mode", "linear")},
			"Resize x,,s -> y coordinate_transformation_mode=asymmetric mode=linear nearest_mode=floor"},
		{"Resize", 12, "x,r,s,n", "y", []*onnx.Attr{onnx.StringAttr("mode", "cubic")}, "Resize x,r,,n -> y mode=cubic"},
		{"Resize", 18, "x,,s", "y", nil, "Resize x,,s -> y"},
		{"RoiAlign", 10, "x,r,i", "y", nil, "RoiAlign x,r,i -> y coordinate_transformation_mode=output_half_pixel"},
		{"GridSample", 16, "x,g", "y", nil, "GridSample x,g -> y mode=linear"},
		{"Scatter", 11, "x,i,u", "y", []*onnx.Attr{onnx.IntAttr("axis", 1)}, "ScatterElements x,i,u -> y axis=1"},
		{"DFT", 17, "x", "y", nil, "DFT x,,axis1 -> y; axis1=[1]"},
		{"Reshape", 12, "x,s", "y", nil, "Reshape x,s -> y"},
		{"Softmax", 12, "x", "y", []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "last")}, "Softmax x -> y axis=-1"},
		{"Softmax", 13, "x", "y", []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "last")}, "Softmax x -> y axis=-1"},
		{"Add", 6, "x,y", "z", nil, "Add x,y -> z"},
		{"Add", 6, "x,y", "z", []*onnx.Attr{onnx.IntAttr("broadcast", 1)}, "Add x,y -> z"},
		{"Pow", 1, "x,y", "z", []*onnx.Attr{onnx.IntAttr("broadcast", 1), onnx.IntAttr("axis", 1)},
			"Shape x -> shape1 start=1; Shape shape1 -> shape2; Shape y -> shape3; Shape shape3 -> shape4; Sub shape2,shape4 -> sub5; ConstantOfShape sub5 -> constantofshape6; " +
				"Shape y -> shape7; Concat shape7,constantofshape6 -> concat8 axis=0; Reshape y,concat8 -> reshape9 allowzero=1; Pow x,reshape9 -> z"},
		{"PRelu", 6, "x,s", "y", nil, "Shape x -> shape1 start=2; Shape shape1 -> shape2; ConstantOfShape shape2 -> constantofshape3; Shape s -> shape4; " +
			"Concat shape4,constantofshape3 -> concat5 axis=0; Reshape s,concat5 -> reshape6 allowzero=1; PRelu x,reshape6 -> y"},
		{"Gemm", 6, "a,b,c", "y", []*onnx.Attr{onnx.IntAttr("broadcast", 1), onnx.IntAttr("transB", 1)}, "Gemm a,b,c -> y transB=1"},
		{"BatchNormalization", 6, "x,s,b,m,v", "y,m2,v2", []*onnx.Attr{onnx.IntAttr("is_test", 1), onnx.FloatAttr("epsilon", 0.5)},
			"BatchNormalization x,s,b,m,v -> y epsilon=0.5"},
		{"AveragePool", 1, "x", "y", []*onnx.Attr{onnx.IntsAttr("kernel_shape", 2)}, "AveragePool x -> y kernel_shape=[2]"},
		{"Relu", 1, "x", "y", []*onnx.Attr{onnx.IntsAttr("consumed_inputs", 0)}, "Relu x -> y"},
		{"Cast", 1, "x", "y", []*onnx.Attr{onnx.StringAttr("to", "INT32")}, "Cast x -> y to=6"},
		{"Reshape", 1, "x", "y", []*onnx.Attr{onnx.IntsAttr("shape", 0, -1)}, "Reshape x,shape1 -> y; shape1=[0 -1]"},
		{"Tile", 1, "x,n,a", "y", nil,
			"Shape x -> shape1 start=0; Shape shape1 -> shape2; ConstantOfShape shape2 -> constantofshape3; Cast a -> cast4 to=7; Reshape cast4,one5 -> reshape6; " +
				"Cast n -> cast7 to=7; Reshape cast7,one8 -> reshape9; ScatterElements constantofshape3,reshape6,reshape9 -> scatterelements10; Tile x,scatterelements10 -> y; one5=[1]; one8=[1]"},
		{"Pad", 1, "x", "y", []*onnx.Attr{onnx.IntsAttr("paddings", 1, 2)}, "Pad x,pads1 -> y; pads1=[1 2]"},
		{"Upsample", 1, "x", "y", []*onnx.Attr{onnx.FloatAttr("height_scale", 2), onnx.FloatAttr("width_scale", 3)},
			"Resize x,,scales1 -> y coordinate_transformation_mode=asymmetric mode=nearest nearest_mode=floor; scales1=[1 1 2 3]"},
		{"LpPool", 1, "x", "y", []*onnx.Attr{onnx.FloatAttr("p", 3), onnx.IntsAttr("kernel_shape", 2)}, "LpPool x -> y kernel_shape=[2] p=3"},
		{"GRU", 3, "x,w,r", "y,h", []*onnx.Attr{onnx.IntAttr("output_sequence", 1), onnx.IntAttr("hidden_size", 3)},
			"GRU x,w,r -> y,h hidden_size=3"},
	} {
		n := &onnx.Node{Op: c.op, Inputs: strings.Split(c.ins, ","), Outputs: strings.Split(c.outs, ","), Attrs: c.attrs}
		got, err := Lookup("", c.op, c.opset).Upgrade(n, []*onnx.Attr{onnx.IntAttr("last", -1)}, numbered())
		if err != nil || got.text() != c.want {
			t.Errorf("%s %d: %v\n got %s\nwant %s", c.op, c.opset, err, got.text(), c.want)
		}
	}
	for _, c := range []struct {
		op    string
		opset int64
		want  string
	}{{"Dropout", 6, "training as it was before opset 7"}, {"BatchNormalization", 6, "training as it was before opset 7"},
		{"Concat", 13, "the attribute axis is missing"}} {
		if _, err := Lookup("", c.op, c.opset).Upgrade(&onnx.Node{Op: c.op}, nil, numbered()); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %d: %v, want %q", c.op, c.opset, err, c.want)
		}
	}
}

// TestUpgradesAreOfTheNewestForm writes a node of every version, with all inputs, all
// results and what attributes it must have; what comes out is as the newest versions
// say.
func TestUpgradesAreOfTheNewestForm(t *testing.T) {
	body := &onnx.Graph{}
	sample := map[onnx.AttrType]onnx.Attr{onnx.AttrInt: {Int: 1}, onnx.AttrInts: {Ints: []int64{1}}, onnx.AttrFloats: {Floats: []float32{1}},
		onnx.AttrGraph:  {Graph: body},
		onnx.AttrTensor: {Tensor: onnx.NewInts(nil, 1)}}
	n := 0
	for _, op := range Ops() {
		node := &onnx.Node{Op: op.Name, Domain: op.Domain}
		for i := range op.Inputs {
			node.Inputs = append(node.Inputs, fmt.Sprintf("x%d", i))
		}
		for i := range op.Outputs {
			node.Outputs = append(node.Outputs, fmt.Sprintf("y%d", i))
		}
		for _, a := range op.Attrs {
			if a.Required {
				v := sample[a.Type]
				v.Name, v.Type = a.Name, a.Type
				if a.OneOf != nil {
					v.String = []byte(a.OneOf[0])
				} else if op.Name == "Cast" {
					v.String = []byte("FLOAT")
				}
				node.Attrs = append(node.Attrs, &v)
			}
		}
		if op.Name == "Scan" && op.Since == 8 {
			node.Inputs = []string{"", "state", "scan"}
		}
		if op.Name == "BatchNormalization" && op.Since < 7 { // that of testing
			node.Outputs = node.Outputs[:1]
		}
		if op.Attr("is_test") != nil {
			node.Attrs = append(node.Attrs, onnx.IntAttr("is_test", 1))
		}
		if op.Name == "LpPool" { // the first version did not need it
			node.Attrs = append(slices.DeleteFunc(node.Attrs, func(a *onnx.Attr) bool { return a.Name == "kernel_shape" }),
				onnx.IntsAttr("kernel_shape", 1))
		}
		u, err := op.Upgrade(node, nil, numbered())
		if err != nil {
			if op.Domain+"."+op.Name != "ai.onnx.ml.LabelEncoder" { // its first version has a list where the others have keys and values
				t.Errorf("%s %d: %v", op.Name, op.Since, err)
			}
			continue
		}
		defined := map[string]bool{"": true}
		for _, x := range slices.Concat(node.Inputs, constantNames(u)) {
			defined[x] = true
		}
		for _, m := range u.Nodes {
			newest := Last(m.Domain, m.Op)
			if err := newest.CheckCounts(m); err != nil {
				t.Errorf("%s %d: %s: %v", op.Name, op.Since, m.Op, err)
			}
			if _, err := newest.Decode(m, nil); err != nil {
				t.Errorf("%s %d: %s: %v", op.Name, op.Since, m.Op, err)
			}
			for _, x := range m.Inputs {
				if !defined[x] {
					t.Errorf("%s %d: %s reads %q before it is there", op.Name, op.Since, m.Op, x)
				}
			}
			for _, y := range m.Outputs {
				defined[y] = true
			}
		}
		for _, y := range node.Outputs {
			if !defined[y] {
				t.Errorf("%s %d: nothing computes %s", op.Name, op.Since, y)
			}
		}
		n++
	}
	if n < 580 {
		t.Errorf("%d versions of operators", n)
	}
}

func constantNames(u Upgraded) []string {
	var out []string
	for _, c := range u.Constants {
		out = append(out, c.Name)
	}
	return out
}
