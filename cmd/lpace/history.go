package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"linkpace/cmd/internal/node"
	"linkpace/engine/export"
	"linkpace/engine/history"
	"linkpace/engine/model"
	"linkpace/engine/units"
)

func (a *app) historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List, show, compare, export and delete earlier results",
		Long: `history keeps the result of every test, those that other computers started
included. An ID may be shortened to its first four characters.`,
		Example: `  lpace history list
  lpace history show 3fa9
  lpace history compare 3fa9 77c0
  lpace history export 3fa9 --format csv > samples.csv`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.historyList(), a.historyShow(), a.historyCompare(), a.historyExport(), a.historyDelete())
	return cmd
}

func (a *app) historyList() *cobra.Command {
	var asJSON bool
	limit := 0
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the results, newest first",
		Example: "  lpace history list --limit 10",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withHistory(cmd.Context(), func(ctx context.Context, s *history.Store) error {
				entries, err := s.List(ctx, history.Filter{Limit: limit})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(listed(entries))
				}
				return a.printEntries(entries)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().Var(countValue{&limit, 0, 1000000}, "limit", "most results to list; 0 is all")
	return cmd
}

func (a *app) historyShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show one result",
		Example: "  lpace history show 3fa9",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			format := "text"
			if asJSON {
				format = "json"
			}
			return a.export(cmd.Context(), args[0], format)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func (a *app) historyExport() *cobra.Command {
	format := "json"
	cmd := &cobra.Command{
		Use:     "export ID",
		Short:   "Write one result to standard output in a format for other programs",
		Example: "  lpace history export 3fa9 --format csv > samples.csv",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), args[0], format)
		},
	}
	cmd.Flags().Var(wordValue{&format, []string{"json", "csv", "text"}}, "format", "how to write it")
	return cmd
}

func (a *app) historyDelete() *cobra.Command {
	return &cobra.Command{
		Use:     "delete ID...",
		Short:   "Delete results",
		Example: "  lpace history delete 3fa9 77c0",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withHistory(cmd.Context(), func(ctx context.Context, s *history.Store) error {
				for _, id := range args {
					if err := s.Delete(ctx, id); err != nil {
						return unknownID(id, err)
					}
					fmt.Fprintln(a.out, "Deleted:", id)
				}
				return nil
			})
		},
	}
}

func (a *app) export(ctx context.Context, id, format string) error {
	write := map[string]func(io.Writer, *model.Result) error{"json": export.JSON, "csv": export.CSV, "text": export.Text}[format]
	return a.withHistory(ctx, func(ctx context.Context, s *history.Store) error {
		r, err := s.Get(ctx, id)
		if err != nil {
			return unknownID(id, err)
		}
		return write(a.out, r)
	})
}

// unknownID names the ID in what the history says of it.
func unknownID(id string, err error) error {
	if errors.Is(err, history.ErrNotFound) {
		return fmt.Errorf("no result has the ID %q; see them with: lpace history list", id)
	}
	return err
}

func (a *app) withHistory(ctx context.Context, use func(context.Context, *history.Store) error) error {
	n, err := a.open(ctx, node.Options{})
	if err != nil {
		return err
	}
	defer n.Close()
	if n.History == nil {
		return &exitError{exitFailed} // the warning has said why
	}
	return use(ctx, n.History)
}

// entry is a listed result as scripts read it.
type entry struct {
	ID          string        `json:"id"`
	Started     string        `json:"started"`
	Role        model.Role    `json:"role"`
	Local       string        `json:"local"`
	Remote      string        `json:"remote"`
	SameMachine bool          `json:"same_machine,omitempty"`
	Outcome     model.Outcome `json:"outcome"`
	Send        units.BitRate `json:"send_bps"`
	Receive     units.BitRate `json:"receive_bps"`
	Both        units.BitRate `json:"both_bps"`
}

func listed(entries []history.Entry) []entry {
	all := []entry{}
	for _, e := range entries {
		all = append(all, entry{e.ID, e.Started.UTC().Format("2006-01-02T15:04:05.000Z"), e.Role, e.Local, e.Remote, e.SameMachine, e.Outcome, e.Send, e.Receive, e.Both})
	}
	return all
}

func (a *app) printEntries(entries []history.Entry) error {
	if len(entries) == 0 {
		_, err := fmt.Fprintln(a.out, "No results yet. Make one with: lpace test PEER")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tWHEN\tWITH\tSENT\tRECEIVED\tOUTCOME")
	for _, e := range entries {
		with := e.Remote
		switch {
		case e.SameMachine:
			with = "this computer itself"
		case e.Role == model.Responder:
			with += " (started there)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.Started.Local().Format("2006-01-02 15:04"), with, rateOrDash(e.Send), rateOrDash(e.Receive), e.Outcome)
	}
	return w.Flush()
}

func rateOrDash(r units.BitRate) string {
	if r == 0 {
		return "-"
	}
	return r.Both()
}
