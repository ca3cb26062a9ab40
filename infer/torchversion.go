package infer

// This file says which PyTorch a program finds: the version that the caller names, else
// that of the installed package, else the newest known.

import "shapecheck/infer/ops/torch"

// newestTorch is the version that is taken where nothing names one.
const newestTorch = "2.15.0"

// torchVersion is what torch.__version__ says, and whose rules hold. The installed package
// is looked for when something asks: most programs do not. No name is hidden by what is
// installed, unlike by what the caller names: which version brought a name is remembered for
// the names that programs ask for, not recorded.
func (in *Interp) torchVersion() string {
	if in.options["torch-version"] == "" {
		v := newestTorch
		if d := in.distributions()["torch"]; d != nil && torch.IsVersion(d.version) {
			v = d.version
		}
		in.options["torch-version"] = v
	}
	return in.options["torch-version"]
}
