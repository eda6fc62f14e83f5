package main

import (
	"context"
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"kftrain/peers/clients/or"
)

var pytorchJobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

func jobOf(name string, pods int) *unstructured.Unstructured {
	replicas := func(count int) map[string]any {
		return map[string]any{"replicas": int64(count), "restartPolicy": "OnFailure", "template": map[string]any{"spec": map[string]any{
			"containers": []any{map[string]any{
				"name": "pytorch", "image": "registry.example.org/trainer:1", "command": []any{"python", "train.py"},
			}},
		}}}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Master": replicas(1), "Worker": replicas(pods - 1)}},
	}}
}

func submit(ctx context.Context, client dynamic.Interface, namespace string, jobs, pods int) {
	api := client.Resource(pytorchJobs).Namespace(namespace)
	var next atomic.Int64
	var all sync.WaitGroup
	for range submitters {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := int(next.Add(1)); i <= jobs; i = int(next.Add(1)) {
				or.Must(api.Create(ctx, jobOf(fmt.Sprintf("job-%03d", i), pods), metav1.CreateOptions{}))
			}
		}()
	}
	all.Wait()
}

// progress knows which jobs have been seen with a condition.
type progress struct {
	changed chan struct{} // holds one when something has changed

	mutex              sync.Mutex
	running, succeeded map[string]bool
	lastRunning        time.Time
}

func watchJobs(ctx context.Context, client dynamic.Interface, namespace string) *progress {
	p := &progress{changed: make(chan struct{}, 1), running: map[string]bool{}, succeeded: map[string]bool{}}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	informer := factory.ForResource(pytorchJobs).Informer()
	or.Must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, o any) { p.see(o.(*unstructured.Unstructured)) },
	}))
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return p
}

func (p *progress) see(job *unstructured.Unstructured) {
	conditions, _, err := unstructured.NestedSlice(job.Object, "status", "conditions")
	or.Fail(err)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, c := range conditions {
		switch condition := c.(map[string]any); condition["type"] {
		case "Running": // also after it has become False
			if !p.running[job.GetName()] {
				p.running[job.GetName()], p.lastRunning = true, time.Now()
			}
		case "Succeeded":
			if condition["status"] == "True" {
				p.succeeded[job.GetName()] = true
			}
		case "Failed":
			log.Fatalf("job %s failed: %v", job.GetName(), condition["message"])
		}
	}
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// wait returns when so many jobs have succeeded, and when the last of them was first seen running.
func (p *progress) wait(ctx context.Context, jobs int) (time.Time, error) {
	for {
		p.mutex.Lock()
		done, running := len(p.succeeded) == jobs, p.lastRunning
		p.mutex.Unlock()
		if done {
			return running, nil
		}
		select {
		case <-p.changed:
		case <-ctx.Done():
			return running, ctx.Err()
		}
	}
}

func (p *progress) String() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return fmt.Sprintf("%d jobs were running, %d succeeded", len(p.running), len(p.succeeded))
}
