import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/index.ts';
import { gateway, makeRoute, ok, publicGateway, route, rule, web } from './fixtures.ts';

const hosts = ['shop.example.com'];

describe('routeRequest with other routes', () => {
  const tlsGateway = (mode: string): Gateway => ({
    metadata: { namespace: 'shop', name: 'tls' },
    spec: {
      gatewayClassName: 'envoy',
      listeners: [
        { name: 'tls', port: 443, protocol: 'TLS', hostname: '*.example.com', tls: { mode } },
        { name: 'tcp', port: 5432, protocol: 'TCP' },
        { name: 'grpc', port: 80, protocol: 'HTTP' },
      ],
    },
  });
  const stream = { metadata: { namespace: 'shop', name: 'stream' }, spec: { parentRefs: [{ name: 'tls' }], rules: [rule('/', 'web:80')] } };
  const sni = { ...stream, spec: { ...stream.spec, hostnames: hosts } };

  it('routes TLS by its server name', () => {
    const objects = { gateways: [tlsGateway('Passthrough')], tlsRoutes: [sni] };
    expect(route({ scheme: 'tls', sni: 'shop.example.com' }, objects)).toBe(ok);
    expect(route({ scheme: 'https', host: 'shop.example.com' }, objects)).toBe(ok);
    expect(route({ scheme: 'tls', sni: 'b.example.com' }, objects)).toBe('error HostNotFound');
  });

  it('routes terminated TLS by a TCPRoute, and needs no certificates to pass TLS through', () => {
    const run = (mode: string): string => {
      const { spec, ...other } = tlsGateway(mode);
      const listeners = [{ ...spec?.listeners?.[0], tls: { mode, certificateRefs: [{ name: 'gone' }] } }];
      const routes = mode === 'Passthrough' ? { tlsRoutes: [sni] } : { tcpRoutes: [stream] };
      return route({ scheme: 'tls', sni: 'shop.example.com' }, { gateways: [{ ...other, spec: { ...spec, listeners } }], ...routes });
    };
    expect(run('Terminate')).toBe('error SecretNotFound RuleMatches');
    expect(run('Passthrough')).toBe(ok);
  });

  it('routes TCP by the port', () => {
    const objects = { gateways: [tlsGateway('Passthrough')], tcpRoutes: [stream] };
    expect(route({ scheme: 'tcp', port: 5432 }, objects)).toBe(ok);
    expect(route({ scheme: 'udp', port: 5432 }, objects)).toBe('error PortNotFound');
  });

  it('routes gRPC by service and method', () => {
    const grpc = (name: string, service: string, backend: string): object => ({
      metadata: { namespace: 'shop', name },
      spec: { parentRefs: [{ name: 'tls' }], rules: [{ ...rule('/', backend), matches: [{ method: { service, method: 'Get' } }] }] },
    });
    const objects = {
      gateways: [tlsGateway('Terminate')],
      grpcRoutes: [grpc('a', 'shop.Cart', 'web:80'), grpc('b', 'shop.User', 'gone:80')],
    };
    const headers = { 'content-type': 'application/grpc+proto' };
    expect(route({ path: '/shop.Cart/Get', headers }, objects)).toBe(ok);
    expect(route({ path: '/shop.User/Get', headers }, objects)).toBe('error 503 shop/gone (503) ServiceNotFound RuleMatches');
    expect(route({ path: '/shop.Cart/Put', headers }, objects)).toBe('error 404 PathNotFound');
    expect(route({ path: '/shop.Cart/Get' }, objects)).toBe('error 404 RequestNotMatched');
    const http = {
      ...makeRoute('c', { rules: [rule('/', 'old:80')] }),
      spec: { parentRefs: [{ name: 'tls' }], rules: [rule('/', 'old:80')] },
    };
    expect(route({ path: '/shop.Cart/Get', headers }, { ...objects, httpRoutes: [http] })).toMatch(
      /^unknown .* RulesConflict RuleMatches$/,
    );
  });

  it('detects a Host header that belongs to another listener than the TLS handshake', () => {
    const [first, second] = publicGateway.spec?.listeners ?? [];
    const listeners = [first, second, { ...second, name: 'exact', hostname: 'shop.example.com' }];
    const objects = {
      gateways: [{ ...publicGateway, spec: { ...publicGateway.spec, listeners } as NonNullable<Gateway['spec']> }],
      httpRoutes: [makeRoute('web', web)],
    };
    expect(route({ scheme: 'https', host: 'shop.example.com', sni: 'a.example.com' }, objects)).toBe('error 421 Misdirected');
    expect(route({ scheme: 'https', host: 'shop.example.com' }, objects)).toBe(ok);
    const tls = { name: 'exact', port: 443, protocol: 'TLS', hostname: 'shop.example.com', tls: { mode: 'Passthrough' } };
    const mixed = { ...objects, ...gateway({ spec: { ...publicGateway.spec, listeners: [first, second, tls] } }) };
    expect(route({ scheme: 'https', host: 'shop.example.com', sni: 'a.example.com' }, mixed)).toBe(ok);
  });

  it('serves the listeners of a ListenerSet if the Gateway allows it', () => {
    const set = {
      metadata: { namespace: 'shop', name: 'more' },
      spec: { parentRef: { namespace: 'infra', name: 'public' }, listeners: [{ name: 'extra', port: 8080, protocol: 'HTTP' }] },
    };
    const httpRoutes = [makeRoute('web', { ...web, parentRefs: [{ kind: 'ListenerSet', name: 'more' }] })];
    const run = (allowed: object): string =>
      route(
        { host: 'shop.example.com', port: 8080 },
        { ...gateway({ spec: { ...publicGateway.spec, ...allowed } }), listenerSets: [set], httpRoutes },
      );
    expect(run({ allowedListeners: { namespaces: { from: 'All' } } })).toBe(ok);
    expect(run({})).toBe('error ListenerSetNotAllowed');
    const allowed = { ...publicGateway, spec: { ...publicGateway.spec, allowedListeners: { namespaces: { from: 'All' } } } };
    const gateways = [allowed, { ...allowed, metadata: { namespace: 'infra', name: 'internal' } }];
    const request = { host: 'shop.example.com', port: 8080, gateway: 'infra/internal' };
    expect(route(request, { gateways, listenerSets: [set], httpRoutes })).toBe('error HostNotFound PortNotFound');
  });
});
