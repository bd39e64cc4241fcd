import { cloudWire, logWire, queueWire } from './wire-old.ts';

/** Go files of the oracle that are the same for all releases. */
export const copiedFiles: readonly string[] = ['main.go', 'world.go', 'cloud.go'];

/**
 * `wire.go` connects the oracle to a release's service controller: the path of its package, the parameters of its functions, and its node
 * sync. It links unexported functions by go:linkname. Go accepts functions without a body only if the package has an assembly file, which
 * may be empty.
 */
export const generateFiles = (version: string): Readonly<Record<string, string>> => ({
  'wire.go': generateWire(minorIn(version)),
  'wire_cloud.go': cloudWire(minorIn(version)),
  'wire_log.go': logWire(minorIn(version)),
  'empty.s': '',
});

const minorIn = (version: string): number => Number(version.split('.')[1]);

function generateWire(minor: number): string {
  const pkg = minor < 19 ? 'k8s.io/kubernetes/pkg/controller/service' : 'k8s.io/cloud-provider/controllers/service';
  return [imports(minor, pkg), declarations(minor, pkg), controllerWire(minor), nodeSyncWire(minor), helpersWire(minor)].join('\n');
}

function imports(minor: number, pkg: string): string {
  const names = [
    '"time"',
    ...(minor >= 23 ? ['"context"'] : []),
    '"errors"',
    'v1 "k8s.io/api/core/v1"',
    ...(minor >= 19 ? ['utilfeature "k8s.io/apiserver/pkg/util/feature"'] : []),
    'coreinformers "k8s.io/client-go/informers/core/v1"',
    '"k8s.io/client-go/tools/cache"',
    '"k8s.io/client-go/tools/record"',
    '"k8s.io/client-go/util/workqueue"',
    ...(minor >= 28 ? ['"k8s.io/cloud-provider/api"'] : []),
    ...(minor >= 27 && minor < 32 ? ['"k8s.io/controller-manager/pkg/features"'] : []),
    `"${pkg}"`,
    ...(minor < 21 ? ['_ "k8s.io/kubernetes/pkg/features"'] : []),
    '_ "unsafe" // for go:linkname',
  ];
  return `package main\n\nimport (\n${names.map((name) => `\t${name}\n`).join('')})\n`;
}

const controllerType = (minor: number): string => (minor < 17 ? 'ServiceController' : 'Controller');

/** The context parameter as declared and as passed; empty before 1.23, whose functions take no context. */
const contextParameters = (minor: number): readonly [string, string] =>
  minor >= 23 ? ['context.Context, ', 'context.Background(), '] : ['', ''];

function declarations(minor: number, pkg: string): string {
  const [context] = contextParameters(minor);
  const type = controllerType(minor);
  const isMethod = minor < 32;
  const nodeSync = minor < 21 ? `nodeSyncLoop(*service.${type})` : minor < 26 ? `nodeSyncInternal(*service.Controller, ${context}int)` : '';
  const queued = minor >= 26 ? `processNextNodeItem(*service.Controller, ${context}int) bool` : '';
  const methods = [
    `syncService(*service.${type}, ${context}string) error`,
    ...[nodeSync, queued].filter(Boolean),
    ...(minor >= 21 && minor < 26 ? ['triggerNodeSync(*service.Controller)'] : []),
    ...(isMethod ? [`needsUpdate(*service.${type}, *v1.Service, *v1.Service) bool`] : []),
  ];
  const functions = [
    ...(minor < 15 ? [] : ['needsCleanup(*v1.Service) bool']),
    ...(isMethod ? [] : ['needsUpdate(*v1.Service, *v1.Service) bool']),
  ];
  const nameIn = (signature: string): string => signature.slice(0, signature.indexOf('('));
  return [
    ...methods.map((each) => `//go:linkname ${nameIn(each)} ${pkg}.(*${type}).${nameIn(each)}\nfunc ${each}\n`),
    ...functions.map((each) => `//go:linkname ${nameIn(each)} ${pkg}.${nameIn(each)}\nfunc ${each}\n`),
  ].join('\n');
}

function controllerWire(minor: number): string {
  const registration = minor >= 26 ? ' (cache.ResourceEventHandlerRegistration, error)' : '';
  const gates = minor < 19 ? '' : ', utilfeature.DefaultFeatureGate';
  return `// kept records the handler that a controller registers, so that it can be called without a running informer.
type kept struct {
	cache.SharedIndexInformer
	handler cache.ResourceEventHandler
}

func (k *kept) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration)${registration} {
	k.handler = handler
	${minor >= 26 ? 'return nil, nil' : 'return'}
}

type keptServices struct {
	coreinformers.ServiceInformer
	informer *kept
}

func (k keptServices) Informer() cache.SharedIndexInformer { return k.informer }

type keptNodes struct {
	coreinformers.NodeInformer
	informer *kept
}

func (k keptNodes) Informer() cache.SharedIndexInformer { return k.informer }

type controller struct {
	of              *service.${controllerType(minor)}
	services, nodes cache.ResourceEventHandler
}

func begin(w *world) *controller {
	core := w.informers.Core().V1()
	services, nodes := &kept{SharedIndexInformer: core.Services().Informer()}, &kept{SharedIndexInformer: core.Nodes().Informer()}
	of, err := service.New(w.cloud, w.client, keptServices{core.Services(), services}, keptNodes{core.Nodes(), nodes}, "oracle"${gates})
	must(err)
	*fieldOf(of, "eventRecorder").Addr().Interface().(*record.EventRecorder) = w.events
${minor < 10 ? '\t*fieldOf(of, "workingQueue").Addr().Interface().(*workqueue.DelayingInterface) = undelayed{workqueue.New()}\n' : ''}	c := &controller{of: of, services: services.handler, nodes: nodes.handler}
${minor < 21 ? '\t// the node sync runs once a step, not from the handlers of nodes\n\tc.nodes = cache.ResourceEventHandlerFuncs{}\n' : ''}	return c
}

func (c *controller) added(handler cache.ResourceEventHandler, object interface{}) {
	handler.OnAdd(object${minor >= 27 ? ', false' : ''})
}
`;
}

function nodeSyncWire(minor: number): string {
  const [, context] = contextParameters(minor);
  const { item, serviceQueue } = queueWire(minor);
  const nodeSync = {
    loop: '\tnodeSyncLoop(c.of)\n\treturn true',
    trigger: `\ttriggerNodeSync(c.of)\n\tnodeSyncInternal(c.of, ${context}1)\n\treturn true`,
    queue: `\tany := false\n\tfor c.queue("nodeQueue").Len() > 0 {\n\t\tany = processNextNodeItem(c.of, ${context}1)\n\t}\n\treturn any`,
  }[minor < 21 ? 'loop' : minor < 26 ? 'trigger' : 'queue'];
  return `func (c *controller) queue(name string) ${item} { return fieldOf(c.of, name).Interface().(${item}) }

// emptyQueue removes the Service from the queue, and returns whether it was in it.
func (c *controller) emptyQueue() bool {
	queue, any := c.queue("${serviceQueue}"), false
	for queue.Len() > 0 {
		key, _ := queue.Get()
		queue.Done(key)
		any = true
	}
	return any
}

func (c *controller) sync(key string) error { return failure(syncService(c.of, ${context}key)) }

// look runs the node sync if it is due, and returns whether it ran.
func (c *controller) look() bool {
${nodeSync}
}

func (c *controller) end() {
	c.queue("${serviceQueue}").ShutDown()
${minor >= 26 ? '\tc.queue("nodeQueue").ShutDown()\n' : ''}}
`;
}

function helpersWire(minor: number): string {
  const retryError = minor >= 28 ? 'api.NewRetryError(text, 7*time.Second)' : 'errors.New(text)';
  const cleanup = minor < 15 ? 'false' : 'needsCleanup(service)';
  return `func (c *controller) updateNeeded(before, now *v1.Service) bool { return needsUpdate(${minor < 32 ? 'c.of, ' : ''}before, now) }

func cleanupNeeded(service *v1.Service) bool { return ${cleanup} }

func laterError(text string) error { return ${retryError} }

func delayOf(err error) string {
${delayWire(minor)}	return ""
}

func setGates() {
${gatesWire(minor)}}
`;
}

function delayWire(minor: number): string {
  if (minor < 10) return '\tvar later retry\n\tif errors.As(err, &later) {\n\t\treturn later.delay\n\t}\n';
  return minor >= 28 ? '\tvar later *api.RetryError\n\tif errors.As(err, &later) {\n\t\treturn later.RetryAfter().String()\n\t}\n' : '';
}

const gatesWire = (minor: number): string =>
  minor >= 27 && minor < 32
    ? '\tmust(features.SetupCurrentKubernetesSpecificFeatureGates(utilfeature.DefaultMutableFeatureGate))\n\tsetFeatureGates()\n'
    : '';
