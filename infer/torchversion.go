package infer

// This file says which PyTorch a program finds: the version that the caller names, else
// that of the installed package, else the newest known.

import (
	"path/filepath"

	"shapecheck/infer/ops/torch"
)

// newestTorch is the version that is taken where nothing names one.
const newestTorch = "2.15.0"

// torchVersion is what torch.__version__ says, and whose rules hold. The installed package
// is looked for when something asks: most programs do not. No name is hidden by what is
// installed, unlike by what the caller names: which version brought a name is remembered for
// the names that programs ask for, not recorded.
func (in *Interp) torchVersion() string {
	if in.options["torch-version"] == "" {
		if in.torchFound = in.installedTorch(); in.torchFound != "" {
			in.options["torch-version"] = in.torchFound
		} else {
			in.options["torch-version"] = newestTorch
		}
	}
	return in.options["torch-version"]
}

// installedTorch is the version of the PyTorch that is in a folder of installed packages, of
// the environment or a root; empty where there is none. Other folders are not listed:
// most programs ask, and what they gave would not be kept when any file is added there.
func (in *Interp) installedTorch() string {
	in.environment()
	for _, dir := range in.packageRoots() {
		if name := filepath.Base(dir); name != "site-packages" && name != "dist-packages" && dir != in.env.Folder {
			continue
		}
		entries, err := in.fs.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if name, version, ok := distributionOf(e.Name()); ok && normalDist(name) == "torch" && torch.IsVersion(version) {
				return version
			}
		}
	}
	return ""
}
