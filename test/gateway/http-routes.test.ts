import { describe, expect, it } from 'vitest';
import { routeRequest } from '../../src/gateway/index.ts';
import { cluster, makeRoute, ok, type Row, route, rule, type Spec, testRows, web } from './fixtures.ts';

const match = (fields: object, ...backends: string[]): NonNullable<Spec['rules']>[number] => ({
  ...rule('/', ...backends),
  matches: [fields],
});
const filter = (type: string, fields: object, ...backends: string[]): Spec => ({
  rules: [{ ...rule('/a', ...backends), filters: [{ type, ...fields }] }],
});

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
  ['requires a port', { rules: [{ backendRefs: [{ name: 'web' }] }] }, 'error 500 shop/web (500) BackendWithoutPort RuleMatches'],
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

describe('routeRequest with the rules of HTTPRoutes', () => {
  testRows(matchRows);

  it('prefers the most specific hostname, then the older route, then the first name', () => {
    const routes = [
      makeRoute('d', { hostnames: ['*.example.com'], rules: [rule('/', 'api:8080')] }, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      makeRoute('b', { hostnames: web.hostnames ?? [], rules: [rule('/', 'old:80')] }, { creationTimestamp: '2026-01-02T00:00:00Z' }),
      makeRoute('c', { hostnames: web.hostnames ?? [], rules: [rule('/', 'web:80')] }, { creationTimestamp: '2026-01-01T00:00:00Z' }),
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
});

describe('routeRequest with backends and filters', () => {
  testRows(backendRows);

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
