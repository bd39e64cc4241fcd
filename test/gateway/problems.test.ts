import { describe, expect, it } from 'vitest';
import { findRouteProblems, type GatewayObjects, type GatewayReason, type RouteRequest, routeRequest } from '../../src/gateway/index.ts';
import { cluster, makeIngress, makeRoute, rule } from './fixtures.ts';

const metadata = { namespace: 'shop', name: 'a' };
const ingress = (spec: object): GatewayObjects => ({ ingresses: [{ metadata, spec }] });
const path = (fields: object): GatewayObjects =>
  ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: service({ number: 80 }), ...fields }] } }] });
const service = (port: object): object => ({ service: { name: 'web', port } });
const listener = (fields: object): GatewayObjects => ({
  gateways: [{ metadata, spec: { gatewayClassName: 'envoy', listeners: [{ name: 'a', port: 80, protocol: 'HTTP', ...fields }] } }],
});
const httpRoute = (spec: object): GatewayObjects => ({ httpRoutes: [{ metadata, spec }] });
const match = (fields: object): GatewayObjects => httpRoute({ rules: [{ matches: [fields] }] });

const hostRule = 'a DNS name in lower case, or "*." and one; not an IP address';

const rows: readonly (readonly [objects: GatewayObjects, ...messages: string[]])[] = [
  [ingress({ rules: {} }), 'spec.rules of Ingress shop/a is {}, but has to be a list.'],
  [ingress({ rules: [{ host: 'A b' }] }), `spec.rules[0].host of Ingress shop/a is "A b", but has to be ${hostRule}.`],
  [ingress({ rules: [{ host: '10.0.0.1' }] }), `spec.rules[0].host of Ingress shop/a is "10.0.0.1", but has to be ${hostRule}.`],
  [
    path({ pathType: 'prefix', path: 'a' }),
    'spec.rules[0].http.paths[0].path of Ingress shop/a is "a", but has to be a path that starts with "/".',
    'spec.rules[0].http.paths[0].pathType of Ingress shop/a is "prefix", but has to be one of Exact, Prefix, ImplementationSpecific.',
  ],
  [
    path({ backend: service({}) }),
    'spec.rules[0].http.paths[0].backend.service.port.name of Ingress shop/a is absent, but has to be set, or number.',
  ],
  [
    path({ backend: service({ number: 70_000 }) }),
    'spec.rules[0].http.paths[0].backend.service.port.number of Ingress shop/a is 70000, but has to be a number from 1 to 65535.',
  ],
  [path({ backend: {} }), 'spec.rules[0].http.paths[0].backend.resource of Ingress shop/a is absent, but has to be set, or service.'],
  [ingress({ rules: 'x' }), 'spec.rules of Ingress shop/a is "x", but has to be a list.'],
  [ingress({ defaultBackend: [] }), 'spec.defaultBackend of Ingress shop/a is [], but has to be an object.'],
  [listener({ port: 0 }), 'spec.listeners[0].port of Gateway shop/a is 0, but has to be a number from 1 to 65535.'],
  [listener({ name: null }), 'spec.listeners[0].name of Gateway shop/a is null, but has to be a text that is not empty.'],
  [
    listener({ tls: { mode: 'terminate' } }),
    'spec.listeners[0].tls.mode of Gateway shop/a is "terminate", but has to be one of Terminate, Passthrough.',
  ],
  [
    listener({ allowedRoutes: { namespaces: { from: 'Selector', selector: { matchExpressions: [{ key: 'a', operator: 'in' }] } } } }),
    'spec.listeners[0].allowedRoutes.namespaces.selector.matchExpressions[0].operator of Gateway shop/a is "in", but has to be one of In, NotIn, Exists, DoesNotExist.',
  ],
  [httpRoute({ hostnames: ['*'] }), `spec.hostnames[0] of HTTPRoute shop/a is "*", but has to be ${hostRule}.`],
  [httpRoute({ parentRefs: [{}] }), 'spec.parentRefs[0].name of HTTPRoute shop/a is absent, but has to be a text that is not empty.'],
  [
    match({ method: 'get' }),
    'spec.rules[0].matches[0].method of HTTPRoute shop/a is "get", but has to be one of GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, TRACE, PATCH.',
  ],
  [
    match({ path: { value: 'a' } }),
    'spec.rules[0].matches[0].path.value of HTTPRoute shop/a is "a", but has to be a path that starts with "/".',
  ],
  [
    match({ headers: [{ type: 'Prefix', name: 'a', value: '1' }] }),
    'spec.rules[0].matches[0].headers[0].type of HTTPRoute shop/a is "Prefix", but has to be one of Exact, RegularExpression.',
  ],
  [
    httpRoute({ rules: [{ backendRefs: [{ name: 'web', weight: -1 }] }] }),
    'spec.rules[0].backendRefs[0].weight of HTTPRoute shop/a is -1, but has to be a number from 0 to 1000000.',
  ],
  [
    httpRoute({ rules: [{ filters: [{ type: 'RequestRedirect', requestRedirect: { statusCode: 300 } }] }] }),
    'spec.rules[0].filters[0].requestRedirect.statusCode of HTTPRoute shop/a is 300, but has to be one of 301, 302, 303, 307, 308.',
  ],
];

const invalid = (objects: GatewayObjects): GatewayReason[] => findRouteProblems(objects).filter(({ code }) => code === 'Invalid');
const message = (objects: GatewayObjects): string => (invalid(objects)[0]?.message ?? '').replace(/\.$/, '');

describe('an object that an API server does not accept', () => {
  for (const [objects, ...messages] of rows)
    it(`is reported: ${messages[0]}`, () => {
      expect(invalid(objects).map((each) => each.message)).toStrictEqual(messages);
      expect(() => routeRequest({}, objects)).toThrow(new RangeError(message(objects)));
    });

  it('is checked as JSON: every wrong type is reported', () => {
    const objects = { ...ingress({ rules: [null, 1] }), ...httpRoute({ rules: [{ matches: [[]] }] }) };
    expect(invalid(objects).map((each) => each.path)).toStrictEqual(['spec.rules[0]', 'spec.rules[1]', 'spec.rules[0].matches[0]']);
  });
});

describe('an invalid request', () => {
  const refused: readonly (readonly [message: string, request: object])[] = [
    ['scheme is "ftp", but has to be one of http, https, tls, tcp, udp', { scheme: 'ftp' }],
    ['port is 0, but has to be a number from 1 to 65535', { port: 0 }],
    ['host is "http://a", but has to be a host, without a scheme or path', { host: 'http://a' }],
    ['path is "a", but has to be a path that starts with "/"', { path: 'a' }],
    ['gateway is "public", but has to be "namespace/name" of one of the Gateways', { gateway: 'public' }],
    ['ingressClass is "x", but has to be the class of one of the Ingresses', { ingressClass: 'x' }],
  ];

  for (const [text, request] of refused)
    it(`throws a RangeError: ${text}`, () => {
      expect(() => routeRequest(request as RouteRequest, cluster)).toThrow(new RangeError(text));
    });
});

describe('findRouteProblems', () => {
  it('finds nothing in objects without problems', () => {
    const objects = {
      ...cluster,
      ingresses: [makeIngress('a', { 'a.example.com': ['Prefix /'] })],
      httpRoutes: [makeRoute('b', { rules: [rule('/', 'web:80')] })],
    };
    expect(findRouteProblems(objects)).toStrictEqual([]);
  });

  it('finds no missing backend of a redirect, and does not repeat what the controller reports', () => {
    const redirect = { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }] };
    const conditions = [{ type: 'ResolvedRefs', status: 'False', reason: 'BackendNotFound', message: 'No.' }];
    const status = { parents: [{ parentRef: { namespace: 'infra', name: 'public' }, conditions }] };
    const codes = (rules: object[]): string[] =>
      findRouteProblems({ ...cluster, httpRoutes: [{ ...makeRoute('b', { rules }), status }] }).map(({ code }) => code);
    expect(codes([redirect])).toStrictEqual(['RefsNotResolved']);
    expect(codes([redirect, rule('/', 'gone:80')])).toStrictEqual(['ServiceNotFound']);
  });

  it('finds the problems of all objects, errors first', () => {
    const problems = findRouteProblems({
      ...cluster,
      secrets: [],
      ingresses: [makeIngress('a', { '': ['Prefix / gone'] }, { ingressClassName: 'x', tls: [{ secretName: 'tls' }] })],
      listenerSets: [{ metadata, spec: { parentRef: { namespace: 'infra', name: 'public' }, listeners: [] } }],
      httpRoutes: [
        makeRoute('b', { parentRefs: [{ name: 'gone' }], rules: [rule('/', 'web:81')] }),
        makeRoute('c', { rules: [rule('/')] }),
        makeRoute('d', {
          rules: [
            { ...rule('/', 'web:80'), filters: [{ type: 'RequestMirror', requestMirror: { backendRef: { name: 'mirror', port: 1 } } }] },
          ],
        }),
      ],
    });
    expect(problems.map(({ code, object, path }) => `${code} ${object?.name} ${path}`)).toStrictEqual([
      'IngressClassNotFound a spec.ingressClassName',
      'ServiceNotFound a spec.rules[0].http.paths[0].backend',
      'SecretNotFound a spec.tls[0].secretName',
      'SecretNotFound public spec.listeners[1].tls.certificateRefs[0]',
      'ListenerSetNotAllowed a spec.parentRef',
      'ParentNotFound b spec.parentRefs[0]',
      'ServicePortNotFound b spec.rules[0].backendRefs[0]',
      'NoBackend c spec.rules[0]',
      'ServiceNotFound d spec.rules[0].filters[0].requestMirror.backendRef',
    ]);
  });

  it('notes a certificate of another namespace without a ReferenceGrant', () => {
    const [gateway] = cluster.gateways as readonly [
      NonNullable<GatewayObjects['gateways']> extends Iterable<infer Gateway> ? Gateway : never,
    ];
    const listeners = [{ name: 'a', port: 443, protocol: 'HTTPS', tls: { certificateRefs: [{ namespace: 'certs', name: 'x' }] } }];
    const objects = {
      ...cluster,
      gateways: [{ ...gateway, spec: { ...gateway.spec, listeners } }],
      secrets: [{ metadata: { namespace: 'certs', name: 'x' } }],
    };
    expect(findRouteProblems(objects).map(({ code }) => code)).toStrictEqual(['CertificateNotGranted']);
    const grant = {
      metadata: { namespace: 'certs', name: 'g' },
      spec: {
        from: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'infra' }],
        to: [{ group: '', kind: 'Secret', name: 'x' }],
      },
    };
    expect(findRouteProblems({ ...objects, referenceGrants: [grant] })).toStrictEqual([]);
  });

  it('reads every list once, and changes nothing', () => {
    const objects = Object.freeze({ ...cluster, httpRoutes: [Object.freeze(makeRoute('b', { rules: [rule('/', 'gone:80')] }))] });
    const asGenerators = Object.fromEntries(
      Object.entries(objects).map(([name, list]) => [
        name,
        (function* () {
          yield* list as Iterable<object>;
        })(),
      ]),
    );
    expect(findRouteProblems(asGenerators)).toStrictEqual(findRouteProblems(objects));
  });
});
