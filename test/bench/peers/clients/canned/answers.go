package main

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	protobufType = "application/vnd.kubernetes.protobuf"
	settling     = 300 * time.Millisecond // before the first paced change: the client is done with its list
)

// changes is what a watch sends.
type changes struct {
	count    int
	interval time.Duration // 0: as fast as the client takes them
}

func answers(s *source, c changes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f := s.json
		if s.protobuf != nil && strings.HasPrefix(r.Header.Get("Accept"), protobufType) {
			f = s.protobuf
		}
		switch r.URL.Query().Get("watch") {
		case "", "0", "false":
			text := f.list
			limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
			first, _ := strconv.Atoi(r.URL.Query().Get("continue"))
			if limit > 0 && first < len(f.items) {
				text = f.page(limit, first)
			}
			w.Header().Set("Content-Type", f.contentType)
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
			w.Write(text) // a client that has gone needs no answer
		default:
			watch(w, f, c)
			<-r.Context().Done()
		}
	}
}

func watch(w http.ResponseWriter, f *form, c changes) {
	events := f.copyOfEvents()
	w.Header().Set("Content-Type", f.watchType)
	w.WriteHeader(http.StatusOK)
	flush := w.(http.Flusher).Flush
	flush()
	if c.interval > 0 {
		time.Sleep(settling)
	}
	next := time.Now()
	for i := range c.count {
		e := events[i%len(events)]
		e.setVersion(i)
		if c.interval > 0 {
			next = next.Add(c.interval)
			time.Sleep(time.Until(next))
			e.setTime(time.Now())
		}
		if _, err := w.Write(e.text); err != nil {
			return
		}
		if c.interval > 0 {
			flush()
		}
	}
	flush()
}
