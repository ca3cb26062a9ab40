package ops

// This file follows the devices of tensors: where a result is, and which operations
// refuse tensors on different devices.
//
// The device of a tensor that the program did not make is not known (""); what it
// makes without naming a device is on the CPU. A fault is found only where the
// devices of both tensors are known.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// OptionDevices is the setting that says, when it is not empty, that the program
// chooses its devices at run time: it asks whether there is a GPU, sets a default
// device or uses a wrapper that moves inputs. What was made without a device can then
// be anywhere.
const OptionDevices = "devices-vary"

// OptionDefaultDevice is the device of what a function makes that is given none, where
// the program has said it.
const OptionDefaultDevice = "default-device"

// Anywhere is the device of a result that may be on any.
const Anywhere = "?"

// DeviceArgument gives the device that an argument names, or anywhere; given is false
// without one.
func (c *Call) DeviceArgument(name string) (device string, given bool) {
	if !c.HasParam(name) || !c.Has(name) {
		return "", false
	}
	if d, ok := value.Plain(c.Value(name)).(value.Device); ok && d.Assumed {
		return Anywhere, true
	}
	if d := c.DeviceArg(name); d != "" {
		return d, true
	}
	return Anywhere, true
}

// place notes on which device the results are.
func (c *Call) place() {
	if !c.Lib.Devices || len(c.Outs) == 0 || c.Op.Has(PlacesResult) {
		for _, o := range c.Outs {
			if o.Type().Device == Anywhere {
				o.Type().Device = ""
			}
		}
		return
	}
	dev := c.resultDevice()
	for _, o := range c.Outs {
		o.Type().Device = dev
	}
}

// resultDevice is where a result lies: device= decides, a factory follows its tensor or the default, a function
// in place its first operand, and otherwise any operand that is not on the CPU, for numbers of the CPU without
// dimensions may stand beside tensors of another device.
func (c *Call) resultDevice() string {
	if dev, given := c.DeviceArgument("device"); given {
		return strings.TrimSuffix(dev, Anywhere)
	}
	ts := c.tensorArgs()
	if c.HasParam("device") && c.HasParam("dtype") { // a factory
		if c.HasParam("input") && len(ts) > 0 {
			return ts[0].Type().Device
		}
		if t, ok := c.Args[0].(*value.Tensor); ok && c.HasParam("data") {
			return t.Type().Device
		}
		return c.defaultDevice()
	}
	if len(ts) == 0 {
		return ""
	}
	if t, ok := c.Args[0].(*value.Tensor); ok && (c.InPlace || c.Op.Has(OnFirst)) {
		return t.Type().Device
	}
	cpu := true
	for _, t := range ts {
		switch d := t.Type().Device; d {
		case "cpu":
		case "":
			cpu = false
		default:
			return d
		}
	}
	if cpu {
		return "cpu"
	}
	return ""
}

// defaultDevice is where a factory makes its tensor when it is given no device.
func (c *Call) defaultDevice() string {
	if c.Th.Option(OptionDevices) != "" {
		return ""
	}
	if d := c.Th.Option(OptionDefaultDevice); d != "" {
		return d
	}
	return "cpu"
}

// tensorArgs lists the tensors among the arguments and in lists there.
func (c *Call) tensorArgs() []*value.Tensor {
	var list []*value.Tensor
	add := func(v value.Value) {
		if t, ok := v.(*value.Tensor); ok {
			list = append(list, t)
		}
	}
	for _, a := range c.Args {
		switch a := value.Plain(a).(type) {
		case *value.Tuple:
			for _, e := range a.Elems {
				add(e)
			}
		case *value.List:
			for _, e := range a.Elems {
				add(e)
			}
			if a.Open != nil {
				add(a.Open.Elem)
			}
		default:
			add(a)
		}
	}
	return list
}

// checkDevices finds tensors on different devices.
func (c *Call) checkDevices() {
	if !c.Lib.Devices || c.Th.Option(OptionDevices) != "" {
		return
	}
	if c.Op.Form == graph.GetItem || c.Op.Form == graph.SetItem {
		c.checkIndexDevices()
		return
	}
	if !c.Op.Has(OneDevice) {
		return
	}
	var first *value.Tensor
	for _, t := range c.tensorArgs() {
		ty := t.Type()
		if !realDevice(ty.Device) || IsArray(t) || !ty.Ranked || len(ty.Shape) == 0 && ty.Device == "cpu" {
			continue
		}
		if first == nil {
			first = t
		} else if !sameDevice(first.Type().Device, ty.Device) {
			c.Errorf("RuntimeError", diag.DeviceMismatch, "%s(): the tensors are on different devices: %s on %s and %s on %s",
				c.Short(), first, first.Type().Device, t, ty.Device)
			return
		}
	}
}

// checkIndexDevices finds a tensor on the CPU that is indexed with one on another device.
func (c *Call) checkIndexDevices() {
	t, ok := c.Args[0].(*value.Tensor)
	if !ok || t.Type().Device != "cpu" || len(c.Args) < 2 {
		return
	}
	index := []value.Value{c.Args[1]}
	if l, ok := value.Plain(c.Args[1]).(*value.Tuple); ok {
		index = l.Elems
	}
	for _, v := range index {
		i, ok := v.(*value.Tensor)
		if !ok || IsArray(i) || !i.Type().Ranked || len(i.Type().Shape) == 0 {
			continue
		}
		if d := i.Type().Device; realDevice(d) && d != "cpu" {
			c.Errorf("RuntimeError", diag.DeviceMismatch, "a tensor on the CPU cannot be indexed with one on %s: move the index with cpu() first", d)
			return
		}
	}
}

// realDevice reports whether a device is known and holds values.
func realDevice(d string) bool {
	kind, _, _ := strings.Cut(d, ":")
	return kind == "cpu" || kind == "cuda" || kind == "mps" || kind == "xpu"
}

// sameDevice reports whether two devices may be one: "cuda" is any GPU.
func sameDevice(a, b string) bool {
	ka, ia, _ := strings.Cut(a, ":")
	kb, ib, _ := strings.Cut(b, ":")
	return ka == kb && (ka == "cpu" || ia == ib || ia == "" || ib == "")
}

// MadeType makes the result of a function that makes tensors: of the type, changed by
// the arguments dtype, device and requires_grad.
func (c *Call) MadeType(ty graph.TensorType) *value.Tensor {
	ty.DType = c.FactoryDType(ty.DType)
	if dev := c.DeviceArg("device"); dev != "" {
		ty.Device = dev
	}
	grad := c.HasParam("requires_grad") && c.Has("requires_grad") && !value.IsUnknown(c.Value("requires_grad")) && c.Bool("requires_grad")
	if grad && !Inexact.Has(ty.DType) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): only floating-point and complex tensors can require gradients, not %s", c.Short(),
			ty.DType)
	}
	if !c.OK() {
		return nil
	}
	out := c.OutType(ty)
	out.RequiresGrad = grad
	return out
}

// FactoryDType is the dtype of a new tensor: the argument's, or that of out=, or def.
func (c *Call) FactoryDType(def dtype.DType) dtype.DType {
	if !c.Has("dtype") && c.OutDType != dtype.Unknown {
		return c.OutDType
	}
	return c.DType("dtype", def)
}

// DeviceArg returns the name of a device argument, or "".
func (c *Call) DeviceArg(name string) string {
	if !c.HasParam(name) || !c.Has(name) {
		return ""
	}
	switch v := value.Plain(c.Value(name)).(type) {
	case value.Device:
		return v.Name
	case value.Str:
		if !knownDevice(string(v)) {
			c.Errorf("RuntimeError", diag.BadValue, "%s(): '%s' is not a device", c.Short(), string(v))
		}
		return string(v)
	case value.Int:
		return "cuda:" + strconv.FormatInt(int64(v), 10)
	}
	return ""
}

// devices are the types of devices that torch.device knows.
var devices = [...]string{"cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "ort", "xla", "lazy",
	"vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"}

func knownDevice(name string) bool {
	kind, _, _ := strings.Cut(name, ":")
	for _, d := range devices {
		if kind == d {
			return true
		}
	}
	return false
}
