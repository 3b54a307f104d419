package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"linkpace/engine/history"
	"linkpace/engine/model"
	"linkpace/engine/units"
	"linkpace/engine/verdict"
)

func (a *app) historyCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare ID ID",
		Short: "Show two results side by side",
		Long: `compare shows two results side by side and by how much the second differs.
Results that measure different things (another mode or transport, payload moved
in another way, one computer alone) are shown with the reason and no difference.`,
		Example: "  lpace history compare 3fa9 77c0",
		Args:    usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withHistory(cmd.Context(), func(ctx context.Context, s *history.Store) error {
				var pair [2]*model.Result
				for i, id := range args {
					r, err := s.Get(ctx, id)
					if err != nil {
						return unknownID(id, err)
					}
					pair[i] = r
				}
				return writeComparison(a.out, pair[0], pair[1])
			})
		},
	}
}

// writeComparison writes a table with a line for each way that either result
// has.
func writeComparison(out io.Writer, a, b *model.Result) error {
	why := verdict.Incomparable(a, b)
	if len(why) > 0 {
		fmt.Fprintln(out, "These results do not compare, because they measure different things:")
		for _, reason := range why {
			fmt.Fprintln(out, "  "+reason)
		}
		fmt.Fprintln(out)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\t%s\t%s\tdifference\n", a.Started.Local().Format("2006-01-02 15:04"), b.Started.Local().Format("2006-01-02 15:04"))
	first, second := rates(a, false), rates(b, verdict.Swapped(a, b))
	for _, way := range comparedWays() {
		before, had := first[way]
		after, has := second[way]
		if !had && !has {
			continue
		}
		difference := "-"
		if len(why) == 0 && had && has && before > 0 {
			difference = fmt.Sprintf("%+.1f %%", (float64(after)/float64(before)-1)*100)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", way.words(a), rateOrDash(before), rateOrDash(after), difference)
	}
	return w.Flush()
}

// comparedWay names a line of the comparison, seen from the local computer of
// the first result.
type comparedWay struct{ phase, dir model.Direction }

func comparedWays() []comparedWay {
	return []comparedWay{
		{model.Send, model.Send}, {model.Receive, model.Receive}, {model.Both, model.Send}, {model.Both, model.Receive},
	}
}

func (w comparedWay) words(r *model.Result) string {
	from, to := r.Local.Name, r.Remote.Name
	if w.dir == model.Receive {
		from, to = to, from
	}
	words := from + " to " + to
	if w.phase == model.Both {
		words += ", both at once"
	}
	return words
}

// rates gives the rate of each way; flipped is for a result that the other
// computer kept.
func rates(r *model.Result, flipped bool) map[comparedWay]units.BitRate {
	all := map[comparedWay]units.BitRate{}
	for _, s := range r.Summaries() {
		way := comparedWay{s.Direction, s.Dir}
		if flipped {
			way = comparedWay{s.Direction.Flip(), s.Dir.Flip()}
		}
		all[way] = s.Rate
	}
	return all
}
