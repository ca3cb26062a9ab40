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
		e := c.emit
		if c.Bool(flag) && c.Float("p") != 0 {
			if c.Node.Op != "torch.nn.functional.dropout" && c.Node.Op != "torch.dropout" {
				failf("its result is random in training; without --train, eval() is called first")
			}
			x := c.first()
			if c.Float("p") == 1 {
				if x.DType == boolType {
					c.Return(e.Op("And", In(x, e.Scalar(boolType, 0))))
					return
				}
				c.Return(e.times(x, 0))
				return
			}
			c.Return(e.Op("Dropout", In(x, c.Number("p", x.DType), e.Scalar(boolType, 1))))
			return
		}
		c.Return(c.first())
	}
}
