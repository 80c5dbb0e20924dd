// Walks through a running service with the standard library alone, one step after another; ends with 1 where one
// failed. The module proxy refuses the published client.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

func main() {
	here := newSetting()
	steps := []struct {
		name string
		walk func(*setting)
	}{
		{"whoami", whoami},
		{"organizations", organizations},
		{"users", users},
		{"policies", policies},
		{"private keys", privateKeys},
		{"wallets", wallets},
		{"signatures", signatures},
		{"transactions", transactions},
		{"approval", approval},
		{"import and export", importAndExport},
		{"sessions", sessions},
		{"code by mail", codeByMail},
	}
	failed := 0
	for _, step := range steps {
		if problem := problemOf(func() { step.walk(here) }); problem != "" {
			failed++
			fmt.Printf("failed %s: %s\n", step.name, problem)
		} else {
			fmt.Printf("ok %s\n", step.name)
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// What a step panicked with, and where; empty when it came to its end.
func problemOf(walk func()) (problem string) {
	defer func() {
		if reason := recover(); reason != nil {
			problem = fmt.Sprintf("%v\n%s", reason, debug.Stack())
		}
	}()
	walk()
	return ""
}

func expect(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
