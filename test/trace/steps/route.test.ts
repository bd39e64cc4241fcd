import { describe, expect, it } from 'vitest';
import type { GatewayObjects, HTTPRoute, Ingress } from '../../../src/gateway/index.ts';
import { TraceError } from '../../../src/trace/index.ts';
import { crashingStatus, makeCluster, makePod, makeService, runTrace, stepOf } from '../shop.ts';

const cluster = makeCluster(
  [makeService('web'), makeService('pay', { clusterIP: '10.96.0.11' }), makeService('peers', { clusterIP: 'None', clusterIPs: ['None'] })],
  [makePod('web-1', 1), makePod('pay-1', 2, { status: crashingStatus }), makePod('peers-1', 3)],
);
const ingress = (name: string, path: string, service: string, more: object = {}): Ingress => ({
  metadata: { namespace: 'shop', name },
  spec: {
    ingressClassName: 'nginx',
    rules: [
      {
        host: 'shop.example.com',
        http: { paths: [{ path, pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } }] },
      },
    ],
    ...more,
  },
});
const nginx = { metadata: { name: 'nginx' }, spec: { controller: 'k8s.io/ingress-nginx' } };
const ingresses: GatewayObjects = {
  ingressClasses: [nginx],
  ingresses: [ingress('a', '/cart', 'web'), ingress('b', '/pay', 'pay'), ingress('c', '/none', 'nothing'), ingress('d', '/peers', 'peers')],
};
const routeTo = (...backendRefs: object[]): HTTPRoute => ({
  metadata: { namespace: 'shop', name: 'web' },
  spec: { parentRefs: [{ name: 'public' }], hostnames: ['shop.example.com'], rules: [{ backendRefs }] },
});
const gateways = (...httpRoutes: HTTPRoute[]): GatewayObjects => ({
  gatewayClasses: [{ metadata: { name: 'any' }, spec: { controllerName: 'example.com/any' } }],
  gateways: [
    {
      metadata: { namespace: 'shop', name: 'public' },
      spec: { gatewayClassName: 'any', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    },
  ],
  httpRoutes,
});

const follow = (target: string, routes: GatewayObjects) => runTrace(target, { ...cluster, routes });

describe('a trace of a host outside the cluster', () => {
  it.each([
    ['reaches the Service of the Ingress', 'https://shop.example.com/cart?x=1', 'reached', ['shop/web:80, 100 %'], undefined],
    [
      'names the cause in the pods behind the Ingress',
      'https://shop.example.com/pay',
      'unreachable',
      ['shop/pay:80, 100 %'],
      'ContainerWaiting',
    ],
    ['names a Service that does not exist', 'https://shop.example.com/none', 'unreachable', [], 'ServiceNotFound'],
    ['names a path without a rule', 'https://shop.example.com/other', 'unreachable', [], 'PathNotFound'],
    ['names a misspelt host', 'https://shpo.example.com/cart', 'unreachable', [], 'HostNotFound'],
    ['reaches the endpoints of a headless Service', 'http://shop.example.com/peers', 'reached', ['shop/peers:80, 100 %'], undefined],
  ])('%s', (_, target, outcome, chosen, cause) => {
    const trace = follow(target, ingresses);
    const labels = stepOf(trace, 'route').chosen.map(({ label }) => label);
    expect([trace.outcome, labels, trace.cause?.code]).toStrictEqual([outcome, chosen, cause]);
  });

  it('leads outside if no rule has a similar host, and if the scheme is not HTTP', () => {
    expect(follow('https://example.org/', ingresses).outcome).toBe('outside');
    expect(follow('ftp://shop.example.com/cart', ingresses).outcome).toBe('outside');
  });

  it('names the route and the Gateway, and the object that a fix changes', () => {
    const trace = follow('http://shop.example.com/', gateways(routeTo({ name: 'web', port: 81 })));
    expect(stepOf(trace, 'route').title).toBe('HTTPRoute shop/web through Gateway shop/public');
    expect([trace.cause?.code, trace.cause?.fix?.command]).toStrictEqual(['ServicePortNotFound', 'kubectl -n shop edit httproute web']);
  });

  it('is degraded if one of several backends fails, and shows which one', () => {
    const trace = follow('http://shop.example.com/', gateways(routeTo({ name: 'web', port: 80, weight: 9 }, { name: 'pay', port: 80 })));
    expect([trace.outcome, trace.cause?.code]).toStrictEqual(['degraded', 'ContainerWaiting']);
    expect(stepOf(trace, 'route').chosen.map(({ label, notes }) => [label, notes.map(({ code }) => code)])).toStrictEqual([
      ['shop/web:80, 90 %', []],
      ['shop/pay:80, 10 %', ['BackendFails']],
    ]);
  });

  it('ends with a redirect', () => {
    const filters = [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }];
    const spec = { ...routeTo().spec, rules: [{ filters }] } as HTTPRoute['spec'];
    const trace = follow('http://shop.example.com/cart', gateways({ ...routeTo(), spec }));
    expect([trace.outcome, trace.verdict]).toStrictEqual([
      'reached',
      'http://shop.example.com/cart is redirected to https://shop.example.com/cart.',
    ]);
  });

  it('is unknown as far as the objects do not show it', () => {
    const trace = follow('https://shop.example.com/cart', { ingresses: ingresses.ingresses ?? [] });
    expect([trace.outcome, stepOf(trace, 'route').outcome, trace.verdict]).toStrictEqual([
      'reached',
      'unknown',
      'https://shop.example.com/cart reaches 1 endpoint of Service shop/web through Ingress shop/a, as far as the input shows.',
    ]);
  });

  it('leads outside if the backend is no Service', () => {
    const resource = { apiGroup: 'storage.example.com', kind: 'Bucket', name: 'static' };
    const rules = [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { resource } }] } }];
    const trace = follow('http://shop.example.com/', { ingressClasses: [nginx], ingresses: [ingress('a', '/', 'web', { rules })] });
    expect([trace.outcome, stepOf(trace, 'route').outcome, trace.verdict]).toStrictEqual([
      'outside',
      'unknown',
      'http://shop.example.com/ leads outside the cluster, to a backend that is not known here.',
    ]);
  });

  it('does not ask for a client pod, because the proxy is the client of the pods', () => {
    const networkPolicies = [{ metadata: { namespace: 'shop', name: 'x' }, spec: { ingress: [{ from: [{ podSelector: {} }] }] } }];
    const trace = runTrace('https://shop.example.com/cart', { ...cluster, routes: ingresses, policies: { networkPolicies } });
    expect(stepOf(trace, 'network').notes.map(({ code, remedy }) => [code, remedy])).toStrictEqual([['ProxyUnknownToPolicies', undefined]]);
  });

  it('throws a TraceError for an object that an API server does not accept', () => {
    expect(() => follow('https://shop.example.com/cart', { ingresses: [ingress('a', '/cart', 'web', { rules: 7 })] })).toThrow(TraceError);
  });
});
