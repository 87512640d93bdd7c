// SPDX-License-Identifier: Apache-2.0

// A client of go-coap as its authors have it. Arguments are an address, a method, a path with its query, and what a POST
// brings. It prints the code and what came.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/plgd-dev/go-coap/v3/message"
	"github.com/plgd-dev/go-coap/v3/message/pool"
	"github.com/plgd-dev/go-coap/v3/udp"
)

func ask(address, method, target string, links []byte) (*pool.Message, error) {
	connection, err := udp.Dial(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	path, query, _ := strings.Cut(target, "?")
	var options message.Options
	for _, argument := range strings.Split(query, "&") {
		if argument != "" {
			options = append(options, message.Option{ID: message.URIQuery, Value: []byte(argument)})
		}
	}
	if method == "get" {
		return connection.Get(ctx, path, options...)
	}
	return connection.Post(ctx, path, message.AppLinkFormat, bytes.NewReader(links), options...)
}

func main() {
	links := []byte(strings.Join(os.Args[4:], ""))
	answer, err := ask(os.Args[1], os.Args[2], os.Args[3], links)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(answer.Code())
	if body := answer.Body(); body != nil {
		_, err = io.Copy(os.Stdout, body)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
