/** Additions to shop.ts: Nodes, a Service with pods, and EndpointSlices, some of them outdated or invalid. */
export const shopSlices: string = `
apiVersion: v1
kind: Node
metadata: {name: node-1, uid: n1, labels: {topology.kubernetes.io/zone: zone-a}}
status: {conditions: [{type: Ready, status: "True"}], allocatable: {cpu: "4"}}
---
apiVersion: v1
kind: Node
metadata: {name: node-2, uid: n2, labels: {topology.kubernetes.io/zone: zone-b}}
status: {conditions: [{type: Ready, status: "True"}], allocatable: {cpu: 3500m}}
---
apiVersion: v1
kind: Service
metadata: {name: near, namespace: shop, uid: s6, labels: {app: near}}
spec:
  type: ClusterIP
  clusterIP: 10.96.0.6
  ipFamilies: [IPv4]
  selector: {app: near}
  trafficDistribution: PreferClose
  ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
---
apiVersion: v1
kind: Pod
metadata: {name: near-a, namespace: shop, uid: uid-of-near-a, labels: {app: near}}
spec: {nodeName: node-1, containers: [{name: web}]}
status: {phase: Running, podIP: 10.0.0.31, podIPs: [{ip: 10.0.0.31}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: near-b, namespace: shop, uid: uid-of-near-b, labels: {app: near}, deletionTimestamp: "2026-01-31T13:00:00Z"}
spec: {nodeName: node-2, containers: [{name: web}]}
status: {phase: Running, podIP: 10.0.0.32, podIPs: [{ip: 10.0.0.32}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: near-c, namespace: shop, uid: uid-of-near-c, labels: {app: near}}
spec: {nodeName: gone, containers: [{name: web}]}
status: {phase: Running, podIP: 10.0.0.33, podIPs: [{ip: 10.0.0.33}], conditions: [{type: Ready, status: "True"}]}
---
${slice('near-xk2p9', 's6', 'app: near')}
addressType: IPv4
ports: [{name: http, port: 8080, protocol: TCP}]
endpoints:
- {addresses: [10.0.0.31], conditions: {ready: true, serving: true, terminating: false}, nodeName: node-1, zone: zone-a, targetRef: {kind: Pod, namespace: shop, name: near-a, uid: uid-of-near-a}}
- {addresses: [10.0.0.32], conditions: {ready: true, serving: true, terminating: false}, nodeName: node-2, zone: zone-b, targetRef: {kind: Pod, namespace: shop, name: near-b, uid: uid-of-near-b}}
---
${slice('db-7tq4v', 's2', 'app: db, service.kubernetes.io/headless: ""')}
addressType: IPv4
ports: [{name: "", port: 5432, protocol: TCP}]
endpoints:
- {addresses: [10.0.0.21], conditions: {ready: true, serving: true, terminating: false}, hostname: db-0, nodeName: node-1, zone: zone-a, targetRef: {kind: Pod, namespace: shop, name: db-0, uid: uid-of-db-0}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: db-outside, namespace: shop, uid: es3, labels: {kubernetes.io/service-name: db, endpointslice.kubernetes.io/managed-by: example.com}}
addressType: IPv4
ports: [{name: "", port: 5432, protocol: TCP}]
endpoints: [{addresses: [192.168.0.7]}, {addresses: ["fd00::7"]}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: orphan, namespace: shop, uid: es4}
addressType: IPv6
endpoints: null
ports: null
---
apiVersion: discovery.k8s.io/v1alpha1
kind: EndpointSlice
metadata: {name: old, namespace: shop}
`;

function slice(name: string, ownerUid: string, labels: string): string {
  const service = name.slice(0, name.lastIndexOf('-'));
  return `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: ${name}
  namespace: shop
  uid: uid-of-${name}
  resourceVersion: "7"
  labels: {${labels}, kubernetes.io/service-name: ${service}, endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io}
  ownerReferences: [{apiVersion: v1, kind: Service, name: ${service}, uid: ${ownerUid}, controller: true, blockOwnerDeletion: true}]`;
}
