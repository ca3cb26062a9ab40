package aten

// This file lowers changes of shape. Memory layout does not exist in ONNX: all
// forms of reshaping are one.

var viewRecords = []Record{
	{Op: "torch.reshape torch.Tensor.view torch.flatten torch.unflatten torch.squeeze torch.unsqueeze", Lower: reshape},
}

// reshape gives the input the result's shape.
func reshape(c *Call) {
	c.OutRank(0)
	c.Return(c.Reshape(c.Tensor(c.Node.Args[0].Name), c.OutType(0).Shape))
}
