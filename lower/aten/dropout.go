package aten

// This file lowers dropout: the identity, unless the model trains.

var dropoutRecords = []Record{
	{Op: "torch.nn.functional.dropout torch.nn.functional.dropout1d torch.nn.functional.dropout2d torch.nn.functional.dropout3d " +
		"torch.nn.functional.alpha_dropout torch.nn.functional.feature_alpha_dropout", Lower: dropout("training")},
	{Op: "torch.dropout torch.feature_dropout", Lower: dropout("train")},
	{Op: "torch.native_dropout", None: "its second result is a random mask"},
}

func dropout(flag string) func(c *Call) {
	return func(c *Call) {
		if c.Bool(flag) && c.Float("p") != 0 {
			if c.Node.Op != "torch.nn.functional.dropout" && c.Node.Op != "torch.dropout" {
				c.Failf("its result is random in training; export with --eval")
			}
			x := c.first()
			if c.Float("p") == 1 {
				if x.DType == boolType {
					c.Return(c.Op("And", In(x, c.Scalar(boolType, 0))))
					return
				}
				c.Return(c.times(x, 0))
				return
			}
			c.Return(c.Op("Dropout", In(x, c.Number("p", x.DType), c.Scalar(boolType, 1))))
			return
		}
		c.Return(c.first())
	}
}
