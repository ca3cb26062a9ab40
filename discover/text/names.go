package text

// This file knows what parameters of constructors usually are, by their names.

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"shapecheck/internal/lazyregexp"
)

//go:embed parameters.txt
var parameters string

// usual are values by the name of a parameter, as parameters.txt says them.
var usual = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(parameters) {
		names, v, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			out[name] = v
		}
	}
	return out
})

// settings are names of parameters that hold an object of settings.
var settings = []string{"config", "cfg", "conf", "args", "hparams", "opt", "params", "options", "settings", "model_args"}

// Usual is the usual value of a parameter with this name and annotation; empty when there is none.
func Usual(name, annotation string) string { return valueOf(name, annotation) }

// valueOf is the usual value of a parameter; empty when there is none.
func valueOf(name, annotation string) string {
	key := strings.TrimSuffix(strings.ToLower(strings.TrimLeft(name, "_")), "_")
	if listOfInts.MatchString(strings.TrimPrefix(annotation, "typing.")) {
		for _, one := range []string{name, strings.TrimSuffix(name, "s")} {
			if v := valueOf(one, "int"); v != byAnnotation("int") {
				return "[" + v + ", " + v + "]"
			}
		}
	}
	if v := usual()[key]; v != "" && fits(v, annotation) {
		return v
	}
	if annotation == "str" {
		switch {
		case activations.MatchString(key):
			return "'relu'"
		case key == "reduction":
			return "'mean'"
		case key == "padding_mode":
			return "'zeros'"
		}
	}
	for _, suffix := range []string{"_channels", "_dim", "_size", "_features", "_layers", "_heads", "_dropout", "_rate", "_prob", "_planes",
		"_len", "_idx", "_chan", "_chans", "_ch", "_channel", "_feats", "_filters", "_units", "_width", "_chs", "_neurons", "_factor",
		"_window", "_eps", "_id"} {
		if strings.HasSuffix(key, suffix) && len(key) > len(suffix) {
			if v := usual()[suffix[1:]]; v != "" && fits(v, annotation) {
				return v
			}
			switch suffix {
			case "_features", "_planes", "_channels", "_chan", "_chans", "_ch", "_chs", "_channel", "_feats", "_filters", "_units", "_width",
				"_neurons", "_window":
				return "64"
			case "_rate", "_prob":
				return "0.1"
			case "_len":
				return "64"
			case "_idx", "_id": // of a token or a class
				if fits("0", annotation) {
					return "0"
				}
			}
		}
	}
	if strings.HasPrefix(key, "dim_") && fits("64", annotation) { // dim_hidden is hidden_dim
		return "64"
	}
	if annotation == "" && counts.MatchString(key) {
		return "4"
	}
	if annotation == "" && widths.MatchString(key) {
		return "[64, 64]"
	}
	if (annotation == "" || annotation == "str") && texts.MatchString(key) {
		return SomeText
	}
	if one, several := strings.CutSuffix(key, "s"); several && intOrMore.MatchString(annotation) {
		if v := usual()[one]; fits(v, "int") && v != "" { // of each: kernel_sizes
			return v
		}
	}
	return byAnnotation(annotation)
}

// intOrMore is an annotation of an integer or several.
var intOrMore = lazyregexp.New(`^(?:typing\.)?(?:Union\[int, |int \| ).*\[int`)

// listOfInts is an annotation of several integers.
var listOfInts = lazyregexp.New(`^(Union\[)?((List|list|Sequence|Iterable)\[int\]|[Tt]uple\[int, \.\.\.\])`)

// activations are names of what names an activation.
var activations = lazyregexp.New(`(^|_)(act|activation|nonlinearity|non_linearity|act_fn|activation_fn|activation_function|hidden_act)$`)

// SomeText is the value of what is any text.
const SomeText = "'a'"

// texts are names of what is text.
var texts = lazyregexp.New(`(^|_)(path|dir|file|filename|folder|url|root|name|prefix|suffix|source|field)$`)

// counts are names of numbers of something.
var counts = lazyregexp.New(`^(n|num|nb|number)_`)

// widths are names of the widths of several layers.
var widths = lazyregexp.New(`^(layer|hidden)_sizes(_|$)`)

// fits reports whether a value may have a type, as it is annotated.
func fits(value, annotation string) bool {
	switch strings.TrimSpace(annotation) {
	case "int":
		return strings.Trim(value, "0123456789") == ""
	case "bool":
		return value == "True" || value == "False"
	case "float":
		return strings.Trim(value, "0123456789.e-") == ""
	case "str":
		return strings.HasPrefix(value, "'")
	}
	if strings.HasPrefix(value, "torch.nn.Identity") || strings.HasPrefix(value, "torch.nn.MSELoss") {
		return annotation == "" || strings.HasSuffix(annotation, "Module")
	}
	if value == "True" || value == "False" || plainNumber(value) {
		parts := unionParts(annotation)
		if slices.ContainsFunc(parts, aModule.MatchString) {
			return slices.ContainsFunc(parts, func(a string) bool { return a == "int" || a == "float" || a == "bool" || a == "Any" })
		}
	}
	if strings.HasPrefix(value, "[") {
		return true
	}
	if strings.HasPrefix(annotation, "int |") || strings.HasPrefix(annotation, "Union[int,") {
		return plainNumber(value)
	}
	return !strings.Contains(annotation, "List[") && !strings.Contains(annotation, "list[") && !strings.Contains(annotation, "Sequence[")
}

// classOfModules is an annotation of a class of modules: one without parameters fits most.
var classOfModules = lazyregexp.New(`^(type|Type)\[((torch\.)?nn\.)?Module\]$`)

// classOfLayers is an annotation of a class by the base that layers of all dimensions have; layersOf are those of images.
var (
	classOfLayers = lazyregexp.New(
		`^(?:type|Type)\[(?:[\w.]+\.)?(_ConvNd|_ConvTransposeNd|_NormBase|_BatchNorm|_InstanceNorm|_DropoutNd|_MaxPoolNd|_AvgPoolNd|_AdaptiveAvgPoolNd|_AdaptiveMaxPoolNd)\]$`)
	layersOf = map[string]string{
		"_ConvNd": "torch.nn.Conv2d", "_ConvTransposeNd": "torch.nn.ConvTranspose2d", "_NormBase": "torch.nn.BatchNorm2d",
		"_BatchNorm":    "torch.nn.BatchNorm2d",
		"_InstanceNorm": "torch.nn.InstanceNorm2d", "_DropoutNd": "torch.nn.Dropout2d", "_MaxPoolNd": "torch.nn.MaxPool2d",
		"_AvgPoolNd":         "torch.nn.AvgPool2d",
		"_AdaptiveAvgPoolNd": "torch.nn.AdaptiveAvgPool2d", "_AdaptiveMaxPoolNd": "torch.nn.AdaptiveMaxPool2d",
	}
)

// Anything is a value for a parameter of which nothing is told, where its annotation does not exclude it; empty where that does.
func Anything(annotation string) string {
	switch a := strings.TrimPrefix(strings.TrimSpace(annotation), "typing."); {
	case a == "" || a == "Any" || a == "int" || strings.HasPrefix(a, "Union[int,") || strings.HasPrefix(a, "Union[float,") ||
		strings.HasPrefix(a, "float |"):
		return "8"
	case a == "dict" || strings.HasPrefix(a, "dict[") || strings.HasPrefix(a, "Dict["):
		return "{}"
	case a == "Callable" || strings.HasPrefix(a, "Callable["):
		return "torch.nn.Identity()"
	case a == "str" || strings.HasPrefix(a, "str |") || strings.HasPrefix(a, "Union[str,"):
		return "'a'"
	case strings.HasPrefix(a, "list[str]") || strings.HasPrefix(a, "List[str]") || strings.HasPrefix(a, "Sequence[str]"):
		return "['a', 'b']"
	}
	return ""
}

// aModule is an annotation that a module fits, modules one that a list of them does.
var (
	aModule = lazyregexp.New(`^((torch\.)?nn\.)?Module$`)
	modules = lazyregexp.New(`^(List|list|Sequence|Iterable)\[(((torch\.)?nn\.)?Module|Callable(\[.*\])?)\]$`)
)

// byAnnotation is a value of a type; empty where none is as good as another.
func byAnnotation(annotation string) string {
	a := strings.ReplaceAll(strings.TrimSpace(annotation), "typing.", "")
	switch {
	case aModule.MatchString(a):
		return "torch.nn.Identity()"
	case modules.MatchString(a):
		return "[torch.nn.Identity()]"
	case a == "int" || strings.HasPrefix(a, "Union[int,") || strings.HasPrefix(a, "int |"):
		return "8"
	case a == "None":
		return "None"
	case a == "float":
		return "0.5"
	case a == "bool":
		return "False"
	case strings.HasPrefix(a, "Optional[") || strings.HasSuffix(a, "| None"):
		return "None"
	case listOfInts.MatchString(a):
		return "[64, 64]"
	case a == "Tuple[int, int]" || a == "tuple[int, int]":
		return "(8, 8)"
	case strings.HasSuffix(a, "nn.Module]") && strings.HasPrefix(a, "Callable"):
		return "torch.nn.BatchNorm2d"
	case classOfModules.MatchString(a):
		return "torch.nn.ReLU"
	case classOfLayers.MatchString(a):
		return layersOf[classOfLayers.FindStringSubmatch(a)[1]]
	case a == "Tensor" || a == "torch.Tensor" || a == "nn.Parameter" || a == "Parameter":
		return tensorKinds[0]
	case arrays.MatchString(a):
		return "numpy.ones(8)"
	case a == "torch.device" || a == "device":
		return "torch.device('cpu')"
	case a == "Path" || a == "pathlib.Path":
		return "pathlib.Path('a')"
	}
	if one, other, ok := cutUnion(a); ok {
		return firstKnown(one, other)
	}
	return ofParts(a)
}

// firstKnown is a value of the first of several types for which there is one; a tensor, whose sizes nobody tells, comes last.
func firstKnown(types ...string) string {
	tensor := ""
	for _, a := range types {
		v := byAnnotation(a)
		if v == tensorKinds[0] {
			tensor = v
		} else if v != "" && v != "None" {
			return v
		}
	}
	return tensor
}

// tensorKinds are what a parameter of a constructor may be that is a tensor.
var tensorKinds = []string{"torch.ones(64)", "torch.ones(64, 64)", "torch.ones(1)", "torch.ones(2)"}

// TensorKinds are what a parameter of a constructor may be that is a tensor, the likeliest first.
func TensorKinds() []string { return tensorKinds }

// arrays are annotations of arrays.
var arrays = lazyregexp.New(`^(np\.|numpy\.)?(ndarray|typing\.NDArray(\[.*\])?)$|^NDArray(\[.*\])?$`)

// cutUnion cuts a type A | B after its first part, which is no bracket's.
func cutUnion(annotation string) (first, others string, ok bool) {
	depth := 0
	for i, c := range annotation {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case '|':
			if depth == 0 {
				return strings.TrimSpace(annotation[:i]), strings.TrimSpace(annotation[i+1:]), true
			}
		}
	}
	return "", "", false
}

// unionParts are the types of a union; another type alone.
func unionParts(annotation string) []string {
	annotation = strings.TrimSpace(annotation)
	if one, others, ok := cutUnion(annotation); ok {
		return append(unionParts(one), unionParts(others)...)
	}
	if name, parts := typeParts(annotation); name == "Union" || name == "Optional" {
		var out []string
		for _, a := range parts {
			out = append(out, unionParts(a)...)
		}
		return out
	}
	return []string{annotation}
}

// ofParts is a value of a type that is made of others; empty where none is as good as another.
func ofParts(annotation string) string {
	name, parts := typeParts(annotation)
	several := func(open, end string, of ...string) string {
		var out []string
		for _, a := range of {
			a = Present(a)
			v := byAnnotation(a)
			if v == "" && (a == "str" || a == "Any") {
				v = Anything(a)
			}
			if v == "" {
				return ""
			}
			out = append(out, v)
		}
		return open + strings.Join(apartTexts(out), ", ") + end
	}
	switch name {
	case "Tuple", "tuple":
		if len(parts) == 2 && parts[1] == "..." {
			parts[1] = parts[0]
		}
		if len(parts) == 1 {
			return several("(", ",)", parts...)
		}
		return several("(", ")", parts...)
	case "List", "list", "Sequence", "Iterable":
		return several("[", "]", parts[0], parts[0])
	case "Union":
		return firstKnown(parts...)
	}
	return ""
}

// typeParts are the name and the arguments of a type such as Tuple[int, List[str]]; no name: it has no arguments.
func typeParts(annotation string) (name string, parts []string) {
	open := strings.IndexByte(annotation, '[')
	if open < 0 || !strings.HasSuffix(annotation, "]") {
		return "", nil
	}
	depth, from := 0, open+1
	for i := from; i < len(annotation); i++ {
		switch annotation[i] {
		case '[':
			depth++
		case ',':
			if depth == 0 {
				parts, from = append(parts, strings.TrimSpace(annotation[from:i])), i+1
			}
		case ']':
			if depth == 0 && i < len(annotation)-1 {
				return "", nil // X[a] | Y[b]
			}
			depth--
		}
	}
	last := strings.TrimSpace(annotation[from : len(annotation)-1])
	return annotation[:open], append(parts, last)
}

// IsMadeUp reports whether an argument is a stand-in of which the program says nothing: a lambda, a class or a module that was made for it, or
// a text that may be a key of what is not known, where the name of the parameter does not say that it is any text.
func IsMadeUp(arg string) bool {
	if name, v, ok := strings.Cut(arg, "="); ok && someText.MatchString(v) && Usual(name, "") != v {
		return true
	}
	return slices.ContainsFunc([]string{"lambda", "torch.nn.Identity", "type('", "SimpleNamespace("}, func(s string) bool { return strings.Contains(arg, s) })
}

// IsStandIn reports whether the text of an argument makes a module or a function that stands for one of which nothing is told.
func IsStandIn(v string) bool {
	return v == AnyModule || strings.HasPrefix(v, "torch.nn.Identity") || strings.HasPrefix(v, "lambda ")
}

// someText matches SomeText, and lists of it and others, as it is or in other quotes.
var someText = lazyregexp.New(`^\[?(?:['"][a-h]['"](?:, )?)+\]?$`)

// apartTexts makes texts of a list that are any differ from each other, as names of something do, as far as there are letters for it.
func apartTexts(list []string) []string {
	for i, v := range list {
		if letter := rune('a' + i); v == SomeText && letter <= 'h' {
			list[i] = "'" + string(letter) + "'"
		}
	}
	return list
}

// indexNames are names of integers: positions in tables, and what atoms are.
var indexNames = lazyregexp.New(`(?i)(?:^|_)(?:idx|index|indices|ids?|numbers)$`)

// Disagrees reports whether an input's name says that it is an index, or several, and its form is another one.
func Disagrees(name string, form Form) bool {
	return indexNames.MatchString(name) && (form.Rank() > 3 || !strings.HasPrefix(string(form), "i"))
}
