package main

import (
	"log"
	"runtime"
	"strconv"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/client/clientset/versioned"
	kubeflowinformers "github.com/kubeflow/training-operator/pkg/client/informers/externalversions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"kftrain/peers/clients/measure"
	"kftrain/peers/clients/or"
)

var pytorchJobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

func informerOf(o options, objects string) cache.SharedIndexInformer {
	c := o.config()
	switch objects {
	case "pods":
		return informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(c), 0).Core().V1().Pods().Informer()
	case "jobs":
		return dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(c), 0).ForResource(pytorchJobs).Informer()
	case "jobs-typed":
		return kubeflowinformers.NewSharedInformerFactory(kubeflow.NewForConfigOrDie(c), 0).Kubeflow().V1().PyTorchJobs().Informer()
	}
	log.Fatalf("%q: pods, jobs or jobs-typed", objects)
	return nil
}

// age is how many microseconds ago the server wrote the object.
func age(object any) float64 {
	written := or.Must(strconv.ParseInt(object.(metav1.Object).GetAnnotations()["perf/at"], 10, 64))
	return float64(time.Now().UnixNano()-written) / 1e3
}

// follow measures from the moment when the informer has its list until the handler has seen o.count changes.
func follow(o options, informer cache.SharedIndexInformer, latency bool) {
	before := measure.LiveMB()
	added, updates := 0, 0 // of the one goroutine that calls the handler
	ages := make([]float64, 0, o.count)
	done := make(chan measure.Stamp, 1)
	or.Must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { added++ },
		UpdateFunc: func(_, object any) {
			if latency {
				ages = append(ages, age(object))
			}
			if updates++; updates == o.count {
				done <- measure.Now()
			}
		},
	}))
	stop := make(chan struct{})
	go informer.Run(stop)
	for !informer.HasSynced() { // cache.WaitForCacheSync looks only each 100 ms
		time.Sleep(time.Millisecond)
	}
	from := measure.Now()
	to := <-done
	peak := measure.PeakMB()
	fields := measure.Fields{"items": added}
	if latency {
		for name, value := range measure.Percentiles(ages) {
			fields[name] = value
		}
	} else {
		fields["live_mb"] = measure.LiveMB() - before
	}
	measure.Print(o.label(), from, to, o.count, peak, fields)
	runtime.KeepAlive(informer)
	close(stop)
}
