package main

import (
	"context"
	"fmt"
	"log"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"

	"kftrain/peers/clients/or"
)

const (
	jobLabel      = "training.kubeflow.org/job-name"
	podsRoom      = 1 << 16 // changes that wait for a patch
	times         = `"startedAt":"2026-01-01T00:00:00Z"`
	runningState  = `{"status":{"phase":"Running","containerStatuses":[{"name":"pytorch","ready":true,"started":true,"restartCount":0,"image":"i","imageID":"i","state":{"running":{` + times + `}}}]}}`
	finishedState = `{"status":{"phase":"Succeeded","containerStatuses":[{"name":"pytorch","ready":false,"started":false,"restartCount":0,"image":"i","imageID":"i","state":{"terminated":{"exitCode":0,"reason":"Completed",` + times + `,"finishedAt":"2026-01-01T00:00:01Z"}}}]}}`
)

type change struct{ pod, status string }

// kubelet patches the status of pods as the kubelets of a cluster would.
type kubelet struct {
	api     typedcorev1.PodInterface
	ofEach  int // pods
	changes chan change

	mutex   sync.Mutex
	running map[string][]string // job to its pods that run
	done    int
}

func newKubelet(api typedcorev1.PodInterface, ofEach int) *kubelet {
	return &kubelet{api: api, ofEach: ofEach, changes: make(chan change, podsRoom), running: map[string][]string{}}
}

// run returns when the pods are watched.
func (k *kubelet) run(ctx context.Context, client kubernetes.Interface, namespace string) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().Pods().Informer()
	or.Must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { k.changes <- change{o.(*corev1.Pod).Name, runningState} },
		UpdateFunc: func(before, after any) {
			k.changed(before.(*corev1.Pod).Status.Phase, after.(*corev1.Pod))
		},
	}))
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for range kubelets {
		go k.patch(ctx)
	}
}

func (k *kubelet) changed(before corev1.PodPhase, pod *corev1.Pod) {
	if pod.Status.Phase == before {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	switch pod.Status.Phase {
	case corev1.PodRunning:
		job := pod.Labels[jobLabel]
		k.running[job] = append(k.running[job], pod.Name)
		if len(k.running[job]) == k.ofEach {
			for _, name := range k.running[job] {
				k.changes <- change{name, finishedState}
			}
		}
	case corev1.PodSucceeded:
		k.done++
	}
}

func (k *kubelet) patch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-k.changes:
			_, err := k.api.Patch(ctx, c.pod, types.MergePatchType, []byte(c.status), metav1.PatchOptions{}, "status")
			if err != nil && !apierrors.IsNotFound(err) && ctx.Err() == nil {
				log.Fatalf("status of pod %s: %v", c.pod, err)
			}
		}
	}
}

func (k *kubelet) succeeded() int {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.done
}

func (k *kubelet) String() string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return fmt.Sprintf("pods of %d jobs ran, %d pods succeeded", len(k.running), k.done)
}
