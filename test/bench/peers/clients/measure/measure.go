// Package measure takes the processor time, the clock and the memory of this process, and prints them as a line of JSON, with the
// fields that the benchmarks of kftrain print.
package measure

import (
	"encoding/json"
	"log"
	"math"
	"os"
	"runtime"
	"sort"
	"syscall"
	"time"
)

// Stamp is a moment: the clock, and the processor time that the process has used until then.
type Stamp struct {
	wall time.Time
	cpu  float64
}

// Fields are what a program adds to a line.
type Fields map[string]any

func usage() *syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return &u
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + 1e-6*float64(t.Usec) }

// Now is this moment. The garbage collector's time is part of the process's.
func Now() Stamp {
	u := usage()
	return Stamp{time.Now(), seconds(u.Utime) + seconds(u.Stime)}
}

// PeakMB is the most memory that the process has had so far.
func PeakMB() float64 { return float64(usage().Maxrss) / 1024 }

// LiveMB is what the heap holds after everything unreachable is gone.
func LiveMB() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// Print prints the work between two moments. `peak` is taken before the program looks at its heap.
func Print(what string, from, to Stamp, count int, peak float64, more Fields) {
	cpu, wall := to.cpu-from.cpu, to.wall.Sub(from.wall).Seconds()
	line := Fields{"what": what, "wall": wall, "cpu": cpu, "per": cpu * 1e6 / float64(count), "maxrss_mb": peak}
	for name, value := range more {
		line[name] = value
	}
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		log.Fatal(err)
	}
}

// Percentiles sorts the microseconds that events took.
func Percentiles(us []float64) Fields {
	sort.Float64s(us)
	at := func(share float64) float64 { return math.Round(us[int(share*float64(len(us)-1))]) }
	return Fields{"p50_us": at(0.5), "p90_us": at(0.9), "p99_us": at(0.99)}
}
