// client does with client-go what the benchmarks of kftrain do, and prints a line of JSON.
//
//	client list -server URL -ca FILE [-protobuf]                     pods
//	client watch-pods|watch-jobs|watch-jobs-typed -server URL -ca FILE [-protobuf] -count N
//	client latency-pods|latency-jobs|latency-jobs-typed              the same
//	client create|create-typed -kubeconfig FILE -namespace NS -prefix P -count N -in-flight M
//	client load -kubeconfig FILE -namespace NS -prefix P -count N -in-flight M -data DIR
//	client fan-out -kubeconfig FILE -namespace NS -prefix P -count N -watchers M
//
// Watches are shared informers. Jobs are PyTorchJobs, by the dynamic client, or by the clientset of the training-operator where
// the name says so. `load` creates pods of 4.7 KB. `fan-out` watches them on many connections of its own, and decodes nothing. Limits
// of the client's own are lifted everywhere. Processor time and clock are those of the work, without the start of the process.
package main

import (
	"flag"
	"log"
	"os"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kftrain/peers/clients/or"
)

const protobufType = "application/vnd.kubernetes.protobuf"

type options struct {
	what                                                 string
	server, authority, kubeconfig, namespace, name, data string
	protobuf                                             bool
	count, inFlight, watchers                            int
}

func parse() options {
	if len(os.Args) < 2 {
		log.Fatal("which work? list, watch-..., latency-..., create, create-typed, load, fan-out")
	}
	o := options{what: os.Args[1]}
	flags := flag.NewFlagSet(o.what, flag.ExitOnError)
	flags.StringVar(&o.server, "server", "", "address")
	flags.StringVar(&o.authority, "ca", "", "file with the certificate of the server's authority")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "file")
	flags.StringVar(&o.namespace, "namespace", "default", "of what is created")
	flags.StringVar(&o.name, "prefix", "", "what the names of created objects begin with")
	flags.StringVar(&o.data, "data", "", "folder of pods.json")
	flags.BoolVar(&o.protobuf, "protobuf", false, "ask for protobuf")
	flags.IntVar(&o.count, "count", 1000, "objects or events")
	flags.IntVar(&o.inFlight, "in-flight", 16, "requests at the same time")
	flags.IntVar(&o.watchers, "watchers", 50, "watches at the same time")
	or.Fail(flags.Parse(os.Args[2:]))
	return o
}

func (o options) config() *rest.Config {
	c := &rest.Config{Host: o.server, TLSClientConfig: rest.TLSClientConfig{CAFile: o.authority}}
	if o.kubeconfig != "" {
		c = or.Must(clientcmd.BuildConfigFromFlags("", o.kubeconfig))
	}
	c.QPS = -1
	c.WarningHandler = rest.NoWarnings{} // it would log each one
	if o.protobuf {
		c.ContentType = protobufType
	}
	return c
}

// label is what the line says was done.
func (o options) label() string {
	if o.protobuf {
		return o.what + "-protobuf"
	}
	return o.what
}

func main() {
	o := parse()
	work, of, _ := strings.Cut(o.what, "-")
	switch work {
	case "list":
		list(o)
	case "watch", "latency":
		follow(o, informerOf(o, of), work == "latency")
	case "create":
		create(o, of == "typed")
	case "load":
		load(o)
	case "fan":
		fanOut(o)
	default:
		log.Fatalf("%q is no work: list, watch-..., latency-..., create, create-typed, load, fan-out", o.what)
	}
}
