import type { Schema } from './schema.ts';

/** The description of a definition, by its name in the type tables or, for types that are not structs, by the definition's name. */
export const definitionDescription = (name: string): Schema => described(definitions[name]);

/** The description of a field: its own, or that of a field which all objects have. */
export const fieldDescription = (owner: string, name: string): Schema =>
  described(fields.get(`${owner}.${name}`) ?? (common.has(name) && isObject(owner) ? common.get(name) : undefined));

/** The fields that all objects have. */
export const common: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'The group and version of the schema that this object follows, such as "v1" or "discovery.k8s.io/v1".'],
  ['kind', 'The name of the schema that this object follows, in CamelCase.'],
  ['metadata', 'The name, labels and other data that every object carries.'],
  ['spec', 'What is wanted.'],
  ['status', 'What is, as last observed; the system fills it in.'],
]);

export const listDescription = (kind: string): string => `A list of objects of kind ${kind}.`;

const described = (description: string | undefined): Schema => (description === undefined ? {} : { description });

/** Whether a type is a whole object rather than a part of one. */
const isObject = (owner: string): boolean => Object.hasOwn(definitions, owner);

const definitions: Readonly<Record<string, string>> = {
  'admission.MutatingWebhookConfiguration': 'Webhooks that may change objects on their way into the store.',
  'admission.ValidatingWebhookConfiguration': 'Webhooks that may refuse objects on their way into the store.',
  'apiextensions.k8s.io:CustomResourceDefinition': 'A resource that is served beside the built-in ones, with the schema of its objects.',
  'authentication.TokenRequest': 'A request for a token of a ServiceAccount, and its answer.',
  'autoscaling.Scale': 'How many replicas an object has and should have.',
  'coordination.Lease': 'Who holds a lock, and until when.',
  'core.Binding': 'Assigns a Pod to a Node.',
  'core.ConfigMap': 'Configuration as keys and values.',
  'core.Endpoints': 'The addresses of the Pods behind a Service. EndpointSlices have taken its place.',
  'core.Event': 'A report of something that happened to an object.',
  'core.Namespace': 'A scope for names, which holds objects and goes with all of them.',
  'core.Node': 'A machine that runs Pods.',
  'core.Pod': 'Containers that run together on one Node and share its network address.',
  'core.Secret': 'Keys and values that are not for everyone to see.',
  'core.Service': 'A stable name and address for the Pods that a selector finds.',
  'core.ServiceAccount': 'An identity for what runs in Pods.',
  'discovery.EndpointSlice': 'A part of the endpoints of a Service: addresses of one family, with ports and conditions.',
  'events.Event': 'A report of something that happened to an object.',
  'meta.DeleteOptions': 'How an object is to be deleted.',
  'meta.ListMeta': 'What a list says of itself.',
  'meta.ObjectMeta': 'The data that every stored object carries.',
  'meta.Status': 'The answer to a request that has no object to answer with.',
  'policy.Eviction': 'Asks for a Pod to go, unless a disruption budget forbids it.',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'A number with an optional suffix, such as "250m", "1.5Gi" or 2.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'A set of fields, as keys that nest the way the fields do.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'A point in time in RFC 3339 with microseconds.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'A point in time in RFC 3339, to the second.',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'A number or a text, such as a port or its name.',
};

/** Each type on a line, followed by its fields. */
const fieldTable = `
meta.ObjectMeta
  annotations: Keys and values for tools to keep; nothing selects by them.
  creationTimestamp: When the object was created.
  deletionGracePeriodSeconds: The seconds that the object is given to end before it goes.
  deletionTimestamp: When the object goes, or went on waiting for its finalizers; set by a delete.
  finalizers: Who still has work to do before the object may go.
  generateName: What a name is made of where none is given: random characters are put behind it.
  generation: Goes up with every change of what is wanted.
  labels: Keys and values that selectors find the object by.
  managedFields: Who set which fields, for server-side apply.
  name: The name, unique among the objects of a resource and namespace.
  namespace: The namespace that the object is in; empty for objects that are in none.
  ownerReferences: The objects that this one goes with.
  resourceVersion: Which state of the object this is; it changes with every write.
  selfLink: Not used any more.
  uid: Tells this object from any other, earlier ones of its name included.
core.Service
  spec: Which Pods are behind the Service, and how clients reach them.
  status: What load balancers have made of it.
core.ServiceSpec
  allocateLoadBalancerNodePorts: Whether a load balancer gets node ports; true unless it is said otherwise.
  clusterIP: The virtual address of the Service, "None" for none; it is allocated where it is empty.
  clusterIPs: The virtual addresses, at most one of each family; the first one is clusterIP.
  externalIPs: Further addresses for which Nodes take traffic, whoever routes it there.
  externalName: The name that DNS answers with, for the type ExternalName.
  externalTrafficPolicy: Whether traffic from outside goes to endpoints of every Node (Cluster) or of the receiving one (Local).
  healthCheckNodePort: Where load balancers ask a Node whether it has endpoints, with externalTrafficPolicy Local.
  internalTrafficPolicy: Whether traffic from inside goes to endpoints of every Node (Cluster) or of the sending one (Local).
  ipFamilies: The families of clusterIPs, in that order.
  ipFamilyPolicy: Whether the Service has one family, two where the cluster has them, or two in any case.
  loadBalancerClass: Which implementation makes the load balancer.
  loadBalancerIP: The address that a load balancer should have; few implementations heed it.
  loadBalancerSourceRanges: The ranges of addresses that the load balancer lets in.
  ports: The ports of the Service.
  publishNotReadyAddresses: Whether Pods that are not ready count as ready endpoints.
  selector: The labels of the Pods behind the Service; without it, endpoints are written by somebody else.
  sessionAffinity: Whether a client stays with the endpoint that it got first (ClientIP).
  sessionAffinityConfig: How long a client stays.
  trafficDistribution: Which endpoints are preferred, such as those of the client's zone.
  type: How the Service is reached: ClusterIP, NodePort, LoadBalancer or ExternalName.
core.ServicePort
  appProtocol: What is spoken on the port, such as "kubernetes.io/h2c".
  name: The name of the port; needed where there are several.
  nodePort: The port of every Node that leads here; it is allocated where the type needs one.
  port: The port that clients use.
  protocol: TCP, UDP or SCTP.
  targetPort: The port of the Pods, or its name; the same as port where it is left out.
core.Pod
  spec: The containers, and where and how they run.
  status: Where the Pod is and how its containers are.
core.PodSpec
  containers: The containers of the Pod; they are set for good with its creation.
  initContainers: The containers that run, one after the other, before the others start.
  nodeName: The Node that runs the Pod; the scheduler sets it.
  restartPolicy: Whether containers that end are started again.
  serviceAccountName: The identity of the Pod.
  volumes: What containers may mount.
core.Container
  args: What the command is given.
  command: The program, in the place of the image's.
  env: The environment variables.
  image: The image that the container is made of.
  name: The name of the container, unique in its Pod.
  ports: The ports that the container listens on; their names can be those of Services' target ports.
  readinessProbe: How it is found out whether the container takes traffic.
core.Endpoints
  subsets: Addresses with the ports that they have in common.
discovery.EndpointSlice
  addressType: The family of all addresses of this slice: IPv4, IPv6 or FQDN.
  endpoints: The endpoints, at most 1,000.
  ports: The ports of every endpoint of this slice.
`;

const fields: ReadonlyMap<string, string> = /* @__PURE__ */ readFields();

function readFields(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let owner = '';
  for (const line of fieldTable.trim().split('\n')) {
    const [, name, text] = /^ {2}(\w+): (.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) owner = line;
    else found.set(`${owner}.${name}`, text);
  }
  return found;
}
