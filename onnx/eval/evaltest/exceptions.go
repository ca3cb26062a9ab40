package evaltest

// This file lists what the evaluator does not do.

const (
	differentiates = "Gradient differentiates the graph around it"
	format         = "images are decoded in the formats of Go's standard library, BMP and PNM"
	jpeg           = "JPEG leaves the rounding of the inverse transform and the interpolation of colours open"
)

var exceptions = map[string]string{
	"test_gradient_of_add":                     differentiates,
	"test_gradient_of_add_and_mul":             differentiates,
	"test_image_decoder_decode_jpeg2k_rgb":     format,
	"test_image_decoder_decode_tiff_rgb":       format,
	"test_image_decoder_decode_webp_rgb":       format,
	"test_image_decoder_decode_jpeg_bgr":       jpeg,
	"test_image_decoder_decode_jpeg_grayscale": jpeg,
	"test_image_decoder_decode_jpeg_rgb":       jpeg,
}

// Exception gives the reason why the evaluator does not pass a recorded case; empty when
// it must.
func (c *Case) Exception() string {
	if c.Name == "test_adam_multiple" && c.Model.Graph.Nodes[0].Attr("epsilon") == nil {
		return "onnx 1.12 recorded it with an epsilon that the model does not have"
	}
	return exceptions[c.Name]
}
