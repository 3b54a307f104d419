package load

// steadiest repeats a measurement of a rate that disturbances only make smaller,
// until the two best agree within a thousandth. It gives the best, and 0 when
// they never agree or are no rate that processors have.
func steadiest(measure func() float64) float64 {
	const rounds, agreed, slowest, fastest = 20, 0.999, 1e8, 1e11
	var best, second float64
	for range rounds {
		rate := measure()
		if second = max(second, min(best, rate)); rate > best {
			best = rate
		}
		if best >= slowest && best <= fastest && second >= best*agreed {
			return best
		}
	}
	return 0
}
