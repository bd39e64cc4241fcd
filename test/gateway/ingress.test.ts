import { describe, expect, it } from 'vitest';
import { type GatewayObjects, type Ingress, type RouteRequest, routeRequest } from '../../src/gateway/index.ts';
import { cluster, defaultBackend, makeIngress, route } from './fixtures.ts';

const host = 'shop.example.com';
const only = (...ingresses: Ingress[]): GatewayObjects => ({ gateways: [], ingresses });

/** The examples of the Ingress documentation of Kubernetes: paths by type, the path of the request, and the path that matches. */
const pathRows: readonly (readonly [paths: readonly string[], requestPath: string, matching: string | undefined])[] = [
  [['Prefix /'], '/any/path', 'Prefix /'],
  [['Exact /foo'], '/foo', 'Exact /foo'],
  [['Exact /foo'], '/bar', undefined],
  [['Exact /foo'], '/foo/', undefined],
  [['Exact /foo/'], '/foo', undefined],
  [['Prefix /foo'], '/foo', 'Prefix /foo'],
  [['Prefix /foo'], '/foo/', 'Prefix /foo'],
  [['Prefix /foo/'], '/foo', 'Prefix /foo/'],
  [['Prefix /foo/'], '/foo/', 'Prefix /foo/'],
  [['Prefix /aaa/bb'], '/aaa/bbb', undefined],
  [['Prefix /aaa/bbb'], '/aaa/bbb', 'Prefix /aaa/bbb'],
  [['Prefix /aaa/bbb/'], '/aaa/bbb', 'Prefix /aaa/bbb/'],
  [['Prefix /aaa/bbb'], '/aaa/bbb/', 'Prefix /aaa/bbb'],
  [['Prefix /aaa/bbb'], '/aaa/bbb/ccc', 'Prefix /aaa/bbb'],
  [['Prefix /aaa/bbb'], '/aaa/bbbxyz', undefined],
  [['Prefix /', 'Prefix /aaa'], '/aaa/ccc', 'Prefix /aaa'],
  [['Prefix /', 'Prefix /aaa', 'Prefix /aaa/bbb'], '/aaa/bbb', 'Prefix /aaa/bbb'],
  [['Prefix /', 'Prefix /aaa', 'Prefix /aaa/bbb'], '/ccc', 'Prefix /'],
  [['Prefix /aaa'], '/ccc', undefined],
  [['Prefix /foo', 'Exact /foo'], '/foo', 'Exact /foo'],
];

describe('the path types of an Ingress', () => {
  it.each(pathRows)('%j with the path %s match %s', (paths, path, matching) => {
    const { via } = routeRequest({ host, path }, { ...cluster, ...only(makeIngress('a', { [host]: paths }, defaultBackend('old'))) });
    const expected = matching === undefined ? 'spec.defaultBackend' : `spec.rules[0].http.paths[${paths.indexOf(matching)}]`;
    expect(via?.path).toBe(expected);
  });
});

const web = 'backends shop/web:80';
const api = 'backends shop/api:8080';
const ok = (backend: string): string => `${backend} RuleMatches`;
const wide = { '': ['Prefix / old'], '*.example.com': ['Prefix / api:8080'], [host]: ['Prefix / web'] };

const served: Ingress = { ...makeIngress('a', wide), status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };

type Row = readonly [title: string, ingresses: readonly Ingress[], expected: string, request?: RouteRequest, objects?: GatewayObjects];

const rows: readonly Row[] = [
  ['prefers an exact host', [makeIngress('a', wide)], ok(web)],
  ['prefers a wildcard to a rule without a host', [makeIngress('a', wide)], ok(api), { host: 'other.example.com' }],
  ['matches a rule without a host', [makeIngress('a', wide)], 'backends shop/old:80 RuleMatches', { host: 'example.com' }],
  ['matches one label by a wildcard', [makeIngress('a', wide)], 'backends shop/old:80 RuleMatches', { host: 'a.b.example.com' }],
  ['ignores the case and the port of a host', [makeIngress('a', wide)], ok(web), { host: 'Shop.Example.com:8080' }],
  [
    'merges the Ingresses of a class',
    [makeIngress('a', { [host]: ['Prefix /a old'] }), makeIngress('b', { [host]: ['Prefix / web'] })],
    ok(web),
  ],
  [
    'prefers an exact host to a wildcard of the same length',
    [makeIngress('a', { '*.example.com': ['Prefix / old'], 'a.example.com': ['Prefix / web'] })],
    ok(web),
    { host: 'a.example.com' },
  ],
  ['prefers a longer path', [makeIngress('a', { [host]: ['Prefix / old', 'Prefix /a web'] })], ok(web), { path: '/a' }],
  [
    'reports a port once for several classes',
    [makeIngress('a', wide), classed({ ingressClassName: 'other' })],
    'error PortNotFound',
    { port: 8080 },
  ],
  ['finds a port by name', [named('metrics')], ok('backends shop/web:9090')],
  [
    'sends requests of unknown hosts to the default backend',
    [makeIngress('a', {}, defaultBackend('old'))],
    'backends shop/old:80 DefaultBackend',
  ],
  [
    'prefers the default backend of an Ingress for the host',
    [makeIngress('a', {}, defaultBackend('old')), makeIngress('b', { [host]: ['Exact /x'] }, defaultBackend('web'))],
    'backends shop/web:80 DefaultBackend',
  ],
  [
    'leaves open which of several default backends is used',
    [makeIngress('a', {}, defaultBackend('old')), makeIngress('b', {}, defaultBackend('web'))],
    'unknown shop/old:80 RulesConflict DefaultBackend',
  ],

  ['names the host if no rule has it', [makeIngress('a', { 'shop.example.org': ['Prefix /'] })], 'error HostNotFound'],
  ['names the path if no rule has it', [makeIngress('a', { [host]: ['Prefix /a'] })], 'error PathNotFound'],
  ['does not use ports other than 80 and 443', [makeIngress('a', wide)], 'error PortNotFound', { port: 8080 }],
  [
    'names a Service that does not exist',
    [makeIngress('a', { [host]: ['Prefix / wbe'] })],
    'error shop/wbe (503) ServiceNotFound RuleMatches',
  ],
  [
    'names a port that does not exist',
    [makeIngress('a', { [host]: ['Prefix / web:81'] })],
    'error shop/web (503) ServicePortNotFound RuleMatches',
  ],
  ['names a port name that does not exist', [named('htp')], 'error shop/web (503) ServicePortNotFound RuleMatches'],
  [
    'does not know absent Services',
    [makeIngress('a', wide)],
    `unknown shop/web:80 ServicesUnknown RuleMatches`,
    {},
    { services: undefined },
  ],
  [
    'does not know resources',
    [makeIngress('a', {}, { defaultBackend: { resource: { kind: 'StorageBucket', name: 'static' } } })],
    'unknown shop/static (503) BackendKindUnknown DefaultBackend',
  ],
  [
    'leaves open whether a Service of type ExternalName works',
    [makeIngress('a', { [host]: ['Prefix / outside'] })],
    'unknown shop/outside:80 ExternalNameService RuleMatches',
  ],

  ['names an IngressClass that does not exist', [classed({ ingressClassName: 'ngnix' })], 'error IngressClassNotFound RuleMatches'],
  [
    'does not know absent IngressClasses',
    [makeIngress('a', wide)],
    'unknown shop/web:80 IngressClassUnknown RuleMatches',
    {},
    { ingressClasses: undefined },
  ],
  ['trusts an address in the status if the classes are unknown', [served], ok(web), {}, { ingressClasses: undefined }],
  ['does not trust an address if the class was deleted', [served], 'error IngressClassNotFound RuleMatches', {}, { ingressClasses: [] }],
  [
    'leaves open whether an Ingress without a class is served',
    [classed({ ingressClassName: undefined })],
    'unknown shop/web:80 IngressClassMissing RuleMatches',
  ],
  [
    'uses the newest default class',
    [classed({ ingressClassName: undefined })],
    'backends shop/web:80 RuleMatches IngressClassDefault',
    { ingressClass: 'z-new' },
    { ingressClasses: [makeDefault('a-old', '2025-01-01T00:00:00Z'), makeDefault('z-new', '2026-01-01T00:00:00Z')] },
  ],
  ['accepts the deprecated annotation', [annotated('nginx')], ok(web)],
  [
    'leaves open what an annotation without an IngressClass means',
    [annotated('legacy')],
    'unknown shop/web:80 IngressClassAnnotated RuleMatches',
  ],
  [
    'leaves open which class answers',
    [makeIngress('a', wide), classed({ ingressClassName: 'other' })],
    'unknown shop/web:80 SeveralGateways RuleMatches',
    {},
    { ingressClasses: [{ metadata: { name: 'nginx' } }, { metadata: { name: 'other' } }] },
  ],

  [
    'leaves open what an ImplementationSpecific path matches',
    [makeIngress('a', { [host]: ['ImplementationSpecific /'] })],
    'unknown shop/web:80 ImplementationSpecificPath RuleMatches',
  ],
  [
    'leaves open what a pattern matches',
    [makeIngress('a', { [host]: ['ImplementationSpecific /a(/|$).*'] })],
    'unknown ImplementationSpecificPath',
    { path: '/a/b' },
  ],
  [
    'knows that no implementation matches another path',
    [makeIngress('a', { [host]: ['ImplementationSpecific /a/.*'] })],
    'error PathNotFound',
    { path: '/b' },
  ],
  [
    'leaves open what alternatives match',
    [makeIngress('a', { [host]: ['ImplementationSpecific /a|/b'] })],
    'unknown ImplementationSpecificPath',
    { path: '/b' },
  ],
  [
    'leaves open which of two equal rules is used',
    [makeIngress('a', { [host]: ['Prefix / web'] }), makeIngress('b', { [host]: ['Prefix / old'] })],
    'unknown shop/web:80 RulesConflict RuleMatches',
  ],
  [
    'leaves open whether a less specific host is used',
    [makeIngress('a', { [host]: ['Exact /a'], '*.example.com': ['Prefix / web'] })],
    'unknown HostFallthrough',
  ],

  [
    'notes that controllers may redirect to https',
    [makeIngress('a', wide, tls('cert'))],
    'backends shop/web:80 RuleMatches HttpsRedirectPossible',
  ],
  [
    'notes that no certificate is for the host',
    [makeIngress('a', wide)],
    'backends shop/web:80 RuleMatches CertificateMissing',
    { scheme: 'https' },
  ],
  [
    'names a Secret that does not exist',
    [makeIngress('a', wide, tls('gone'))],
    'backends shop/web:80 RuleMatches SecretNotFound',
    { scheme: 'https' },
  ],
  [
    'applies an entry of tls without hosts to all hosts',
    [makeIngress('a', wide, { tls: [{}] })],
    'backends shop/web:80 RuleMatches',
    { scheme: 'https' },
  ],
  [
    'notes that Secrets are unknown',
    [makeIngress('a', wide, tls('gone'))],
    'backends shop/web:80 RuleMatches SecretsUnknown',
    { scheme: 'https' },
    { secrets: undefined },
  ],
];

function tls(secretName: string): { tls: { hosts: string[]; secretName: string }[] } {
  return { tls: [{ hosts: ['*.example.com'], secretName }] };
}

function named(name: string): Ingress {
  const backend = { service: { name: 'web', port: { name } } };
  return makeIngress('a', {}, { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] });
}

function classed(spec: Ingress['spec'] & object): Ingress {
  return makeIngress('a', wide, spec);
}

function annotated(name: string): Ingress {
  const ingress = classed({ ingressClassName: undefined });
  return { ...ingress, metadata: { ...ingress.metadata, annotations: { 'kubernetes.io/ingress.class': name } } };
}

function makeDefault(name: string, creationTimestamp: string): object {
  return { metadata: { name, creationTimestamp, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } } };
}

describe('routeRequest with Ingresses', () => {
  for (const [title, ingresses, expected, request = {}, objects = {}] of rows)
    it(title, () => {
      expect(route({ host, ...request }, { ...only(...ingresses), ...objects })).toBe(expected);
    });

  it('names the rule, the nearest host, the nearest path, the declared ports and the fix', () => {
    const reasonOf = (request: RouteRequest, ingress: Ingress): unknown =>
      routeRequest(request, { ...cluster, ...only(ingress) }).reasons[0];
    expect(reasonOf({ host: 'shp.example.com' }, makeIngress('a', wide, { rules: [{ host }] }))).toStrictEqual({
      code: 'HostNotFound',
      message:
        'No Ingress, and no route that is attached to a listener, is for the host "shp.example.com"; the nearest is "shop.example.com".',
      remedy: 'Add the host to an Ingress or a route.',
    });
    expect(reasonOf({ host, path: '/cart' }, makeIngress('a', { [host]: ['Prefix /card'] }))).toMatchObject({
      message: 'No rule for the host "shop.example.com" matches the path "/cart"; the nearest is "/card".',
    });
    expect(reasonOf({ host }, makeIngress('a', { [host]: ['Prefix / web:81'] }))).toStrictEqual({
      code: 'ServicePortNotFound',
      message:
        'spec.rules[0].http.paths[0].backend of Ingress shop/a names port 81, which Service shop/web does not have; it has 80 (http), 9090 (metrics).',
      object: { kind: 'Ingress', namespace: 'shop', name: 'a' },
      path: 'spec.rules[0].http.paths[0].backend',
      remedy: 'Use a port of the Service, not a targetPort.',
    });
  });

  it('returns the Ingress, its class and the backend', () => {
    const { via, backends } = routeRequest({ host }, { ...cluster, ...only(makeIngress('a', { [host]: ['Prefix / web'] })) });
    const object = { kind: 'Ingress', namespace: 'shop', name: 'a' };
    expect(via).toStrictEqual({ route: object, path: 'spec.rules[0].http.paths[0]', ingressClass: 'nginx' });
    expect(backends).toStrictEqual([{ namespace: 'shop', name: 'web', port: 80, path: 'spec.rules[0].http.paths[0].backend', share: 1 }]);
  });
});
