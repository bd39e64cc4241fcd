// Runs Kubernetes 1.36's own allocation for Services over cases read as JSON lines, a result a line. Both allocators are the
// bitmaps in memory, and what they draw is always the lowest, so that two runs are alike.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand"
	"net"
	"os"
	"reflect"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/core/validation"
	svcreg "k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/storage"
)

type txn interface {
	Commit()
	Revert()
}
type before struct{ *api.Service }
type after struct{ *api.Service }

//go:linkname makeAlloc k8s.io/kubernetes/pkg/registry/core/service/storage.makeAlloc
func makeAlloc(defaultFamily api.IPFamily, ipAllocs map[api.IPFamily]ipallocator.Interface, portAlloc portallocator.Interface) storage.Allocators

//go:linkname allocateCreate k8s.io/kubernetes/pkg/registry/core/service/storage.(*Allocators).allocateCreate
func allocateCreate(al *storage.Allocators, service *api.Service, dryRun bool) (txn, error)

//go:linkname allocateUpdate k8s.io/kubernetes/pkg/registry/core/service/storage.(*Allocators).allocateUpdate
func allocateUpdate(al *storage.Allocators, a after, b before, dryRun bool) (txn, error)

//go:linkname releaseAll k8s.io/kubernetes/pkg/registry/core/service/storage.(*Allocators).releaseAllocatedResources
func releaseAll(al *storage.Allocators, svc *api.Service)

//go:linkname normalize k8s.io/kubernetes/pkg/registry/core/service/storage.normalizeClusterIPs
func normalize(a after, b before)

//go:linkname patchAllocated k8s.io/kubernetes/pkg/registry/core/service/storage.patchAllocatedValues
func patchAllocated(a after, b before)

//go:linkname defaultOnRead k8s.io/kubernetes/pkg/registry/core/service/storage.(*REST).defaultOnReadService
func defaultOnRead(r *storage.REST, s *api.Service)

//go:linkname udIPs k8s.io/kubernetes/pkg/apis/core/validation.validateUpgradeDowngradeClusterIPs
func udIPs(o, n *api.Service) field.ErrorList

//go:linkname udFams k8s.io/kubernetes/pkg/apis/core/validation.validateUpgradeDowngradeIPFamilies
func udFams(o, n *api.Service) field.ErrorList

func hidden(of interface{}, f string) reflect.Value {
	x := reflect.ValueOf(of).Elem().FieldByName(f)
	return reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem()
}

type zero struct{}

func (zero) Int63() int64 { return 0 }
func (zero) Seed(int64)   {}

func tame(holder interface{}) {
	bitmap := hidden(holder, "alloc").Elem().Interface()
	strategy := hidden(bitmap, "strategy").Elem()
	r := (*rand.Rand)(unsafe.Pointer(strategy.FieldByName("rand").Pointer()))
	*r = *rand.New(zero{})
}

type Case struct {
	ID      string   `json:"id"`
	CIDRs   []string `json:"cidrs"`
	Default string   `json:"defaultFamily"`
	Ports   string   `json:"ports"`
	Steps   []Step   `json:"steps"`
}
type Step struct {
	Name    string      `json:"name"`
	Service *v1.Service `json:"service"` // nil: delete
	DryRun  bool        `json:"dryRun,omitempty"`
}
type Out struct {
	Spec    *v1.ServiceSpec `json:"spec,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Message string          `json:"message,omitempty"`
	Causes  interface{}     `json:"causes,omitempty"`
	Late    interface{}     `json:"late,omitempty"`
	Refused bool            `json:"refused,omitempty"`
	IPs     []string        `json:"ips"`
	Ports   []int           `json:"ports"`
}

func fail(o *Out, err error) {
	if s, ok := err.(*apierrors.StatusError); ok {
		o.Reason = string(s.ErrStatus.Reason)
		o.Message = s.ErrStatus.Message
		if s.ErrStatus.Details != nil {
			o.Causes = s.ErrStatus.Details.Causes
		}
		return
	}
	o.Reason, o.Message = "Unknown", err.Error()
}

func run(c *Case) []Out {
	ips := map[api.IPFamily]ipallocator.Interface{}
	ranges := []*ipallocator.Range{}
	for _, t := range c.CIDRs {
		_, n, err := net.ParseCIDR(t)
		if err != nil {
			panic(err)
		}
		r, err := ipallocator.NewInMemory(n)
		if err != nil {
			panic(err)
		}
		tame(r)
		ips[r.IPFamily()] = r
		ranges = append(ranges, r)
	}
	pr := utilnet.ParsePortRangeOrDie(c.Ports)
	ports, err := portallocator.NewInMemory(*pr)
	if err != nil {
		panic(err)
	}
	tame(ports)
	al := makeAlloc(api.IPFamily(c.Default), ips, ports)
	rest := &storage.REST{}
	hidden(rest, "primaryIPFamily").SetString(c.Default)
	stored := map[string]*api.Service{}
	outs := []Out{}
	for _, s := range c.Steps {
		o := Out{IPs: []string{}, Ports: []int{}}
		snaps := []*api.RangeAllocation{}
		for _, r := range ranges {
			x := &api.RangeAllocation{}
			_ = r.Snapshot(x)
			snaps = append(snaps, x)
		}
		psnap := &api.RangeAllocation{}
		_ = ports.Snapshot(psnap)
		old := stored[s.Name]
		failed := false
		if s.Service == nil {
			if old != nil {
				defaultOnRead(rest, old)
				releaseAll(&al, old)
				delete(stored, s.Name)
			}
		} else {
			svc := &api.Service{}
			if err := legacyscheme.Scheme.Convert(s.Service, svc, nil); err != nil {
				panic(err)
			}
			svc.Name = s.Name
			var t txn
			var err error
			var was *api.Service
			func() {
				defer func() {
					if r := recover(); r != nil {
						err = errors.New("This request caused apiserver to panic. Look in the logs for details.")
					}
				}()
				if old == nil {
					normalize(after{svc}, before{nil})
					t, err = allocateCreate(&al, svc, s.DryRun)
				} else {
					was = old.DeepCopy()
					defaultOnRead(rest, was)
					patchAllocated(after{svc}, before{was})
					normalize(after{svc}, before{was})
					t, err = allocateUpdate(&al, after{svc}, before{was}, s.DryRun)
				}
			}()
			if err != nil {
				fail(&o, err)
				failed = true
			} else {
				if was != nil {
					svcreg.Strategy.PrepareForUpdate(context.Background(), svc, was)
					el := append(udIPs(was, svc), udFams(was, svc)...)
					if len(el) > 0 {
						l := []map[string]string{}
						for _, e := range el {
							l = append(l, map[string]string{"reason": string(e.Type), "message": e.ErrorBody(), "field": e.Field})
						}
						o.Late = l
						failed = true
					}
				}
				if svc.Spec.Type == api.ServiceTypeExternalName && (svc.Spec.ClusterIP != "" || len(svc.Spec.ClusterIPs) > 0 || len(svc.Spec.IPFamilies) > 0 || svc.Spec.IPFamilyPolicy != nil) {
					o.Refused, failed = true, true
				}
				out := &v1.Service{}
				if err := legacyscheme.Scheme.Convert(svc, out, nil); err != nil {
					panic(err)
				}
				o.Spec = &out.Spec
				if failed {
					t.Revert()
				} else {
					t.Commit()
					if !s.DryRun {
						stored[s.Name] = svc
					}
				}
			}
		}
		if failed {
			for i, r := range ranges {
				n := r.CIDR()
				_ = r.Restore(&n, snaps[i].Data)
			}
			_ = ports.Restore(*pr, psnap.Data)
		}
		for _, r := range ranges {
			r.ForEach(func(ip net.IP) { o.IPs = append(o.IPs, ip.String()) })
		}
		ports.ForEach(func(p int) { o.Ports = append(o.Ports, p) })
		outs = append(outs, o)
	}
	return outs
}

func main() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var c Case
			if e := json.Unmarshal(line, &c); e != nil {
				panic(e)
			}
			_ = out.Encode(map[string]interface{}{"id": c.ID, "steps": run(&c)})
		}
		if err == io.EOF {
			return
		}
	}
}
