// driver submits PyTorchJobs to a server with an operator and without a kubelet, plays the kubelet, and waits until all jobs have succeeded.
//
//	driver -kubeconfig FILE -namespace NS -jobs N -pods M [-limit D]
//
// Pods are Running as soon as they are seen, and those of a job succeed together when all of them run. Prints a line of JSON: `wall` is from
// the first submission to the last job's condition Succeeded, `running_wall` until the last one's condition Running was seen,
// if any was: jobs whose pods are done at once may skip it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kftrain/peers/clients/or"
)

const (
	submitters = 16 // requests at the same time
	kubelets   = 32
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file")
	namespace := flag.String("namespace", "default", "of the jobs; has no other pods")
	jobs := flag.Int("jobs", 200, "how many")
	pods := flag.Int("pods", 8, "of each job, the master included")
	limit := flag.Duration("limit", 5*time.Minute, "after which it gives up")
	flag.Parse()

	config := or.Must(clientcmd.BuildConfigFromFlags("", *kubeconfig))
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	inJSON := dynamic.NewForConfigOrDie(config) // custom resources have no protobuf
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client := kubernetes.NewForConfigOrDie(config)

	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	played := newKubelet(client.CoreV1().Pods(*namespace), *pods)
	played.run(ctx, client, *namespace)
	seen := watchJobs(ctx, inJSON, *namespace)

	begun := time.Now()
	submit(ctx, inJSON, *namespace, *jobs, *pods)
	submitted := time.Since(begun)
	running, err := seen.wait(ctx, *jobs)
	if err != nil {
		log.Fatalf("%v; %v; %v", err, seen, played)
	}
	found := map[string]any{
		"what": "operator", "wall": time.Since(begun).Seconds(), "submit_wall": submitted.Seconds(),
		"items": *jobs, "pods": played.succeeded(),
	}
	if !running.IsZero() {
		found["running_wall"] = running.Sub(begun).Seconds()
	}
	or.Fail(json.NewEncoder(os.Stdout).Encode(found))
}
