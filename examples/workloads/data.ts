import type { NamespaceTable } from './model.ts';

/** StatefulSets, most of them headless, whose members find each other before they are ready. */
export const data: NamespaceTable = {
  namespace: 'data',
  services: [
    {
      name: 'postgres',
      labels: { app: 'postgres' },
      spec: { clusterIP: 'None', selector: { app: 'postgres' }, ports: [{ name: 'sql', port: 5432, targetPort: 'sql' }] },
    },
    {
      name: 'postgres-primary',
      labels: { app: 'postgres' },
      spec: { selector: { app: 'postgres', role: 'primary' }, ports: [{ name: 'sql', port: 5432, targetPort: 'sql' }] },
    },
    {
      name: 'postgres-replicas',
      labels: { app: 'postgres' },
      spec: { selector: { app: 'postgres', role: 'replica' }, ports: [{ name: 'sql', port: 5432, targetPort: 'sql' }] },
    },
    {
      name: 'kafka-brokers',
      labels: { app: 'kafka' },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector: { app: 'kafka' },
        ports: [
          { name: 'client', port: 9092, targetPort: 'client' },
          { name: 'replication', port: 9091, targetPort: 'replication' },
          { name: 'jmx', port: 5556, targetPort: 'jmx' },
        ],
      },
    },
    {
      name: 'kafka-bootstrap',
      labels: { app: 'kafka' },
      spec: { selector: { app: 'kafka' }, ports: [{ name: 'client', port: 9092, targetPort: 'client' }] },
    },
    {
      // The annotation had an effect in old releases only; publishNotReadyAddresses replaced it.
      name: 'cassandra',
      labels: { app: 'cassandra' },
      annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' },
      spec: { clusterIP: 'None', selector: { app: 'cassandra' }, ports: [{ name: 'cql', port: 9042, targetPort: 'cql' }] },
    },
    {
      name: 'elasticsearch',
      labels: { app: 'elasticsearch' },
      spec: { selector: { app: 'elasticsearch' }, ports: [{ name: 'http', port: 9200, targetPort: 9200, appProtocol: 'http' }] },
    },
    {
      name: 'elasticsearch-discovery',
      labels: { app: 'elasticsearch' },
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: { app: 'elasticsearch' } },
    },
    {
      name: 'minio',
      spec: {
        clusterIP: 'None',
        ipFamilyPolicy: 'RequireDualStack',
        ipFamilies: ['IPv6', 'IPv4'],
        selector: { app: 'minio' },
        ports: [
          { name: 'api', port: 9000, targetPort: 'api' },
          { name: 'console', port: 9001, targetPort: 'console' },
        ],
      },
    },
    {
      name: 'clickhouse',
      spec: {
        selector: { app: 'clickhouse' },
        ports: [
          { name: 'http', port: 8123, targetPort: 'http', appProtocol: 'http' },
          { name: 'native', port: 9000, targetPort: 'native' },
        ],
      },
    },
  ],
  workloads: [
    {
      kind: 'StatefulSet',
      name: 'postgres',
      labels: { app: 'postgres' },
      subdomain: 'postgres',
      revisions: [
        { hash: 'postgres-66c9d8b7f5', image: 'postgres:17.2', ports: ['sql:5432'], labels: { role: 'primary' }, pods: { ready: 1 } },
        {
          hash: 'postgres-66c9d8b7f5',
          image: 'postgres:17.2',
          ports: ['sql:5432'],
          labels: { role: 'replica' },
          pods: { ready: 2, starting: 1 },
        },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'kafka',
      labels: { app: 'kafka' },
      subdomain: 'kafka-brokers',
      revisions: [
        {
          hash: 'kafka-7b8c9d6f54',
          image: 'kafka:3.9.0',
          ports: ['client:9092', 'replication:9091'],
          sidecars: { 'jmx-exporter': ['jmx:5556'] },
          pods: { ready: 5, crashing: 1, creating: 1 },
        },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'cassandra',
      labels: { app: 'cassandra' },
      subdomain: 'cassandra',
      revisions: [{ hash: 'cassandra-5c6b7d8f94', image: 'cassandra:5.0.2', ports: ['cql:9042'], pods: { ready: 4, starting: 2 } }],
    },
    {
      kind: 'StatefulSet',
      name: 'elasticsearch',
      labels: { app: 'elasticsearch' },
      subdomain: 'elasticsearch-discovery',
      revisions: [{ hash: 'elasticsearch-8f6d5b7c94', image: 'elasticsearch:8.17.0', pods: { ready: 7, starting: 1, terminating: 1 } }],
    },
    {
      kind: 'StatefulSet',
      name: 'minio',
      labels: { app: 'minio' },
      subdomain: 'minio',
      // IPv4 addresses first, then IPv6.
      families: '46',
      revisions: [{ hash: 'minio-6d9c8f7b54', image: 'minio:2025.1', ports: ['api:9000', 'console:9001'], pods: { ready: 4, evicted: 1 } }],
    },
    {
      kind: 'StatefulSet',
      name: 'clickhouse',
      labels: { app: 'clickhouse' },
      revisions: [
        { hash: 'clickhouse-9b8d7f6c54', image: 'clickhouse:24.8', ports: ['http:8123', 'native:9000'], pods: { ready: 3 } },
        { hash: 'clickhouse-c6f5d8b794', image: 'clickhouse:25.1', ports: ['http:8123', 'native:9440'], pods: { ready: 2, starting: 1 } },
      ],
    },
  ],
};
