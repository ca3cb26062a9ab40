package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// image writes the program of a target as an OCI image layout (opencontainers/image-spec
// 1.1): one layer with the program, a user without rights, and an empty working directory
// where the project is mounted.
func (r *release) image(t target, program string) error {
	exe, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	files := []file{{"shapecheck", exe, 0o755}, {"work/", nil, os.ModeDir | 0o755}}
	var plain bytes.Buffer
	if err := writeTar(tar.NewWriter(&plain), files); err != nil {
		return err
	}
	layer, err := tarred(files)
	if err != nil {
		return err
	}
	folder := fmt.Sprintf("image-%s-%s/", t.os, t.arch)
	blob := func(kind string, data []byte) (map[string]any, error) {
		sum := fmt.Sprintf("%x", sha256.Sum256(data))
		return map[string]any{"mediaType": kind, "digest": "sha256:" + sum, "size": len(data)}, r.write(folder+"blobs/sha256/"+sum, data)
	}
	layerAt, err := blob("application/vnd.oci.image.layer.v1.tar+gzip", layer)
	if err != nil {
		return err
	}
	labels := map[string]any{
		"org.opencontainers.image.title":    "shapecheck",
		"org.opencontainers.image.version":  r.version,
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
	config, err := json.Marshal(map[string]any{
		"created":      r.time.UTC().Format(time.RFC3339),
		"architecture": t.arch,
		"os":           t.os,
		"config":       map[string]any{"User": "65532:65532", "Entrypoint": []string{"/shapecheck"}, "WorkingDir": "/work", "Labels": labels},
		"rootfs":       map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(plain.Bytes()))}},
	})
	if err != nil {
		return err
	}
	configAt, err := blob("application/vnd.oci.image.config.v1+json", config)
	if err != nil {
		return err
	}
	const manifestType = "application/vnd.oci.image.manifest.v1+json"
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": configAt, "layers": []any{layerAt},
		"annotations": labels})
	if err != nil {
		return err
	}
	manifestAt, err := blob(manifestType, manifest)
	if err != nil {
		return err
	}
	manifestAt["annotations"] = map[string]any{"org.opencontainers.image.ref.name": r.tag()}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
		"manifests": []any{manifestAt}})
	if err != nil {
		return err
	}
	if err := r.write(folder+"index.json", index); err != nil {
		return err
	}
	return r.write(folder+"oci-layout", []byte(`{"imageLayoutVersion": "1.0.0"}`))
}
