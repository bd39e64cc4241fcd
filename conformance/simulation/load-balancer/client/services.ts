import { cleanupFinalizer } from 'kube-endpoints/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { type ClientAction, currentVersion, type TestClient, withAnnotations, withLabels } from '../../harness/test-client.ts';
import type { Settings } from '../settings.ts';

const { services } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** The namespaces of Services. */
export const serviceNamespaces: readonly string[] = ['one', 'two'];

const foreignFinalizer = 'example.com/hold';

/** Actions on Services, with their frequencies. */
export const serviceActions: readonly ClientAction<[Settings]>[] = [
  { weight: 9, act: createService },
  { weight: 5, act: changeToOtherType },
  { weight: 6, act: changeToLoadBalancer },
  { weight: 4, act: changeBalancerFields },
  { weight: 3, act: annotateService },
  { weight: 2, act: labelService },
  { weight: 2, act: requestAddress },
  { weight: 6, act: deleteService },
  { weight: 4, act: recreateService },
  { weight: 2, act: addForeignFinalizer },
  { weight: 4, act: removeForeignFinalizer },
  { weight: 1.5, act: removeCleanupFinalizer },
];

export async function createService(client: TestClient): Promise<unknown> {
  const { random } = client;
  const name = random.pick(['s0', 's1', 's2', 's3', 'else']);
  return createServiceNamed(client, random.pick(serviceNamespaces), name);
}

async function createServiceNamed(client: TestClient, namespace: string, name: string): Promise<unknown> {
  const { random } = client;
  const spec = random.chance(0.75) ? loadBalancerSpec(client) : { type: random.pick(['ClusterIP', 'NodePort']) };
  // Sometimes adds the cleanup finalizer, as if an earlier process had seen the Service, and sometimes that of another controller.
  const isProcessed = random.chance(0.1) && !('loadBalancerClass' in spec);
  const finalizers = [...(isProcessed ? [cleanupFinalizer] : []), ...(random.chance(0.1) ? [foreignFinalizer] : [])];
  const annotations = random.chance(0.3) ? { 'example.com/size': random.pick(['small', 'large']) } : undefined;
  return client.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, ...(finalizers.length > 0 && { finalizers }), ...(annotations && { annotations }) },
    spec: { selector: { app: 'web' }, ports: randomPorts(client), ...spec },
  });
}

const loadBalancerSpec = (client: TestClient): Fields => ({
  type: 'LoadBalancer',
  ...randomBalancerFields(client),
  ...(client.random.chance(0.1) && { loadBalancerClass }),
});

const loadBalancerClass = 'example.com/other';

const randomPorts = ({ random }: TestClient): readonly Fields[] =>
  random.pick([
    [{ name: 'web', port: 80, targetPort: 8080 }],
    [{ name: 'web', port: 443, targetPort: 8443 }],
    [
      { name: 'web', port: 80, targetPort: 8080 },
      { name: 'admin', port: 9000, targetPort: 9000 },
    ],
  ]);

const randomBalancerFields = ({ random }: TestClient): Fields => ({
  externalTrafficPolicy: random.pick(['Cluster', 'Cluster', 'Local']),
  sessionAffinity: random.pick(['None', 'None', 'ClientIP']),
  loadBalancerSourceRanges: random.pick([[], ['10.0.0.0/8'], ['10.0.0.0/8', '192.168.0.0/16']]),
});

const specOf = (service: ApiObject): Fields => service['spec'] as Fields;
const withSpec = (service: ApiObject, spec: Fields): ApiObject => ({ ...service, spec: { ...specOf(service), ...spec } });
const isLoadBalancer = (service: ApiObject): boolean => specOf(service)['type'] === 'LoadBalancer';
const isNotTerminating = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp === undefined;
const hasFinalizer = (finalizer: string) => (service: ApiObject) => service.metadata.finalizers?.includes(finalizer) ?? false;

/** Changes a Service of type LoadBalancer to a different type. */
async function changeToOtherType(client: TestClient, { removesFinalizers, canList }: Settings): Promise<void> {
  if (removesFinalizers && !canList) return;
  const service = client.pickObject(services, isLoadBalancer);
  if (!service) return;
  const {
    sessionAffinity: _,
    externalTrafficPolicy,
    healthCheckNodePort,
    loadBalancerSourceRanges,
    loadBalancerIP,
    ...spec
  } = specOf(service);
  await client.change(services, { ...service, spec: { ...spec, type: client.random.pick(['ClusterIP', 'NodePort']) } });
}

/** Changes a Service to type LoadBalancer, sometimes with the class of another controller. */
async function changeToLoadBalancer(client: TestClient): Promise<void> {
  const { random } = client;
  const service = client.pickObject(services, (each) => !isLoadBalancer(each));
  if (!service) return;
  const hasOtherClass = random.chance(0.3);
  const spec = { type: 'LoadBalancer', ...randomBalancerFields(client), ...(hasOtherClass && { loadBalancerClass }) };
  await client.change(services, withSpec(service, spec));
}

async function changeBalancerFields(client: TestClient): Promise<void> {
  const service = client.pickObject(services, isLoadBalancer);
  if (!service) return;
  await client.change(
    services,
    withSpec(service, client.random.chance(0.5) ? { ports: randomPorts(client) } : randomBalancerFields(client)),
  );
}

async function annotateService(client: TestClient): Promise<void> {
  const service = client.pickObject(services);
  if (service) await client.change(services, withAnnotations(service, { note: String(client.nextNumber()) }));
}

/** Changes a label, which the controller ignores. */
async function labelService(client: TestClient): Promise<void> {
  const service = client.pickObject(services);
  if (service) await client.change(services, withLabels(service, { team: String(client.nextNumber()) }));
}

/** Requests one of two addresses, so that Services conflict: two Services cannot have the same port of one address. */
async function requestAddress(client: TestClient): Promise<void> {
  const service = client.pickObject(services, isLoadBalancer);
  const loadBalancerIP = client.random.pick(['', '203.0.113.1', '203.0.113.2']);
  if (service) await client.change(services, withSpec(service, { loadBalancerIP }));
}

async function deleteService(client: TestClient): Promise<void> {
  const service = client.pickObject(services, isNotTerminating);
  if (service) await client.remove(services, service);
}

/** Deletes a Service and creates a different Service with the same name as soon as possible. */
async function recreateService(client: TestClient): Promise<void> {
  const service = client.pickObject(services, isNotTerminating);
  if (!service) return;
  await client.remove(services, service);
  const { namespace = '', name = '' } = service.metadata;
  await createServiceNamed(client, namespace, name);
}

/** Adds a finalizer of another controller, which delays the deletion of the Service. */
async function addForeignFinalizer(client: TestClient): Promise<void> {
  const service = client.pickObject(services, (each) => isNotTerminating(each) && !hasFinalizer(foreignFinalizer)(each));
  if (service) await client.change(services, withFinalizers(service, [...(service.metadata.finalizers ?? []), foreignFinalizer]));
}

async function removeForeignFinalizer(client: TestClient): Promise<void> {
  const service = client.pickObject(services, hasFinalizer(foreignFinalizer));
  if (service) await client.change(services, withoutFinalizer(service, foreignFinalizer));
}

/** Removes the cleanup finalizer, as no client should; often also deletes and recreates the Service. */
async function removeCleanupFinalizer(client: TestClient, { removesFinalizers }: Settings): Promise<void> {
  if (!removesFinalizers) return;
  const service = client.pickObject(services, hasFinalizer(cleanupFinalizer));
  if (!service) return;
  const { random } = client;
  if (isNotTerminating(service) && random.chance(0.7)) await client.remove(services, service);
  await client.change(services, { ...withoutFinalizer(service, cleanupFinalizer) });
  const { namespace = '', name = '' } = service.metadata;
  if (random.chance(0.5)) await createServiceNamed(client, namespace, name);
}

const withFinalizers = (service: ApiObject, finalizers: readonly string[]): ApiObject => ({
  ...service,
  metadata: { ...service.metadata, finalizers },
});

const withoutFinalizer = (service: ApiObject, finalizer: string): ApiObject =>
  withFinalizers(
    service,
    (service.metadata.finalizers ?? []).filter((each) => each !== finalizer),
  );

/** Replaces every requested address by an address that no other Service requests. */
export async function repairServices(client: TestClient): Promise<void> {
  const servicesWithAddress = serviceNamespaces
    .flatMap((namespace) => client.history.all(services, namespace, currentVersion))
    .filter((service) => Boolean(specOf(service)['loadBalancerIP']));
  for (const [index, service] of servicesWithAddress.entries())
    await client.change(services, withSpec(service, { loadBalancerIP: `192.0.2.${index + 1}` }));
}
