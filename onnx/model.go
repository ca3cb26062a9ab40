// Package onnx is the data model of ONNX and ONNX+ models, with readers and
// writers of their protobuf form.
//
// The structs mirror the messages of ONNX's specification (onnx.proto, IR
// version 10) field by field. What a message holds beyond them is kept as Extra
// and written back, so that reading and writing a file loses nothing.
//
//	model.go   the messages           dtype.go    element types
//	decode.go  Unmarshal              read.go     Read: models from files
//	encode.go  Marshal, Write
//	tensor.go  elements of tensors    external.go data in files beside the model
//	raw.go     elements as raw data   minifloat.go floats of eight and fewer bits
//	build.go   short constructors     dims.go     names of sizes
//	source.go  the source lines of nodes
package onnx

import "strconv"

// A Model is a ModelProto.
type Model struct {
	IRVersion       int64
	ProducerName    string
	ProducerVersion string
	Domain          string
	ModelVersion    int64
	Doc             string
	Graph           *Graph
	Opsets          []Opset
	Metadata        []Entry
	Functions       []*Function
	Extra           []byte
}

// An Opset says which version of a domain's operators is meant. The empty
// domain is that of the standard operators.
type Opset struct {
	Domain  string
	Version int64
	Extra   []byte
}

// An Entry is a key and a value of metadata.
type Entry struct {
	Key, Value string
	Extra      []byte
}

// A Graph is a GraphProto: of the model, or an attribute of If, Loop and Scan.
type Graph struct {
	Name               string
	Nodes              []*Node
	Initializers       []*Tensor
	SparseInitializers []*SparseTensor
	Doc                string
	Inputs             []*ValueInfo
	Outputs            []*ValueInfo
	Values             []*ValueInfo // types of the other values
	Metadata           []Entry
	Extra              []byte
}

// A Node is a NodeProto. An empty name among Inputs is an optional input that
// is absent; one among Outputs is a result that nobody wants.
type Node struct {
	Inputs   []string
	Outputs  []string
	Name     string
	Op       string
	Domain   string
	Overload string
	Attrs    []*Attr
	Doc      string
	Metadata []Entry
	Extra    []byte
}

// An AttrType is an AttributeProto.AttributeType.
type AttrType int32

const (
	AttrUndefined     AttrType = 0
	AttrFloat         AttrType = 1
	AttrInt           AttrType = 2
	AttrString        AttrType = 3
	AttrTensor        AttrType = 4
	AttrGraph         AttrType = 5
	AttrFloats        AttrType = 6
	AttrInts          AttrType = 7
	AttrStrings       AttrType = 8
	AttrTensors       AttrType = 9
	AttrGraphs        AttrType = 10
	AttrSparseTensor  AttrType = 11
	AttrSparseTensors AttrType = 12
	AttrTypeProto     AttrType = 13
	AttrTypeProtos    AttrType = 14
)

var attrTypes = [...]string{"undefined", "FLOAT", "INT", "STRING", "TENSOR", "GRAPH", "FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS",
	"SPARSE_TENSOR", "SPARSE_TENSORS",
	"TYPE_PROTO", "TYPE_PROTOS"}

// String gives the name that the specification has.
func (t AttrType) String() string {
	if t < 0 || int(t) >= len(attrTypes) {
		return "type " + strconv.Itoa(int(t))
	}
	return attrTypes[t]
}

// An Attr is an AttributeProto: a named argument of a node that is known when
// the model is made. Type says which of the values counts.
type Attr struct {
	Name          string
	Type          AttrType
	Float         float32
	Int           int64
	String        []byte
	Tensor        *Tensor
	Graph         *Graph
	SparseTensor  *SparseTensor
	TypeProto     *Type
	Floats        []float32
	Ints          []int64
	Strings       [][]byte
	Tensors       []*Tensor
	Graphs        []*Graph
	SparseTensors []*SparseTensor
	TypeProtos    []*Type
	// Ref names the attribute of the enclosing function that is the value; the
	// attribute then has no value of its own.
	Ref   string
	Doc   string
	Extra []byte
}

// A Function is a FunctionProto: a model-local function.
type Function struct {
	Name     string
	Domain   string
	Overload string
	Inputs   []string
	Outputs  []string
	// Attrs are the names of the attributes without a default, Defaults those with.
	Attrs    []string
	Defaults []*Attr
	Nodes    []*Node
	Doc      string
	Opsets   []Opset
	Values   []*ValueInfo
	Metadata []Entry
	Extra    []byte
}

// A ValueInfo is a ValueInfoProto: the name and type of a value.
type ValueInfo struct {
	Name     string
	Type     *Type // nil when not known
	Doc      string
	Metadata []Entry
	Extra    []byte
}

// A TypeKind says which kind of type a Type is.
type TypeKind uint8

const (
	NoType TypeKind = iota
	TensorType
	SequenceType
	MapType
	OptionalType
	SparseTensorType
	OpaqueType
)

// A Type is a TypeProto.
type Type struct {
	Kind TypeKind
	// Elem and Shape are those of a tensor or a sparse tensor; a nil Shape has no
	// known rank.
	Elem  DType
	Shape *Shape
	// Of is the type of a sequence's elements, of an optional's value or of a map's
	// values.
	Of *Type
	// Key is the type of a map's keys.
	Key        DType
	Denotation string
	Extra      []byte
}

// A Shape is a TensorShapeProto.
type Shape struct {
	Dims  []Dim
	Extra []byte
}

// A Dim is a dimension: a value, or a parameter (in shapecheck's models an
// expression over the symbols of the inputs), or, with neither, unknown.
type Dim struct {
	Known      bool
	Value      int64
	Param      string
	Denotation string
	Extra      []byte
}

// A Tensor is a TensorProto. Its elements are in Raw (little endian), or in the
// typed field of its element type, or, with External, in a file.
type Tensor struct {
	Name     string
	DType    DType
	Dims     []int64
	Raw      []byte
	HasRaw   bool
	Floats   []float32
	Int32s   []int32
	Int64s   []int64
	Doubles  []float64
	Uint64s  []uint64
	Strings  [][]byte
	Doc      string
	External []Entry // location, offset, length, checksum
	// IsExternal is data_location EXTERNAL.
	IsExternal bool
	Metadata   []Entry
	Extra      []byte
	// Source writes the elements of a tensor that is too large to be held; see
	// encode.go. It counts when Raw is not set.
	Source Source
}

// A SparseTensor is a SparseTensorProto.
type SparseTensor struct {
	Values  *Tensor
	Indices *Tensor
	Dims    []int64
	Extra   []byte
}

// Attr returns the attribute of that name, or nil.
func (n *Node) Attr(name string) *Attr {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Opset returns the version that the model imports of a domain, or 0. The
// domains "" and "ai.onnx" are the same.
func (m *Model) Opset(domain string) int64 { return OpsetVersion(m.Opsets, domain) }

// OpsetVersion returns the version of a domain in a list of imports, or 0.
func OpsetVersion(list []Opset, domain string) int64 {
	for _, o := range list {
		if StandardDomain(o.Domain) == StandardDomain(domain) {
			return o.Version
		}
	}
	return 0
}

// StandardDomain gives the empty string for both spellings of the standard
// domain, and other domains as they are.
func StandardDomain(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// Meta returns the value of a key of metadata, and whether it is there.
func Meta(list []Entry, key string) (string, bool) {
	for _, e := range list {
		if e.Key == key {
			return e.Value, true
		}
	}
	return "", false
}

// Subgraphs calls f for every graph among a node's attributes.
func (n *Node) Subgraphs(f func(attr string, g *Graph)) {
	for _, a := range n.Attrs {
		if a.Graph != nil {
			f(a.Name, a.Graph)
		}
		for _, g := range a.Graphs {
			f(a.Name, g)
		}
	}
}
