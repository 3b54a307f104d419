package gui

// All words of the window stand in this file; those that depend on figures and
// names are made in sentences.go.
const (
	textProgram = "Linkpace"

	textTest    = "Test"
	textHistory = "History"

	textAddress          = "Its address"
	textThisComputer     = "This computer"
	textOtherComputers   = "Other computers"
	textSearchAgain      = "Search again"
	textTestSelf         = "Test this computer"
	textTestIt           = "Test"
	textSearching        = "Looking for other computers that have Linkpace open…"
	textNobody           = "Nobody found yet. Open Linkpace on a second computer."
	textNobodyHint       = "Both computers need to be on the same network. If the other one does not appear, type its address below: it stands at the top of its own window."
	textAddHint          = "Add by address, for example 192.168.1.20 or nas.local"
	textAdd              = "Add"
	textAdding           = "Asking…"
	textBadAddress       = "That is not an address. Type a name like nas.local, or numbers like 192.168.1.20."
	textNoAddress        = "Not connected to a network"
	textUnknownAdapter   = "Connection unknown"
	textSameMachineBadge = "On this computer"

	textStop        = "Stop"
	textStopping    = "Stopping…"
	textDelay       = "Delay"
	textProcessor   = "Processor"
	textBusiestCore = "busiest core"

	textTestAgain    = "Test again"
	textCopy         = "Copy summary"
	textCopied       = "Copied. Paste it wherever you like."
	textSave         = "Save…"
	textSavePicture  = "Picture (PNG)"
	textSaveData     = "All data (JSON)"
	textSaveTable    = "Table (CSV)"
	textBack         = "Back"
	textTryAgain     = "Try again"
	textAtOnce       = "Both at once"
	textNoSpeed      = "–"
	textIdle         = "Idle"
	textSending      = "While sending"
	textReceiving    = "While receiving"
	textBoth         = "While doing both"
	textTypical      = "Delay, typical"
	textWorst        = "Delay, worst 1 %"
	textNotes        = "Good to know"
	textAlsoNoticed  = "Also noticed"
	textNothingFound = "Measured."

	textHistoryEmpty = "No tests yet. Every test that you make is kept here."
	textDelete       = "Delete"
	textOpen         = "Open"
	textKeep         = "Keep it"
	textDeleteAsk    = "Delete this test?"
	textNoReading    = "The kept tests could not be read. "

	textWhoMayTest   = "Who may test"
	textConsentTitle = "Let computers on this network test with this one?"
	textConsentBody  = "Somebody at another computer with Linkpace can then measure the connection to this one, without a question here. You see every such test and can stop it. Nothing else on this computer can be reached, and nothing leaves your network."
	textConsentYes   = "Yes, on this network"
	textConsentAsk   = "Ask me each time"
	textConsentNo    = "No"

	textOK       = "OK"
	textNotKept  = "Your answer could not be kept"
	textAskAllow = "Allow"
	textAskDeny  = "Not now"

	textWatch = "Watch"

	textUnknown = "Something went wrong, and Linkpace does not know what. Try again."
)
