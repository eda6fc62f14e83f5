// canned is an HTTPS server (HTTP/1.1) whose answers are made before it is asked, so that what is measured is the client.
//
//	canned -data DIR -out DIR [-events N] [-paced N] [-interval D]
//
// Writes ca.pem to -out, and when it listens a line of JSON with its addresses to the standard output:
//
//	list           6,000 pods; a watch stays silent
//	watch_pods     5,000 pods, then -events changes as fast as the client takes them
//	watch_jobs     the same with PyTorchJobs
//	latency_pods   100 pods, then -paced changes, one each -interval, with the time just before each is written
//	latency_jobs   the same with 5,000 PyTorchJobs
//
// Pods are answered in JSON or protobuf, as the client asks.
package main

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"kftrain/peers/clients/or"
)

// serve listens on a free port of the loopback address.
func serve(identity tls.Certificate, handler http.Handler) string {
	listener := or.Must(net.Listen("tcp", "127.0.0.1:0"))
	server := &http.Server{
		Handler:      handler,
		TLSConfig:    &tls.Config{Certificates: []tls.Certificate{identity}, NextProtos: []string{"http/1.1"}},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // no HTTP/2: all clients get the same
		ErrorLog:     log.New(os.Stderr, "", 0),
	}
	go func() { log.Fatal(server.ServeTLS(listener, "", "")) }()
	return "https://" + listener.Addr().String()
}

func main() {
	data := flag.String("data", "", "folder of pods.json, pods100.json, pods5000.json and jobs5000.json")
	out := flag.String("out", "", "folder for ca.pem")
	events := flag.Int("events", 100000, "changes of the watches at full speed")
	paced := flag.Int("paced", 2000, "changes of the watches for latency")
	interval := flag.Duration("interval", 5*time.Millisecond, "between two changes of the watches for latency")
	flag.Parse()

	identity := newIdentity(filepath.Join(*out, "ca.pem"))
	jobs := readSource(*data, "jobs5000.json")
	or.Fail(json.NewEncoder(os.Stdout).Encode(map[string]string{
		"list":         serve(identity, answers(readSource(*data, "pods.json"), changes{})),
		"watch_pods":   serve(identity, answers(readSource(*data, "pods5000.json"), changes{count: *events})),
		"watch_jobs":   serve(identity, answers(jobs, changes{count: *events})),
		"latency_pods": serve(identity, answers(readSource(*data, "pods100.json"), changes{count: *paced, interval: *interval})),
		"latency_jobs": serve(identity, answers(jobs, changes{count: *paced, interval: *interval})),
	}))
	select {}
}
