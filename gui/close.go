package gui

// OnClose sets what has to be done before the program ends, such as keeping what
// was measured. It runs in a goroutine of its own while the window is already
// gone, and the program ends when it returns.
func (u *UI) OnClose(save func()) {
	u.window.SetCloseIntercept(func() {
		u.window.SetCloseIntercept(func() {})
		u.Stop()
		u.window.Hide()
		go func() {
			save()
			u.on(u.app.Quit)
		}()
	})
}
