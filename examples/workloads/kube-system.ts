import type { NamespaceTable } from './model.ts';

/** The system components of a typical cluster. */
export const kubeSystem: NamespaceTable = {
  namespace: 'kube-system',
  services: [
    {
      name: 'kube-dns',
      labels: { 'k8s-app': 'kube-dns', 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
      spec: {
        selector: { 'k8s-app': 'kube-dns' },
        ports: [
          { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, targetPort: 53 },
          { name: 'metrics', port: 9153, targetPort: 9153 },
        ],
      },
    },
    {
      name: 'node-local-dns',
      labels: { 'k8s-app': 'node-local-dns' },
      spec: {
        clusterIP: 'None',
        selector: { 'k8s-app': 'node-local-dns' },
        ports: [
          { name: 'dns', port: 53, targetPort: 'dns', protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, targetPort: 'dns-tcp' },
          { name: 'metrics', port: 9253, targetPort: 'metrics' },
        ],
      },
    },
    {
      name: 'metrics-server',
      labels: { 'k8s-app': 'metrics-server' },
      spec: { selector: { 'k8s-app': 'metrics-server' }, ports: [{ name: 'https', port: 443, targetPort: 'https', appProtocol: 'https' }] },
    },
    {
      // Its Endpoints would be written by an operator, which is not installed.
      name: 'kubelet',
      labels: { 'k8s-app': 'kubelet' },
      spec: { clusterIP: 'None', ports: [{ name: 'https-metrics', port: 10250 }] },
    },
    {
      name: 'snapshot-webhook',
      spec: { selector: { app: 'snapshot-webhook' }, ports: [{ port: 443, targetPort: 8443 }] },
    },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'coredns',
      labels: { 'k8s-app': 'kube-dns' },
      revisions: [
        {
          hash: '668d6bf9bc',
          image: 'coredns:1.14.3',
          ports: ['dns:53/UDP', 'dns-tcp:53', 'metrics:9153'],
          pods: { ready: 3, starting: 1 },
        },
      ],
    },
    {
      kind: 'DaemonSet',
      name: 'node-local-dns',
      labels: { 'k8s-app': 'node-local-dns' },
      hostNetwork: true,
      revisions: [
        {
          hash: '7c5d6b8f9',
          image: 'node-local-dns:1.25.0',
          ports: ['dns:53/UDP', 'dns-tcp:53', 'metrics:9253'],
          pods: { ready: 9, starting: 1 },
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'metrics-server',
      labels: { 'k8s-app': 'metrics-server' },
      revisions: [{ hash: '5dd6c8b9f7', image: 'metrics-server:0.8.0', ports: ['https:10250'], pods: { ready: 2 } }],
    },
    {
      kind: 'Deployment',
      name: 'snapshot-webhook',
      labels: { app: 'snapshot-webhook' },
      revisions: [{ hash: '74f9c6d5b8', image: 'snapshot-webhook:8.2.0', ports: ['https:8443'], pods: { ready: 1, evicted: 4 } }],
    },
  ],
};
