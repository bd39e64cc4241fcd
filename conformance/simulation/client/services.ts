import { type ApiObject, resources } from 'kube-endpoints/port';
import { type ClientAction, currentVersion, type TestClient, withAnnotations, withLabels } from '../harness/test-client.ts';
import { namespaces } from './namespaces.ts';

const { services, endpoints } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Actions on Services, with their frequencies. */
export const serviceActions: readonly ClientAction[] = [
  { weight: 5, act: createService },
  { weight: 3, act: changeSelector },
  { weight: 2, act: changePorts },
  { weight: 3, act: changeLabels },
  { weight: 1, act: togglePublishing },
  { weight: 1, act: annotateService },
  { weight: 1, act: toggleManagement },
  { weight: 4, act: deleteService },
  { weight: 4, act: recreateService },
];

async function createService(client: TestClient): Promise<unknown> {
  const { random } = client;
  return createServiceIn(client, random.pick(namespaces), `s${random.below(4)}`);
}

/** Creates a Service. If it has no selector, also creates Endpoints for it. */
export async function createServiceIn(client: TestClient, namespace: string, name: string): Promise<ApiObject | undefined> {
  const { random } = client;
  const kind = random.pickWeighted({ selecting: 8, all: 1, selectorless: 2, headless: 2, external: 1 });
  const labels = random.chance(0.4) ? { team: random.pick(['x', 'y']) } : undefined;
  const service = await client.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(labels && { labels }) },
    spec: { ...createSpec[kind](client), ...(kind !== 'external' && random.chance(0.3) && { ipFamilyPolicy: 'PreferDualStack' }) },
  });
  if (service && kind === 'selectorless') await writeForeignEndpoints(client, service);
  return service;
}

const createSpec: Readonly<Record<'selecting' | 'all' | 'selectorless' | 'headless' | 'external', (client: TestClient) => Fields>> = {
  selecting: (client) => ({
    selector: randomSelector(client),
    ports: randomPorts(client),
    ...(client.random.chance(0.2) && { publishNotReadyAddresses: true }),
  }),
  all: (client) => ({ selector: {}, ports: randomPorts(client) }),
  selectorless: (client) => ({ ports: randomPorts(client) }),
  headless: (client) => ({
    clusterIP: 'None',
    selector: randomSelector(client),
    ...(client.random.chance(0.7) && { ports: randomPorts(client) }),
  }),
  external: (client) => ({
    type: 'ExternalName',
    externalName: 'example.com',
    ...(client.random.chance(0.5) && { selector: randomSelector(client) }),
  }),
};

const randomSelector = ({ random }: TestClient): Fields => ({
  app: random.pick(['a', 'b', 'c']),
  ...(random.chance(0.2) && { tier: random.pick(['front', 'back']) }),
});

const randomPorts = ({ random }: TestClient): readonly Fields[] =>
  random.pick([
    [{ port: 80, targetPort: 8080 }],
    [{ port: 80, targetPort: 'http' }],
    [
      { name: 'web', port: 80, targetPort: 'http', appProtocol: 'http' },
      { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
    ],
  ]);

const isManaged = ({ spec }: ApiObject): boolean => (spec as Fields)['selector'] !== undefined;

/** Picks a random matching Service, except the API server's own. */
const pickService = (client: TestClient, matches: (service: ApiObject) => boolean = () => true): ApiObject | undefined =>
  client.pickObject(services, matches);

const withSpec = (service: ApiObject, spec: Fields): ApiObject => ({ ...service, spec: { ...(service['spec'] as Fields), ...spec } });

async function changeSelector(client: TestClient): Promise<void> {
  const service = pickService(client, isManaged);
  if (service) await client.change(services, withSpec(service, { selector: randomSelector(client) }));
}

async function changePorts(client: TestClient): Promise<void> {
  const service = pickService(client, isManaged);
  if (service) await client.change(services, withSpec(service, { ports: randomPorts(client) }));
}

async function changeLabels(client: TestClient): Promise<void> {
  const service = pickService(client);
  const { random } = client;
  if (service) await client.change(services, withLabels(service, random.chance(0.7) ? { team: random.pick(['x', 'y', 'z']) } : undefined));
}

async function togglePublishing(client: TestClient): Promise<void> {
  const service = pickService(client, isManaged);
  const publishes = (service?.['spec'] as Fields | undefined)?.['publishNotReadyAddresses'] === true;
  if (service) await client.change(services, withSpec(service, { publishNotReadyAddresses: !publishes }));
}

async function annotateService(client: TestClient): Promise<void> {
  const service = pickService(client);
  const { random } = client;
  const mode = { 'service.kubernetes.io/topology-mode': random.pick(['Auto', 'Disabled']) };
  if (service) await client.change(services, withAnnotations(service, random.chance(0.5) ? mode : { note: String(client.nextNumber()) }));
}

/** Adds or removes the selector of a Service. */
async function toggleManagement(client: TestClient): Promise<void> {
  const service = pickService(client);
  if (!service) return;
  const { selector, ...spec } = service['spec'] as Fields;
  await client.change(services, { ...service, spec: selector === undefined ? { ...spec, selector: randomSelector(client) } : spec });
}

async function deleteService(client: TestClient): Promise<void> {
  const service = pickService(client);
  if (service) await client.remove(services, service);
}

/** Deletes a Service and recreates it, or creates a different Service with the same name, sometimes before the controllers notice. */
async function recreateService(client: TestClient): Promise<void> {
  const service = pickService(client);
  if (!service) return;
  await client.remove(services, service);
  const { namespace = '', name = '', labels } = service.metadata;
  if (client.random.chance(0.3)) return void (await createServiceIn(client, namespace, name));
  const { selector, ports, publishNotReadyAddresses, type, externalName, clusterIP } = service['spec'] as Fields;
  const spec = { selector, ports, publishNotReadyAddresses, ...(clusterIP === 'None' && { clusterIP }) };
  const external = type === 'ExternalName' ? { type, externalName } : {};
  await client.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(labels && { labels }) },
    spec: Object.fromEntries(Object.entries({ ...spec, ...external }).filter(([, value]) => value !== undefined)),
  });
}

/** Writes Endpoints for a Service without a selector. */
export async function writeForeignEndpoints(client: TestClient, { metadata: { namespace = '', name = '' } }: ApiObject): Promise<void> {
  const existing = client.history.at(endpoints, `${namespace}/${name}`, currentVersion);
  const subsets = [{ addresses: [{ ip: `192.0.2.${1 + client.random.below(200)}` }], ports: [{ port: 443 }] }];
  if (existing) await client.change(endpoints, { ...existing, subsets });
  else
    await client.create(endpoints, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { namespace, name, labels: { origin: 'client' } },
      subsets,
    });
}
