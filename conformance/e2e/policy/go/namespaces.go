package main

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

func openNamespace(name string) *os.File {
	file, err := os.Open("/run/netns/" + name)
	check(err)
	return file
}

// startWorker returns a channel of functions that run one after the other in a namespace. The channel buffers the probes of a scene.
func startWorker(namespace string) chan func() {
	work := make(chan func(), 4096)
	go func() {
		// The thread stays in the namespace, so that no other goroutine may use it.
		runtime.LockOSThread()
		file := openNamespace(namespace)
		check(unix.Setns(int(file.Fd()), unix.CLONE_NEWNET))
		for f := range work {
			f()
		}
	}()
	return work
}

func run(work chan func(), f func()) {
	done := make(chan struct{})
	work <- func() {
		defer close(done)
		f()
	}
	<-done
}
