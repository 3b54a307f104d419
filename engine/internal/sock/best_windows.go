package sock

// Best is the fastest backend that this system has.
func Best() Network {
	n, err := NewOverlapped()
	if err != nil {
		return Portable{}
	}
	return n
}
