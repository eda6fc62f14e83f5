package main

import (
	"context"
	"runtime"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kftrain/peers/clients/measure"
	"kftrain/peers/clients/or"
)

func list(o options) {
	pods := kubernetes.NewForConfigOrDie(o.config()).CoreV1().Pods("")
	before := measure.LiveMB()
	from := measure.Now()
	answer := or.Must(pods.List(context.Background(), metav1.ListOptions{}))
	to := measure.Now()
	peak, live, count := measure.PeakMB(), measure.LiveMB()-before, len(answer.Items)
	measure.Print(o.label(), from, to, count, peak, measure.Fields{
		"items": count, "live_mb": live, "live_per_pod": live * 1e6 / float64(count),
	})
	runtime.KeepAlive(answer)
}
