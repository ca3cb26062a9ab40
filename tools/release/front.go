package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shapecheck/internal/version"
)

// tag is the version as the name of a git tag or an image, which may hold no plus sign.
func (r *release) tag() string { return "v" + strings.ReplaceAll(r.version, "+", "-") }

// preCommit writes the mirror repository for pre-commit: a package without code that needs
// the wheel of this version, so that the hook builds nothing. It is committed and tagged in a
// repository of its own.
func (r *release) preCommit() error {
	for name, text := range map[string]string{
		".pre-commit-hooks.yaml": `- id: shapecheck
  name: shapecheck
  description: Find shape errors of tensor programs before they run
  entry: shapecheck
  language: python
  types_or: [python, jupyter, toml]
  pass_filenames: false
  require_serial: true
  minimum_pre_commit_version: "2.9.2"
`,
		"pyproject.toml": fmt.Sprintf(`[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "shapecheck-pre-commit"
version = "0"
requires-python = ">=3.8"
dependencies = ["%s==%s"]

[tool.setuptools]
py-modules = []
`, version.Distribution, r.version),
		"README.md": fmt.Sprintf(`# shapecheck for pre-commit

The hook of shapecheck %[1]s; the program comes as a wheel.

    repos:
      - repo: ADDRESS-OF-THIS-REPOSITORY
        rev: %[2]s
        hooks:
          - id: shapecheck
`, r.version, r.tag()),
	} {
		if err := r.write("pre-commit/"+name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// formula writes the formula for Homebrew, with the checksums of the four archives that it
// chooses from; ADDRESS stands for where the archives are. It is left out where one of them
// was not made.
func (r *release) formula() error {
	sums := map[string]string{}
	for _, t := range r.targets {
		if t.os == "windows" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.out, fmt.Sprintf("shapecheck-%s-%s-%s.tar.gz", r.version, t.os, t.arch)))
		if err != nil {
			return err
		}
		sums[t.String()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	if len(sums) < 4 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, `class Shapecheck < Formula
  desc "Find shape errors of tensor programs before they run"
  homepage "ADDRESS"
  version "%s"
  license "Apache-2.0"
`, r.version)
	for _, system := range []struct{ brew, name string }{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&b, "\n  on_%s do\n", system.brew)
		for _, cpu := range []struct{ brew, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			fmt.Fprintf(&b, "    on_%s do\n      url \"ADDRESS/shapecheck-%s-%s-%s.tar.gz\"\n      sha256 \"%s\"\n    end\n",
				cpu.brew, r.version, system.name, cpu.arch, sums[system.name+"/"+cpu.arch])
		}
		b.WriteString("  end\n")
	}
	b.WriteString(`
  def install
    bin.install "shapecheck"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/shapecheck.bash" => "shapecheck"
    zsh_completion.install "completions/_shapecheck"
    fish_completion.install "completions/shapecheck.fish"
  end

  test do
    (testpath/"net.py").write "import torch\ndef f(x):\n    return x @ x\n"
    assert_match "f32[2,2]", shell_output("#{bin}/shapecheck net.py --entry f --arg 'x:f32[2,2]'")
  end
end
`)
	return r.write("shapecheck.rb", []byte(b.String()))
}
