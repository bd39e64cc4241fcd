package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	nfqueue "github.com/florianl/go-nfqueue"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

const (
	queueNumber = 100
	// The rules of the namespace reject packets with this mark, which upstream would drop.
	rejectMark = 1
)

// filters decides about the packets in the queues of all filtering namespaces, with one engine.
type filters struct {
	mutex      sync.Mutex
	engine     *controller
	conntracks []*netlink.Handle
	packets    atomic.Int64
}

func newFilters(namespaces []string) *filters {
	f := &filters{engine: newController()}
	for _, name := range namespaces {
		file := openNamespace(name)
		handle, err := netlink.NewHandleAt(netns.NsHandle(file.Fd()), unix.NETLINK_NETFILTER)
		check(err)
		f.conntracks = append(f.conntracks, handle)
		f.openQueue(file)
	}
	return f
}

// load replaces the objects, and makes the kernel forget the connections that it has let through.
func (f *filters) load(w *world) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.engine.load(w)
	for _, handle := range f.conntracks {
		check(handle.ConntrackTableFlush(netlink.ConntrackTable))
	}
}

// openQueue has the settings of upstream's Controller.Run, except that packets are rejected and not dropped.
func (f *filters) openQueue(namespace *os.File) {
	queue, err := nfqueue.Open(&nfqueue.Config{
		NfQueue:      queueNumber,
		Flags:        nfqueue.NfQaCfgFlagGSO,
		MaxPacketLen: 128,
		MaxQueueLen:  1024,
		Copymode:     nfqueue.NfQnlCopyPacket,
		NetNS:        int(namespace.Fd()),
	})
	check(err)
	decide := func(a nfqueue.Attribute) int {
		if f.allows(*a.Payload) {
			check(queue.SetVerdict(*a.PacketID, nfqueue.NfAccept))
		} else {
			check(queue.SetVerdictWithMark(*a.PacketID, nfqueue.NfAccept, rejectMark))
		}
		return 0
	}
	check(queue.RegisterWithErrorFunc(context.Background(), decide, func(err error) int {
		check(fmt.Errorf("cannot receive from the queue: %w", err))
		return 1
	}))
}

func (f *filters) allows(payload []byte) bool {
	p, err := parsePacket(payload)
	check(err)
	f.packets.Add(1)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return evaluatePacket(f.engine.Controller, context.Background(), p)
}

//go:linkname parsePacket sigs.k8s.io/kube-network-policies/pkg/networkpolicy.parsePacket
func parsePacket(b []byte) (packet, error)
