import type { NamespaceTable } from './model.ts';

/** Services that handle an order until its parcel is shipped. */
export const fulfilment: NamespaceTable = {
  namespace: 'fulfilment',
  services: [
    {
      name: 'order-router',
      labels: { app: 'order-router' },
      spec: {
        selector: { app: 'order-router' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'grpc', port: 9000, targetPort: 'grpc', appProtocol: 'kubernetes.io/h2c' },
          { name: 'debug', port: 6060, targetPort: 'debug' },
        ],
      },
    },
    { name: 'stock', spec: { selector: { app: 'stock' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } },
    { name: 'shipping-labels', spec: { selector: { app: 'shipping-labels' }, ports: [{ port: 8631, targetPort: 631 }] } },
    {
      name: 'warehouse-robots',
      labels: { app: 'warehouse-robots' },
      spec: {
        clusterIP: 'None',
        selector: { app: 'warehouse-robots' },
        ports: [{ name: 'telemetry', port: 7400, targetPort: 'telemetry', protocol: 'UDP' }],
      },
    },
    {
      // The selector has a typo: "carier".
      name: 'carrier-tracking',
      spec: { selector: { app: 'carier-tracking' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'order-router',
      labels: { app: 'order-router' },
      revisions: [
        { hash: '58c7d9f6b4', image: 'order-router:17', ports: ['http:8080', 'grpc:9000'], pods: { ready: 5, terminating: 2 } },
        { hash: '6d5f8b9c74', image: 'order-router:18', ports: ['http:8080', 'grpc:9000', 'debug:6060'], pods: { ready: 3, starting: 1 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'stock',
      labels: { app: 'stock' },
      revisions: [
        { hash: '5d9f6b8c74', image: 'stock:1.9', ports: ['http:8080'], pods: { ready: 4 } },
        { hash: '7c6b9d8f54', image: 'stock:2.0', ports: ['http:8000'], pods: { ready: 4, crashing: 2 } },
        { hash: '9b6d5c8f74', image: 'stock:2.1', ports: ['http:9080'], pods: { ready: 2, starting: 2 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'shipping-labels',
      labels: { app: 'shipping-labels' },
      revisions: [{ hash: '64d7b9c8f5', image: 'shipping-labels:0.4', pods: { ready: 2, evicted: 5, failed: 1 } }],
    },
    {
      kind: 'DaemonSet',
      name: 'warehouse-robots',
      labels: { app: 'warehouse-robots' },
      hostNetwork: true,
      node: 'worker-c1',
      revisions: [{ hash: '8f7c6d9b54', image: 'robots:12', ports: ['telemetry:7400/UDP'], pods: { ready: 4, starting: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'carrier-tracking',
      labels: { app: 'carrier-tracking' },
      revisions: [{ hash: '75b9f8c6d4', image: 'carrier-tracking:3.0', ports: ['http:8080'], pods: { ready: 3 } }],
    },
  ],
};
