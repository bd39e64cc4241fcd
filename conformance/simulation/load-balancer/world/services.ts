import { cleanupFinalizer } from 'kube-endpoints/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { annotated, everything, labelled, type World, type WorldAction } from '../../harness/world.ts';
import type { Setting } from '../setting.ts';

const { services } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** The namespaces of Services. */
export const places: readonly string[] = ['one', 'two'];

const foreignFinalizer = 'example.com/hold';

/** Changes of Services with their frequencies. */
export const serviceActions: readonly WorldAction<[Setting]>[] = [
  { weight: 9, act: createService },
  { weight: 5, act: leaveType },
  { weight: 6, act: takeType },
  { weight: 4, act: changeDemand },
  { weight: 3, act: annotateService },
  { weight: 2, act: labelService },
  { weight: 2, act: askForAddress },
  { weight: 6, act: deleteService },
  { weight: 4, act: remakeService },
  { weight: 2, act: holdService },
  { weight: 4, act: letGo },
  { weight: 1.5, act: stripFinalizer },
];

export async function createService(world: World): Promise<unknown> {
  const { random } = world;
  const name = random.pick(['s0', 's1', 's2', 's3', 'else']);
  return createNamed(world, random.pick(places), name);
}

async function createNamed(world: World, namespace: string, name: string): Promise<unknown> {
  const { random } = world;
  const spec = random.chance(0.75) ? balancedSpec(world) : { type: random.pick(['ClusterIP', 'NodePort']) };
  // as if a controller of this kind had already processed it, or another one had to finish its deletion
  const isKnown = random.chance(0.1) && !('loadBalancerClass' in spec);
  const finalizers = [...(isKnown ? [cleanupFinalizer] : []), ...(random.chance(0.1) ? [foreignFinalizer] : [])];
  const annotations = random.chance(0.3) ? { 'example.com/size': random.pick(['small', 'large']) } : undefined;
  return world.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(finalizers.length > 0 && { finalizers }), ...(annotations && { annotations }) },
    spec: { selector: { app: 'web' }, ports: portsOf(world), ...spec },
  });
}

const balancedSpec = (world: World): Fields => ({
  type: 'LoadBalancer',
  ...demandOf(world),
  ...(world.random.chance(0.1) && { loadBalancerClass }),
});

const loadBalancerClass = 'example.com/other';

const portsOf = ({ random }: World): readonly Fields[] =>
  random.pick([
    [{ name: 'web', port: 80, targetPort: 8080 }],
    [{ name: 'web', port: 443, targetPort: 8443 }],
    [
      { name: 'web', port: 80, targetPort: 8080 },
      { name: 'admin', port: 9000, targetPort: 9000 },
    ],
  ]);

const demandOf = ({ random }: World): Fields => ({
  externalTrafficPolicy: random.pick(['Cluster', 'Cluster', 'Local']),
  sessionAffinity: random.pick(['None', 'None', 'ClientIP']),
  loadBalancerSourceRanges: random.pick([[], ['10.0.0.0/8'], ['10.0.0.0/8', '192.168.0.0/16']]),
});

const specOf = (service: ApiObject): Fields => service['spec'] as Fields;
const withSpec = (service: ApiObject, spec: Fields): ApiObject => ({ ...service, spec: { ...specOf(service), ...spec } });
const isBalanced = (service: ApiObject): boolean => specOf(service)['type'] === 'LoadBalancer';
const isStaying = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp === undefined;
const has = (finalizer: string) => (service: ApiObject) => service.metadata.finalizers?.includes(finalizer) ?? false;

/** A Service no longer wants a load balancer. */
async function leaveType(world: World, { strips, lists }: Setting): Promise<void> {
  if (strips && !lists) return;
  const service = world.anyOf(services, isBalanced);
  if (!service) return;
  const {
    sessionAffinity: _,
    externalTrafficPolicy,
    healthCheckNodePort,
    loadBalancerSourceRanges,
    loadBalancerIP,
    ...spec
  } = specOf(service);
  await world.change(services, { ...service, spec: { ...spec, type: world.random.pick(['ClusterIP', 'NodePort']) } });
}

/** A Service wants a load balancer, from this controller or another one. */
async function takeType(world: World): Promise<void> {
  const { random } = world;
  const service = world.anyOf(services, (each) => !isBalanced(each));
  if (!service) return;
  const changesClass = random.chance(0.3);
  const spec = { type: 'LoadBalancer', ...demandOf(world), ...(changesClass && { loadBalancerClass }) };
  await world.change(services, withSpec(service, spec));
}

async function changeDemand(world: World): Promise<void> {
  const service = world.anyOf(services, isBalanced);
  if (!service) return;
  await world.change(services, withSpec(service, world.random.chance(0.5) ? { ports: portsOf(world) } : demandOf(world)));
}

async function annotateService(world: World): Promise<void> {
  const service = world.anyOf(services);
  if (service) await world.change(services, annotated(service, { note: String(world.next()) }));
}

/** A change that the controller ignores. */
async function labelService(world: World): Promise<void> {
  const service = world.anyOf(services);
  if (service) await world.change(services, labelled(service, { team: String(world.next()) }));
}

/** Each address offers each port once. */
async function askForAddress(world: World): Promise<void> {
  const service = world.anyOf(services, isBalanced);
  const loadBalancerIP = world.random.pick(['', '203.0.113.1', '203.0.113.2']);
  if (service) await world.change(services, withSpec(service, { loadBalancerIP }));
}

async function deleteService(world: World): Promise<void> {
  const service = world.anyOf(services, isStaying);
  if (service) await world.remove(services, service);
}

/** Deletes a Service and recreates it as soon as possible, the same or another one. */
async function remakeService(world: World): Promise<void> {
  const service = world.anyOf(services, isStaying);
  if (!service) return;
  await world.remove(services, service);
  const { namespace = '', name = '' } = service.metadata;
  await createNamed(world, namespace, name);
}

/** Another finalizer delays the deletion of a Service. */
async function holdService(world: World): Promise<void> {
  const service = world.anyOf(services, (each) => isStaying(each) && !has(foreignFinalizer)(each));
  if (service) await world.change(services, withFinalizers(service, [...(service.metadata.finalizers ?? []), foreignFinalizer]));
}

async function letGo(world: World): Promise<void> {
  const service = world.anyOf(services, has(foreignFinalizer));
  if (service) await world.change(services, without(service, foreignFinalizer));
}

/** Removes the finalizer, and often deletes and recreates the Service. */
async function stripFinalizer(world: World, { strips }: Setting): Promise<void> {
  if (!strips) return;
  const service = world.anyOf(services, has(cleanupFinalizer));
  if (!service) return;
  const { random } = world;
  if (isStaying(service) && random.chance(0.7)) await world.remove(services, service);
  await world.change(services, { ...without(service, cleanupFinalizer) });
  const { namespace = '', name = '' } = service.metadata;
  if (random.chance(0.5)) await createNamed(world, namespace, name);
}

const withFinalizers = (service: ApiObject, finalizers: readonly string[]): ApiObject => ({
  ...service,
  metadata: { ...service.metadata, finalizers },
});

const without = (service: ApiObject, finalizer: string): ApiObject =>
  withFinalizers(
    service,
    (service.metadata.finalizers ?? []).filter((each) => each !== finalizer),
  );

/** Replaces every requested address by one that no other Service has requested. */
export async function repairServices(world: World): Promise<void> {
  const asking = places
    .flatMap((place) => world.chronicle.all(services, place, everything))
    .filter((service) => Boolean(specOf(service)['loadBalancerIP']));
  for (const [index, service] of asking.entries())
    await world.change(services, withSpec(service, { loadBalancerIP: `192.0.2.${index + 1}` }));
}
