package ops

// This file lists the families and indexes their records by name.

import (
	"strings"
	"sync"
)

// families are the tables of records, one per file.
var families = [...][]Op{
	activationOps[:],
	adaptivePoolOps[:],
	arrayCreateOps[:],
	arrayIndexOps[:],
	arrayJoinOps[:],
	arrayLinalgOps[:],
	arrayMathOps[:],
	arrayObjectOps[:],
	arrayRandomOps[:],
	arrayReduceOps[:],
	arrayShapeOps[:],
	attentionOps[:],
	binaryOps[:],
	castOps[:],
	classLossOps[:],
	constructOps[:],
	convOps[:],
	createOps[:],
	dropoutOps[:],
	einsumOps[:],
	elementwiseOps[:],
	einopsOps[:],
	embeddingOps[:],
	fftOps[:],
	gatherOps[:],
	groupNormOps[:],
	indexOps[:],
	interpolateOps[:],
	joinOps[:],
	linalgOps[:],
	linearOps[:],
	lossOps[:],
	marginLossOps[:],
	maskedOps[:],
	maskedReduceOps[:],
	matmulOps[:],
	matnormOps[:],
	normOps[:],
	packedOps[:],
	padOps[:],
	poolOps[:],
	propertyOps[:],
	quantizedOps[:],
	randomOps[:],
	reduceOps[:],
	repeatOps[:],
	rnnOps[:],
	scanOps[:],
	solveOps[:],
	sortOps[:],
	sparseOps[:],
	splitOps[:],
	statisticsOps[:],
	unaryOps[:],
	viewCopyOps[:],
	viewOps[:],
	visionOps[:],
}

var index = sync.OnceValue(func() map[string]*Op {
	n := 0
	for _, f := range families {
		n += len(f)
	}
	m := make(map[string]*Op, 3*n)
	for _, f := range families {
		for i := range f {
			for _, name := range f[i].Names {
				if m[name] != nil {
					panic("ops: two records are named " + name)
				}
				m[name] = &f[i]
			}
		}
	}
	return m
})

// Lookup finds the record of a name, also of an in-place form.
func Lookup(name string) (*Op, bool) {
	if op := index()[name]; op != nil {
		return op, true
	}
	if IsInPlace(name) {
		if op := index()[strings.TrimSuffix(name, "_")]; op != nil && op.InPlace {
			return op, true
		}
	}
	return nil, false
}

// HasPrefix reports whether any record's name starts with prefix and a dot:
// whether a library namespace is known.
func HasPrefix(prefix string) bool { return namespaces()[prefix] }

var namespaces = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for name := range index() {
		for i := range name {
			if name[i] == '.' && name[i+1:] != "__new__" { // what has a constructor is a class
				m[name[:i]] = true
			}
		}
	}
	return m
})

// All calls f for every record.
func All(f func(*Op)) {
	for _, fam := range families {
		for i := range fam {
			f(&fam[i])
		}
	}
}
