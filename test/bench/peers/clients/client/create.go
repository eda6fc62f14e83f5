package main

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	kubeflow "github.com/kubeflow/training-operator/pkg/client/clientset/versioned"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kftrain/peers/clients/measure"
	"kftrain/peers/clients/or"
)

const template = `{"spec":{"containers":[{"name":"pytorch","image":"registry.example.org/trainer:1","command":["python","train.py"]}]}}`

// smallJob is what the benchmark of kftrain creates: a master and two workers.
const smallJob = `{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"},"spec":{"pytorchReplicaSpecs":{` +
	`"Master":{"replicas":1,"template":` + template + `},"Worker":{"replicas":2,"template":` + template + `}}}}`

// inParallel calls `one` for 0 to o.count-1, o.inFlight at the same time, and prints what it took.
func inParallel(o options, more measure.Fields, one func(i int) error) {
	var next atomic.Int64
	var all sync.WaitGroup
	from := measure.Now()
	for range o.inFlight {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := int(next.Add(1)) - 1; i < o.count; i = int(next.Add(1)) - 1 {
				or.Fail(one(i))
			}
		}()
	}
	all.Wait()
	to := measure.Now()
	measure.Print(o.label(), from, to, o.count, measure.PeakMB(), more)
}

func create(o options, typed bool) {
	if typed {
		createTyped(o)
	} else {
		createDynamic(o)
	}
}

func createDynamic(o options) {
	api := dynamic.NewForConfigOrDie(o.config()).Resource(pytorchJobs).Namespace(o.namespace)
	var base unstructured.Unstructured
	or.Fail(json.Unmarshal([]byte(smallJob), &base))
	inParallel(o, nil, func(i int) error {
		job := base.DeepCopy()
		job.SetName(o.name + strconv.Itoa(i))
		_, err := api.Create(context.Background(), job, metav1.CreateOptions{})
		return err
	})
}

func createTyped(o options) {
	api := kubeflow.NewForConfigOrDie(o.config()).KubeflowV1().PyTorchJobs(o.namespace)
	var base kubeflowv1.PyTorchJob
	or.Fail(json.Unmarshal([]byte(smallJob), &base))
	inParallel(o, nil, func(i int) error {
		job := base.DeepCopy()
		job.Name = o.name + strconv.Itoa(i)
		_, err := api.Create(context.Background(), job, metav1.CreateOptions{})
		return err
	})
}
