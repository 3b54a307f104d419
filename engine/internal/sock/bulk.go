package sock

import (
	"errors"
	"io"
	"os"
)

// sendAll is SendBulk for a connection that only has Write.
func sendAll(w io.Writer, src Source) error {
	for {
		block := src.Next()
		if len(block) == 0 {
			return nil
		}
		n, err := w.Write(block)
		src.Sent(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// receiveAll is ReceiveBulk for a connection that only has Read.
func receiveAll(r io.Reader, dst Sink) error {
	for {
		n, err := r.Read(dst.Buffer())
		if n > 0 {
			if bad := dst.Got(n); bad != nil {
				return bad
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
