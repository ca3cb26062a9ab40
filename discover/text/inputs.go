package text

// This file chooses the inputs of models.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// A Form is the type of a tensor of some kind, with symbols as sizes. Inputs of one form have
// the same sizes.
type Form string

// The forms, in the order in which they are tried where nothing tells more.
const (
	Image    Form = "f32[B,C,H,W]"
	Sequence Form = "f32[B,T,C]"
	Features Form = "f32[B,C]"
	Tokens   Form = "i64[B,T]"
	Signal   Form = "f32[B,C,T]"
	Volume   Form = "f32[B,C,D,H,W]"
	OneImage Form = "f32[C,H,W]"
	Images   Form = "[f32[C,H,W],f32[C,H,W]]"
	Numbers  Form = "i64[B]"
)

// Labels is the form of the labels, one for each place, of what has channels. Of three axes to which a program gave its own letters
// the last one is the classes'.
func (form Form) Labels() Form {
	sizes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(form), "f32["), "]"), ",")
	if len(sizes) == 3 && strings.HasPrefix(string(form), "f32[") && !slices.Contains(sizes, ChannelSymbol) {
		return Form("i64[" + sizes[0] + "," + sizes[1] + "]")
	}
	if !slices.Contains(sizes, ChannelSymbol) || len(sizes) == 1 || !strings.HasPrefix(string(form), "f32[") {
		return Numbers
	}
	return Form("i64[" + strings.Join(slices.DeleteFunc(sizes, func(s string) bool { return s == ChannelSymbol }), ",") + "]")
}

// Indices is the form with indices in the place of numbers.
func (form Form) Indices() Form {
	if _, sizes, ok := strings.Cut(string(form), "f32["); ok {
		return Form("i64[" + sizes)
	}
	return form
}

// Mask is the usual form of a mask of a tensor of the form: it says of each place whether it counts.
func (form Form) Mask() Form {
	switch form.Rank() {
	case 3:
		if strings.HasSuffix(string(form), "T]") { // channels first
			return "f32[B,1,T]"
		}
		return "bool[B,T]"
	case 4:
		return "f32[B,1,H,W]"
	}
	return Form("bool[" + string(form)[strings.IndexByte(string(form), '[')+1:])
}

// IsMask reports whether an input is a mask, by its name.
func IsMask(name string) bool { return maskNames.MatchString(strings.ToLower(name)) }

// IsState reports whether an input is the state of a recurrent model, by its name.
func IsState(name string) bool { return stateNames.MatchString(strings.ToLower(name)) }

// OfRank is the usual form with so many dimensions; empty where there is none.
func OfRank(n int) Form {
	if n < 1 || n > maxRank {
		return ""
	}
	return [maxRank + 1]Form{1: "f32[B]", 2: Features, 3: Sequence, 4: Image, 5: Volume, 6: "f32[B,C,T,D,H,W]"}[n]
}

// Forms are all forms in their order.
func Forms() []Form {
	return []Form{Image, Sequence, Features, Tokens, Signal, Volume, OneImage, Images, Numbers}
}

// ChannelSymbol is the size in Form that a model's layers decide.
const ChannelSymbol = "C"

// WithChannels is an argument with a number in the place of the channels.
func WithChannels(arg, n string) string {
	return channelSize.ReplaceAllString(arg, "${1}"+n+"${2}")
}

var channelSize = lazyregexp.New(`([\[,])` + ChannelSymbol + `([\],])`)

// layerForms are the forms that layers take.
var layerForms = map[string]Form{
	"Conv2d": Image, "Conv2dNormActivation": Image, "ConvTranspose2d": Image, "BatchNorm2d": Image, "MaxPool2d": Image, "AvgPool2d": Image,
	"AdaptiveAvgPool2d": Image,
	"Convolution2D":     Image, "LazyConv2d": Image, "InstanceNorm2d": Image, "PixelShuffle": Image, "UpsamplingBilinear2d": Image,
	"conv2d": Image, "interpolate": Image,
	"Conv1d": Signal, "ConvTranspose1d": Signal, "MaxPool1d": Signal,
	"Conv3d": Volume, "MaxPool3d": Volume, "BatchNorm3d": Volume, "ConvTranspose3d": Volume,
	"Embedding": Tokens, "EmbedID": Tokens,
	"LSTM": Sequence, "GRU": Sequence, "RNN": Sequence, "MultiheadAttention": Sequence, "TransformerEncoderLayer": Sequence,
	"TransformerEncoder": Sequence,
	"LayerNorm":          Sequence, "RMSNorm": Sequence,
	"BatchNorm1d": Features,
}

// FormOf is the form that the layers in a class's own text speak for, else those of the file;
// empty where there is none. A class that has an embedding and no convolution takes tokens.
func (f *File) FormOf(class string) Form {
	if c := f.classes[class]; c != nil {
		if form := formOf(c); form != "" {
			return form
		}
		for _, b := range c.Bases {
			if form := layerForms[lastName(b)]; form != "" {
				return form
			}
			if lastName(b) == "Linear" {
				return Features
			}
		}
	}
	best, most := Form(""), 0
	count := map[Form]int{Features: len(f.calls["Linear"])}
	for name, calls := range f.calls {
		if form := layerForms[name]; form != "" {
			count[form] += len(calls)
		}
	}
	for _, form := range Forms() {
		if count[form] > most {
			best, most = form, count[form]
		}
	}
	return best
}

// formOf is the form of the first layers in the text of a class.
func formOf(c *ast.ClassDef) Form {
	met := map[Form]bool{}
	linear, patches := false, false
	ast.Inspect(c, func(n ast.Node) bool {
		call, ok := n.(*ast.Call)
		if !ok {
			return true
		}
		name := lastName(call.Func)
		if form := layerForms[name]; form != "" {
			met[form] = true
		}
		linear = linear || name == "Linear" || name == "LazyLinear"
		patches = patches || name == "Rearrange"
		return true
	})
	for _, form := range []Form{Volume, Image} {
		if met[form] {
			return form
		}
	}
	for _, form := range []Form{Tokens, Signal, Sequence, Features} {
		if met[form] && !(patches && form == Sequence) {
			return form
		}
	}
	if linear && !patches {
		return Features
	}
	return ""
}

// names of parameters by what they hold.
var (
	tokenNames = lazyregexp.New(`^(ids|idx|tokens?|.*_ids|.*_tokens|src|tgt|trg|tokens_.*|words?|sentence|sequences?_ids|text|captions?)$`)
	imageNames = lazyregexp.New(
		`^(im|img|imgs|image.*|img.*|.*_image|.*_img|.*_images|pixel_values|pixels|frame|picture|photo|left|right|source_image)$`)
	videoNames = lazyregexp.New(`^(video|videos|clip|clips)$`)
	labelNames = lazyregexp.New(
		`^(label|labels|target|targets|timestep|timesteps|t|times?|class_labels?|user|users|item|items|user_.*|item_.*|steps?|(.*_)?(lens?|lengths?))$`)
	maskNames  = lazyregexp.New(`(^|_)(mask|masks)$`)
	stateNames = lazyregexp.New(`^(hidden|state|states|hx|h0|h_0|hidden_state|cache|past|past_.*|kv_cache|prev_state|mems|incremental_state)$`)
	rowNames   = lazyregexp.New(
		`^(q|k|v|query|queries|key|keys|value|values|hidden_states|context|memory|enc_out|encoder_output|encoder_out|enc_output|encoder_hidden_states|inputs_embeds|embeddings)$`)
	noiseNames = lazyregexp.New(`^(z|noise|latent|latents|obs|observation|observations|action|actions)$`)
	waveNames  = lazyregexp.New(`^(wave|waveform|waveforms|audio|signal|mel|mels|spectrogram)$`)
	// of what is no tensor
	callableNames = lazyregexp.New(`^(f|fn|func|function|.*_(fn|func|function))$`)
	flagNames     = lazyregexp.New(`^(return_.*|train|training|inverse|reverse|deterministic)$`)
	numberNames   = lazyregexp.New(`^(h|w|height|width|batch_size|batch_idx|batch_index|num_.*)$`)
	edgeNames     = lazyregexp.New(`^((.*_)?edge_(index|idx|list)|edges?)$`)
	boxNames      = lazyregexp.New(`^(boxes\d?|proposals|anchors)$`)
)

// byName is the form that a parameter's name tells; empty for x and the like.
func byName(name string, layers Form) Form {
	n := strings.ToLower(strings.Trim(name, "_"))
	switch {
	case edgeNames.MatchString(n):
		return edgesForm
	case slices.Contains([]string{"adj", "adjacency", "adj_matrix", "adj_mat", "adjacency_matrix"}, n):
		return "f32[N,N]"
	case n == "edge_type":
		return "i64[E]"
	case n == "edge_weight":
		return "f32[E]"
	case n == "index" || n == "batch_index" || n == "row" || n == "col":
		return Numbers
	case labelNames.MatchString(n):
		return Numbers
	case tokenNames.MatchString(n):
		if layers == Sequence && (n == "src" || n == "tgt" || n == "tokens" || n == "sequence") {
			return Sequence // of vectors
		}
		return Tokens
	case videoNames.MatchString(n):
		return Volume
	case imageNames.MatchString(n):
		return Image
	case rowNames.MatchString(n):
		return Sequence
	case noiseNames.MatchString(n):
		return Features
	case waveNames.MatchString(n):
		return Signal
	case boxNames.MatchString(n):
		return "f32[N,4]"
	case n == "rois": // with the number of their image first
		return "f32[N,5]"
	}
	return ""
}

// IsEdges reports whether an input holds the edges of a graph, by its name.
func IsEdges(name string) bool { return byName(name, "") == edgesForm }

// edgesForm is the form of the edges of a graph: from which node, to which.
const edgesForm Form = "i64[2,E]"

// OfNodes is the form of an input beside the edges of a graph that its name does not tell: features of each node, or of
// each edge, or to which graph a node belongs.
func OfNodes(name string) Form {
	switch {
	case name == "batch" || strings.HasSuffix(name, "_batch"):
		return Numbers
	case name == "edge_attr" || name == "edge_features" || name == "edge_feat":
		return "f32[E,D]"
	case name == "pos":
		return "f32[B,3]"
	case strings.HasPrefix(name, "num_") || name == "batch_size":
		return "int"
	}
	return Features
}

// An Input is a parameter of a model's call, as its text has it.
type Input struct {
	Name, Annotation string
	// Keys are the texts by which parts of the argument are taken, Parts those by which parts of these are.
	Keys, Parts []string
	// Fields are the attributes that are taken of the argument, Elements the names to which it is unpacked.
	Fields, Elements []string
	// Several is how many tensors the argument holds; 0: it is one.
	Several int
	// Given says that the argument is no state that may be left out, whatever it is called.
	Given bool
	// Beside are the names of all inputs.
	Beside []string
}

// isState reports whether an input with the name of a height or width is none, for the other one is missing: a recurrent cell calls its
// state h, too.
func (in Input) isState() bool {
	other := map[string][]string{"h": {"w", "width"}, "w": {"h", "height"}}[in.Name]
	return other != nil && !slices.ContainsFunc(other, func(n string) bool { return slices.Contains(in.Beside, n) })
}

// Told is the form that the name of an input tells; empty where it tells nothing.
func (in Input) Told(layers Form) Form { return byName(in.Name, layers) }

// IsLoss reports whether a class is a loss, by its name: it compares inputs of one type.
func IsLoss(class string) bool { return strings.Contains(strings.ToLower(class), "loss") }

// Usual is the argument for an input that models of transformers may leave out, but not all of them;
// empty for others.
func (in Input) Usual() string {
	switch in.Name {
	case "input_ids", "decoder_input_ids":
		return in.Name + ":" + string(Tokens)
	case "pixel_values":
		return in.Name + ":" + string(Image)
	case "input_values":
		return in.Name + ":f32[B,T]"
	case "input_features":
		return in.Name + ":" + string(Signal)
	}
	return ""
}

// Arg is the argument for an input that is a tensor of the form given, as check.Target has
// arguments. Its annotation goes first: numbers, lists, dictionaries. It is empty where no
// argument is as good as another.
func (in Input) Arg(form Form) string {
	a := strings.NewReplacer(" ", "", "typing.", "", "torch.", "").Replace(strings.Trim(in.Annotation, `"'`))
	n := strings.ToLower(in.Name)
	switch {
	case a == "" && callableNames.MatchString(n) || a == "Callable" || strings.HasPrefix(a, "Callable["):
		return in.Name + "=torch.nn.Identity()"
	case a == "" && (n == "dim" || n == "axis"):
		return in.Name + "=-1"
	case a == "" && (IsFlag(n) || flagNames.MatchString(n)):
		return in.Name + "=False"
	case a == "" && numberNames.MatchString(n) && !in.isState():
		return in.Name + ":int"
	case strings.HasPrefix(a, "Optional[") || strings.HasSuffix(a, "|None") || maskNames.MatchString(n) || IsState(n) && !in.Given &&
		a != "Tensor":
		if usual := in.Usual(); usual != "" {
			return usual
		}
		return in.Name + "=None"
	case a == "int", a == "float":
		return in.Name + ":" + a
	case a == "bool":
		return in.Name + "=False"
	case a == "str":
		return ""
	case a == "Tuple[int,int]" || a == "tuple[int,int]":
		return in.Name + "=(8, 8)"
	case a == "List[str]" || a == "list[str]":
		return in.Name + `=["a", "b"]`
	case strings.HasPrefix(a, "List[int") || strings.HasPrefix(a, "list[int"):
		return ""
	}
	if len(in.Fields) > 0 {
		return in.object(form)
	}
	if len(in.Elements) > 1 && in.Told("") == "" && a != "Tensor" {
		return in.elements(form)
	}
	if in.Several > 0 && len(in.Keys) == 0 {
		return in.Name + "=[" + strings.Join(slices.Repeat([]string{string(form)}, in.Several), ",") + "]"
	}
	if listOfDicts.MatchString(a) {
		one := strings.TrimPrefix(in.dictionary(form), in.Name+"=")
		return in.Name + "=[" + one + ", " + one + "]"
	}
	if len(in.Keys) > 0 || strings.HasPrefix(a, "Dict[") || strings.HasPrefix(a, "dict[") || a == "dict" {
		return in.dictionary(form)
	}
	lists := strings.HasPrefix(a, "List[") || strings.HasPrefix(a, "list[") || strings.HasPrefix(a, "Sequence[")
	tuples := strings.HasPrefix(a, "Tuple[Tensor,Tensor]") || strings.HasPrefix(a, "tuple[Tensor,Tensor]")
	switch {
	case lists && form == Image && imageNames.MatchString(n):
		return in.Name + "=" + string(Images)
	case lists || tuples:
		if form == Images {
			return in.Name + "=" + string(Images)
		}
		return fmt.Sprintf("%s=[%s,%s]", in.Name, form, form)
	case form == Images:
		return in.Name + "=" + string(form)
	}
	return in.Name + ":" + string(form)
}

// listOfDicts is an annotation of several dictionaries.
var listOfDicts = lazyregexp.New(`^(List|list|Sequence|Iterable|Tuple|tuple)\[(Dict|dict|Mapping)\b`)

// maxDictionary bounds the parts of a dictionary.
const maxDictionary = 8

// dictionary is an argument with all keys that are asked for.
func (in Input) dictionary(form Form) string {
	if len(in.Keys) > maxDictionary {
		return ""
	}
	var parts []string
	if len(in.Keys) == 0 && strings.HasSuffix(in.Annotation, "Tensor]") {
		in.Keys = []string{"a", "b"}
	}
	for _, k := range in.Keys {
		if len(in.Parts) > 0 {
			of := Input{Name: k, Keys: in.Parts}
			parts = append(parts, fmt.Sprintf("%q: %s", k, strings.TrimPrefix(of.dictionary(form), k+"=")))
			continue
		}
		parts = append(parts, fmt.Sprintf("%q: %s", k, partOfInput(k, form, in.Keys)))
	}
	return in.Name + "={" + strings.Join(parts, ", ") + "}"
}

// Order are the forms to try, the likeliest first.
func Order(first ...Form) []Form {
	var out []Form
	for _, form := range append(first, Forms()...) {
		if form != "" && !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	return out
}
