import type { NamespaceTable } from './model.ts';

/** The edge: ingress on the host network, devices over IPv6 and SCTP, and a cache that is too big for one Endpoints object. */
export const edge: NamespaceTable = {
  namespace: 'edge',
  services: [
    {
      name: 'cdn-cache',
      labels: { app: 'cdn-cache' },
      spec: { selector: { app: 'cdn-cache' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    {
      name: 'ingress-controller',
      labels: { app: 'ingress' },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'ingress' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http', appProtocol: 'http' },
          { name: 'https', port: 443, targetPort: 'https', appProtocol: 'https' },
        ],
      },
    },
    {
      name: 'ingress-admission',
      labels: { app: 'ingress' },
      spec: { selector: { app: 'ingress' }, ports: [{ name: 'https-webhook', port: 443, targetPort: 'webhook', appProtocol: 'https' }] },
    },
    {
      name: 'geo-dns',
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'geo-dns' },
        ports: [
          { name: 'dns', port: 53, targetPort: 'dns', protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, targetPort: 'dns' },
        ],
      },
    },
    {
      name: 'device-gateway',
      spec: {
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv6'],
        selector: { app: 'device-gateway' },
        ports: [
          { name: 'coap', port: 5683, targetPort: 'coap', protocol: 'UDP' },
          { name: 'mqtt', port: 1883, targetPort: 'mqtt' },
        ],
      },
    },
    {
      name: 'signalling',
      spec: {
        selector: { app: 'signalling' },
        ports: [
          { name: 'm3ua', port: 2905, targetPort: 'm3ua', protocol: 'SCTP' },
          { name: 'sip', port: 5060, targetPort: 'sip', protocol: 'UDP' },
        ],
      },
    },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'cdn-cache',
      labels: { app: 'cdn-cache' },
      pool: 'edge',
      minimalStatus: true,
      revisions: [
        { hash: '6d8b7f9c54', image: 'cdn-cache:5.2', ports: ['http:8080'], pods: { ready: 690, starting: 25, terminating: 5 } },
        { hash: '7b9c8d6f54', image: 'cdn-cache:5.3', ports: ['http:8081'], pods: { ready: 330, starting: 55 } },
      ],
    },
    {
      kind: 'DaemonSet',
      name: 'ingress',
      labels: { app: 'ingress' },
      pool: 'edge',
      hostNetwork: true,
      revisions: [
        { hash: '5f6d9c8b74', image: 'ingress:1.12.0', ports: ['http:80', 'https:443', 'webhook:8443'], pods: { ready: 10, crashing: 1 } },
      ],
    },
    {
      // Old and new pods share the addresses of nodes: the new ones become ready when the old ones release the ports.
      kind: 'DaemonSet',
      name: 'ingress-next',
      labels: { app: 'ingress' },
      pool: 'edge',
      hostNetwork: true,
      revisions: [
        { hash: '8c9f7b6d54', image: 'ingress:1.13.0', ports: ['http:80', 'https:443', 'webhook:9443'], pods: { starting: 2, ready: 2 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'geo-dns',
      labels: { app: 'geo-dns' },
      pool: 'edge',
      // "dns" is only a UDP port, so the TCP port of the Service matches no container port.
      revisions: [{ hash: '7f6c5d9b84', image: 'geo-dns:2.4', ports: ['dns:5353/UDP', 'dns-tcp:5353'], pods: { ready: 4 } }],
    },
    {
      kind: 'Deployment',
      name: 'device-gateway',
      labels: { app: 'device-gateway' },
      pool: 'edge',
      families: '6',
      revisions: [
        { hash: 'b8d7c9f654', image: 'device-gateway:0.9', ports: ['coap:5683/UDP', 'mqtt:1883'], pods: { ready: 5, starting: 1 } },
      ],
    },
    {
      kind: 'StatefulSet',
      name: 'signalling',
      labels: { app: 'signalling' },
      pool: 'edge',
      revisions: [
        {
          hash: 'signalling-5c8b9d7f64',
          image: 'signalling:4.0',
          ports: ['m3ua:2905/SCTP', 'sip:5060/UDP'],
          pods: { ready: 2, failed: 1 },
        },
      ],
    },
  ],
};
