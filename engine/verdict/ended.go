package verdict

import "linkpace/engine/model"

// howItEnded says what ended a test before its time.
func howItEnded(f *facts) []model.Finding {
	finding := model.Finding{Code: EndedEarly, Certainty: model.Certain, Detail: reason(f.result)}
	switch f.result.Outcome {
	case model.Failed:
		finding.Code, finding.Headline = Failed, "The test with "+f.name(model.Remote)+" failed"
	case model.Partial:
		finding.Headline = "The test ended early; what was measured until then is kept"
	case model.Cancelled:
		finding.Headline = "The test was stopped; what was measured until then is kept"
	default:
		return nil
	}
	return []model.Finding{finding}
}

func reason(r *model.Result) string {
	if r.Problem == nil {
		return ""
	}
	return r.Problem.Text
}

// unmeasured is the verdict on a test without figures.
func unmeasured(ended []model.Finding) model.Finding {
	if len(ended) == 0 {
		return model.Finding{Code: NothingMeasured, Certainty: model.Certain, Headline: "Nothing was measured", Fix: "Test again, for a longer time."}
	}
	finding := ended[0]
	if finding.Code == EndedEarly {
		finding.Headline = "The test ended before anything was measured"
	}
	return finding
}
