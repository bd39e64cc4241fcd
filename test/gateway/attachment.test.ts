import { describe, expect, it } from 'vitest';
import type { GatewayObjects } from '../../src/gateway/index.ts';
import { conditions, gateway, makeRoute, ok, publicGateway, type Row, route, rule, type Spec, testRows, web } from './fixtures.ts';

const parent = (ref: object): Spec => ({ ...web, parentRefs: [{ namespace: 'infra', name: 'public', ...ref }] });
const from = (namespaces: object): GatewayObjects => gateway({}, { allowedRoutes: { namespaces } });

/** A listener for other kinds, and one for another host. */
function twoListeners(): GatewayObjects {
  const allowedRoutes = { namespaces: { from: 'All' } };
  const listeners = [
    { name: 'a', port: 80, protocol: 'HTTP', allowedRoutes: { ...allowedRoutes, kinds: [{ kind: 'GRPCRoute' }] } },
    { name: 'b', port: 80, protocol: 'HTTP', hostname: 'example.org', allowedRoutes },
  ];
  return { gateways: [{ ...publicGateway, spec: { ...publicGateway.spec, listeners } }] };
}

const attachRows: readonly Row[] = [
  ['matches a host', web, ok],
  ['does not match other hosts', web, 'error 404 HostNotFound', { host: 'example.com' }],
  ['matches every host without hostnames', { rules: web.rules }, ok, { host: '' }],
  ['matches several labels by a wildcard', { ...web, hostnames: ['*.com'] }, ok],
  ['matches every request without matches', { rules: [{ backendRefs: [{ name: 'web', port: 80 }] }] }, ok, { path: '/x' }],
  ['reaches a listener with a matching hostname', web, ok, { scheme: 'https' }],
  ['rejects a host of no listener', { rules: web.rules }, 'error HostNotFound', { scheme: 'https', host: 'a.org' }],
  ['names the ports of listeners', web, 'error PortNotFound', { port: 8080 }],

  ['names a parent that does not exist', parent({ name: 'pubic' }), 'error 404 ParentNotFound'],
  ['does not know parents of other kinds', parent({ kind: 'Mesh' }), 'unknown 404 ParentUnknown'],
  ['ignores routes of Services', parent({ group: '', kind: 'Service' }), 'error 404 HostNotFound'],
  ['names routes without a parent', { ...web, parentRefs: [] }, 'error 404 NoParent'],
  ['attaches to a named section', parent({ sectionName: 'http', port: 80 }), ok],
  ['names a section that does not exist', parent({ sectionName: 'htp' }), 'error 404 SectionNotFound'],
  ['names a port that the section does not have', parent({ sectionName: 'http', port: 443 }), 'error 404 SectionNotFound'],
  ['names the check that fails last of several listeners', web, 'error 404 HostnameNotAllowed', {}, twoListeners()],
  [
    'does not name a listener that rejects a route for another path',
    { ...web, rules: [rule('/a', 'web:80')] },
    'error 404 HostNotFound',
    {},
    from({ from: 'Same' }),
  ],
  ['names the other listener of a route', parent({ sectionName: 'https' }), 'error 404 OtherListener'],
  ['attaches routes of the namespace by default', web, 'error 404 NamespaceNotAllowed', {}, gateway({}, { allowedRoutes: null })],
  ['does not attach routes of other namespaces', web, 'error 404 NamespaceNotAllowed', {}, from({ from: 'Same' })],
  ['attaches routes of selected namespaces', web, ok, {}, from({ from: 'Selector', selector: { matchLabels: { team: 'a' } } })],
  [
    'does not attach routes of others',
    web,
    'error 404 NamespaceNotAllowed',
    {},
    from({ from: 'Selector', selector: { matchLabels: { team: 'b' } } }),
  ],
  [
    'does not know the labels of an absent namespace',
    web,
    'unknown shop/web:80 NamespaceUnknown RuleMatches',
    {},
    { ...from({ from: 'Selector', selector: { matchLabels: { team: 'a' } } }), namespaces: undefined },
  ],
  [
    'knows the name of an absent namespace',
    web,
    ok,
    {},
    { ...from({ from: 'Selector', selector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }), namespaces: undefined },
  ],
  [
    'does not attach kinds that a listener does not allow',
    web,
    'error 404 KindNotAllowed',
    {},
    gateway({}, { allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } }),
  ],
  [
    'does not attach without a common hostname',
    web,
    'error 404 HostnameNotAllowed',
    {},
    gateway({}, { hostname: 'example.org', allowedRoutes: { namespaces: { from: 'All' } } }),
  ],
];

const statusRows: readonly Row[] = [
  ['names a GatewayClass that does not exist', web, 'error GatewayClassNotFound RuleMatches', {}, { gatewayClasses: [] }],
  ['does not know absent GatewayClasses', web, 'unknown shop/web:80 GatewayClassUnknown RuleMatches', {}, { gatewayClasses: undefined }],
  [
    'trusts the condition Accepted instead',
    web,
    ok,
    {},
    { gatewayClasses: undefined, ...gateway(conditions('Accepted', 'True', { addresses: [{ value: '192.0.2.1' }] })) },
  ],
  [
    'names a GatewayClass without a controller',
    web,
    'error GatewayClassNotAccepted RuleMatches',
    {},
    { gatewayClasses: [{ metadata: { name: 'envoy' }, ...conditions('Accepted', 'Unknown') }] },
  ],
  ['names a Gateway that is not programmed', web, 'error GatewayNotReady RuleMatches', {}, gateway(conditions('Programmed', 'False'))],
  ['names a Gateway without an address', web, 'error GatewayHasNoAddress RuleMatches', {}, gateway(conditions('Programmed', 'True'))],
  [
    'names a listener that is not programmed',
    web,
    'error ListenerNotReady RuleMatches',
    {},
    gateway({ status: { listeners: [{ name: 'http', ...(conditions('Programmed', 'False') as { status: object }).status }] } }),
  ],
  ['names a certificate that does not exist', web, 'error SecretNotFound RuleMatches', { scheme: 'https' }, { secrets: [] }],
  ['notes that Secrets are unknown', web, 'backends shop/web:80 RuleMatches SecretsUnknown', { scheme: 'https' }, { secrets: undefined }],
];

describe('routeRequest with routes that are attached, or not', () => {
  testRows(attachRows);

  it('names the host of a route that is not attached, even if a less specific one answers', () => {
    const lost = makeRoute('lost', { ...web, parentRefs: [{ name: 'gone' }] });
    const fallback = makeRoute('all', { rules: [rule('/', 'old:80')] });
    expect(route({ host: 'shop.example.com' }, { httpRoutes: [lost, fallback] })).toBe('backends shop/old:80 RuleMatches ParentNotFound');
  });

  it('does not name a route for a less specific host, or for a request that another fault blocks', () => {
    const lost = makeRoute('lost', { ...web, hostnames: ['*.com'], parentRefs: [{ name: 'gone' }] });
    const httpRoutes = [lost, makeRoute('web', web)];
    expect(route({ host: 'shop.example.com' }, { httpRoutes })).toBe(ok);
    expect(route({ host: 'shop.example.com' }, { httpRoutes, gatewayClasses: [] })).toBe('error GatewayClassNotFound RuleMatches');
  });

  it('does not name a route of a listener for another host', () => {
    const [http] = publicGateway.spec?.listeners ?? [];
    const listeners = [http, { ...http, name: 'org', hostname: 'shop.example.org' }];
    const httpRoutes = [makeRoute('web', { rules: web.rules, parentRefs: [{ namespace: 'infra', name: 'public', sectionName: 'org' }] })];
    const run = (host: string): string => route({ host }, { ...gateway({ spec: { ...publicGateway.spec, listeners } }), httpRoutes });
    expect(run('shop.example.org')).toBe(ok);
    expect(run('shop.example.com')).toBe('error 404 HostNotFound');
  });

  it('asks for the Gateway if several answer', () => {
    const gateways = [publicGateway, { ...publicGateway, metadata: { namespace: 'infra', name: 'internal' } }];
    const refs = ['public', 'internal'].map((name) => ({ namespace: 'infra', name }));
    const objects = { gateways, httpRoutes: [makeRoute('web', { ...web, parentRefs: refs })] };
    expect(route({ host: 'shop.example.com' }, objects)).toBe('unknown shop/web:80 SeveralGateways RuleMatches');
    expect(route({ host: 'shop.example.com', gateway: 'infra/internal' }, objects)).toBe(ok);
  });
});

describe('routeRequest with the status of objects', () => {
  testRows(statusRows);

  it('reports what the controller reports, unless the status is of an earlier generation', () => {
    const status = (type: string, observedGeneration: number): object => ({
      parents: [
        {
          parentRef: { namespace: 'infra', name: 'public' },
          conditions: [{ type, status: 'False', reason: 'No', message: 'Because.', observedGeneration }],
        },
      ],
    });
    const run = (type: string, generation: number): string =>
      route(
        { host: 'shop.example.com' },
        { httpRoutes: [{ ...makeRoute('web', web, { generation: 2 }), status: status(type, generation) }] },
      );
    expect(run('Accepted', 2)).toBe('error 404 RouteNotAccepted');
    expect(run('ResolvedRefs', 2)).toBe('unknown shop/web:80 RefsNotResolved RuleMatches');
    expect(run('Accepted', 1)).toBe(ok);
  });
});
