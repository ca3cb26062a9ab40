package aten

// This file lists the families and indexes their records.

import (
	"strings"
	"sync"
)

// families are the tables of records, one per file. They are set by init, as rules may ask for the records of others.
var families [][]Record

// init lists the families. It is a function and no initialiser, since rules that ask for the records of others
// would close a circle of initialisation.
func init() {
	families = [][]Record{
		activationRecords,
		arithmeticRecords,
		attentionRecords,
		chainerRecords, chainerMathRecords, chainerShapeRecords, chainerLayerRecords, chainerNormRecords, chainerLossRecords,
		chainerRecurrentRecords,
		chainerRegionRecords, chainerPlaceRecords,
		convRecords, quantRecords,
		createRecords,
		diagRecords,
		dropoutRecords,
		einsumRecords,
		einopsRecords,
		embeddingRecords,
		gatherRecords,
		indexRecords,
		fftRecords,
		numpyFFTRecords,
		foldRecords,
		gammaRecords,
		interpolateRecords,
		joinRecords,
		linalgRecords,
		linearRecords,
		literalRecords,
		lossRecords,
		lossClassRecords,
		maskedRecords,
		matmulRecords,
		nonzeroRecords,
		normRecords,
		numpyMathRecords, numpyArrayRecords, numpyShapeRecords, numpyOrderRecords, numpyWriteRecords, numpyScalarRecords, numpyRandomRecords,
		packedRecords,
		padRecords,
		pointwiseRecords,
		poolRecords,
		randomRecords,
		reduceRecords,
		scanRecords,
		rnnRecords,
		unaryRecords,
		selectRecords,
		setitemRecords,
		sortRecords,
		viewRecords,
		visionRecords,
	}
}

var index = sync.OnceValue(func() map[string]*Record {
	m := map[string]*Record{}
	for _, f := range families {
		for i := range f {
			for _, op := range strings.Fields(f[i].Op) {
				if m[op] != nil {
					panic("aten: two records for " + op)
				}
				m[op] = &f[i]
			}
		}
	}
	return m
})
