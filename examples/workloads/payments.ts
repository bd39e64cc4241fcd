import type { NamespaceTable } from './model.ts';

/** Payments: a bank outside the cluster, an IPv6-only vault, jobs that carry a Service's labels. */
export const payments: NamespaceTable = {
  namespace: 'payments',
  services: [
    {
      name: 'payment-gateway',
      labels: { app: 'payment-gateway', 'pci-scope': 'in' },
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        selector: { app: 'payment-gateway' },
        ports: [
          { name: 'https', port: 443, targetPort: 'https', appProtocol: 'https' },
          { name: 'health', port: 8086, targetPort: 8086, appProtocol: 'http' },
        ],
      },
    },
    {
      name: 'ledger-peers',
      labels: { app: 'ledger' },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector: { app: 'ledger' },
        ports: [
          { name: 'raft', port: 7000, targetPort: 'raft' },
          { name: 'gossip', port: 7001, targetPort: 'gossip', protocol: 'UDP' },
        ],
      },
    },
    {
      name: 'ledger',
      labels: { app: 'ledger' },
      spec: { selector: { app: 'ledger' }, ports: [{ name: 'sql', port: 5432, targetPort: 'sql' }] },
    },
    { name: 'fraud-scoring', spec: { selector: { app: 'fraud-scoring' }, ports: [{ name: 'grpc', port: 9000, targetPort: 'grpc' }] } },
    {
      name: 'card-vault',
      labels: { app: 'card-vault', 'pci-scope': 'in' },
      spec: {
        selector: { app: 'card-vault' },
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv6'],
        ports: [{ name: 'https', port: 8200, targetPort: 'api', appProtocol: 'https' }],
      },
    },
    { name: 'acquirer-bank', spec: { ports: [{ name: 'iso8583', port: 8583 }] } },
    { name: 'invoices', spec: { selector: { app: 'invoices' }, ports: [{ port: 80, targetPort: 'http' }] } },
    { name: 'refunds', spec: { selector: { app: 'refunds' }, ports: [{ port: 80, targetPort: 'http' }] } },
    {
      name: 'psp-webhooks',
      spec: {
        type: 'NodePort',
        sessionAffinity: 'ClientIP',
        selector: { app: 'psp-webhooks' },
        ports: [{ name: 'http', port: 80, targetPort: 8000, nodePort: 30800 }],
      },
    },
  ],
  endpoints: [
    {
      name: 'acquirer-bank',
      subsets: [{ addresses: [{ ip: '192.0.2.17' }, { ip: '192.0.2.18' }], ports: [{ name: 'iso8583', port: 8583 }] }],
    },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'payment-gateway',
      labels: { app: 'payment-gateway' },
      revisions: [
        { hash: '6b8f7d9c54', image: 'payment-gateway:21.4', ports: ['https:8443', 'health:8086'], pods: { ready: 8, terminating: 2 } },
        { hash: 'd7c6b5f894', image: 'payment-gateway:21.5', ports: ['https:9443', 'health:8086'], pods: { ready: 2, starting: 3 } },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'ledger',
      labels: { app: 'ledger' },
      subdomain: 'ledger-peers',
      revisions: [
        {
          hash: 'ledger-5f9d8c7b64',
          image: 'ledger:6.1.0',
          ports: ['sql:5432', 'raft:7000', 'gossip:7001/UDP'],
          pods: { ready: 3, starting: 1, crashing: 1 },
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'fraud-scoring',
      labels: { app: 'fraud-scoring' },
      revisions: [{ hash: '77d9c8b6f5', image: 'fraud-scoring:14.0.2', ports: ['grpc:9000'], pods: { ready: 6 } }],
    },
    {
      kind: 'Job',
      name: 'fraud-model-training-29401260',
      labels: { app: 'fraud-scoring', 'batch.kubernetes.io/job-name': 'fraud-model-training-29401260' },
      restartPolicy: 'Never',
      revisions: [{ hash: 'training', image: 'fraud-scoring:14.0.2', ports: ['grpc:9000'], pods: { completed: 4, failed: 2, ready: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'card-vault',
      labels: { app: 'card-vault' },
      // IPv6 addresses first, then IPv4.
      families: '64',
      revisions: [{ hash: '8d7c6f9b54', image: 'card-vault:1.19.0', ports: ['api:8200'], pods: { ready: 3 } }],
    },
    {
      // These pods have only an IPv4 address, so they are no endpoints of the IPv6 Service.
      kind: 'Deployment',
      name: 'card-vault-legacy',
      labels: { app: 'card-vault' },
      families: '4',
      revisions: [{ hash: '95f8d7c6b4', image: 'card-vault:1.17.3', ports: ['api:8200'], pods: { ready: 2 } }],
    },
    {
      kind: 'Deployment',
      name: 'invoices',
      labels: { app: 'invoices' },
      revisions: [{ hash: '6f7d5c9b84', image: 'invoices:2.0.1', ports: ['http:8080'], pods: { ready: 1, creating: 2, unschedulable: 3 } }],
    },
    {
      kind: 'Deployment',
      name: 'psp-webhooks',
      labels: { app: 'psp-webhooks' },
      revisions: [{ hash: '59c8f7d6b4', image: 'psp-webhooks:7.7', ports: ['http:8000'], pods: { ready: 4, evicted: 1 } }],
    },
  ],
};
