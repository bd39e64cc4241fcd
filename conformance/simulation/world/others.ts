import { type ApiObject, resources } from 'kube-endpoints/port';
import { everything, labelled, type World, type WorldAction } from '../harness/world.ts';
import { namespaces } from './namespaces.ts';
import { writeForeignEndpoints } from './services.ts';

const { endpoints, endpointSlices, namespaces: spaces, nodes, services } = resources;

type Fields = Readonly<Record<string, unknown>>;

const managedBy = 'endpointslice.kubernetes.io/managed-by';
const ours = 'endpointslice-controller.k8s.io';

/** Changes by other clients to the controllers' output and around it. */
export const otherActions: readonly WorldAction[] = [
  { weight: 2, act: editEndpoints },
  { weight: 2, act: deleteEndpoints },
  { weight: 2, act: editSlice },
  { weight: 2, act: deleteSlice },
  { weight: 1, act: adoptSlice },
  { weight: 2, act: writeForeignSlice },
  { weight: 1, act: deleteForeignSlice },
  { weight: 1, act: rewriteForeignEndpoints },
  { weight: 1, act: claimLeadership },
  { weight: 1, act: changeNode },
  { weight: 0.5, act: removeNode },
  { weight: 0.6, act: endNamespace },
  { weight: 2, act: createNamespace },
];

export async function createNode(world: World, name: string): Promise<void> {
  const { random } = world;
  const zone = random.chance(0.8) ? { 'topology.kubernetes.io/zone': random.pick(['z1', 'z2']) } : {};
  const node = await world.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: zone } });
  const status = { allocatable: { cpu: random.pick(['1', '2', '4']) }, conditions: [{ type: 'Ready', status: 'True' }] };
  if (node) await world.change(nodes, { ...node, status }, 'status');
}

async function changeNode(world: World): Promise<void> {
  const { random } = world;
  const node = world.anyOf(nodes);
  if (!node || random.chance(0.3)) await createNode(world, `n${random.below(4)}`);
  else await world.change(nodes, labelled(node, { 'topology.kubernetes.io/zone': random.pick(['z1', 'z2', 'z3']) }));
}

async function removeNode(world: World): Promise<void> {
  const node = world.anyOf(nodes);
  if (node) await world.remove(nodes, node);
}

/** Deletes the content of a namespace step by step, and then the namespace. */
async function endNamespace(world: World): Promise<void> {
  const space = world.chronicle.at(spaces, world.random.pick(namespaces), everything);
  if (space) await world.remove(spaces, space);
}

async function createNamespace(world: World): Promise<void> {
  for (const name of namespaces) {
    if (!world.chronicle.at(spaces, name, everything))
      await world.create(spaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

const serviceOf = (world: World, { metadata: { namespace = '', name = '', labels } }: ApiObject): ApiObject | undefined =>
  world.chronicle.at(services, `${namespace}/${labels?.['kubernetes.io/service-name'] ?? name}`, everything);

/** Whether the controllers maintain the endpoints of this Service. */
const isKept = (world: World, object: ApiObject): boolean =>
  (serviceOf(world, object)?.['spec'] as Fields | undefined)?.['selector'] !== undefined;

async function editEndpoints(world: World): Promise<void> {
  const found = world.anyOf(endpoints, (object) => isKept(world, object));
  if (!found) return;
  const { random } = world;
  if (random.chance(0.3)) await world.change(endpoints, labelled(found, { spoiled: 'yes' }));
  else if (random.chance(0.5)) await world.change(endpoints, { ...found, subsets: [] });
  else await world.change(endpoints, { ...found, subsets: [{ addresses: [{ ip: '203.0.113.9' }], ports: [{ port: 1 }] }] });
}

async function deleteEndpoints(world: World): Promise<void> {
  const found = world.anyOf(endpoints, (object) => isKept(world, object));
  if (found) await world.remove(endpoints, found);
}

const isOurs = ({ metadata: { labels } }: ApiObject): boolean => labels?.[managedBy] === ours;

async function editSlice(world: World): Promise<void> {
  const found = world.anyOf(endpointSlices, (object) => isOurs(object) && isKept(world, object));
  if (!found) return;
  if (world.random.chance(0.3)) await world.change(endpointSlices, labelled(found, { ...found.metadata.labels, spoiled: 'yes' }));
  else await world.change(endpointSlices, { ...found, endpoints: [] });
}

async function deleteSlice(world: World): Promise<void> {
  const found = world.anyOf(endpointSlices, (object) => isOurs(object) && isKept(world, object));
  if (found) await world.remove(endpointSlices, found);
}

/** Another client takes over a slice of the controller. */
async function adoptSlice(world: World): Promise<void> {
  const found = world.anyOf(endpointSlices, (object) => isOurs(object) && isKept(world, object));
  if (found) await world.change(endpointSlices, labelled(found, { ...found.metadata.labels, [managedBy]: 'somebody-else' }));
}

async function writeForeignSlice(world: World): Promise<void> {
  const { random } = world;
  const found = world.anyOf(endpointSlices, (object) => !isOurs(object));
  const list = [{ addresses: [`198.51.100.${1 + random.below(200)}`] }];
  if (found && random.chance(0.5)) return void (await world.change(endpointSlices, { ...found, endpoints: list }));
  const service = world.anyOf(services);
  if (!service) return;
  const { namespace = '', name = '' } = service.metadata;
  await world.create(endpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name: `foreign-${world.next()}`,
      labels: { 'kubernetes.io/service-name': name, ...(random.chance(0.7) && { [managedBy]: 'somebody-else' }) },
    },
    addressType: 'IPv4',
    endpoints: list,
    ports: [{ name: '', port: 443, protocol: 'TCP' }],
  });
}

async function deleteForeignSlice(world: World): Promise<void> {
  const found = world.anyOf(endpointSlices, (object) => !isOurs(object));
  if (found) await world.remove(endpointSlices, found);
}

async function rewriteForeignEndpoints(world: World): Promise<void> {
  const service = world.anyOf(services, ({ spec }) => (spec as Fields)['selector'] === undefined);
  if (service) await writeForeignEndpoints(world, service);
}

/** Legacy leader election: Endpoints without a Service that must not be cleaned up. */
async function claimLeadership(world: World): Promise<void> {
  const name = 'old-leader';
  const key = `kube-system/${name}`;
  const annotations = { 'control-plane.alpha.kubernetes.io/leader': JSON.stringify({ holderIdentity: String(world.next()) }) };
  const known = world.chronicle.at(endpoints, key, everything);
  const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'kube-system', name, annotations } };
  if (known) await world.change(endpoints, { ...known, metadata: { ...known.metadata, annotations } });
  else await world.create(endpoints, object);
}
