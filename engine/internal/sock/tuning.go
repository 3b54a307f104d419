package sock

import "errors"

// tuneEarly asks for what counts from the first packet of a connection on, so
// before it is opened. What the system refuses here it refuses again in tune,
// but for the largest segment, about which the error is.
func tuneEarly(fd uintptr, t Tuning) error {
	_ = tune(fd, t)
	if t.MSS == 0 {
		return nil
	}
	_, err := setMSS(fd, t.MSS)
	return err
}

// tune asks for what an open connection can be given.
func tune(fd uintptr, t Tuning) error {
	refused := []error{setNoDelay(fd, t.NoDelay)}
	if t.SendBuffer > 0 || t.ReceiveBuffer > 0 {
		_, _, err := setBuffers(fd, t.SendBuffer, t.ReceiveBuffer)
		refused = append(refused, err)
	}
	if t.DSCP > 0 {
		_, err := setDSCP(fd, t.DSCP)
		refused = append(refused, err)
	}
	if t.Congestion != "" {
		_, err := setCongestion(fd, t.Congestion)
		refused = append(refused, err)
	}
	return errors.Join(refused...)
}

// granted reads back what the system granted to a connection.
func granted(fd uintptr) (g Granted) {
	g.SendBuffer, g.ReceiveBuffer = grantedBuffers(fd)
	g.MSS, g.Congestion = grantedMSS(fd), grantedCongestion(fd)
	return g
}
