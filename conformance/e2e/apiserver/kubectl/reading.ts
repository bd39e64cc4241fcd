import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from './command.ts';

const IN_NS = '-n k-read';
/** Leaves out the ConfigMap that a controller creates in each namespace, at a time of its own. */
const WITHOUT_ROOT_CA = '--field-selector=metadata.name!=kube-root-ca.crt';
const OBJECTS = `
apiVersion: v1
kind: Namespace
metadata: {name: k-read}
---
apiVersion: v1
kind: Node
metadata: {name: k-node, labels: {node-role.kubernetes.io/worker: ""}}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: k-read, labels: {app: web, number: "1"}}
spec:
  nodeName: k-node
  terminationGracePeriodSeconds: 0
  containers:
  - name: app
    image: registry.example/app:1
    ports: [{name: http, containerPort: 8080}]
    env: [{name: A, value: b}]
    resources: {requests: {cpu: 100m, memory: 64Mi}}
---
apiVersion: v1
kind: Pod
metadata: {name: web-2, namespace: k-read, labels: {app: web, number: "2"}}
spec: {containers: [{name: app, image: "registry.example/app:1"}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: k-read}
spec:
  type: NodePort
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: http, nodePort: 30051}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf, namespace: k-read}
data: {file: "two\\nlines\\n"}
---
apiVersion: v1
kind: Secret
metadata: {name: secret, namespace: k-read}
stringData: {k: value}
---
apiVersion: v1
kind: Event
metadata: {name: ev, namespace: k-read}
involvedObject: {apiVersion: v1, kind: Pod, namespace: k-read, name: web-1}
reason: Started
message: it has begun
type: Normal
source: {component: tester}
firstTimestamp: "2024-01-01T00:00:00Z"
lastTimestamp: "2024-01-01T00:00:00Z"
count: 1
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-abc, namespace: k-read, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: http, port: 8080}]
endpoints: [{addresses: [10.1.0.1], conditions: {ready: true}, nodeName: k-node}]
`;
const STATUS =
  '{"status":{"phase":"Running","podIP":"10.1.0.1","podIPs":[{"ip":"10.1.0.1"}],"hostIP":"192.0.2.1","startTime":"2024-01-01T00:00:00Z",' +
  '"conditions":[{"type":"Ready","status":"True"},{"type":"ContainersReady","status":"True"}],"containerStatuses":[{"name":"app","image":"i",' +
  '"imageID":"x","ready":true,"restartCount":1,"started":true,"state":{"running":{"startedAt":"2024-01-01T00:00:00Z"}}}]}}';

export const reading: CommandGroup = {
  name: 'reading',
  commands: [
    withInput(
      OBJECTS,
      kubectl('create -f -', 'namespace/k-read created', 'pod/web-2 created', 'endpointslice.discovery.k8s.io/web-abc created'),
    ),
    kubectl(`patch pod web-1 ${IN_NS} --subresource=status -p '${STATUS}'`, 'pod/web-1 patched'),
    // Output formats.
    kubectl(`get pods ${IN_NS}`, /NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE/, /web-1\s+1\/1\s+Running\s+1/, /web-2\s+0\/1\s+Pending\s+0/),
    kubectl(`get pods ${IN_NS} -o wide`, /NAME.*IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES/, /web-1.*10\.1\.0\.1\s+k-node/),
    kubectl(`get pod web-1 ${IN_NS} -o yaml`, 'kind: Pod', 'nodeName: k-node', 'schedulerName: default-scheduler'),
    kubectl(`get pod web-1 ${IN_NS} -o json`, '"kind": "Pod"', '"podIP": "10.1.0.1"'),
    kubectl(`get pods ${IN_NS} -o name`, 'pod/web-1\npod/web-2'),
    kubectl(`get pods ${IN_NS} -o jsonpath='{range .items[*]}{.metadata.name}={.status.phase};{end}'`, 'web-1=Running;web-2=Pending;'),
    kubectl(`get pods ${IN_NS} -o custom-columns=NAME:.metadata.name,APP:.metadata.labels.app`, /NAME\s+APP\nweb-1\s+web\nweb-2\s+web/),
    kubectl(`get pods ${IN_NS} -o go-template='{{range .items}}{{.metadata.name}} {{end}}'`, 'web-1 web-2'),
    kubectl(`get pods ${IN_NS} --sort-by=.metadata.labels.number --no-headers`, /web-1[^\n]*\nweb-2/),
    // Selectors.
    kubectl(`get pods ${IN_NS} -l number=2`, 'web-2'),
    kubectl(`get pods ${IN_NS} -l 'number in (1,3),app' --show-labels`, /web-1.*app=web,number=1/),
    kubectl(`get pods ${IN_NS} -L app`, /AGE\s+APP/),
    kubectl(`get pods ${IN_NS} --field-selector=status.phase=Running,spec.nodeName=k-node`, 'web-1'),
    kubectl(`get pods ${IN_NS} -l number=9`, 'No resources found in k-read namespace.'),
    expectFailure(kubectl(`get pods ${IN_NS} --field-selector=spec.nothing=x`, 'field label not supported: spec.nothing')),
    expectFailure(kubectl(`get pods ${IN_NS} -l 'number in 1'`, 'unable to parse requirement')),
    kubectl('get pods -A --field-selector=metadata.namespace=k-read', /NAMESPACE\s+NAME/, /k-read\s+web-1/),
    // Several kinds, pages, and objects or kinds that do not exist.
    kubectl(`get po,svc,cm ${IN_NS} ${WITHOUT_ROOT_CA}`, 'pod/web-1', 'service/web', 'configmap/conf'),
    kubectl(`get all ${IN_NS}`, 'pod/web-1', 'service/web'),
    kubectl(`get pods web-1 web-2 ${IN_NS} --chunk-size=1`, 'web-2'),
    kubectl(`get pods ${IN_NS} --chunk-size=1`, 'web-1', 'web-2'),
    expectFailure(kubectl(`get pod none ${IN_NS}`, 'Error from server (NotFound): pods "none" not found')),
    kubectl(`get pod none ${IN_NS} --ignore-not-found`),
    expectFailure(kubectl(`get things ${IN_NS}`, 'the server doesn\'t have a resource type "things"')),
    // The columns of each kind.
    kubectl('get nodes k-node', /k-node\s+Unknown\s+worker/),
    kubectl('get nodes k-node -o wide', /CONTAINER-RUNTIME/),
    kubectl('get ns k-read', /k-read\s+Active/),
    kubectl(`get svc ${IN_NS} -o wide`, /web\s+NodePort\s+[\d.]+\s+<none>\s+80:30051\/TCP\s+\S+\s+app=web/),
    kubectl(`get endpointslices ${IN_NS}`, /web-abc\s+IPv4\s+8080\s+10\.1\.0\.1/),
    kubectl(`get secrets ${IN_NS}`, /secret\s+Opaque\s+1/),
    kubectl(`get cm conf ${IN_NS}`, /conf\s+1/),
    kubectl(`get events ${IN_NS}`, /Normal\s+Started\s+pod\/web-1\s+it has begun/),
    kubectl(`get events.events.k8s.io ${IN_NS}`, 'it has begun'),
    // Raw paths.
    kubectl('get --raw /api/v1/namespaces/k-read', '"name":"k-read"'),
    expectFailure(kubectl('get --raw /nothing', '(NotFound)')),
    kubectl('get --raw /readyz', 'ok'),
    // Watches, which end when all expected lines have been printed.
    {
      ...kubectl(`get pods web-2 ${IN_NS} -w`, /web-2\s+0\/1\s+Pending[^\n]*\nweb-2\s+0\/1\s+Running/),
      during: {
        afterLines: 2,
        commands: [`patch pod web-2 ${IN_NS} --subresource=status --type=merge -p '{"status":{"phase":"Running"}}'`],
        untilLines: 3,
      },
    },
    {
      ...kubectl(`get configmap ${IN_NS} ${WITHOUT_ROOT_CA} -w --output-watch-events -o name`, 'configmap/conf', 'configmap/new'),
      during: { afterLines: 1, commands: [`create configmap new ${IN_NS}`], untilLines: 2 },
    },
    kubectl(`wait pod/web-1 ${IN_NS} --for=condition=Ready --timeout=60s`, 'pod/web-1 condition met'),
    kubectl(`wait pod/web-1 ${IN_NS} --for=jsonpath='{.status.phase}'=Running --timeout=60s`, 'pod/web-1 condition met'),
    expectFailure(kubectl(`wait pod/web-2 ${IN_NS} --for=condition=Ready --timeout=1s`, 'timed out waiting for the condition')),
    kubectl(`wait configmap/gone ${IN_NS} --for=delete --timeout=60s`),
    // Descriptions, Events and logs, for which kubectl reads related objects.
    kubectl(`describe pod web-1 ${IN_NS}`, /Name:\s+web-1/, /Node:\s+k-node\/192\.0\.2\.1/, /Ready\s+True/),
    kubectl(`describe service web ${IN_NS}`, /Endpoints:\s+10\.1\.0\.1:8080/, /NodePort:\s+http\s+30051\/TCP/),
    kubectl('describe node k-node', /Name:\s+k-node/, /web-1\s+100m/),
    withKnownDifference('this server serves no quotas and limit ranges', kubectl('describe namespace k-read', /Status:\s+Active/)),
    kubectl(`describe configmap conf ${IN_NS}`, 'two\nlines'),
    kubectl(`describe secret secret ${IN_NS}`, /k:\s+5 bytes/),
    kubectl(`describe endpointslice web-abc ${IN_NS}`, '10.1.0.1'),
    kubectl(`events ${IN_NS}`, 'it has begun'),
    kubectl(`events ${IN_NS} --for pod/web-1 --types=Normal`, 'it has begun'),
    withKnownDifference('this server cannot reach a kubelet', expectFailure(kubectl(`logs web-1 ${IN_NS}`, /Error from server/))),
    // Node maintenance; the drain evicts web-1.
    kubectl(`delete pod web-2 ${IN_NS} --now`, 'pod "web-2" deleted'),
    kubectl(`taint node k-node k=v:NoSchedule`, 'node/k-node tainted'),
    kubectl(`taint node k-node k-`, 'node/k-node untainted'),
    kubectl('cordon k-node', 'node/k-node cordoned'),
    kubectl('get node k-node', 'SchedulingDisabled'),
    kubectl('drain k-node --force --ignore-daemonsets --timeout=60s', 'evicting pod k-read/web-1', 'node/k-node drained'),
    kubectl('uncordon k-node', 'node/k-node uncordoned'),
    expectFailure(kubectl(`get pod web-1 ${IN_NS}`, '(NotFound)')),
    kubectl('delete node k-node', 'node "k-node" deleted'),
    kubectl('delete namespace k-read --wait=false', 'namespace "k-read" deleted'),
  ],
};
