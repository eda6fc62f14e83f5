package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"

	"kftrain/peers/clients/measure"
	"kftrain/peers/clients/or"
)

// fanOutLimit is how long a watch may last: more than any run needs.
const fanOutLimit = 10 * time.Minute

var (
	added       = []byte(`{"type":"ADDED"`)
	versionMark = []byte(`"resourceVersion":"`)
)

// follower is one of many watchers. It searches the text of the events instead of decoding them, so that the server is
// the busier side.
type follower struct {
	client  http.Client
	address string
	mark    []byte // in front of the number of a pod
	version string
	seen    []bool
	missing int
}

// watch reads events until no pod is missing or the server ends the stream, and reports whether it got a beginning.
func (f *follower) watch(begun func()) error {
	answer, err := f.client.Get(f.address + "?watch=true&resourceVersion=" + f.version)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
		return fmt.Errorf("watch: %s: %s", answer.Status, text)
	}
	begun()
	events := bufio.NewReaderSize(answer.Body, 1<<16)
	for f.missing > 0 {
		line, err := events.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f.take(line); err != nil {
			return err
		}
	}
	return nil
}

func until(text []byte, mark []byte) (string, bool) {
	_, rest, found := bytes.Cut(text, mark)
	value, _, closed := bytes.Cut(rest, []byte{'"'})
	return string(value), found && closed
}

// take counts the pod of an event, each only once.
func (f *follower) take(line []byte) error {
	version, versioned := until(line, versionMark)
	name, named := until(line, f.mark)
	number, err := strconv.Atoi(name)
	if !bytes.HasPrefix(line, added) || !versioned || !named || err != nil || number < 0 || number >= len(f.seen) {
		return fmt.Errorf("unexpected event: %.300s", line)
	}
	if f.seen[number] {
		return fmt.Errorf("pod %d was added twice", number)
	}
	f.seen[number], f.version = true, version
	f.missing--
	return nil
}

// listVersion returns the version from which watches begin.
func listVersion(client *http.Client, address string) string {
	answer := or.Must(client.Get(address + "?limit=1"))
	defer answer.Body.Close()
	version, found := until(or.Must(io.ReadAll(answer.Body)), versionMark)
	if !found {
		or.Fail(fmt.Errorf("list: %s, and no version", answer.Status))
	}
	return version
}

// fanOut watches pods on o.watchers connections until each has seen all pods that another process creates. It prints
// `watching` when all watches have begun. If the server ends a watch of a slow reader, as kube-apiserver does, the
// follower watches again from the last version, as an informer does.
func fanOut(o options) {
	config := o.config()
	address := config.Host + "/api/v1/namespaces/" + o.namespace + "/pods"
	connection := func() http.Client {
		transport := &http.Transport{TLSClientConfig: or.Must(rest.TLSConfigFor(config))}
		return http.Client{Transport: or.Must(rest.HTTPWrappersForConfig(config, transport)), Timeout: fanOutLimit}
	}
	first := connection()
	version := listVersion(&first, address)
	var begun, all sync.WaitGroup
	var again atomic.Int64
	for range o.watchers {
		f := follower{client: connection(), address: address, mark: []byte(`"name":"` + o.name), version: version,
			seen: make([]bool, o.count), missing: o.count}
		begun.Add(1)
		all.Add(1)
		go func() {
			defer all.Done()
			or.Fail(f.watch(sync.OnceFunc(begun.Done)))
			for f.missing > 0 {
				again.Add(1)
				or.Fail(f.watch(func() {}))
			}
		}()
	}
	begun.Wait()
	fmt.Println("watching")
	from := measure.Now()
	all.Wait()
	measure.Print(o.label(), from, measure.Now(), o.count*o.watchers, measure.PeakMB(),
		measure.Fields{"watched_again": again.Load()})
}
