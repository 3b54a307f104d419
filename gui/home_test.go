package gui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"linkpace/engine/model"
)

func TestHomeNamesThisComputerAndOthers(t *testing.T) {
	s := newStage(t)
	s.begin(t)
	for _, text := range []string{"desk", "Ethernet 1 Gb/s", "192.168.1.20", textSearching} {
		if !s.shows(text) {
			t.Errorf("home does not show %q", text)
		}
	}
	s.ui.home.setSearching(false)
	if !s.shows(textNobody) {
		t.Error("an empty home does not say what to do")
	}
	s.peers.lists <- []model.Peer{nas(), tv()}
	s.until(t, "the peers are shown", func() bool { return s.shows("tv-box") })
	for _, text := range []string{"nas", "2 found", "100 Mb/s link", "Debian 12"} {
		if !s.shows(text) {
			t.Errorf("home does not show %q", text)
		}
	}
	s.peers.lists <- nil
	s.until(t, "the peers are gone", func() bool { return s.shows(textNobody) })
}

func TestThisComputerIsAlwaysOffered(t *testing.T) {
	s := newStage(t)
	if !s.ui.home.self.test.Disabled() {
		t.Error("a test is offered before this computer is known")
	}
	s.begin(t)
	s.press(t, textTestSelf)
	s.until(t, "the test begins", func() bool { return len(s.tests.started()) == 1 })
	if peer := s.tests.started()[0]; !peer.SameMachine {
		t.Errorf("the test is with %v", peer)
	}
}

func TestAddByAddress(t *testing.T) {
	s := newStage(t)
	row := s.ui.home.address
	test.Type(row.entry, "192.168.1.300")
	if !row.add.Disabled() || !s.shows(textBadAddress) {
		t.Error("a slip of the finger is accepted")
	}
	row.entry.SetText("attic.local")
	if row.add.Disabled() || s.shows(textBadAddress) {
		t.Error("a name is not accepted")
	}
	s.peers.err = &model.Problem{Code: model.CodeNotFound, Text: "Nobody is called attic.local."}
	test.Tap(row.add)
	s.until(t, "the failure is shown", func() bool { return s.shows("Nobody is called attic.local.") })
	if row.entry.Text != "attic.local" || row.add.Disabled() {
		t.Error("after a failure the address cannot be corrected")
	}
	s.peers.err = nil
	row.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.until(t, "the peer is shown", func() bool { return s.shows("added by address") })
	if row.entry.Text != "" {
		t.Error("the address stays after it was added")
	}
}

func TestPlausibleAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"nas": true, "nas.local": true, "nas.local:5000": true, "192.168.1.5": true, "192.168.1.5:47820": true,
		"fe80::1": true, "fe80::1%eth0": true, "[fe80::1%eth0]:47820": true, "my_nas": true, "müller.local": true, "nas.": true,
		"": false, "192.168.1": false, "192.168.1.300": false, "nas:0": false, "nas:70000": false, "nas:": false, "1.2.3.4:0": false,
		"-nas": false, "nas..local": false, "a b": false, "http://nas": false, "nas/x": false, strings.Repeat("a", 64): false,
		strings.Repeat("a.", 130): false, "[::1": false,
	} {
		if got := plausible(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestCardsStayWhileTheyLookTheSame(t *testing.T) {
	s := newStage(t)
	s.ui.home.setPeers([]model.Peer{nas()})
	before := s.ui.home.list.Objects[0]
	seenAgain := nas()
	seenAgain.RTT = time.Millisecond
	s.ui.home.setPeers([]model.Peer{seenAgain})
	if s.ui.home.list.Objects[0] != before {
		t.Error("a card that looks the same was made anew")
	}
	s.press(t, textTestIt)
	s.until(t, "the test begins", func() bool { return len(s.tests.started()) == 1 })
	if got := s.tests.started()[0]; got.RTT != seenAgain.RTT {
		t.Errorf("the test is with what was known earlier: %v", got)
	}
	renamed := nas()
	renamed.Name = "attic"
	s.ui.home.setPeers([]model.Peer{renamed})
	if s.ui.home.list.Objects[0] == before || !contains(s.ui.home.list, "attic") {
		t.Error("a new name is not shown")
	}
}
