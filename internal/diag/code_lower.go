package diag

// This file documents the codes of lowering: SC7xx.

var lowerCodes = [...]CodeInfo{
	{
		Code: NotLowered, Severity: Error, Title: "no form in ONNX",
		Doc: "A part of the program cannot be written as ONNX: a function that has no lowering (docs/ops.md lists them), " +
			"a value that is no tensor, or control flow that the typed graph does not show in full. All such places are " +
			"reported at once, and no file is written.",
		NoExample: "reported by shapecheck export, not by a check",
	},
}
