package diag

// This file documents the codes of lowering and of weights: SC7xx.

var lowerCodes = [...]CodeInfo{
	{
		Code: NotLowered, Severity: Error, Title: "no form in ONNX",
		Doc: "A part of the program cannot be written as ONNX: a function that has no lowering (docs/ops.md lists them), " +
			"a value that is no tensor, or control flow that the typed graph does not show in full. All such places are " +
			"reported at once, and no file is written.",
		NoExample: "reported by shapecheck export, not by a check",
	},
	{
		Code: WeightMissing, Severity: Error, Title: "weights are missing",
		Doc: "The model has a parameter or buffer that the file given with --weights has not: load_state_dict would fail. " +
			"All differences between file and model are listed at once, from the headers of the file alone. A prefix that " +
			"most names have on one side only is one finding, and the rest is compared without it; one of DataParallel, of " +
			"DistributedDataParallel (module.) or of torch.compile (_orig_mod.) is a warning, and such weights are exported.",
		NoExample: "it needs a weights file",
	},
	{
		Code: WeightUnexpected, Severity: Error, Title: "weights that the model does not have",
		Doc: "The file given with --weights has a tensor that is not in the model's state_dict: load_state_dict would fail " +
			"(unless strict=False). Where parts of the program are unknown, this is not a finding.",
		NoExample: "it needs a weights file",
	},
	{
		Code: WeightShape, Severity: Error, Title: "weights of another shape",
		Doc: "A tensor of the file given with --weights has another shape than the model's parameter or buffer of that name. " +
			"Sizes that are not known fit.",
		NoExample: "it needs a weights file",
	},
	{
		Code: WeightDType, Severity: Error, Title: "weights of another element type",
		Doc: "A tensor of the file given with --weights has another element type than the model's parameter or buffer of that " +
			"name. PyTorch would convert it silently; with --convert-weights float types are rounded to the model's.",
		NoExample: "it needs a weights file",
	},
}
