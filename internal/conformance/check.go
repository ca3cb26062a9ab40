package conformance

// This file runs programs as every other caller does: by the driver.

import (
	"context"

	"shapecheck/infer"
	"shapecheck/internal/driver"
)

// check checks an entry; the files that it parses stay in the cache of cfg.
func check(cfg infer.Config) (*infer.Result, error) {
	s := &driver.Session{Cache: cfg.Cache}
	res, err := s.Check(context.Background(), &driver.Target{Run: cfg})
	if err != nil {
		return nil, err
	}
	return res.Result, nil
}
