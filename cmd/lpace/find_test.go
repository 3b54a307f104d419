package main

import (
	"testing"

	"linkpace/engine/model"
)

func TestMatching(t *testing.T) {
	peers := []model.Peer{
		{ID: "AAAABBBBCC", Instance: "1", Name: "NAS"},
		{ID: "AAAABBBBCC", Instance: "2", Name: "NAS", Verified: true},
		{ID: "DDDDEEEEFF", Name: "TV"},
		{ID: "GGGGHHHHII", Name: "tv"},
	}
	for text, want := range map[string]int{"NAS": 1, "nas": 1, "TV": 2, "dddd-eeee": 1, "AAAABBBBCC": 1, "NA": 0, "": 0} {
		if got := matching(peers, text); len(got) != want {
			t.Errorf("%q matches %d computers, want %d", text, len(got), want)
		}
	}
	if got := matching(peers, "NAS"); !got[0].Verified {
		t.Error("of two programs of one computer the silent one was taken")
	}
}

func TestIsAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"192.168.1.20": true, "192.168.1.20:47820": true, "fe80::1%eth0": true, "[fe80::1]:47820": true, "nas:47820": true, "": true, "a b": true,
		"NAS": false, "nas.local": false, "my-pc": false,
	} {
		if got := isAddress(text); got != want {
			t.Errorf("%q is an address: %v, want %v", text, got, want)
		}
	}
}
