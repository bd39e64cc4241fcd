// Runs Kubernetes 1.17's own REST storage of Services over cases read as JSON lines, a result a line. Nothing is stored behind it.
// Steps that validation refuses before anything is allocated are marked skip. Only the first range of a case is used.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"math/rand"
	"net"
	"os"
	"reflect"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	svcreg "k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/storage"
)

type fake struct {
	storage.ServiceStorage
	old, written *api.Service
}

func (f *fake) Get(ctx context.Context, name string, o *metav1.GetOptions) (runtime.Object, error) {
	if f.old == nil {
		return nil, apierrors.NewNotFound(api.Resource("services"), name)
	}
	return f.old.DeepCopy(), nil
}
func (f *fake) Create(ctx context.Context, obj runtime.Object, v rest.ValidateObjectFunc, o *metav1.CreateOptions) (runtime.Object, error) {
	f.written = obj.(*api.Service).DeepCopy()
	return obj, nil
}
func (f *fake) Update(ctx context.Context, name string, i rest.UpdatedObjectInfo, c rest.ValidateObjectFunc, u rest.ValidateObjectUpdateFunc, force bool, o *metav1.UpdateOptions) (runtime.Object, bool, error) {
	obj, err := i.UpdatedObject(ctx, f.old.DeepCopy())
	if err != nil {
		panic(err)
	}
	f.written = obj.(*api.Service).DeepCopy()
	return obj, false, nil
}
func (f *fake) Delete(ctx context.Context, id string, v rest.ValidateObjectFunc, o *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return f.old.DeepCopy(), true, nil
}

type noEndpoints struct{ storage.EndpointsStorage }

func (noEndpoints) Delete(ctx context.Context, id string, v rest.ValidateObjectFunc, o *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return nil, false, apierrors.NewNotFound(api.Resource("endpoints"), id)
}

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
	ID    string   `json:"id"`
	CIDRs []string `json:"cidrs"`
	Ports string   `json:"ports"`
	Steps []Step   `json:"steps"`
}
type Step struct {
	Name    string      `json:"name"`
	Service *v1.Service `json:"service"`
	DryRun  bool        `json:"dryRun,omitempty"`
}
type Out struct {
	Skip    bool            `json:"skip,omitempty"`
	Spec    *v1.ServiceSpec `json:"spec,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Message string          `json:"message,omitempty"`
	Causes  interface{}     `json:"causes,omitempty"`
	Late    interface{}     `json:"late,omitempty"`
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
	_, n, err := net.ParseCIDR(c.CIDRs[0])
	if err != nil {
		panic(err)
	}
	ips, err := ipallocator.NewCIDRRange(n)
	if err != nil {
		panic(err)
	}
	tame(ips)
	pr := utilnet.ParsePortRangeOrDie(c.Ports)
	ports, err := portallocator.NewPortAllocator(*pr)
	if err != nil {
		panic(err)
	}
	tame(ports)
	stored := map[string]*api.Service{}
	outs := []Out{}
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	for _, s := range c.Steps {
		o := Out{IPs: []string{}, Ports: []int{}}
		snap, psnap := &api.RangeAllocation{}, &api.RangeAllocation{}
		_ = ips.Snapshot(snap)
		_ = ports.Snapshot(psnap)
		f := &fake{old: stored[s.Name]}
		r, _ := storage.NewREST(f, noEndpoints{}, nil, ips, nil, ports, nil)
		dry := []string{}
		if s.DryRun {
			dry = []string{"All"}
		}
		failed := false
		if s.Service == nil {
			if f.old != nil {
				if _, _, err := r.Delete(ctx, s.Name, rest.ValidateAllObjectFunc, &metav1.DeleteOptions{}); err != nil {
					panic(err)
				}
				delete(stored, s.Name)
			}
		} else {
			svc := &api.Service{}
			if err := legacyscheme.Scheme.Convert(s.Service, svc, nil); err != nil {
				panic(err)
			}
			svc.Name, svc.Namespace = s.Name, "default"
			probe := svc.DeepCopy()
			var err error
			if f.old == nil {
				if e := rest.BeforeCreate(svcreg.Strategy, ctx, probe); e != nil {
					o.Skip = true
				} else {
					_, err = r.Create(ctx, svc, rest.ValidateAllObjectFunc, &metav1.CreateOptions{DryRun: dry})
				}
			} else {
				svc.ResourceVersion = "1"
				probe.ResourceVersion = "1"
				svc.UID, probe.UID = f.old.UID, f.old.UID
				if e := rest.BeforeUpdate(svcreg.Strategy, ctx, probe, f.old.DeepCopy()); e != nil {
					late := []metav1.StatusCause{}
					if st, ok := e.(*apierrors.StatusError); ok && st.ErrStatus.Details != nil {
						for _, x := range st.ErrStatus.Details.Causes {
							if x.Field == "spec.clusterIP" && len(x.Message) > 18 && x.Message[len(x.Message)-18:] == "field is immutable" {
								late = append(late, x)
							}
						}
					}
					if len(late) > 0 {
						o.Late = late
					}
					o.Skip = true
				} else {
					_, _, err = r.Update(ctx, s.Name, rest.DefaultUpdatedObjectInfo(svc), rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{DryRun: dry})
				}
			}
			if !o.Skip {
				if err != nil {
					fail(&o, err)
					failed = true
				} else {
					out := &v1.Service{}
					if err := legacyscheme.Scheme.Convert(f.written, out, nil); err != nil {
						panic(err)
					}
					o.Spec = &out.Spec
					if !s.DryRun {
						f.written.UID = "u"
						f.written.ResourceVersion = "1"
						stored[s.Name] = f.written
					}
				}
			}
		}
		if failed {
			_ = ips.Restore(n, snap.Data)
			_ = ports.Restore(*pr, psnap.Data)
		}
		ips.ForEach(func(ip net.IP) { o.IPs = append(o.IPs, ip.String()) })
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
