package infer_test

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// TestWhatFilesAndOtherFrameworksHoldIsUnknown holds that what Chainer and NumPy read from files, run for other frameworks
// or keep in arrays of records and objects is unknown, with the cause, and no error.
func TestWhatFilesAndOtherFrameworksHoldIsUnknown(t *testing.T) {
	const (
		imports = "import chainer\nimport chainer.functions as F\nimport chainer.links as L\nimport numpy as np\n\n\n"
		caffe   = "the layers of a Caffe model are in its file"
		records = "zeros: arrays of this dtype are not modelled"
		objects = "array: an array of None is not modelled"
	)
	for expr, cause := range map[string]string{
		"L.caffe.CaffeFunction('a')":                                            caffe,
		"L.caffe.CaffeFunction('a')(inputs={'data': x}, outputs=['fc'])":        caffe,
		"F.relu(L.caffe.CaffeFunction('a')(inputs={'data': x}, outputs=[])[0])": caffe,
		"L.TheanoFunction([], [])(x)":                                           "chainer.links.TheanoFunction runs what another framework made",
		"np.load('a.npy')":                                                      "what numpy.load reads from a file",
		"np.load('a.npz')['w'] * x":                                             "what numpy.load reads from a file",
		"np.zeros(3, [('a', 'f4'), ('b', 'i8')])":                               records,
		"np.zeros(3, [('a', 'f4'), ('b', 'i8')])['a'].sum()":                    records,
		"np.array([None, 'x'], dtype=object)":                                   objects,
		"np.concatenate([np.array([None], dtype=object), x])":                   objects,
	} {
		res, err := infer.Run(infer.Config{File: "net.py", Text: imports + "def forward(x):\n    return " + expr + "\n", Entry: "forward",
			Args: []string{"x:f32[2,3]"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				t.Errorf("%s: %s", expr, d.Msg)
			}
		}
		if u, ok := res.Output.(*value.Unknown); !ok || u.Cause.Reason != cause {
			t.Errorf("%s: %v, want a value that is unknown because of: %s", expr, res.Output, cause)
			if ok {
				t.Logf("the cause is: %s", u.Cause.Reason)
			}
		}
	}
	const program = `def forward(x):
    m = np.memmap('a.bin', dtype='float32', mode='r', shape=(3, 4))
    np.savez('b.npz', x=x, m=m)
    np.save('c.npy', x)
    return m, np.memmap('a.bin', dtype='int32', mode='r').ndim
`
	res, err := infer.Run(infer.Config{File: "net.py", Text: imports + program, Entry: "forward", Args: []string{"x:f32[2,3]"}})
	if err != nil || len(res.Diagnostics) > 0 || res.Output.String() != "(f32[3,4], int=1)" {
		t.Errorf("files that are mapped and written: %v %v %v", res.Output, res.Diagnostics, err)
	}
}
