package weights

// This file reads model.safetensors.index.json: which shard has which tensor.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"shapecheck/internal/reads"
)

// Limits of an index.
const (
	maxIndex  = 64 << 20
	maxShards = 4096
)

// readIndex reads the index of sharded safetensors as Hugging Face writes it: a map from tensors to files
// beside the index. Both must say the same, and every shard must be reached through the gate, since its name is
// data. The error says which tensor or shard differs.
func (f *File) readIndex(x io.ReaderAt, size int64) ([]*Tensor, error) {
	if size > maxIndex {
		return nil, fmt.Errorf("the index has %d bytes, more than %d", size, maxIndex)
	}
	h := headerReader{dec: json.NewDecoder(io.NewSectionReader(x, 0, size))}
	h.dec.UseNumber()
	where := map[string]string{}
	found := false
	var shards []string
	known := map[string]bool{}
	err := h.object(func(key string) error {
		switch key {
		case "metadata":
			var any json.RawMessage
			return h.dec.Decode(&any)
		case "weight_map":
			found = true
			return h.object(func(name string) error {
				shard, err := h.str()
				if err != nil {
					return err
				}
				if where[name] = shard; !known[shard] {
					known[shard] = true
					shards = append(shards, shard)
				}
				return nil
			})
		}
		return errors.New("not a key of an index, which has metadata and weight_map")
	})
	if err != nil {
		return nil, err
	}
	if _, err := h.dec.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	if !found {
		return nil, errors.New("no weight_map: not an index of safetensors")
	}
	if len(shards) > maxShards {
		return nil, fmt.Errorf("%d shards are more than %d", len(shards), maxShards)
	}
	var out []*Tensor
	dir := filepath.Dir(f.Path)
	gate := reads.NewGate(f.fsys, reads.Beside(f.fsys, f.Path)...)
	for _, shard := range shards {
		list, err := f.readShard(gate, dir, shard)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if where[t.Name] != shard {
				return nil, fmt.Errorf("shard %q has the tensor %q, which the index does not say", shard, t.Name)
			}
			delete(where, t.Name)
			out = append(out, t)
		}
	}
	for name, shard := range where {
		return nil, fmt.Errorf("the index says that shard %q has the tensor %q, which it does not", shard, name)
	}
	return out, nil
}

// readShard opens a file that an index names, below the index's folder alone, and keeps it open
// for the elements.
func (f *File) readShard(gate *reads.Gate, dir, shard string) ([]*Tensor, error) {
	x, size, err := gate.OpenIn(dir, shard)
	if err != nil {
		return nil, fmt.Errorf("shard %w", err)
	}
	f.files = append(f.files, x)
	list, err := readSafetensors(x, size)
	if err != nil {
		return nil, fmt.Errorf("shard %q: %w", shard, err)
	}
	return list, nil
}
