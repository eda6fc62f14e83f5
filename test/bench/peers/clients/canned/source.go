package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"

	"kftrain/peers/clients/or"
)

// Each object has these two with so many digits, so that new ones are written over them in place.
const (
	versionDigits, firstVersion = 10, 7001000000
	timeDigits                  = 19
	timeName                    = "perf/at"
)

// event is the text of a watch event, ready to be sent once its version is written.
type event struct {
	text             []byte
	version, written int // where the digits begin
}

func (e event) setVersion(n int) {
	copy(e.text[e.version:], fmt.Sprintf("%0*d", versionDigits, firstVersion+n))
}

func (e event) setTime(t time.Time) {
	copy(e.text[e.written:], fmt.Sprintf("%0*d", timeDigits, t.UnixNano()))
}

// form is a list and the events of its objects in one encoding.
type form struct {
	contentType, watchType string
	list                   []byte
	events                 []event
	items                  []json.RawMessage // of the list; none: it has no pages
	apiVersion, kind       string            // of the list
	version                string
}

// copyOfEvents belongs to one watch alone, which writes into it.
func (f *form) copyOfEvents() []event {
	events := make([]event, len(f.events))
	for i, e := range f.events {
		e.text = bytes.Clone(e.text)
		events[i] = e
	}
	return events
}

// page is the answer to a list with a limit, as kube-apiserver divides it. The token is the number of the first item.
func (f *form) page(limit, first int) []byte {
	last := min(first+limit, len(f.items))
	metadata := map[string]any{"resourceVersion": f.version}
	if last < len(f.items) {
		metadata["continue"], metadata["remainingItemCount"] = strconv.Itoa(last), len(f.items)-last
	}
	head := map[string]any{"kind": f.kind, "apiVersion": f.apiVersion, "metadata": metadata}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(or.Must(json.Marshal(head)), []byte("}")))
	b.WriteString(`,"items":[`)
	for i, item := range f.items[first:last] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(item)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// source is what one address answers.
type source struct {
	json, protobuf *form // protobuf: nil for custom resources, which have none
}

func placeOf(text []byte, what string) int {
	place := bytes.Index(text, []byte(what))
	if place < 0 {
		log.Fatalf("no %q in %.200q", what, text)
	}
	return place
}

func behind(text []byte, what string) int { return placeOf(text, what) + len(what) }

func readSource(folder, name string) *source {
	text := or.Must(os.ReadFile(filepath.Join(folder, name)))
	var list struct {
		APIVersion, Kind string
		Metadata         struct{ ResourceVersion string }
		Items            []json.RawMessage
	}
	or.Fail(json.Unmarshal(text, &list))
	s := &source{json: &form{contentType: "application/json", watchType: "application/json", list: text,
		items: list.Items, apiVersion: list.APIVersion, kind: list.Kind, version: list.Metadata.ResourceVersion}}
	for _, item := range list.Items {
		s.json.events = append(s.json.events, jsonEvent(item, list.Kind))
	}
	if list.Kind == "PodList" {
		s.protobuf = podsInProtobuf(text)
	}
	return s
}

// jsonEvent adds kind and API version to a pod, which has none within a list.
func jsonEvent(item []byte, listKind string) event {
	var b bytes.Buffer
	b.WriteString(`{"type":"MODIFIED","object":`)
	if listKind == "PodList" && !bytes.Contains(item[:40], []byte(`"kind"`)) {
		b.WriteString(`{"kind":"Pod","apiVersion":"v1",`)
		item = item[1:]
	}
	b.Write(item)
	b.WriteString("}\n")
	text := b.Bytes()
	return event{text, behind(text, `"resourceVersion":"`), behind(text, `"`+timeName+`":"`)}
}

func podsInProtobuf(text []byte) *form {
	encoder := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encode := func(o runtime.Object) []byte {
		var b bytes.Buffer
		or.Fail(encoder.Encode(o, &b))
		return b.Bytes()
	}
	var list corev1.PodList
	or.Fail(json.Unmarshal(text, &list))
	list.APIVersion, list.Kind = "v1", "PodList"
	f := &form{contentType: protobufType, watchType: protobufType + ";stream=watch", list: encode(&list)}
	for i := range list.Items {
		pod := &list.Items[i]
		pod.APIVersion, pod.Kind = "v1", "Pod"
		watched := metav1.WatchEvent{Type: "MODIFIED", Object: runtime.RawExtension{Raw: encode(pod)}}
		message := or.Must(watched.Marshal())
		framed := append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
		f.events = append(f.events, event{framed, placeOf(framed, pod.ResourceVersion), placeOf(framed, pod.Annotations[timeName])})
	}
	return f
}
