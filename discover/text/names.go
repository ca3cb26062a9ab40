package text

// This file knows what parameters of constructors usually are, by their names.

import (
	"strings"

	"shapecheck/internal/lazyregexp"
)

// usual are values by the name of a parameter. They go together: sizes are powers of two, so
// that a width can be divided by a number of heads or groups.
var usual = map[string]string{
	"dim": "64", "dims": "64", "d_model": "64", "model_dim": "64", "embed_dim": "64", "emb_dim": "64", "embedding_dim": "64", "emb_size": "64",
	"embed_size": "64", "embedding_size": "64", "embedding": "64", "n_embd": "64", "d_embed": "64", "width": "64", "channels": "64", "channel": "64",
	"hidden": "64", "hidden_dim": "64", "hidden_size": "64", "hidden_channels": "64", "hidden_features": "64", "n_hidden": "64", "nhid": "64", "d_hidden": "64",
	"hid_dim": "64", "num_hiddens": "64", "hidden_units": "64", "rnn_size": "64", "units": "64",
	"d_ff": "128", "dff": "128", "mlp_dim": "128", "ff_dim": "128", "ffn_dim": "128", "dim_feedforward": "128", "inner_dim": "64", "intermediate_size": "128",
	"feedforward_dim": "128", "ffn_hidden": "128",
	"in_channels": "64", "in_ch": "64", "in_chans": "3", "in_channel": "64", "inp": "64", "inplanes": "64", "in_planes": "64", "input_channels": "64",
	"in_c": "64", "c_in": "64", "ch_in": "64", "cin": "64", "nin": "64", "n_in": "64", "n_channels": "3", "num_channels": "64", "nc": "3",
	"image_channels": "3", "img_channels": "3", "channels_in": "64", "num_input_features": "64", "num_features": "64", "n_features": "64",
	"in_features": "64", "in_dim": "64", "input_dim": "64", "input_size": "64", "in_size": "64", "d_in": "64", "n_inputs": "64", "num_inputs": "64",
	"feature_dim": "64", "feat_dim": "64", "features": "64", "dim_in": "64", "fan_in": "64", "state_dim": "64", "obs_dim": "64", "observation_dim": "64",
	"query_dim": "64", "context_dim": "64", "cond_dim": "64", "time_dim": "64", "latent_dim": "64", "z_dim": "64", "nz": "64", "latent_size": "64", "code_dim": "64",
	"out_channels": "64", "out_ch": "64", "out_channel": "64", "oup": "64", "outplanes": "64", "planes": "64", "out_planes": "64", "out_c": "64", "c_out": "64",
	"ch_out": "64", "cout": "64", "nout": "64", "n_out": "64", "output_channels": "64", "channels_out": "64", "filters": "64", "num_filters": "64", "n_filters": "64",
	"nf": "64", "ngf": "64", "ndf": "64", "base_channels": "64", "width_per_group": "64", "mid_channels": "64", "growth_rate": "32",
	"out_features": "64", "out_dim": "64", "output_dim": "64", "output_size": "64", "out_size": "64", "d_out": "64", "n_outputs": "64", "num_outputs": "64",
	"dim_out": "64", "fan_out": "64", "action_dim": "4", "act_dim": "4", "n_actions": "4", "num_actions": "4",
	"num_classes": "10", "n_classes": "10", "n_class": "10", "nclass": "10", "num_class": "10", "classes": "10", "num_labels": "10", "nb_classes": "10", "n_labels": "10",
	"heads": "8", "num_heads": "8", "n_heads": "8", "nhead": "8", "n_head": "8", "num_attention_heads": "8", "h": "8", "head_count": "8", "nheads": "8",
	"dim_head": "8", "head_dim": "8", "d_k": "8", "d_v": "8", "head_size": "8", "d_head": "8", "key_dim": "8",
	"vocab_size": "1000", "n_vocab": "1000", "ntoken": "1000", "num_tokens": "1000", "vocab": "1000", "num_embeddings": "1000", "src_vocab_size": "1000",
	"tgt_vocab_size": "1000", "src_vocab": "1000", "tgt_vocab": "1000", "n_tokens": "1000", "ntokens": "1000", "num_words": "1000", "trg_vocab_size": "1000", "input_vocab_size": "1000",
	"num_users": "1000", "num_items": "1000", "n_users": "1000", "n_items": "1000",
	"depth": "2", "num_layers": "2", "n_layers": "2", "nlayers": "2", "n_layer": "2", "layers": "2", "num_blocks": "2", "n_blocks": "2", "num_layer": "2", "blocks": "2",
	"num_encoder_layers": "2", "num_decoder_layers": "2", "num_hidden_layers": "2", "num_stages": "2", "n_stages": "2", "levels": "2", "repeats": "2", "num_repeats": "2",
	"dropout": "0.1", "drop": "0.1", "dropout_rate": "0.1", "drop_rate": "0.1", "p": "0.1", "drop_prob": "0.1", "dropout_prob": "0.1", "attn_drop": "0.1", "p_dropout": "0.1",
	"drop_path": "0.1", "drop_p": "0.1", "attention_dropout": "0.1", "stochastic_depth_prob": "0.1", "dropout_p": "0.1",
	"eps": "1e-05", "epsilon": "1e-05", "momentum": "0.1", "alpha": "0.5", "beta": "0.5", "gamma": "0.5", "scale": "2", "temperature": "1.0", "temp": "1.0", "lr": "0.001",
	"learning_rate": "0.001", "weight_decay": "0.01", "negative_slope": "0.2", "slope": "0.2", "margin": "1.0",
	"kernel_size": "3", "kernel": "3", "k": "3", "ksize": "3", "ks": "3", "stride": "1", "s": "1", "padding": "1", "pad": "1", "dilation": "1", "groups": "1", "num_groups": "8",
	"expand_ratio": "2", "expansion": "2", "expansion_factor": "2", "mlp_ratio": "2", "ratio": "2", "reduction": "4", "reduction_ratio": "4", "squeeze_factor": "4", "factor": "2",
	"squeeze_channels": "16", "r": "4", "scale_factor": "2", "upscale_factor": "2", "upsample_factor": "2", "bn_size": "4",
	"image_size": "64", "img_size": "64", "input_resolution": "(16, 16)", "resolution": "64", "size": "64", "patch_size": "16", "patch_dim": "16", "window_size": "8", "frame_size": "64",
	"image_height": "64", "image_width": "64", "height": "64", "w": "64", "frames": "16", "frame_patch_size": "2", "image_patch_size": "16",
	"max_len": "512", "max_length": "512", "max_seq_len": "512", "seq_len": "64", "seq_length": "64", "block_size": "64", "context_length": "64", "max_seq_length": "512",
	"max_position_embeddings": "512", "sequence_length": "64", "context_size": "64", "n_ctx": "64", "max_positions": "512", "num_patches": "64", "n_positions": "512",
	"bias": "True", "use_bias": "True", "qkv_bias": "True", "bidirectional": "True", "batch_first": "True", "causal": "False", "downsample": "None", "residual": "True",
	"norm_layer": "torch.nn.BatchNorm2d", "activation_layer": "torch.nn.ReLU", "act_layer": "torch.nn.ReLU", "activation": "torch.nn.ReLU()", "act": "torch.nn.ReLU()",
	"nonlinearity": "torch.nn.ReLU()", "device": "'cpu'", "weights": "None", "progress": "False", "pretrained": "False", "pad_idx": "0", "padding_idx": "0", "pad_token_id": "0", "src_pad_idx": "0",
	"trg_pad_idx": "0", "num_experts": "4", "n_experts": "4", "top_k": "2", "num_nodes": "32", "n_nodes": "32", "num_slots": "4", "num_queries": "16", "codebook_size": "64",
	"image_mean": "[0.5, 0.5, 0.5]", "image_std": "[0.5, 0.5, 0.5]", "mean": "[0.5, 0.5, 0.5]", "std": "[0.5, 0.5, 0.5]", "spatial_scale": "1.0", "sampling_ratio": "2",
	"fn": "torch.nn.Identity()", "net": "torch.nn.Identity()", "module": "torch.nn.Identity()", "submodule": "torch.nn.Identity()", "layer": "torch.nn.Identity()",
	"sublayer": "torch.nn.Identity()", "model": "torch.nn.Identity()", "base_model": "torch.nn.Identity()", "nnet": "torch.nn.Identity()", "head": "torch.nn.Identity()", "masker": "torch.nn.Identity()", "decoder": "torch.nn.Identity()", "projection_head": "torch.nn.Identity()", "transformer": "torch.nn.Identity()", "encoder": "torch.nn.Identity()", "backbone": "torch.nn.Identity()",
	"n_mels": "64", "n_mel": "64", "obs": "4", "n_fft": "256", "hop_length": "64", "n": "64", "m": "64", "d": "64", "c": "64", "min_size": "64", "max_size": "128",
	"loss": "torch.nn.MSELoss()", "loss_func": "torch.nn.MSELoss()", "loss_fn": "torch.nn.MSELoss()", "criterion": "torch.nn.MSELoss()", "crit": "torch.nn.MSELoss()",
	"normalized_shape": "64", "optimizer": "None", "scheduler": "None", "lr_scheduler": "None", "lr_schedule": "lambda progress: 0.001", "logger": "None", "max_freq": "10", "spatial_dims": "2", "spatial_dim": "2", "num_spatial_dims": "2", "n_spatial_dims": "2", "ndim": "2", "ndims": "2", // of images
	"dilation_rate": "1", "sample_rate": "16000", "sampling_rate": "16000", "sr": "16000", "expansion_rate": "2",
	"num_domains": "2", "num_convs": "2", "num_anchors": "3", "memory_efficient": "False", "name": "'a'", "hidden_act": "'relu'", "kernel_initializer": "'zeros'", "activation_function": "'relu'", "hidden_activation": "'relu'",
}

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
	if v := usual[key]; v != "" && fits(v, annotation) {
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
	for _, suffix := range []string{"_channels", "_dim", "_size", "_features", "_layers", "_heads", "_dropout", "_rate", "_prob", "_planes", "_len", "_idx", "_chan", "_chans", "_ch", "_channel", "_feats", "_filters", "_units", "_width", "_chs", "_neurons", "_factor", "_window", "_eps"} {
		if strings.HasSuffix(key, suffix) && len(key) > len(suffix) {
			if v := usual[suffix[1:]]; v != "" && fits(v, annotation) {
				return v
			}
			switch suffix {
			case "_features", "_planes", "_channels", "_chan", "_chans", "_ch", "_chs", "_channel", "_feats", "_filters", "_units", "_width", "_neurons", "_window":
				return "64"
			case "_rate", "_prob":
				return "0.1"
			case "_len":
				return "64"
			case "_idx":
				return "0"
			}
		}
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
	return byAnnotation(annotation)
}

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
	classOfLayers = lazyregexp.New(`^(?:type|Type)\[(?:[\w.]+\.)?(_ConvNd|_ConvTransposeNd|_NormBase|_BatchNorm|_InstanceNorm|_DropoutNd|_MaxPoolNd|_AvgPoolNd|_AdaptiveAvgPoolNd|_AdaptiveMaxPoolNd)\]$`)
	layersOf      = map[string]string{
		"_ConvNd": "torch.nn.Conv2d", "_ConvTransposeNd": "torch.nn.ConvTranspose2d", "_NormBase": "torch.nn.BatchNorm2d", "_BatchNorm": "torch.nn.BatchNorm2d",
		"_InstanceNorm": "torch.nn.InstanceNorm2d", "_DropoutNd": "torch.nn.Dropout2d", "_MaxPoolNd": "torch.nn.MaxPool2d", "_AvgPoolNd": "torch.nn.AvgPool2d",
		"_AdaptiveAvgPoolNd": "torch.nn.AdaptiveAvgPool2d", "_AdaptiveMaxPoolNd": "torch.nn.AdaptiveMaxPool2d",
	}
)

// Anything is a value for a parameter of which nothing is told, where its annotation does not exclude it; empty where that does.
func Anything(annotation string) string {
	switch a := strings.TrimPrefix(strings.TrimSpace(annotation), "typing."); {
	case a == "" || a == "Any" || a == "int" || strings.HasPrefix(a, "Union[int,") || strings.HasPrefix(a, "Union[float,") || strings.HasPrefix(a, "float |"):
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
		return open + strings.Join(out, ", ") + end
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
