package infer

// This file says which PyTorch a program finds: the version that the caller names, else
// that of the installed package, else the newest known.

import (
	"path/filepath"

	"shapecheck/infer/ops/torch"
)

// versions are those of the libraries that the program finds: what the caller names, else what is installed.
type versions struct {
	*base
	settings *settings
	finder   *finder
	stack    *stack
	// torchFound is the version of the installed PyTorch where it counts.
	torchFound string
	// newer are library names that the PyTorch of the run does not have yet.
	newer map[string]string
}

// Option is what a setting says; "" where nobody has said it.
func (vs *versions) Option(name string) string {
	if name == "torch-version" {
		return vs.torchVersion()
	}
	return vs.settings.options[name]
}

// newestTorch is the version that is taken where nothing names one.
const newestTorch = "2.15.0"

// torchVersion is what torch.__version__ says, and whose rules hold. The installed package
// is looked for when something asks: most programs do not. No name is hidden by what is
// installed, unlike by what the caller names: which version brought a name is remembered for
// the names that programs ask for, not recorded.
func (vs *versions) torchVersion() string {
	if vs.settings.options["torch-version"] == "" {
		if vs.torchFound = vs.installedTorch(); vs.torchFound != "" {
			vs.settings.options["torch-version"] = vs.torchFound
		} else {
			vs.settings.options["torch-version"] = newestTorch
		}
	}
	return vs.settings.options["torch-version"]
}

// installedTorch is the version of the PyTorch that is in a folder of installed packages, of
// the environment or a root; empty where there is none. Other folders are not listed:
// most programs ask, and what they gave would not be kept when any file is added there.
func (vs *versions) installedTorch() string {
	vs.finder.environment()
	for _, dir := range vs.finder.packageRoots() {
		if name := filepath.Base(dir); name != "site-packages" && name != "dist-packages" && dir != vs.finder.env.Folder {
			continue
		}
		entries, err := vs.fs.ReadDir(dir)
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
