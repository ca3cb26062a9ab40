package catalog_test

// This file takes the flag -opdb, so that
//
//	go test ./infer/... -run OpDB -v -args -opdb DIR
//
// replays a corpus in the packages that do so, and this one does not refuse it.

import "flag"

var _ = flag.String("opdb", "", "`directory` of recorded calls; not used in this package")
