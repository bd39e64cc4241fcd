import { describe, expect, it } from 'vitest';
import { type Gateway, type GatewayObjects, type HTTPRoute, type RouteRequest, routeRequest } from '../../src/gateway/index.ts';
import { cluster, makeRoute, route, rule } from './fixtures.ts';

type Spec = NonNullable<HTTPRoute['spec']>;
type Row = readonly [title: string, spec: Spec, expected: string, request?: RouteRequest, objects?: GatewayObjects];

const hosts = ['shop.example.com'];
const web = { hostnames: hosts, rules: [rule('/', 'web:80')] };
const ok = 'backends shop/web:80 RuleMatches';
const parent = (ref: object): Spec => ({ ...web, parentRefs: [{ namespace: 'infra', name: 'public', ...ref }] });
const [publicGateway] = cluster.gateways as readonly [Gateway];

/** The Gateway with changed fields, and with other fields of its first listener. */
const gateway = (change: object, listener: object = {}): GatewayObjects => {
  const [first, ...others] = publicGateway.spec?.listeners ?? [];
  return {
    gateways: [{ ...publicGateway, spec: { ...publicGateway.spec, listeners: [{ ...first, ...listener }, ...others] }, ...change }],
  };
};
const conditions = (type: string, status: string, more: object = {}): object => ({
  status: { conditions: [{ type, status, reason: 'Pending', message: 'Waiting.' }], ...more },
});
const from = (namespaces: object): GatewayObjects => gateway({}, { allowedRoutes: { namespaces } });
const match = (fields: object, ...backends: string[]): NonNullable<Spec['rules']>[number] => ({
  ...rule('/', ...backends),
  matches: [fields],
});
const filter = (type: string, fields: object, ...backends: string[]): Spec => ({
  rules: [{ ...rule('/a', ...backends), filters: [{ type, ...fields }] }],
});

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

const matchRows: readonly Row[] = [
  [
    'prefers Exact to a prefix',
    { rules: [rule('/a', 'old:80'), match({ path: { type: 'Exact', value: '/a' } }, 'web:80')] },
    ok,
    { path: '/a' },
  ],
  ['prefers a longer prefix', { rules: [rule('/a', 'old:80'), rule('/a/b', 'web:80')] }, ok, { path: '/a/b/c' }],
  ['matches a prefix by elements', { rules: [rule('/a', 'old:80'), rule('/', 'web:80')] }, ok, { path: '/ab' }],
  ['prefers a method', { rules: [rule('/', 'old:80'), match({ method: 'PUT' }, 'web:80')] }, ok, { method: 'PUT' }],
  [
    'prefers a method to headers',
    { rules: [match({ headers: [{ name: 'a', value: '1' }] }, 'old:80'), match({ method: 'PUT' }, 'web:80')] },
    ok,
    { method: 'PUT', headers: { A: '1' } },
  ],
  [
    'prefers more headers to query parameters',
    { rules: [match({ queryParams: [{ name: 'q', value: '1' }] }, 'old:80'), match({ headers: [{ name: 'a', value: '1' }] }, 'web:80')] },
    ok,
    { path: '/?q=1', headers: { a: '1' } },
  ],
  [
    'prefers more query parameters',
    { rules: [rule('/', 'old:80'), match({ queryParams: [{ name: 'q', value: 'x y' }] }, 'web:80')] },
    ok,
    { path: '/?q=x+y&q=2' },
  ],
  ['prefers the first rule', { rules: [rule('/', 'web:80'), rule('/', 'old:80')] }, ok],
  [
    'ignores later headers of a name',
    {
      rules: [
        match(
          {
            headers: [
              { name: 'a', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
          'web:80',
        ),
      ],
    },
    ok,
    { headers: { a: '1' } },
  ],
  ['names the condition that does not hold', { rules: [match({ method: 'PUT' }, 'web:80')] }, 'error 404 RequestNotMatched'],
  ['names the path', { rules: [rule('/a', 'web:80')] }, 'error 404 PathNotFound'],
  [
    'leaves open what a regular expression matches',
    { rules: [match({ path: { type: 'RegularExpression', value: '/a+' } }, 'web:80')] },
    'unknown RegexUnknown',
  ],
  [
    'knows that a rule with a regular expression does not match if another condition fails',
    { rules: [match({ path: { type: 'RegularExpression', value: '/a+' }, method: 'PUT' }, 'web:80')] },
    'error 404 RequestNotMatched',
  ],
  [
    'leaves open whether a regular expression takes precedence',
    { rules: [rule('/aaaa', 'web:80'), match({ path: { type: 'RegularExpression', value: '.*' } }, 'old:80')] },
    'unknown shop/web:80 RegexUnknown RuleMatches',
    { path: '/aaaa' },
  ],
  [
    'ignores a regular expression of the same rule',
    { rules: [{ ...rule('/', 'web:80'), matches: [{ path: { type: 'RegularExpression', value: '.*' } }, { path: { value: '/' } }] }] },
    ok,
  ],
  [
    'ignores a regular expression with a lower precedence',
    { rules: [rule('/aaaa', 'web:80'), match({ headers: [{ name: 'a', type: 'RegularExpression', value: '.*' }] }, 'old:80')] },
    ok,
    { path: '/aaaa', headers: { a: '' } },
  ],
];

const backendRows: readonly Row[] = [
  [
    'shares requests by weight',
    { rules: [rule('/', 'web:80*3', 'old:80*1', 'api:8080*0')] },
    'backends shop/web:80=75%, shop/old:80=25% RuleMatches ZeroWeight',
  ],
  [
    'answers 500 for the share of an invalid backend',
    { rules: [rule('/', 'web:80', 'gone:80')] },
    'backends shop/web:80=50%, shop/gone=50% (500) RuleMatches ServiceNotFound',
  ],
  [
    'answers 500 if all backends are invalid',
    { rules: [rule('/', 'gone:80', 'web:81')] },
    'error 500 shop/gone=50% (500), shop/web=50% (500) ServiceNotFound ServicePortNotFound RuleMatches',
  ],
  ['answers 500 if all weights are 0', { rules: [rule('/', 'web:80*0')] }, 'error 500 NoBackend RuleMatches ZeroWeight'],
  ['answers 500 without backends', { rules: [rule('/')] }, 'error 500 NoBackend RuleMatches'],
  ['requires a port', { rules: [{ backendRefs: [{ name: 'web' }] }] }, 'error 500 shop/web (500) ServicePortNotFound RuleMatches'],
  [
    'requires a ReferenceGrant',
    { rules: [{ backendRefs: [{ namespace: 'data', name: 'store', port: 80 }] }] },
    'error 500 data/store (500) ReferenceNotGranted RuleMatches',
  ],
  [
    'does not know absent ReferenceGrants',
    { rules: [{ backendRefs: [{ namespace: 'data', name: 'store', port: 80 }] }] },
    'unknown data/store:80 ReferenceGrantsUnknown RuleMatches',
    {},
    { referenceGrants: undefined },
  ],
  [
    'leaves open whether another kind is supported',
    { rules: [{ backendRefs: [{ group: 'x.io', kind: 'Bucket', name: 'b' }] }] },
    'unknown 500 shop/b (500) BackendKindUnknown RuleMatches',
  ],
  [
    'mirrors requests',
    filter('RequestMirror', { requestMirror: { backendRef: { name: 'api', port: 8080 }, percent: 20 } }, 'web:80'),
    'backends shop/web:80, shop/api:8080=20% (mirror) RuleMatches',
    { path: '/a' },
  ],
  [
    'drops an invalid mirror',
    filter('RequestMirror', { requestMirror: { backendRef: { name: 'gone', port: 80 } } }, 'web:80'),
    'backends shop/web:80 RuleMatches ServiceNotFound',
    { path: '/a' },
  ],
  [
    'leaves open what other filters do',
    filter('ExtensionRef', {}, 'web:80'),
    'unknown shop/web:80 FilterUnknown RuleMatches',
    { path: '/a' },
  ],
  ['ignores filters of responses', filter('ResponseHeaderModifier', {}, 'web:80'), ok, { path: '/a' }],
  [
    'leaves open what a CORS filter answers to a preflight request',
    filter('CORS', {}, 'web:80'),
    'unknown shop/web:80 FilterUnknown RuleMatches',
    { path: '/a', method: 'OPTIONS', headers: { Origin: 'x', 'Access-Control-Request-Method': 'GET' } },
  ],
  [
    'redirects with 302',
    filter('RequestRedirect', { requestRedirect: { scheme: 'https' } }),
    'redirect 302 https://shop.example.com/a?q=1 RuleMatches',
    { path: '/a?q=1' },
  ],
  [
    'redirects to another host, port and path',
    filter('RequestRedirect', {
      requestRedirect: {
        hostname: 'new.org',
        port: 8080,
        statusCode: 301,
        path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/b/' },
      },
    }),
    'redirect 301 http://new.org:8080/b/c RuleMatches',
    { path: '/a/c' },
  ],
];

describe('routeRequest with a Gateway', () => {
  for (const list of [attachRows, statusRows, matchRows, backendRows])
    for (const [title, spec, expected, request = {}, objects = {}] of list)
      it(title, () => {
        expect(route({ host: 'shop.example.com', ...request }, { httpRoutes: [makeRoute('web', spec)], ...objects })).toBe(expected);
      });

  it('prefers the most specific hostname, then the older route, then the first name', () => {
    const routes = [
      makeRoute('d', { hostnames: ['*.example.com'], rules: [rule('/', 'api:8080')] }, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      makeRoute('b', { hostnames: hosts, rules: [rule('/', 'old:80')] }, { creationTimestamp: '2026-01-02T00:00:00Z' }),
      makeRoute('c', { hostnames: hosts, rules: [rule('/', 'web:80')] }, { creationTimestamp: '2026-01-01T00:00:00Z' }),
    ];
    expect(route({ host: 'shop.example.com' }, { httpRoutes: routes })).toBe(ok);
    expect(
      route(
        { host: 'shop.example.com' },
        { httpRoutes: routes.map((each) => ({ ...each, metadata: { ...each.metadata, creationTimestamp: null } })) },
      ),
    ).toBe('backends shop/old:80 RuleMatches');
  });

  it('ignores regular expressions for less specific hosts', () => {
    const spec = { hostnames: ['*.com'], rules: [match({ path: { type: 'RegularExpression', value: '.*' } }, 'old:80')] };
    expect(route({ host: 'shop.example.com' }, { httpRoutes: [makeRoute('a', spec), makeRoute('web', web)] })).toBe(ok);
  });

  it('evaluates regular expressions with the function of the caller', () => {
    const spec = { rules: [rule('/', 'old:80'), match({ path: { type: 'RegularExpression', value: '/a+' } }, 'web:80')] };
    const run = (path: string): unknown => {
      const objects = { ...cluster, httpRoutes: [makeRoute('web', spec)] };
      const { outcome, reasons } = routeRequest({ path }, objects, {
        matchRegex: (pattern, text) => new RegExp(`^${pattern}$`).test(text),
      });
      return [outcome, reasons[0]?.code];
    };
    expect(run('/b')).toStrictEqual(['backends', 'RuleMatches']);
    expect(run('/aaa')).toStrictEqual(['unknown', 'RegexPrecedence']);
  });

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

  it('returns the route, the rule, the listener, and what changes in the request', () => {
    const filters = [
      {
        type: 'RequestHeaderModifier',
        requestHeaderModifier: { set: [{ name: 'X-A', value: '1' }], add: [{ name: 'B', value: '2' }], remove: ['C'] },
      },
      { type: 'URLRewrite', urlRewrite: { hostname: 'web.internal', path: { type: 'ReplaceFullPath', replaceFullPath: '/x' } } },
    ];
    const objects = { ...cluster, httpRoutes: [makeRoute('web', { rules: [{ ...rule('/', 'web:80'), filters }] })] };
    const { via, backends, reasons } = routeRequest({ host: 'a.example.com', path: '/y?z=1', headers: { b: '1', c: '1' } }, objects);
    const gatewayReference = { kind: 'Gateway', namespace: 'infra', name: 'public' };
    const object = { kind: 'HTTPRoute', namespace: 'shop', name: 'web' };
    const path = 'spec.rules[0].matches[0]';
    expect(via).toStrictEqual({ route: object, path, gateway: gatewayReference, parent: gatewayReference, listener: 'http' });
    const rewrite = { host: 'web.internal', path: '/x?z=1', headers: { 'x-a': '1', b: '1,2' }, removedHeaders: ['c'] };
    expect(backends).toStrictEqual([{ namespace: 'shop', name: 'web', port: 80, path: 'spec.rules[0].backendRefs[0]', share: 1, rewrite }]);
    expect(reasons).toStrictEqual([
      { code: 'RuleMatches', message: `${path} of HTTPRoute shop/web matches first: PathPrefix /.`, object, path },
    ]);
  });
});

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
