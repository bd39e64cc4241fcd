import { expect, it } from 'vitest';
import {
  type Gateway,
  type GatewayObjects,
  type HTTPRoute,
  type Ingress,
  type RouteRequest,
  type RouteResult,
  routeRequest,
} from '../../src/gateway/index.ts';
import type { Service } from '../../src/types/index.ts';

export const makeService = (key: string, ...ports: (number | readonly [number, string])[]): Service => {
  const [namespace, name] = key.split('/');
  const list = ports.map((each) => (typeof each === 'number' ? { port: each } : { port: each[0], name: each[1] }));
  return { metadata: { namespace, name }, spec: { ports: list } };
};

export const services: readonly Service[] = [
  makeService('shop/web', [80, 'http'], [9090, 'metrics']),
  makeService('shop/api', 8080),
  makeService('shop/old', 80),
  makeService('data/store', 80),
  { metadata: { namespace: 'shop', name: 'outside' }, spec: { type: 'ExternalName', ports: [{ port: 80 }] } },
];

const ref = (service: string): { service: { name: string; port: { number: number } } } => {
  const [name = '', port = '80'] = service.split(':');
  return { service: { name, port: { number: Number(port) } } };
};

/** The paths as "Exact /foo web:80", by host. */
export const makeIngress = (name: string, rules: Readonly<Record<string, readonly string[]>>, spec: Ingress['spec'] = {}): Ingress => ({
  metadata: { namespace: 'shop', name },
  spec: {
    ingressClassName: 'nginx',
    rules: Object.entries(rules).map(([host, paths]) => ({
      ...(host !== '' && { host }),
      http: {
        paths: paths.map((text) => {
          const [pathType = '', path = '', service = 'web'] = text.split(' ');
          return { pathType, path, backend: ref(service) };
        }),
      },
    })),
    ...spec,
  },
});

export const defaultBackend = (service: string): { defaultBackend: ReturnType<typeof ref> } => ({ defaultBackend: ref(service) });

type RouteSpec = NonNullable<HTTPRoute['spec']>;

/** A route of the namespace shop with the Gateway infra/public as parent. */
export const makeRoute = (name: string, spec: RouteSpec, metadata: object = {}): HTTPRoute => ({
  metadata: { namespace: 'shop', name, ...metadata },
  spec: { parentRefs: [{ namespace: 'infra', name: 'public' }], ...spec },
});

/** A rule for a path prefix, with backends as "web:80" or "web:80*3" with a weight. */
export const rule = (prefix: string, ...backends: readonly string[]): NonNullable<RouteSpec['rules']>[number] => ({
  matches: [{ path: { type: 'PathPrefix', value: prefix } }],
  backendRefs: backends.map((text) => {
    const [, name = '', port = '', weight] = /^(\w+):(\d+)(?:\*(\d+))?$/.exec(text) ?? [];
    return { name, port: Number(port), ...(weight !== undefined && { weight: Number(weight) }) };
  }),
});

/** The Gateway infra/public listens for http on 80, and for https on 443 for *.example.com; it allows routes of all namespaces. */
export const cluster: GatewayObjects = {
  services,
  ingressClasses: [{ metadata: { name: 'nginx' } }],
  gatewayClasses: [{ metadata: { name: 'envoy' } }],
  namespaces: [{ metadata: { name: 'shop', labels: { team: 'a' } } }],
  referenceGrants: [],
  secrets: [{ metadata: { namespace: 'infra', name: 'cert' } }],
  gateways: [
    {
      metadata: { namespace: 'infra', name: 'public' },
      spec: {
        gatewayClassName: 'envoy',
        listeners: [
          { name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } },
          {
            name: 'https',
            port: 443,
            protocol: 'HTTPS',
            hostname: '*.example.com',
            tls: { certificateRefs: [{ name: 'cert' }] },
            allowedRoutes: { namespaces: { from: 'All' } },
          },
        ],
      },
    },
  ],
};

/** The result as text: "backends shop/web:80 RuleMatches", "error 404 PathNotFound". */
export function formatResult({ outcome, status, location, backends, reasons }: RouteResult): string {
  const shares = backends.map(({ namespace, name, port, share, mirror, status: failure }) =>
    [
      `${namespace}/${name}${port === undefined ? '' : `:${port}`}`,
      share === 1 ? '' : `=${Math.round(share * 100)}%`,
      mirror ? ' (mirror)' : '',
      failure === undefined ? '' : ` (${failure})`,
    ].join(''),
  );
  return [outcome, status, location, shares.join(', '), reasons.map(({ code }) => code).join(' ')].filter(Boolean).join(' ');
}

export const route = (request: RouteRequest, objects: GatewayObjects): string =>
  formatResult(routeRequest(request, { ...cluster, ...objects }));

export type Spec = NonNullable<HTTPRoute['spec']>;
export type Row = readonly [title: string, spec: Spec, expected: string, request?: RouteRequest, objects?: GatewayObjects];

/** A route for the host shop.example.com, the default of rows, and the usual result. */
export const web: Spec = { hostnames: ['shop.example.com'], rules: [rule('/', 'web:80')] };
export const ok = 'backends shop/web:80 RuleMatches';

const [firstGateway] = cluster.gateways as readonly [Gateway];
export const publicGateway: Gateway = firstGateway;

/** The Gateway with changed fields, and with other fields of its first listener. */
export const gateway = (change: object, listener: object = {}): GatewayObjects => {
  const [first, ...others] = publicGateway.spec?.listeners ?? [];
  return {
    gateways: [{ ...publicGateway, spec: { ...publicGateway.spec, listeners: [{ ...first, ...listener }, ...others] }, ...change }],
  };
};
export const conditions = (type: string, status: string, more: object = {}): object => ({
  status: { conditions: [{ type, status, reason: 'Pending', message: 'Waiting.' }], ...more },
});

/** Tests rows, each with one route and a request for the host shop.example.com. */
export function testRows(rows: readonly Row[]): void {
  for (const [title, spec, expected, request = {}, objects = {}] of rows)
    it(title, () => {
      expect(route({ host: 'shop.example.com', ...request }, { httpRoutes: [makeRoute('web', spec)], ...objects })).toBe(expected);
    });
}
