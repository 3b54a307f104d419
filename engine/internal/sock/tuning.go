package sock

// granted reads back what the system granted to a connection.
func granted(fd uintptr) (g Granted) {
	g.SendBuffer, g.ReceiveBuffer = grantedBuffers(fd)
	return g
}
