package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kftrain/peers/clients/measure"
	"kftrain/peers/clients/or"
)

// storedSize is how large a pod is to be: the server drops the status of a new pod, which an annotation makes up for.
const storedSize = 4700

// load fills a server with pods.
func load(o options) {
	var list corev1.PodList
	or.Fail(json.Unmarshal(or.Must(os.ReadFile(filepath.Join(o.data, "pods.json"))), &list))
	pods := list.Items[:min(o.count, len(list.Items))]
	size := 0
	for i := range pods {
		size += makeNew(&pods[i])
	}
	api := kubernetes.NewForConfigOrDie(o.config()).CoreV1().Pods(o.namespace)
	inParallel(o, measure.Fields{"bytes_each": size / len(pods)}, func(i int) error {
		pod := pods[i%len(pods)].DeepCopy()
		pod.Name = o.name + strconv.Itoa(i)
		_, err := api.Create(context.Background(), pod, metav1.CreateOptions{})
		return err
	})
}

// makeNew makes the pod one that any server takes, and returns its size.
func makeNew(pod *corev1.Pod) int {
	pod.ObjectMeta = metav1.ObjectMeta{Labels: pod.Labels, Annotations: pod.Annotations}
	pod.Spec.ServiceAccountName, pod.Spec.DeprecatedServiceAccount = "default", ""
	pod.Spec.PreemptionPolicy, pod.Spec.Priority = nil, nil
	pod.Status = corev1.PodStatus{}
	text := len(or.Must(json.Marshal(pod)))
	pod.Annotations["perf/config"] = strings.Repeat("epochs: 90; lr: 0.1; ", storedSize/20)[:max(0, storedSize-text)]
	return max(text, storedSize)
}
