package eval

// This file decodes images.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"

	"shapecheck/onnx"
)

// imageDecoder gives the pixels [height, width, channels] of a PNG, JPEG, BMP or PNM file.
func imageDecoder(c *call) []Value {
	x := c.arg(0)
	if x.DType != onnx.Uint8 || len(x.Dims) != 1 {
		c.failf("a file %s%v", x.DType, x.Dims)
	}
	b := make([]byte, x.Len())
	for i, v := range x.I {
		b[i] = byte(v)
	}
	size, decode, err := decoder(b)
	if err != nil {
		c.failf("%v", err)
	}
	format := c.text("pixel_format")
	channels := int64(3)
	if format == "Grayscale" {
		channels = 1
	}
	out := c.make(onnx.Uint8, []int64{int64(size.Y), int64(size.X), channels}) // before the decoder makes its own
	m, err := decode()
	if err != nil {
		c.failf("%v", err)
	}
	at := 0
	for y := range size.Y {
		for x := range size.X {
			p := color.NRGBAModel.Convert(m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y)).(color.NRGBA)
			r, g, b := int64(p.R), int64(p.G), int64(p.B)
			switch format {
			case "RGB":
				copy(out.I[at:], []int64{r, g, b})
			case "BGR":
				copy(out.I[at:], []int64{b, g, r})
			case "Grayscale":
				out.I[at] = (r*19595 + g*38470 + b*7471 + 1<<15) >> 16
			default:
				c.failf("the pixel format %s", format)
			}
			at += int(channels)
		}
	}
	return []Value{out}
}

// decoder finds the format of a file and its size.
func decoder(b []byte) (size image.Point, decode func() (image.Image, error), err error) {
	var cfg image.Config
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG")):
		cfg, err = png.DecodeConfig(bytes.NewReader(b))
		decode = func() (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		cfg, err = jpeg.DecodeConfig(bytes.NewReader(b))
		decode = func() (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
	case bytes.HasPrefix(b, []byte("BM")):
		return bitmap(b)
	case bytes.HasPrefix(b, []byte("P6")):
		return pixmap(b)
	default:
		return size, nil, fmt.Errorf("a file of a format that is not read: it begins with %q", b[:min(len(b), 4)])
	}
	return image.Pt(cfg.Width, cfg.Height), decode, err
}

// packed makes an image of lines of red, green and blue, or of blue, green and red from
// the last line up.
func packed(size image.Point, pix []byte, stride int, up bool) func() (image.Image, error) {
	return func() (image.Image, error) {
		m := image.NewNRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				p := pix[y*stride+3*x:]
				if up {
					p = pix[(size.Y-1-y)*stride+3*x:]
					p = []byte{p[2], p[1], p[0]}
				}
				m.SetNRGBA(x, y, color.NRGBA{p[0], p[1], p[2], 255})
			}
		}
		return m, nil
	}
}

// bitmap reads a BMP file of 24 bits without compression.
func bitmap(b []byte) (size image.Point, decode func() (image.Image, error), err error) {
	if len(b) < 54 {
		return size, nil, fmt.Errorf("a BMP file of %d bytes", len(b))
	}
	le := binary.LittleEndian
	at, w, h := int64(le.Uint32(b[10:])), int64(int32(le.Uint32(b[18:]))), int64(int32(le.Uint32(b[22:])))
	bits, compression := le.Uint16(b[28:]), le.Uint32(b[30:])
	stride := (3*w + 3) / 4 * 4
	if bits != 24 || compression != 0 || w < 1 || h < 1 || at > int64(len(b)) || stride > int64(len(b)) || h > (int64(len(b))-at)/stride {
		return size, nil, fmt.Errorf("a BMP file of %d × %d pixels of %d bits, compression %d, in %d bytes", w, h, bits, compression, len(b))
	}
	size = image.Pt(int(w), int(h))
	return size, packed(size, b[at:], int(stride), true), nil
}

// pixmap reads a binary PPM file of eight bits.
func pixmap(b []byte) (size image.Point, decode func() (image.Image, error), err error) {
	var w, h, most int
	head := strings.Join(strings.Fields(string(b[2:min(len(b), 64)])), " ")
	if n, _ := fmt.Sscanf(head, "%d %d %d", &w, &h, &most); n != 3 || w < 1 || h < 1 || most != 255 || w > len(b) || h > len(b)/(3*w) {
		return size, nil, fmt.Errorf("a PNM file of %d × %d pixels up to %d in %d bytes", w, h, most, len(b))
	}
	size = image.Pt(w, h)
	return size, packed(size, b[len(b)-3*w*h:], 3*w, false), nil
}
