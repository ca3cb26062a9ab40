package gittree

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGitRunsAndFetchesNothing reads revisions of a repository whose configuration, attributes, hooks and environment name
// programs and whose objects are elsewhere.
func TestGitRunsAndFetchesNothing(t *testing.T) {
	origin := repository(t, map[string]string{"net.py": "1\n"})
	put(t, origin, map[string]string{"net.py": "2\n"})
	git(t, origin, "commit", "-qam", "second")
	git(t, origin, "config", "uploadpack.allowFilter", "true")
	marker := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >>'"+marker+"'\ncat\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"ext::" + program + " %S", "file://" + origin} {
		dir := filepath.Join(t.TempDir(), "clone")
		git(t, origin, "clone", "-q", "--filter=blob:none", "file://"+origin, dir)
		var config strings.Builder
		for key, value := range map[string]string{
			"core.fsmonitor": program, "core.hooksPath": filepath.Dir(program), "core.pager": program, "core.sshCommand": program,
			"core.askPass": program,
			"core.editor":  program, "core.gitProxy": program, "core.alternateRefsCommand": program, "credential.helper": "!" + program,
			"diff.external":   program,
			"diff.x.textconv": program, "diff.x.command": program, "filter.x.smudge": program, "filter.x.clean": program,
			"filter.x.process": program,
			"gpg.program":      program, "merge.x.driver": program, "alias.ls-tree": "!" + program, "alias.cat-file": "!" + program,
			"pager.ls-tree": program, "pager.config": program,
			"remote.origin.url": url, "remote.origin.uploadpack": program, "uploadpack.packObjectsHook": program,
			"protocol.allow": "always", "protocol.file.allow": "always", "protocol.ext.allow": "always", "protocol.ssh.allow": "always",
			"protocol.http.allow":  "always",
			"protocol.https.allow": "always", "protocol.git.allow": "always",
		} {
			first, last := strings.Index(key, "."), strings.LastIndex(key, ".")
			section := key[:first]
			if first < last {
				section += " " + strconv.Quote(key[first+1:last])
			}
			fmt.Fprintf(&config, "[%s]\n\t%s = %s\n", section, key[last+1:], strconv.Quote(value))
		}
		own, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, map[string]string{".git/config": string(own) + config.String()})
		put(t, dir, map[string]string{".git/info/attributes": "* diff=x filter=x merge=x\n"})
		for key, value := range map[string]string{
			"GIT_ALLOW_PROTOCOL": "file:ext:ssh:http:https:git", "GIT_PROTOCOL_FROM_USER": "1", "GIT_SSH_COMMAND": program, "GIT_ASKPASS": program,
			"SSH_ASKPASS": program,
			"GIT_PAGER":   program, "PAGER": program, "GIT_EXTERNAL_DIFF": program, "GIT_EDITOR": program, "GIT_PROXY_COMMAND": program,
			"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.ext.allow", "GIT_CONFIG_VALUE_0": "always",
		} {
			t.Setenv(key, value)
		}
		if _, err := Fork(t.Context(), dir, "HEAD~1", "HEAD"); err != nil {
			t.Error(err)
		}
		if got, err := open(t, dir, "HEAD").ReadFile(filepath.Join(dir, "net.py")); err != nil || string(got) != "2\n" {
			t.Errorf("%s: %q, %v", url, got, err)
		}
		tree := open(t, dir, "HEAD~1")
		name := filepath.Join(dir, "net.py")
		if _, err := tree.Stat(name); err != nil || tree.Fault() != nil {
			t.Errorf("%s: %v, %v", url, err, tree.Fault())
		}
		_, err = tree.ReadFile(name)
		fault := tree.Fault()
		if err == nil || fault == nil || !strings.Contains(fault.Error(), "HEAD~1: git has no content of ") ||
			!strings.Contains(fault.Error(), "partial clone") {
			t.Errorf("%s: %v, fault %v", url, err, fault)
		}
		if text, err := os.ReadFile(marker); err == nil {
			t.Fatalf("%s: a program was run: %s", url, text)
		}
		// for the next clone
		for _, key := range []string{"GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_ALLOW_PROTOCOL", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER"} {
			if err := os.Unsetenv(key); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEveryCommandHasTheSettings holds what each start of git has.
func TestEveryCommandHasTheSettings(t *testing.T) {
	c := command(t.Context(), "folder", "rev-parse", "HEAD")
	for _, protocol := range []string{"", "file.", "ext.", "ssh.", "http.", "https.", "git."} {
		if i := slices.Index(c.Args, "protocol."+protocol+"allow=never"); i < 1 || c.Args[i-1] != "-c" || i > slices.Index(c.Args, "rev-parse") {
			t.Errorf("protocol.%sallow is not refused: %q", protocol, c.Args)
		}
	}
	for _, want := range []string{"GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL="} {
		if !slices.Contains(c.Env, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if c.Dir != "folder" {
		t.Errorf("it runs in %s", c.Dir)
	}
}

// TestMissingObjects removes objects of a repository: what is read of it is a fault.
func TestMissingObjects(t *testing.T) {
	dir := repository(t, map[string]string{"net.py": "1\n", "other.py": "o\n", "sub/a.py": "a\n"})
	object := func(revision string) string {
		t.Helper()
		id, err := ask(t.Context(), dir, "rev-parse", revision)
		if err != nil {
			t.Fatal(err)
		}
		id = strings.TrimSpace(id)
		return filepath.Join(dir, ".git", "objects", id[:2], id[2:])
	}
	folder := object("HEAD:sub")
	if err := os.Remove(object("HEAD:net.py")); err != nil {
		t.Fatal(err)
	}
	tree := open(t, dir, "HEAD")
	if got, err := tree.ReadFile(filepath.Join(dir, "other.py")); err != nil || string(got) != "o\n" || tree.Fault() != nil {
		t.Errorf("%q, %v, %v", got, err, tree.Fault())
	}
	if _, err := tree.ReadFile(filepath.Join(dir, "none.py")); err == nil || tree.Fault() != nil {
		t.Errorf("a file that is not there: %v, %v", err, tree.Fault())
	}
	if _, err := tree.ReadFile(filepath.Join(dir, "net.py")); err == nil || tree.Fault() == nil ||
		!strings.Contains(tree.Fault().Error(), "git fsck") {
		t.Errorf("%v, %v", err, tree.Fault())
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, "HEAD"); err == nil || !strings.Contains(err.Error(), "git fsck") {
		t.Errorf("a folder is missing: %v", err)
	}
}

// TestShallowClone names what fetches the revision.
func TestShallowClone(t *testing.T) {
	origin := repository(t, map[string]string{"net.py": "1\n"})
	put(t, origin, map[string]string{"net.py": "2\n"})
	git(t, origin, "commit", "-qam", "second")
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "clone", "-q", "--depth", "1", "file://"+origin, dir)
	if _, err := Open(t.Context(), dir, "HEAD~1"); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Error(err)
	}
}
