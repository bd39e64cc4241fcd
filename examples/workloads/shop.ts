import type { NamespaceTable } from './model.ts';

/** The web shop, during several rollouts. */
export const shop: NamespaceTable = {
  namespace: 'shop',
  services: [
    {
      name: 'storefront',
      labels: { app: 'storefront', team: 'web' },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'storefront' },
        ports: [{ name: 'http', port: 80, targetPort: 'http', appProtocol: 'http' }],
      },
    },
    {
      name: 'storefront-canary',
      labels: { app: 'storefront', track: 'canary' },
      spec: { selector: { app: 'storefront', track: 'canary' }, ports: [{ port: 80, targetPort: 'http' }] },
    },
    {
      name: 'cart',
      labels: { app: 'cart' },
      spec: {
        selector: { app: 'cart' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'metrics', port: 9102, targetPort: 'metrics' },
        ],
      },
    },
    {
      name: 'catalog',
      labels: { app: 'catalog', team: 'assortment' },
      spec: {
        selector: { app: 'catalog' },
        ipFamilyPolicy: 'PreferDualStack',
        ports: [
          { name: 'grpc', port: 9000, targetPort: 'grpc', appProtocol: 'kubernetes.io/h2c' },
          { name: 'http', port: 80, targetPort: 8080, appProtocol: 'http' },
        ],
      },
    },
    {
      name: 'search',
      spec: {
        selector: { app: 'search' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'suggest', port: 8090, targetPort: 'suggest' },
        ],
      },
    },
    {
      name: 'checkout',
      labels: { app: 'checkout', 'app.kubernetes.io/part-of': 'shop' },
      spec: {
        selector: { app: 'checkout' },
        ports: [
          { name: 'https', port: 443, targetPort: 'mesh-tls', appProtocol: 'https' },
          { name: 'mesh-admin', port: 15000, targetPort: 'mesh-admin' },
        ],
      },
    },
    { name: 'recommendations', spec: { selector: { app: 'recommendations' }, ports: [{ port: 8080 }] } },
    { name: 'reviews', spec: { selector: { app: 'reviews' }, ports: [{ name: 'http', port: 80, targetPort: 3000 }] } },
    {
      name: 'images',
      spec: { type: 'NodePort', selector: { app: 'images' }, ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }] },
    },
    {
      name: 'sessions',
      labels: { app: 'sessions', 'service.kubernetes.io/headless': '' },
      spec: { clusterIP: 'None', selector: { app: 'sessions' }, ports: [{ name: 'redis', port: 6379, targetPort: 'redis' }] },
    },
    {
      name: 'pricing',
      spec: {
        selector: { app: 'pricing' },
        ipFamilyPolicy: 'PreferDualStack',
        ipFamilies: ['IPv6', 'IPv4'],
        ports: [{ name: 'grpc', port: 9000, targetPort: 'grpc' }],
      },
    },
    {
      // Its Deployment was deleted; its labels were copied from a headless Service.
      name: 'legacy-storefront',
      labels: { app: 'storefront-v1', 'service.kubernetes.io/headless': '' },
      spec: { selector: { app: 'storefront-v1' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    {
      // The port of its containers is named "http".
      name: 'gift-cards',
      spec: { selector: { app: 'gift-cards' }, ports: [{ name: 'web', port: 80, targetPort: 'web' }] },
    },
    { name: 'blog', spec: { type: 'ExternalName', externalName: 'blog.example.com' } },
    {
      name: 'newsletter',
      spec: { type: 'ExternalName', externalName: 'news.example.com', selector: { app: 'newsletter' }, ports: [{ port: 80 }] },
    },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'storefront',
      labels: { app: 'storefront', team: 'web' },
      revisions: [
        { hash: '6c9f8d7b54', image: 'storefront:8.41.2', ports: ['http:8080'], pods: { ready: 7, terminating: 3 } },
        { hash: '7f5b6c4d98', image: 'storefront:8.42.0', ports: ['http:8080'], pods: { ready: 4, starting: 2, creating: 1 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'storefront-canary',
      labels: { app: 'storefront', team: 'web', track: 'canary' },
      revisions: [{ hash: '58d8f7c6b9', image: 'storefront:9.0.0-rc.3', ports: ['http:8080'], pods: { ready: 1, crashing: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'cart',
      labels: { app: 'cart' },
      revisions: [
        { hash: '5d6c7b8f49', image: 'cart:3.17.0', ports: ['http:8080', 'metrics:9102'], pods: { ready: 5, terminating: 1 } },
        { hash: '84b9d5f6c7', image: 'cart:3.18.0', ports: ['http:8081', 'metrics:9102'], pods: { ready: 3, starting: 1 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'catalog',
      labels: { app: 'catalog', team: 'assortment' },
      families: '46',
      revisions: [{ hash: '7c8d9f5b46', image: 'catalog:4.12.1', ports: ['grpc:9000', 'http:8080'], pods: { ready: 12, evicted: 2 } }],
    },
    {
      kind: 'Deployment',
      name: 'search',
      labels: { app: 'search' },
      revisions: [
        { hash: '69f7d8c5b4', image: 'search:2.9.4', ports: ['http:8080'], pods: { ready: 3, terminating: 2 } },
        { hash: 'b5c6d7f894', image: 'search:3.0.0', ports: ['http:8080', 'suggest:8090'], pods: { ready: 4, starting: 2 } },
      ],
    },
    {
      kind: 'Deployment',
      name: 'checkout',
      labels: { app: 'checkout', 'app.kubernetes.io/part-of': 'shop' },
      revisions: [
        {
          hash: '79b8c6d5f4',
          image: 'checkout:11.3.0',
          ports: ['http:8080'],
          sidecars: { 'mesh-proxy': ['mesh-tls:15443', 'mesh-admin:15000'] },
          pods: { ready: 6, starting: 1 },
        },
        {
          hash: '4f6d5c8b97',
          image: 'checkout:11.2.7',
          ports: ['http:8080'],
          extraContainers: { 'mesh-proxy': ['mesh-tls:15443'] },
          pods: { ready: 2, terminating: 2 },
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'recommendations',
      labels: { app: 'recommendations' },
      revisions: [{ hash: '86f9b7d5c4', image: 'recommendations:0.30.1', pods: { crashing: 4 } }],
    },
    {
      kind: 'Deployment',
      name: 'reviews',
      labels: { app: 'reviews' },
      revisions: [{ hash: '5b7f6d9c84', image: 'reviews:1.8.0', ports: ['http:3000'], pods: { ready: 3, crashing: 1, evicted: 3 } }],
    },
    {
      kind: 'Deployment',
      name: 'images',
      labels: { app: 'images' },
      revisions: [{ hash: '6d7c9b8f54', image: 'images:2.2.0', pods: { ready: 5, unschedulable: 2 } }],
    },
    {
      kind: 'StatefulSet',
      name: 'sessions',
      labels: { app: 'sessions' },
      subdomain: 'sessions',
      revisions: [{ hash: 'sessions-7d4b9c6f58', image: 'redis:7.4.2', ports: ['redis:6379'], pods: { ready: 5, starting: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'pricing',
      labels: { app: 'pricing' },
      families: '64',
      revisions: [{ hash: 'c7d6f5b984', image: 'pricing:5.5.5', ports: ['grpc:9000'], pods: { ready: 4, terminating: 1, starting: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'gift-cards',
      labels: { app: 'gift-cards' },
      revisions: [{ hash: '9f8d7c6b54', image: 'gift-cards:1.0.9', ports: ['http:8080'], pods: { ready: 2 } }],
    },
    {
      kind: 'Deployment',
      name: 'newsletter',
      labels: { app: 'newsletter' },
      revisions: [{ hash: '85c9d7b6f4', image: 'newsletter:1.4.0', ports: ['http:80'], pods: { ready: 1 } }],
    },
  ],
};
