// Package torch holds the records of PyTorch's functions, methods and properties, and
// the names of its public API. table.go lists the tables of records, and nn.go holds
// what those of torch.nn.functional share.
//
//	api.go        names of PyTorch's API       since.go   and the versions that brought them
//	modulenames.go  every name of the files of torch.nn.modules, in recorded versions
//	autocast.go   what torch.autocast converts   saved.go  what is kept for gradients
//
// The families, by the file of their records:
//
//	layers        linear.go conv.go embedding.go rnn.go attention.go dropout.go quantized.go
//	              pool.go pool_adaptive.go norm.go norm_group.go pad.go interpolate.go vision.go
//	losses        loss.go loss_class.go loss_margin.go
//	element-wise  unary.go binary.go elementwise.go activation.go cast.go
//	reductions    reduce.go extreme.go statistics.go histogram.go scan.go sort.go
//	products      matmul.go matgroups.go einsum.go einsumlayout.go linalg.go matnorm.go solve.go fft.go
//	shapes        view.go reshape.go viewcopy.go slice.go split.go join.go repeat.go window.go
//	indices       index.go indexadv.go setitem.go gather.go masked.go maskedreduce.go
//	new tensors   create.go construct.go ranges.go random.go packed.go
//	others        property.go sparse.go
package torch
