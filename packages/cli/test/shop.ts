/** Manifests of a small cluster with unfinished syncs, as an API server returns them. */
export const shop: string = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, uid: s1, creationTimestamp: "2026-01-31T12:00:00Z", labels: {app: web, __proto__: label, constructor: label}}
spec:
  type: ClusterIP
  clusterIP: 10.96.0.1
  ipFamilies: [IPv4]
  selector: {app: web}
  ports:
  - {name: http, port: 80, protocol: TCP, targetPort: http}
  - {name: metrics, port: 9090, protocol: TCP, targetPort: 9090}
---
${pod('web-a', { ip: '10.0.0.11' })}
---
${pod('web-b', { ip: '10.0.0.12', ready: false })}
---
${pod('web-c', { ip: '10.0.0.13', phase: 'Failed', ready: false })}
---
${pod('web-d', { ip: '10.0.0.14', port: 'web' })}
---
${pod('web-e', {})}
---
apiVersion: v1
kind: Endpoints
metadata:
  name: web
  namespace: shop
  uid: e1
  labels: {app: web, __proto__: label, constructor: label}
  annotations: {endpoints.kubernetes.io/last-change-trigger-time: "2026-01-31T12:00:00Z"}
subsets:
- addresses:
  - {ip: 10.0.0.11, nodeName: node-1, targetRef: {kind: Pod, namespace: shop, name: web-a, uid: uid-of-web-a}}
  - {ip: 10.0.0.99, nodeName: node-2, targetRef: {kind: Pod, namespace: shop, name: web-z, uid: uid-of-web-z}}
  ports:
  - {name: http, port: 8080, protocol: TCP}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop, uid: s2, labels: {app: db}}
spec: {type: ClusterIP, clusterIP: None, ipFamilies: [IPv4], selector: {app: db}, ports: [{port: 5432, protocol: TCP, targetPort: 5432}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db-0, namespace: shop, uid: uid-of-db-0, labels: {app: db}}
spec: {nodeName: node-1, hostname: db-0, subdomain: db, restartPolicy: Always, containers: [{name: db}]}
status: {phase: Running, podIP: 10.0.0.21, podIPs: [{ip: 10.0.0.21}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: db, namespace: shop, uid: e2, labels: {app: db, service.kubernetes.io/headless: "", endpoints.kubernetes.io/managed-by: endpoint-controller}}
subsets:
- addresses: [{ip: 10.0.0.21, hostname: db-0, nodeName: node-1, targetRef: {kind: Pod, namespace: shop, name: db-0, uid: uid-of-db-0}}]
  ports: [{port: 5432, protocol: TCP}]
---
apiVersion: v1
kind: Service
metadata: {name: empty, namespace: shop, uid: s3}
spec: {type: ClusterIP, clusterIP: 10.96.0.3, ipFamilies: [IPv4], selector: {app: nobody}, ports: [{port: 80, protocol: TCP, targetPort: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: elsewhere, namespace: shop, uid: s4}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: v1
kind: Service
metadata: {name: by-hand, namespace: ops, uid: s5}
spec: {type: ClusterIP, clusterIP: 10.96.0.5, ipFamilies: [IPv4], ports: [{port: 80, protocol: TCP, targetPort: 80}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: by-hand, namespace: ops, uid: e5}
subsets: [{addresses: [{ip: 192.168.0.1}], ports: [{port: 80, protocol: TCP}]}]
---
apiVersion: v1
kind: Endpoints
metadata: {name: gone, namespace: ops, uid: e6}
---
apiVersion: v1
kind: Endpoints
metadata: {name: scheduler, namespace: ops, uid: e7, annotations: {control-plane.alpha.kubernetes.io/leader: "{}"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
`;

interface PodOptions {
  readonly ip?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly port?: string;
}

function pod(name: string, { ip, phase = 'Running', ready = true, port = 'http' }: PodOptions): string {
  const address = ip === undefined ? '' : `podIP: ${ip}, podIPs: [{ip: ${ip}}], `;
  return `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, uid: uid-of-${name}, labels: {app: web}}
spec:
  nodeName: node-1
  restartPolicy: Always
  containers:
  - {name: web, ports: [{name: ${port}, containerPort: 8080, protocol: TCP}]}
status: {phase: ${ip === undefined ? 'Pending' : phase}, ${address}conditions: [{type: Ready, status: "${ready && ip !== undefined ? 'True' : 'False'}", lastTransitionTime: "2026-01-31T12:30:00Z"}]}`;
}
