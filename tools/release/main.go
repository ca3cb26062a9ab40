// Command release makes what is published of a version, from the sources of a commit and
// without network: programs for six targets as Python wheels and archives, a bill of
// materials, an image, a Homebrew formula, the mirror for pre-commit, and their checksums.
// Two runs on one commit give the same bytes. Run it in the repository:
//
//	go run ./tools/release --out dist
//
// The version is the tag of the commit; a commit without one gives a development version of
// the next. Publishing is a person's step: docs/release.md.
//
// main.go has the order of the steps, build.go the targets, header.go what a target's program begins
// with, wheel.go wheels and zip archives, archive.go tar archives and checksums, sizes.go what may
// not grow, bill.go the bill of materials, documents.go manual pages and completions, image.go
// images, front.go the mirror for pre-commit and the formula.
package main

import (
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"shapecheck/internal/version"
)

func main() {
	r := release{}
	flag.StringVar(&r.out, "out", "dist", "the folder for what is made; it must be empty or missing")
	only := flag.String("targets", "", "only these: linux/amd64,darwin/arm64; default: all six")
	flag.BoolVar(&r.dirty, "dirty", false, "take a tree with changes that are not committed, for a trial")
	flag.StringVar(&r.sizes, "sizes", "", "a file of sizes of wheels: fail when one grew by more than 5 percent")
	flag.BoolVar(&r.updateSizes, "update-sizes", false, "with --sizes: write them instead")
	show := flag.Bool("compiler-flags", false, "print the flags that programs are compiled with, and make nothing")
	flag.Parse()
	err := r.choose(*only)
	switch {
	case err != nil:
	case *show:
		err = printFlags()
	default:
		err = r.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is one run.
type release struct {
	out, sizes         string
	dirty, updateSizes bool
	targets            []target

	root    string // of the repository
	version string // as people write it: 0.2.0, 0.1.0.dev20261123070000+gabcdef0
	tagged  bool
	info    *buildinfo.BuildInfo // of the first program; all have the same modules
	time    time.Time            // of the commit
	made    []string             // files in out, beside the checksums
}

// choose takes the targets that are named, or all; it returns an error for a name that is none.
func (r *release) choose(only string) error {
	r.targets = targets
	if only == "" {
		return nil
	}
	r.targets = nil
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return fmt.Errorf("no target %q", name)
		}
		r.targets = append(r.targets, targets[i])
	}
	return nil
}

// run makes a release in an empty folder: programs for all targets, then what contains them (wheels, archives, images), then
// what describes those (bill of materials, formula, checksums). At the end sizes are compared with the recorded ones.
func (r *release) run() error {
	if entries, err := os.ReadDir(r.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", r.out)
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	var err error
	if r.root, err = repository(); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	programs := make([]string, len(r.targets))
	for i, t := range r.targets {
		programs[i] = filepath.Join(tmp, t.os+"-"+t.arch, t.program())
		if err := build(r.root, t, programs[i]); err != nil {
			return err
		}
	}
	if err := r.identify(programs[0]); err != nil {
		return err
	}
	pages, err := documents(r.version, r.time)
	if err != nil {
		return err
	}
	for i, t := range r.targets {
		if err := errors.Join(r.wheel(t, programs[i]), r.archive(t, programs[i], pages)); err != nil {
			return err
		}
	}
	for i, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		if err := r.image(t, programs[i]); err != nil {
			return err
		}
	}
	bill, err := r.bill()
	if err != nil {
		return err
	}
	if err := errors.Join(r.write("shapecheck.cdx.json", bill), r.preCommit(), r.formula(), r.sums()); err != nil {
		return err
	}
	return r.compareSizes()
}

// identify reads from a program which version it is.
func (r *release) identify(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	commit := version.Setting(info, "vcs.revision")
	if commit == "" {
		return errors.New("the program knows no commit: run in a clone, with git")
	}
	if r.time, err = time.Parse(time.RFC3339, version.Setting(info, "vcs.time")); err != nil {
		return err
	}
	if version.Setting(info, "vcs.modified") != "false" && !r.dirty {
		return errors.New("the tree has changes that are not committed")
	}
	r.info = info
	tag, tagged := version.Tag(info)
	if r.tagged = tagged; !tagged {
		r.version = fmt.Sprintf("%s.dev%s+g%.7s", version.Next, r.time.UTC().Format("20060102150405"), commit)
		return nil
	}
	r.version, err = pythonVersion(tag)
	return err
}

// pre is what a version has before it is final, as semantic versioning writes it.
var pre = regexp.MustCompile(`^([0-9.]+)-(a|alpha|b|beta|rc)\.?([0-9]+)$`)

// pythonVersion is the version of a tag as wheels have it: 1.0.0-rc.1 is 1.0.0rc1.
func pythonVersion(tag string) (string, error) {
	if !strings.Contains(tag, "-") {
		return tag, nil
	}
	m := pre.FindStringSubmatch(tag)
	if m == nil {
		return "", fmt.Errorf("the tag v%s is no version for a wheel: write v1.2.3, v1.2.3-alpha.1, v1.2.3-beta.1 or v1.2.3-rc.1", tag)
	}
	kind := m[2]
	if kind != "rc" {
		kind = kind[:1]
	}
	return m[1] + kind + m[3], nil
}

// write makes a file of the release.
func (r *release) write(name string, data []byte) error {
	r.made = append(r.made, name)
	path := filepath.Join(r.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
