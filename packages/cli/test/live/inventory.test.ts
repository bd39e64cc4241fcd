import { createApiServer } from '@kube-endpoints/apiserver';
import { ApiError, type ApiObject, type ClientPort, type ListOptions, type Resource, type Status } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type LiveKind, readCluster } from '../../src/live/inventory.ts';

const allKinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'namespaces', 'serviceCIDRs'];

const failure = (code: number, reason: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `it is ${reason}`, reason, code } as Status);

/** A port that supports only list, and responds with the result of a function. */
function createListPort(respond: (plural: string, options: ListOptions) => ApiObject[] | Error | { items: ApiObject[]; next: string }) {
  const requested: string[] = [];
  const port = {
    async list({ plural }: { plural: string }, options: ListOptions = {}) {
      requested.push([plural, options.namespace ?? '*', options.limit ?? 'all', options.continue ?? ''].join(' ').trim());
      const response = respond(plural, options);
      if (response instanceof Error) throw response;
      if (Array.isArray(response)) return { items: response, metadata: { resourceVersion: '1' } };
      return { items: response.items, metadata: { resourceVersion: '1', continue: response.next } };
    },
  } as unknown as ClientPort;
  return { port, requested };
}

const pod = (name: string): ApiObject => ({ metadata: { name, namespace: 'shop', uid: name }, spec: { containers: [{ name: 'c' }] } });

describe('the inventory of a cluster', () => {
  test('holds the objects of one namespace or of all', async () => {
    await using server = await createApiServer({
      background: false,
      objects: [
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }] } },
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db', namespace: 'back' }, spec: { ports: [{ port: 80 }] } },
        { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } },
      ],
    });
    const names = async (namespace: string | undefined) =>
      (await readCluster(server.client, { namespace, kinds: allKinds })).inventory.services.map(({ metadata }) => metadata?.name).sort();
    expect(await names('shop')).toEqual(['web']);
    expect(await names(undefined)).toEqual(['db', 'kubernetes', 'web']);
    const { inventory, hints } = await readCluster(server.client, { namespace: 'shop', kinds: allKinds });
    expect({ problems: inventory.problems, hints, nodes: inventory.nodes?.length }).toEqual({ problems: [], hints: [], nodes: 1 });
    const namespaces = inventory.namespaces.map(({ metadata }) => metadata?.name);
    expect(namespaces).toEqual(expect.arrayContaining(['default', 'kube-system', 'shop']));
  });

  test('reads policies and routes in the newest version that the server serves', async () => {
    const served: Readonly<Record<string, string>> = {
      clusternetworkpolicies: 'v1alpha2',
      adminnetworkpolicies: 'v1alpha1',
      gateways: 'v1',
      tcproutes: 'v1alpha2',
    };
    const port = {
      async list({ plural, group, version, kind }: Resource) {
        if (served[plural] !== version) throw failure(404, 'NotFound');
        return {
          items: [{ apiVersion: `${group}/${version}`, kind, metadata: { name: plural, namespace: 'shop' }, spec: {} }],
          metadata: {},
        };
      },
    } as unknown as ClientPort;
    const kinds = ['ClusterNetworkPolicy', 'AdminNetworkPolicy', 'Gateway', 'TCPRoute', 'UDPRoute'] as const;
    const { inventory, hints } = await readCluster(port, { namespace: undefined, kinds });
    expect(kinds.map((kind) => inventory.related[kind].map(({ metadata }) => metadata?.name))).toEqual([
      ['clusternetworkpolicies'],
      ['adminnetworkpolicies'],
      ['gateways'],
      ['tcproutes'],
      [],
    ]);
    expect({ hints, problems: inventory.problems }).toEqual({ hints: [], problems: [] });
  });

  test('lists only the requested kinds, in pages, and nodes without a namespace', async () => {
    const { port, requested } = createListPort((plural, { continue: continueToken }) =>
      plural === 'pods' ? (continueToken ? [pod('b')] : { items: [pod('a')], next: 'token' }) : [],
    );
    const announced: string[] = [];
    const { inventory } = await readCluster(port, {
      namespace: 'shop',
      kinds: ['pods', 'nodes'],
      onSource: (name) => void announced.push(name),
    });
    expect(requested).toEqual(['pods shop 500', 'pods shop 500 token', 'nodes * 500']);
    expect(inventory.pods.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
    expect(announced).toEqual(['pods', 'nodes']);
  });

  test('holds only the named Service with its objects, and all pods and nodes', async () => {
    const selections: unknown[] = [];
    const { port } = createListPort((plural, { namespace, fieldSelector, labelSelector }) => {
      selections.push([plural, namespace, fieldSelector ?? labelSelector]);
      return plural === 'services' ? [{ metadata: { name: 'web', namespace: 'shop' }, spec: { type: 'LoadBalancer' } }] : [];
    });
    const kinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'events'];
    await readCluster(port, { namespace: 'shop', service: 'web', kinds });
    expect(selections).toEqual([
      ['services', 'shop', 'metadata.name=web'],
      ['pods', 'shop', undefined],
      ['endpoints', 'shop', 'metadata.name=web'],
      ['endpointslices', 'shop', 'kubernetes.io/service-name=web'],
      ['nodes', undefined, undefined],
      ['events', 'shop', 'involvedObject.kind=Service,involvedObject.name=web'],
    ]);
  });

  test('holds only the Services with the given labels', async () => {
    const selections: unknown[] = [];
    const { port } = createListPort((plural, { labelSelector }) => {
      selections.push([plural, labelSelector]);
      return [];
    });
    await readCluster(port, { namespace: 'shop', serviceSelector: 'app in (a,b)', kinds: ['services', 'endpointSlices'] });
    expect(selections).toEqual([
      ['services', 'app in (a,b)'],
      ['endpointslices', undefined],
    ]);
  });

  test('of one Service is what an API server selects', async () => {
    const service = (name: string, namespace = 'shop') => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    });
    const event = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.1`, namespace: 'shop' },
      involvedObject: { kind: 'Service', namespace: 'shop', name },
    });
    const slice = (name: string) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [],
    });
    const objects = [service('web'), service('db'), service('web', 'back'), slice('web'), slice('db'), event('web'), event('db')];
    await using server = await createApiServer({ background: false, objects });
    const kinds: readonly LiveKind[] = ['services', 'endpoints', 'endpointSlices', 'events'];
    const { services, slices, events } = (await readCluster(server.client, { namespace: 'shop', service: 'web', kinds })).inventory;
    expect([services, slices, events].map((items) => items.map(({ metadata }) => metadata?.name))).toEqual([['web'], ['web-1'], ['web.1']]);
    const { inventory } = await readCluster(server.client, { namespace: undefined, service: 'web', kinds });
    expect(inventory.services.map(({ metadata }) => metadata?.namespace)).toEqual(['back', 'shop']);
  });

  test('falls back to one full list if the continue token expires', async () => {
    const { port, requested } = createListPort((_, { limit, continue: continueToken }) => {
      if (continueToken) return failure(410, 'Expired');
      return limit ? { items: [pod('a')], next: 'token' } : [pod('a'), pod('b')];
    });
    const { inventory } = await readCluster(port, { namespace: undefined, kinds: ['pods'] });
    expect(requested).toEqual(['pods * 500', 'pods * 500 token', 'pods * all']);
    expect(inventory.pods).toHaveLength(2);
  });
});

describe('Events', () => {
  const kinds: readonly LiveKind[] = ['services', 'events'];
  const service = (spec: object, finalizers: string[] = []): ApiObject => ({
    metadata: { name: 'web', namespace: 'shop', finalizers },
    spec,
  });
  const event = { metadata: { name: 'web.1', namespace: 'shop' }, involvedObject: { kind: 'Service', namespace: 'shop', name: 'web' } };

  test.each([
    ['a Service that requests a load balancer', service({ type: 'LoadBalancer' })],
    ['a Service whose load balancer is not cleaned up', service({ type: 'ClusterIP' }, ['service.kubernetes.io/load-balancer-cleanup'])],
  ])('are listed for %s, restricted to Services', async (_, requestingService) => {
    const selectors: (string | undefined)[] = [];
    const { port } = createListPort((plural, { fieldSelector }) => {
      if (plural === 'events') selectors.push(fieldSelector);
      return plural === 'events' ? [event] : [requestingService];
    });
    const { inventory } = await readCluster(port, { namespace: 'shop', kinds });
    expect(inventory.events).toMatchObject([event]);
    expect(selectors).toEqual(['involvedObject.kind=Service']);
  });

  test('are not listed if no Service has a load balancer', async () => {
    const { port, requested } = createListPort(() => [service({ type: 'NodePort' })]);
    await readCluster(port, { namespace: 'shop', kinds });
    expect(requested).toEqual(['services shop 500']);
  });

  test('are omitted with a hint if listing them is forbidden', async () => {
    const { port } = createListPort((plural) => (plural === 'events' ? failure(403, 'Forbidden') : [service({ type: 'LoadBalancer' })]));
    const { hints, inventory } = await readCluster(port, { namespace: 'shop', kinds });
    expect(hints).toEqual(['Events cannot be read, so what they report about load balancers is unknown: it is Forbidden']);
    expect(inventory.events).toEqual([]);
  });
});

describe('a kind that cannot be listed', () => {
  test.each<[string, string | undefined, string, Error]>([
    ['pods in namespace "shop" cannot be read: it is Forbidden', 'shop', 'pods', failure(403, 'Forbidden')],
    ['services of all namespaces cannot be read: it is Unauthorized', undefined, 'services', failure(401, 'Unauthorized')],
    ['pods of all namespaces cannot be read: GET /api: ECONNREFUSED', undefined, 'pods', new Error('GET /api: ECONNREFUSED')],
  ])('causes an error: %s', async (message, namespace, unreadable, error) => {
    const { port } = createListPort((plural) => (plural === unreadable ? error : []));
    await expect(readCluster(port, { namespace, kinds: allKinds })).rejects.toThrow(message);
  });

  test('causes no hint if it is ServiceCIDR, which old clusters do not serve', async () => {
    const { port } = createListPort((plural) => (plural === 'servicecidrs' ? failure(404, 'NotFound') : []));
    const { inventory, hints } = await readCluster(port, { namespace: undefined, kinds: allKinds });
    expect({ ranges: inventory.serviceCIDRs, hints }).toEqual({ ranges: [], hints: [] });
  });

  test('is omitted with a hint if it is optional', async () => {
    const { port } = createListPort((plural) =>
      plural === 'nodes' || plural === 'namespaces' || plural === 'servicecidrs'
        ? failure(403, 'Forbidden')
        : plural === 'endpointslices'
          ? failure(404, 'NotFound')
          : [],
    );
    const { inventory, hints } = await readCluster(port, { namespace: undefined, kinds: allKinds });
    expect(inventory.nodes).toBeUndefined();
    expect(hints).toEqual([
      'The cluster serves no EndpointSlices of discovery.k8s.io/v1: it is older than 1.21.',
      'Nodes cannot be read, so zones are unknown: it is Forbidden',
      'Namespaces cannot be read, so only namespaces with objects are known: it is Forbidden',
      'ServiceCIDRs cannot be read, so an address of no Service counts as outside of the cluster: it is Forbidden',
    ]);
  });

  test('is unknown, and not absent, if it may not be read', async () => {
    const { port } = createListPort((plural) =>
      plural === 'networkpolicies' ? failure(403, 'Forbidden') : plural === 'ingressclasses' ? failure(404, 'NotFound') : [],
    );
    const { inventory, hints } = await readCluster(port, { namespace: undefined, kinds: ['services', 'NetworkPolicy', 'IngressClass'] });
    expect([...inventory.unreadKinds]).toStrictEqual(['NetworkPolicy']);
    expect(hints).toStrictEqual(['These may not be read, so problems that only they show are unknown: NetworkPolicy.']);
  });
});
