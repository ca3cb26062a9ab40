package conformance

// This file runs programs as every other caller does: by the driver.

import (
	"context"

	"shapecheck/check"
	"shapecheck/infer"
)

// checkEntry checks an entry; the files that it parses stay in the cache of cfg.
func checkEntry(cfg infer.Config) (*infer.Result, error) {
	s := &check.Session{Cache: cfg.Cache}
	res, err := s.Check(context.Background(), &check.Target{Run: cfg})
	if err != nil {
		return nil, err
	}
	return res.Result, nil
}
