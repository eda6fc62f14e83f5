// etcd as a program of its own, newer than distributions have it: kube-apiserver streams lists only from one that answers requests for progress.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
