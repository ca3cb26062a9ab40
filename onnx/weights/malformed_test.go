package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func safetensorsFile(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestMalformedSafetensorsAreRefused(t *testing.T) {
	for _, c := range []struct {
		header string
		data   int
		want   string
	}{
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 9, "the tensors end at 8"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 7, "the tensors end at 8"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, 12, "without gaps"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 8, "without gaps"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, 8, "do not hold"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4, "do not hold"},
		{`{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}`, 8, "is no size"},
		{`{"a":{"dtype":"F32","shape":[1e3],"data_offsets":[0,8]}}`, 8, "is no size"},
		{`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}}`, 8, "too many elements"},
		{`{"a":{"dtype":"F32","shape":[9223372036854775807],"data_offsets":[0,8]}}`, 8, "too many"},
		{`{"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}}`, 8, "is not known"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"path":"/etc"}}`, 8, "not a key"},
		{`{"a":{"dtype":"F32","shape":[2]}}`, 8, "is missing"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`, 16, "twice"},
		{`{"__metadata__":{"a":1}}`, 0, "a text was expected"},
		{`{} {}`, 0, "more than one"},
		{`{"a":`, 0, "EOF"},
	} {
		b := safetensorsFile(c.header, c.data)
		if _, err := readSafetensors(bytes.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.header, err, c.want)
		}
	}
	b := binary.LittleEndian.AppendUint64(nil, 1<<40)
	if _, err := readSafetensors(bytes.NewReader(b), 8); err == nil {
		t.Error("a header of 2^40 bytes is read")
	}
}

// archiveOf makes a zip archive; names that end in ! are deflated.
func archiveOf(t testing.TB, entries ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for i := 0; i < len(entries); i += 2 {
		name, deflate := strings.CutSuffix(entries[i], "!")
		h := &zip.FileHeader{Name: name}
		if deflate {
			h.Method = zip.Deflate
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, entries[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func readBytes(b []byte) (*File, error) {
	f := &File{Path: "x"}
	list, err := f.readZip(bytes.NewReader(b), int64(len(b)), Options{})
	f.Tensors = list
	return f, err
}

func npy(header string, data int) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + strings.Repeat("\x00", data)
}

func TestMalformedNPZIsRefused(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 7), "where its header says"},
		{npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 8), "no tuple of sizes"},
		{npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999,), }", 8), "no tuple of sizes"},
		{npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 8), "too many"},
		{npy("{'descr': '<f4', 'fortran_order': 1, 'shape': (2,), }", 8), "neither True nor False"},
		{npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8), "twice"},
		{npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8), "no key"},
		{npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8), "records"},
		{npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8), "unpickled"},
		{npy("{'descr': '<f4', 'fortran_order': False}", 8), "must have"},
		{npy("__import__('os')", 8), "no dict"},
		{"\x93NUMPY\x09\x00", "version 9"},
		{"\x93NUMPY\x02\x00\xff\xff\xff\xff", "more than 65536"},
		{"\x93NUM", "EOF"},
		{strings.Repeat("x", 20), "not an npy file"},
	} {
		for _, name := range []string{"a.npy", "a.npy!"} {
			b := archiveOf(t, name, c.entry)
			if _, err := readBytes(b); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %.80q: %v; want %q", name, c.entry, err, c.want)
			}
		}
	}
	if _, err := readBytes(archiveOf(t, "a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4), "../b", "")); err == nil {
		t.Error("an archive with other entries is read")
	}
}

func TestArchivesStayWithinLimits(t *testing.T) {
	entry := npy("{'descr': '|i1', 'fortran_order': False, 'shape': (0,), }", 0)
	if _, err := readBytes(archiveOf(t, "a.npy", entry, "a.npy", entry)); err == nil || !strings.Contains(err.Error(), "two entries") {
		t.Errorf("repeated names: %v", err)
	}
	// 400 directory entries with names of 60 000 bytes are 24 MB; 600 are too many.
	var many []string
	for i := range 600 {
		many = append(many, fmt.Sprintf("%060000d.npy", i), "")
	}
	if _, err := readBytes(archiveOf(t, many...)); err == nil || !strings.Contains(err.Error(), "directory of the archive has more") {
		t.Errorf("a huge directory: %.200v", err)
	}
	// A pickle of zeros that inflates to more than is allowed.
	if _, err := readBytes(archiveOf(t, "a/data.pkl!", strings.Repeat("\x00", maxPickle+1))); err == nil ||
		!strings.Contains(err.Error(), "more than") {
		t.Errorf("a huge pickle: %v", err)
	}
}

const storage4 = "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x04tQ"

// tensorPickle is a dict with one tensor: its offset, size and stride as pickles.
func tensorPickle(off, size, stride string) string {
	return "\x80\x02}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n(" + storage4 + off + size + stride +
		"\x89ccollections\nOrderedDict\n)RtRs."
}

func TestPicklesThatDoMoreThanTensorsAreRefused(t *testing.T) {
	long := func(op byte, n int) string { return strings.Repeat(string(rune(op)), n) }
	for _, c := range []struct{ pickle, want string }{
		{"\x80\x02cos\nsystem\n(X\x04\x00\x00\x00true\x85R.", `"os.system"`},
		{"\x80\x02cposix\nsystem\n.", `"posix.system"`},
		{"\x80\x02c__builtin__\neval\n(X\x01\x00\x00\x001tR.", `"__builtin__.eval"`},
		{"\x80\x02ctorch\nload\n.", `"torch.load"`},
		{"\x80\x04\x8c\x02os\x8c\x06system\x93.", `"os.system"`},
		{"\x80\x02(ios\nsystem\n.", "opcode 0x69"},                   // INST
		{"\x80\x02(cos\nsystem\no.", `"os.system"`},                  // OBJ
		{"\x80\x02ccollections\nOrderedDict\n)\x81.", "opcode 0x81"}, // NEWOBJ
		{"\x80\x02\x82\x01.", "opcode 0x82"},                         // EXT1
		{"\x80\x02Pabc\n.", "opcode 0x50"},                           // PERSID
		{"\x80\x02N.", "no state_dict"},
		{"\x80\x01}.", "protocol 1"},
		{"\x80\x02}", "ends too early"},
		{"\x80\x02X\xff\xff\xff\x7fa.", "ends too early"},
		{"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.", "ends too early"},
		{"\x80\x02.", "the stack is empty"},
		{"\x80\x02(.", "a mark"},
		{"\x80\x02}}.", "left on the stack"},
		{"\x80\x02h\x05.", "nothing was remembered"},
		{"\x80\x02K\x01K\x02a.", "items for something"},
		{"\x80\x02K\x01)R.", "cannot be called"},
		{"\x80\x02K\x01Q.", "persistent id"},
		{"\x80\x02}K\x01b0K\x01}b.", "no OrderedDict"},
		{"\x80\x02" + long(']', maxObjects+1) + ".", "more than 2097152 objects"},
		// A list that is given to OrderedDict over and over.
		{"\x80\x02](" + long('N', 1000) + "eq\x00" + strings.Repeat("ccollections\nOrderedDict\nh\x00\x85R0", 10000) + ".", "pairs"},
		{tensorPickle("K\x00", "K\x05\x85", "K\x01\x85"), "element 4 of a storage of 4"},
		{tensorPickle("K\x01", "K\x04\x85", "K\x01\x85"), "element 4 of a storage of 4"},
		{tensorPickle("J\xff\xff\xff\xff", "K\x04\x85", "K\x01\x85"), "negative offset"},
		{tensorPickle("K\x00", "K\x02\x85", "J\xff\xff\xff\xff\x85"), "tuple of sizes"},
		{tensorPickle("K\x00", "J\xff\xff\xff\xff\x85", "K\x01\x85"), "tuple of sizes"},
		{tensorPickle("K\x00", "K\x02\x85", ")"), "0 strides"},
		{tensorPickle("K\x00", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85"), "too many"},
		{tensorPickle("K\x00", "\x8a\x08\xff\xff\xff\xff\xff\xff\x00\x00\x85", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85"),
			"beyond the storage"},
		{"\x80\x02" + strings.Replace(storage4, "K\x04", "K\x05", 1) + ".", "16 bytes where the pickle says 20"},
		{"\x80\x02" + strings.Replace(storage4, "\x01\x00\x00\x000", "\x04\x00\x00\x00../0", 1) + ".", `"../0" is not in the archive`},
	} {
		b := archiveOf(t, "a/data.pkl!", c.pickle, "a/data/0", strings.Repeat("\x00", 16))
		if _, err := readBytes(b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v; want %q", c.pickle, err, c.want)
		}
	}
	good := archiveOf(t, "a/data.pkl", tensorPickle("K\x00", "K\x02K\x02\x86", "K\x01K\x02\x86"), "a/data/0", strings.Repeat("\x00", 16))
	if f, err := readBytes(good); err != nil || len(f.Tensors) != 1 {
		t.Error(f, err)
	}
	if _, err := readBytes(archiveOf(t, "a/data.pkl", tensorPickle("K\x00", "K\x04\x85", "K\x01\x85"), "a/data/0!",
		strings.Repeat("\x00", 16))); err == nil || !strings.Contains(err.Error(), "compressed") {
		t.Errorf("a compressed storage: %v", err)
	}
}

func TestShardsFollowTheRulesOfPaths(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "m")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	shard := safetensorsFile(`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}}`, 2)
	write("s.safetensors", shard)
	write("../outside.safetensors", shard)
	for name, to := range map[string]string{"same": "s.safetensors", "link": "../outside.safetensors",
		"absolute": filepath.Join(top, "outside.safetensors")} {
		if err := os.Symlink(to, filepath.Join(dir, name+".safetensors")); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(top, "outside.safetensors"), filepath.Join(dir, "hard.safetensors")); err != nil {
		t.Skip(err)
	}
	for index, want := range map[string]string{
		`{"metadata":{"total_size":2},"weight_map":{"a":"s.safetensors"}}`: "",
		`{"weight_map":{"a":"../s.safetensors"}}`:                          `".." is not allowed`,
		`{"weight_map":{"a":"/etc/passwd"}}`:                               "absolute",
		`{"weight_map":{"a":"same.safetensors"}}`:                          "",
		`{"weight_map":{"a":"link.safetensors"}}`:                          `shard "link.safetensors": leads to what is not read`,
		`{"weight_map":{"a":"absolute.safetensors"}}`:                      `shard "absolute.safetensors": leads to what is not read`,
		`{"weight_map":{"a":"hard.safetensors"}}`:                          "hard links",
		`{"weight_map":{"a":"none.safetensors"}}`:                          "no such file",
		`{"weight_map":{"b":"s.safetensors"}}`:                             "which the index does not say",
		`{"weight_map":{"a":"s.safetensors","b":"s.safetensors"}}`:         "which it does not",
		`{"weight_map":{"a":"s.safetensors","a":"s.safetensors"}}`:         "twice",
		`{"weight_map":{"a":1}}`:                                           "a text was expected",
		`{"weight_map":{},"base":"/"}`:                                     "not a key of an index",
		`{"metadata":{}}`:                                                  "no weight_map",
		`{"weight_map":{}} x`:                                              "more than one",
	} {
		write("m.json", []byte(index))
		f, err := Open(filepath.Join(dir, "m.json"), Options{})
		switch {
		case err == nil && want == "" && len(f.Tensors) == 1:
		case err == nil || want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v; want %q", index, err, want)
		}
		if err == nil {
			f.Close()
		}
	}
}

// TestShardsInTheCacheOfAHubAreRead has the cache of huggingface_hub: the index and its shards are links into one
// folder beside, which is read as the folder of the index that was named; a shard that leads further is refused.
func TestShardsInTheCacheOfAHubAreRead(t *testing.T) {
	top := t.TempDir()
	snapshot := filepath.Join(top, "models--a--b", "snapshots", "5f0e")
	blobs := filepath.Join(top, "models--a--b", "blobs")
	for _, dir := range []string{snapshot, blobs, filepath.Join(top, "other")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	shard := safetensorsFile(`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}}`, 2)
	index := []byte(`{"weight_map":{"a":"model-00001-of-00001.safetensors"}}`)
	for path, data := range map[string][]byte{"models--a--b/blobs/1d": index, "models--a--b/blobs/2e": shard, "other/2e": shard} {
		if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(path)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	named := filepath.Join(snapshot, "model.safetensors.index.json")
	if err := os.Symlink(filepath.FromSlash("../../blobs/1d"), named); err != nil {
		t.Skip(err)
	}
	for to, want := range map[string]string{"../../blobs/2e": "", "../../../other/2e": "leads to what is not read"} {
		link := filepath.Join(snapshot, "model-00001-of-00001.safetensors")
		os.Remove(link)
		if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
			t.Fatal(err)
		}
		f, err := Open(named, Options{})
		switch {
		case err == nil && want == "" && len(f.Tensors) == 1:
		case err == nil || want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v; want %q", to, err, want)
		}
		if err == nil {
			f.Close()
		}
	}
}

// TestBrokenHDF5FilesGiveErrors changes bytes of a file: what is then read has the size that it says, or is refused.
func TestBrokenHDF5FilesGiveErrors(t *testing.T) {
	for _, name := range []string{"chainer.h5", "kinds.h5"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(16, 16))
		refused := 0
		for range 1500 {
			b := bytes.Clone(whole)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(b))
				if rng.IntN(2) == 0 { // most of a small file is empty
					at = rng.IntN(2048)
				}
				b[at] = []byte{0, 1, 0xff, byte(rng.Uint32())}[rng.IntN(4)]
			}
			if rng.IntN(8) == 0 {
				b = b[:rng.IntN(len(b))]
			}
			list, err := readHDF5(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				refused++
			}
			fuzzRead(t, list, err)
		}
		if refused < 100 {
			t.Errorf("%s: only %d changed files are refused", name, refused)
		}
	}
}

// TestHostileHDF5 gives files with trees and groups that hold themselves.
func TestHostileHDF5(t *testing.T) {
	whole, err := os.ReadFile("testdata/kinds.h5")
	if err != nil {
		t.Fatal(err)
	}
	root := binary.LittleEndian.Uint64(whole[64:])
	set := func(b []byte, at, v uint64) { binary.LittleEndian.PutUint64(b[at:], v) }
	node := bytes.Index(whole, []byte("SNOD"))
	for name, change := range map[string]func(b []byte){
		"a group in itself": func(b []byte) { set(b, uint64(node)+8+8, root) },
		"a tree in itself": func(b []byte) {
			at := bytes.Index(b, []byte("TREE"))
			b[at+5] = 200
			set(b, uint64(at)+24+8, uint64(at))
		},
		"no end": func(b []byte) { set(b, 64, 1<<62) },
	} {
		b := bytes.Clone(whole)
		change(b)
		list, err := readHDF5(bytes.NewReader(b), int64(len(b)))
		if err == nil {
			t.Errorf("%s: %d tensors", name, len(list))
		}
	}
	for text, want := range map[string]string{"\x89HDF\r\n\x1a\n\x02" + strings.Repeat("\x00", 90): "checksum is wrong",
		"\x89HDF\r\n\x1a\n": "beyond the end"} {
		if _, err := readHDF5(strings.NewReader(text), int64(len(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
