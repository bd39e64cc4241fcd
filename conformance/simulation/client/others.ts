import { type ApiObject, resources } from 'kube-endpoints/port';
import { isMirrored } from '../checks/mirrored.ts';
import { type ClientAction, currentVersion, type TestClient, withLabels } from '../harness/test-client.ts';
import { namespaces } from './namespaces.ts';
import { writeForeignEndpoints } from './services.ts';

const { endpoints, endpointSlices, namespaces: namespaceResource, nodes, services } = resources;

type Fields = Readonly<Record<string, unknown>>;

const managedBy = 'endpointslice.kubernetes.io/managed-by';
const controllerName = 'endpointslice-controller.k8s.io';

/** Actions on nodes, namespaces, and the objects that the controllers write, with their frequencies. */
export const otherActions: readonly ClientAction[] = [
  { weight: 2, act: editEndpoints },
  { weight: 2, act: deleteEndpoints },
  { weight: 2, act: editSlice },
  { weight: 2, act: deleteSlice },
  { weight: 1, act: transferSlice },
  { weight: 2, act: writeForeignSlice },
  { weight: 1, act: deleteForeignSlice },
  { weight: 1, act: rewriteForeignEndpoints },
  { weight: 2, act: changeCustomEndpoints },
  { weight: 0.5, act: changeMirroredSlice },
  { weight: 1, act: claimLeadership },
  { weight: 1, act: changeNode },
  { weight: 0.5, act: removeNode },
  { weight: 0.6, act: deleteNamespace },
  { weight: 2, act: createNamespace },
];

export async function createNode(client: TestClient, name: string): Promise<void> {
  const { random } = client;
  const zone = random.chance(0.8) ? { 'topology.kubernetes.io/zone': random.pick(['z1', 'z2']) } : {};
  const node = await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: zone } });
  const status = { allocatable: { cpu: random.pick(['1', '2', '4']) }, conditions: [{ type: 'Ready', status: 'True' }] };
  if (node) await client.change(nodes, { ...node, status }, 'status');
}

async function changeNode(client: TestClient): Promise<void> {
  const { random } = client;
  const node = client.pickObject(nodes);
  if (!node || random.chance(0.3)) await createNode(client, `n${random.below(4)}`);
  else await client.change(nodes, withLabels(node, { 'topology.kubernetes.io/zone': random.pick(['z1', 'z2', 'z3']) }));
}

async function removeNode(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes);
  if (node) await client.remove(nodes, node);
}

/** Starts to delete a namespace: the server deletes the objects of the namespace first. */
async function deleteNamespace(client: TestClient): Promise<void> {
  const namespace = client.history.at(namespaceResource, client.random.pick(namespaces), currentVersion);
  if (namespace) await client.remove(namespaceResource, namespace);
}

async function createNamespace(client: TestClient): Promise<void> {
  for (const name of namespaces) {
    if (!client.history.at(namespaceResource, name, currentVersion))
      await client.create(namespaceResource, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

const serviceOf = (client: TestClient, { metadata: { namespace = '', name = '', labels } }: ApiObject): ApiObject | undefined =>
  client.history.at(services, `${namespace}/${labels?.['kubernetes.io/service-name'] ?? name}`, currentVersion);

/** Whether the controllers maintain the endpoints of the Service of an object. */
const isManaged = (client: TestClient, object: ApiObject): boolean =>
  (serviceOf(client, object)?.['spec'] as Fields | undefined)?.['selector'] !== undefined;

async function editEndpoints(client: TestClient): Promise<void> {
  const target = client.pickObject(endpoints, (object) => isManaged(client, object));
  if (!target) return;
  const { random } = client;
  if (random.chance(0.3)) await client.change(endpoints, withLabels(target, { edited: 'yes' }));
  else if (random.chance(0.5)) await client.change(endpoints, { ...target, subsets: [] });
  else await client.change(endpoints, { ...target, subsets: [{ addresses: [{ ip: '203.0.113.9' }], ports: [{ port: 1 }] }] });
}

async function deleteEndpoints(client: TestClient): Promise<void> {
  const target = client.pickObject(endpoints, (object) => isManaged(client, object));
  if (target) await client.remove(endpoints, target);
}

const isOfController = ({ metadata: { labels } }: ApiObject): boolean => labels?.[managedBy] === controllerName;

const isOfAnotherClient = (slice: ApiObject): boolean => !isOfController(slice) && !isMirrored(slice);

async function editSlice(client: TestClient): Promise<void> {
  const target = client.pickObject(endpointSlices, (object) => isOfController(object) && isManaged(client, object));
  if (!target) return;
  if (client.random.chance(0.3)) await client.change(endpointSlices, withLabels(target, { ...target.metadata.labels, edited: 'yes' }));
  else await client.change(endpointSlices, { ...target, endpoints: [] });
}

async function deleteSlice(client: TestClient): Promise<void> {
  const target = client.pickObject(endpointSlices, (object) => isOfController(object) && isManaged(client, object));
  if (target) await client.remove(endpointSlices, target);
}

/** Gives a slice of the controller to another client by changing the label managed-by. */
async function transferSlice(client: TestClient): Promise<void> {
  const target = client.pickObject(endpointSlices, (object) => isOfController(object) && isManaged(client, object));
  if (target) await client.change(endpointSlices, withLabels(target, { ...target.metadata.labels, [managedBy]: 'another-client' }));
}

async function writeForeignSlice(client: TestClient): Promise<void> {
  const { random } = client;
  const target = client.pickObject(endpointSlices, isOfAnotherClient);
  const foreignEndpoints = [{ addresses: [`198.51.100.${1 + random.below(200)}`] }];
  if (target && random.chance(0.5)) return void (await client.change(endpointSlices, { ...target, endpoints: foreignEndpoints }));
  const service = client.pickObject(services);
  if (!service) return;
  const { namespace = '', name = '' } = service.metadata;
  await client.create(endpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name: `foreign-${client.nextNumber()}`,
      labels: { 'kubernetes.io/service-name': name, ...(random.chance(0.7) && { [managedBy]: 'another-client' }) },
    },
    addressType: 'IPv4',
    endpoints: foreignEndpoints,
    ports: [{ name: '', port: 443, protocol: 'TCP' }],
  });
}

async function deleteForeignSlice(client: TestClient): Promise<void> {
  const target = client.pickObject(endpointSlices, isOfAnotherClient);
  if (target) await client.remove(endpointSlices, target);
}

async function rewriteForeignEndpoints(client: TestClient): Promise<void> {
  const service = client.pickObject(services, ({ spec }) => (spec as Fields)['selector'] === undefined);
  if (service) await writeForeignEndpoints(client, service);
}

/** Changes Endpoints that are mirrored: their addresses, labels, or whether they are mirrored at all. */
async function changeCustomEndpoints(client: TestClient): Promise<void> {
  const target = client.pickObject(endpoints, (object) => !isManaged(client, object));
  if (!target) return;
  const { random } = client;
  const address = (): Fields => ({ ip: random.chance(0.7) ? `192.0.2.${1 + random.below(9)}` : `2001:db8::${1 + random.below(9)}` });
  const skipMirror = 'endpointslice.kubernetes.io/skip-mirror';
  const subset = (port: number): Fields => ({
    addresses: [address()],
    ...(random.chance(0.5) && { notReadyAddresses: [address(), address()] }),
    ...(random.chance(0.9) && { ports: [{ name: `port-${port}`, port }] }),
  });
  const actions = [
    () => client.remove(endpoints, target),
    () => client.change(endpoints, withLabels(target, random.chance(0.5) ? { [skipMirror]: 'true' } : { origin: `${random.below(3)}` })),
    () => client.change(endpoints, { ...target, subsets: [subset(443)] }),
    () => client.change(endpoints, { ...target, subsets: [subset(443), subset(80)] }),
  ];
  await random.pick(actions)();
}

async function changeMirroredSlice(client: TestClient): Promise<void> {
  const target = client.pickObject(endpointSlices, isMirrored);
  if (!target) return;
  if (client.random.chance(0.4)) await client.remove(endpointSlices, target);
  else await client.change(endpointSlices, { ...target, endpoints: [] });
}

/** Legacy leader election: the controllers must not delete these Endpoints, although they have no Service. */
async function claimLeadership(client: TestClient): Promise<void> {
  const name = 'old-leader';
  const key = `kube-system/${name}`;
  const annotations = { 'control-plane.alpha.kubernetes.io/leader': JSON.stringify({ holderIdentity: String(client.nextNumber()) }) };
  const existing = client.history.at(endpoints, key, currentVersion);
  const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'kube-system', name, annotations } };
  if (existing) await client.change(endpoints, { ...existing, metadata: { ...existing.metadata, annotations } });
  else await client.create(endpoints, object);
}
