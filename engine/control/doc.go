// Package control is the conversation between two Linkpace programs: who the
// other one is, whether it may test, what is tested, when each phase begins,
// and what both sides read meanwhile. It moves no payload.
//
// # Everything that listens
//
//   - TCP 47820 (the next free port when it is taken): the first byte of a
//     connection says what it is. 22 is a TLS record, so the control
//     conversation; 'L' opens a payload connection; anything else is closed. A
//     connection that says nothing is closed after 5 s, at most 64 that have
//     not proved anything may wait, and at most 32 others are talked to.
//   - UDP, the same port number: datagrams that begin with "LPH" are discovery's
//     hello, those with "LPP" delay probes, those with "LPU" open a flow of
//     datagrams. Probe and opening are echoed only to the computer that a running
//     test is with, only when they carry a token of that test, and with the same
//     size. Nobody is sent payload before he has shown a token from where he is
//     sent it.
//   - In a test over UDP, one socket for each flow of datagrams, joined to the
//     address and port that opened it: on Linux on the UDP port above, elsewhere
//     on a free one that the echo names. It takes openings and datagrams that
//     begin with "LPD", and only from there.
//   - UDP 5353: multicast DNS, in package discovery.
//
// Nothing else listens. An address or port named inside a message is never
// dialled; only the UDP ports of the answer and of the echo of an opening are
// used, and only at the address that the control connection has.
//
// # Everything that is kept
//
//   - identity.pem in the config folder (0600): the private key. Its loss makes
//     this computer a stranger to the others, nothing more.
//   - pins.json in the config folder: whom we met under which address or name.
//   - settings.json in the config folder, peers.json and history.db in the data
//     folder, see platform/settings, discovery and engine/history.
//
// # Identity
//
// Each installation makes an Ed25519 key and a certificate signed by itself.
// Both sides show theirs in TLS 1.3; the ID is the SHA-256 of the public key
// in base 32. An ID that was seen under a name or address is expected there
// from then on, and another one is refused until the person forgets the old.
//
// # Frames and messages
//
// A frame is a length (4 bytes, big endian, at most 64 KiB, checked before
// memory is taken for it) and JSON {"kind", "body"}. Unknown fields are
// ignored; unknown kinds too if they begin with "x-". Every read has a
// deadline: 5 s until the test is agreed, 4 s in it (both sides send
// something at least every second).
//
//	A (initiator)                               B (responder)
//	hello                   ->
//	                        <-                  hello
//	propose{run, spec}      ->
//	                        <-                  pending{why} (each second, while asked or queued)
//	                        <-                  answer{spec, secret, udp port} or answer{code, text}
//	per phase:
//	prepare{phase}          ->                  (A dials the payload connections, or opens the flows of datagrams, each with its token)
//	                        <-                  ready{phase}
//	ping                    <->                 pong: clock offset, delay where UDP does not get through
//	begin{phase, at}        ->                  both start at the same moment
//	samples                 <->                 samples, every interval; alive when there are none
//	done{phase, totals, ended} <->              done{phase, totals, ended}
//	at the end:
//	final{notes}            <->                 final{notes}
//	at any time:
//	stop{code, text}        <->                 stop{code, text}
package control
