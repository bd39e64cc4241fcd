import type { NamespaceTable } from './model.ts';

/** Monitoring: host-network exporters, a collector with many ports, two protocols on one port number. */
export const monitoring: NamespaceTable = {
  namespace: 'monitoring',
  services: [
    {
      name: 'prometheus-operated',
      labels: { 'operated-prometheus': 'true' },
      spec: { clusterIP: 'None', selector: { app: 'prometheus' }, ports: [{ name: 'http-web', port: 9090, targetPort: 'http-web' }] },
    },
    { name: 'prometheus', spec: { selector: { app: 'prometheus' }, ports: [{ name: 'http-web', port: 9090, targetPort: 9090 }] } },
    {
      name: 'alertmanager-operated',
      labels: { 'operated-alertmanager': 'true' },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector: { app: 'alertmanager' },
        ports: [
          { name: 'http-web', port: 9093, targetPort: 9093 },
          { name: 'tcp-mesh', port: 9094, targetPort: 9094 },
          { name: 'udp-mesh', port: 9094, targetPort: 9094, protocol: 'UDP' },
        ],
      },
    },
    {
      name: 'grafana',
      spec: { type: 'NodePort', selector: { app: 'grafana' }, ports: [{ port: 80, targetPort: 'grafana', nodePort: 30300 }] },
    },
    {
      name: 'node-exporter',
      labels: { app: 'node-exporter' },
      spec: { clusterIP: 'None', selector: { app: 'node-exporter' }, ports: [{ name: 'metrics', port: 9100, targetPort: 'metrics' }] },
    },
    {
      name: 'blackbox-exporter',
      spec: { selector: { app: 'blackbox-exporter' }, ports: [{ name: 'http', port: 9115, targetPort: 'http' }] },
    },
    {
      name: 'otel-collector',
      labels: { app: 'otel-collector' },
      spec: {
        ipFamilyPolicy: 'PreferDualStack',
        selector: { app: 'otel-collector' },
        ports: [
          { name: 'otlp', port: 4317, targetPort: 'otlp', appProtocol: 'grpc' },
          { name: 'otlp-http', port: 4318, targetPort: 'otlp-http', appProtocol: 'http' },
          { name: 'jaeger-compact', port: 6831, targetPort: 'jaeger-compact', protocol: 'UDP' },
          { name: 'jaeger-grpc', port: 14250, targetPort: 'jaeger-grpc' },
          { name: 'zipkin', port: 9411, targetPort: 'zipkin' },
          { name: 'statsd', port: 8125, targetPort: 'statsd', protocol: 'UDP' },
        ],
      },
    },
    { name: 'loki', spec: { selector: { app: 'loki', tier: 'write' }, ports: [{ name: 'http', port: 3100, targetPort: 'http' }] } },
  ],
  workloads: [
    {
      kind: 'StatefulSet',
      name: 'prometheus',
      labels: { app: 'prometheus' },
      subdomain: 'prometheus-operated',
      revisions: [
        {
          hash: 'prometheus-6f8d7c9b54',
          image: 'prometheus:3.1.0',
          ports: ['http-web:9090'],
          sidecars: { thanos: ['grpc:10901'] },
          pods: { ready: 2, starting: 1 },
        },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'alertmanager',
      labels: { app: 'alertmanager' },
      subdomain: 'alertmanager-operated',
      revisions: [
        {
          hash: 'alertmanager-84c7d9b6f5',
          image: 'alertmanager:0.28.0',
          ports: ['http-web:9093', 'tcp-mesh:9094', 'udp-mesh:9094/UDP'],
          pods: { ready: 2, crashing: 1 },
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'grafana',
      labels: { app: 'grafana' },
      revisions: [{ hash: '65f7c8d9b4', image: 'grafana:11.4.0', ports: ['grafana:3000'], pods: { ready: 1, terminating: 1 } }],
    },
    {
      kind: 'DaemonSet',
      name: 'node-exporter',
      labels: { app: 'node-exporter' },
      hostNetwork: true,
      revisions: [
        { hash: '5b9d8c7f64', image: 'node-exporter:1.8.2', ports: ['metrics:9100'], pods: { ready: 8, starting: 1, terminating: 1 } },
      ],
    },
    {
      // Three pods of one node have the same address; only their UIDs differ.
      kind: 'Deployment',
      name: 'blackbox-exporter',
      labels: { app: 'blackbox-exporter' },
      hostNetwork: true,
      node: 'worker-b2',
      revisions: [
        { hash: '7d8f6c5b94', image: 'blackbox-exporter:0.25.0', ports: ['http:9115'], pods: { ready: 1, starting: 1 } },
        { hash: '98c7f5d6b4', image: 'blackbox-exporter:0.26.0', ports: ['http:9116'], pods: { ready: 1 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'otel-collector',
      labels: { app: 'otel-collector' },
      families: '46',
      revisions: [
        {
          hash: '6c7b9d8f54',
          image: 'otel-collector:0.117.0',
          ports: ['otlp:4317', 'otlp-http:4318', 'jaeger-compact:6831/UDP', 'jaeger-grpc:14250', 'zipkin:9411', 'statsd:8125/UDP'],
          pods: { ready: 5, terminating: 2 },
        },
        {
          // The new revision has no Jaeger ports.
          hash: 'f5d6c7b894',
          image: 'otel-collector:0.118.0',
          ports: ['otlp:4317', 'otlp-http:4318', 'zipkin:9411', 'statsd:8125/UDP'],
          pods: { ready: 3, starting: 2 },
        },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'loki-write',
      labels: { app: 'loki', tier: 'write' },
      revisions: [{ hash: 'loki-write-5d7f6c8b94', image: 'loki:3.3.2', ports: ['http:3100'], pods: { ready: 3 } }],
    },
    {
      kind: 'StatefulSet',
      name: 'loki-read',
      labels: { app: 'loki', tier: 'read' },
      revisions: [{ hash: 'loki-read-8b9c6d7f54', image: 'loki:3.3.2', ports: ['http:3100'], pods: { ready: 3, crashing: 1 } }],
    },
  ],
};
