package sock

// Best is the fastest backend that this system has.
func Best() Network { return Portable{} }
