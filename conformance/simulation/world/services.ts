import { type ApiObject, resources } from 'kube-endpoints/port';
import { annotated, everything, labelled, type World, type WorldAction } from '../harness/world.ts';
import { namespaces } from './namespaces.ts';

const { services, endpoints } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Changes of Services with their frequencies. */
export const serviceActions: readonly WorldAction[] = [
  { weight: 5, act: createService },
  { weight: 3, act: changeSelector },
  { weight: 2, act: changePorts },
  { weight: 3, act: changeLabels },
  { weight: 1, act: togglePublishing },
  { weight: 1, act: annotateService },
  { weight: 1, act: toggleManagement },
  { weight: 4, act: deleteService },
  { weight: 4, act: remakeService },
];

async function createService(world: World): Promise<unknown> {
  const { random } = world;
  return createIn(world, random.pick(namespaces), `s${random.below(4)}`);
}

/** Creates a Service; one without a selector gets Endpoints from another client. */
export async function createIn(world: World, namespace: string, name: string): Promise<ApiObject | undefined> {
  const { random } = world;
  const kind = random.weighted({ selecting: 8, all: 1, selectorless: 2, headless: 2, external: 1 });
  const labels = random.chance(0.4) ? { team: random.pick(['x', 'y']) } : undefined;
  const service = await world.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(labels && { labels }) },
    spec: { ...kinds[kind](world), ...(kind !== 'external' && random.chance(0.3) && { ipFamilyPolicy: 'PreferDualStack' }) },
  });
  if (service && kind === 'selectorless') await writeForeignEndpoints(world, service);
  return service;
}

const kinds: Readonly<Record<'selecting' | 'all' | 'selectorless' | 'headless' | 'external', (world: World) => Fields>> = {
  selecting: (world) => ({
    selector: selectorOf(world),
    ports: portsOf(world),
    ...(world.random.chance(0.2) && { publishNotReadyAddresses: true }),
  }),
  all: (world) => ({ selector: {}, ports: portsOf(world) }),
  selectorless: (world) => ({ ports: portsOf(world) }),
  headless: (world) => ({
    clusterIP: 'None',
    selector: selectorOf(world),
    ...(world.random.chance(0.7) && { ports: portsOf(world) }),
  }),
  external: (world) => ({
    type: 'ExternalName',
    externalName: 'example.com',
    ...(world.random.chance(0.5) && { selector: selectorOf(world) }),
  }),
};

const selectorOf = ({ random }: World): Fields => ({
  app: random.pick(['a', 'b', 'c']),
  ...(random.chance(0.2) && { tier: random.pick(['front', 'back']) }),
});

const portsOf = ({ random }: World): readonly Fields[] =>
  random.pick([
    [{ port: 80, targetPort: 8080 }],
    [{ port: 80, targetPort: 'http' }],
    [
      { name: 'web', port: 80, targetPort: 'http', appProtocol: 'http' },
      { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
    ],
  ]);

const isManaged = ({ spec }: ApiObject): boolean => (spec as Fields)['selector'] !== undefined;

/** A Service other than the API server's own. */
const any = (world: World, suits: (service: ApiObject) => boolean = () => true): ApiObject | undefined => world.anyOf(services, suits);

const withSpec = (service: ApiObject, spec: Fields): ApiObject => ({ ...service, spec: { ...(service['spec'] as Fields), ...spec } });

async function changeSelector(world: World): Promise<void> {
  const service = any(world, isManaged);
  if (service) await world.change(services, withSpec(service, { selector: selectorOf(world) }));
}

async function changePorts(world: World): Promise<void> {
  const service = any(world, isManaged);
  if (service) await world.change(services, withSpec(service, { ports: portsOf(world) }));
}

async function changeLabels(world: World): Promise<void> {
  const service = any(world);
  const { random } = world;
  if (service) await world.change(services, labelled(service, random.chance(0.7) ? { team: random.pick(['x', 'y', 'z']) } : undefined));
}

async function togglePublishing(world: World): Promise<void> {
  const service = any(world, isManaged);
  const publishes = (service?.['spec'] as Fields | undefined)?.['publishNotReadyAddresses'] === true;
  if (service) await world.change(services, withSpec(service, { publishNotReadyAddresses: !publishes }));
}

async function annotateService(world: World): Promise<void> {
  const service = any(world);
  const { random } = world;
  const mode = { 'service.kubernetes.io/topology-mode': random.pick(['Auto', 'Disabled']) };
  if (service) await world.change(services, annotated(service, random.chance(0.5) ? mode : { note: String(world.next()) }));
}

/** Adds or removes the selector of a Service. */
async function toggleManagement(world: World): Promise<void> {
  const service = any(world);
  if (!service) return;
  const { selector, ...spec } = service['spec'] as Fields;
  await world.change(services, { ...service, spec: selector === undefined ? { ...spec, selector: selectorOf(world) } : spec });
}

async function deleteService(world: World): Promise<void> {
  const service = any(world);
  if (service) await world.remove(services, service);
}

/** Deletes and recreates a Service, the same or another one, sometimes before the controllers notice. */
async function remakeService(world: World): Promise<void> {
  const service = any(world);
  if (!service) return;
  await world.remove(services, service);
  const { namespace = '', name = '', labels } = service.metadata;
  if (world.random.chance(0.3)) return void (await createIn(world, namespace, name));
  const { selector, ports, publishNotReadyAddresses, type, externalName, clusterIP } = service['spec'] as Fields;
  const spec = { selector, ports, publishNotReadyAddresses, ...(clusterIP === 'None' && { clusterIP }) };
  const external = type === 'ExternalName' ? { type, externalName } : {};
  await world.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(labels && { labels }) },
    spec: Object.fromEntries(Object.entries({ ...spec, ...external }).filter(([, value]) => value !== undefined)),
  });
}

/** Writes Endpoints for a Service without a selector. */
export async function writeForeignEndpoints(world: World, { metadata: { namespace = '', name = '' } }: ApiObject): Promise<void> {
  const known = world.chronicle.at(endpoints, `${namespace}/${name}`, everything);
  const subsets = [{ addresses: [{ ip: `192.0.2.${1 + world.random.below(200)}` }], ports: [{ port: 443 }] }];
  if (known) await world.change(endpoints, { ...known, subsets });
  else
    await world.create(endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace, name, labels: { by: 'hand' } }, subsets });
}
