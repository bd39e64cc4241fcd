import type { Schema } from './schema.ts';

/** Describes a definition. @param name the name in the type tables or, for types that are not structs, of the definition */
export const describeDefinition = (name: string): Schema => toSchema(definitionDescriptions[name]);

/** Describes a field. Described types without a text for apiVersion, kind, metadata, spec or status get the common text. */
export const describeField = (owner: string, name: string): Schema =>
  toSchema(
    fieldDescriptions.get(`${owner}.${name}`) ??
      (commonDescriptions.has(name) && isDescribedType(owner) ? commonDescriptions.get(name) : undefined),
  );

/** Descriptions of the top-level fields that most objects have. */
export const commonDescriptions: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'APIVersion defines which group and version of the schema this object follows, such as "v1" or "discovery.k8s.io/v1".'],
  ['kind', 'The name of the schema that this object follows, in CamelCase.'],
  ['metadata', "Standard object's metadata: the name, labels and other data that every object carries."],
  ['spec', 'The desired state of the object.'],
  ['status', 'The observed state of the object; written by the system.'],
]);

export const describeList = (kind: string): string => `A list of objects of kind ${kind}.`;

const toSchema = (description: string | undefined): Schema => (description === undefined ? {} : { description });

const isDescribedType = (owner: string): boolean => Object.hasOwn(definitionDescriptions, owner);

const definitionDescriptions: Readonly<Record<string, string>> = {
  'admissionregistration.MutatingAdmissionPolicy': 'Changes objects by expressions before they are stored.',
  'admissionregistration.MutatingAdmissionPolicyBinding': 'Applies a MutatingAdmissionPolicy to resources, with parameters.',
  'admissionregistration.MutatingWebhookConfiguration': 'Webhooks that may change objects before they are stored.',
  'admissionregistration.ValidatingAdmissionPolicy': 'Refuses objects for which an expression is false.',
  'admissionregistration.ValidatingAdmissionPolicyBinding': 'Applies a ValidatingAdmissionPolicy to resources, with parameters.',
  'admissionregistration.ValidatingWebhookConfiguration': 'Webhooks that may refuse objects before they are stored.',
  'apiextensions.CustomResourceDefinition': 'A resource that is not built in, with the schema of its objects.',
  'apiregistration.APIService': 'A group and version of the API and the server that serves it.',
  'apps.ControllerRevision': 'An immutable snapshot of the state of a workload.',
  'apps.DaemonSet': 'Runs a Pod on every matching Node.',
  'apps.Deployment': 'Runs Pods from a template and replaces them step by step when it changes.',
  'apps.ReplicaSet': 'Runs a number of Pods from a template.',
  'apps.StatefulSet': 'Runs Pods with stable names and storage.',
  'authentication.SelfSubjectReview': 'Asks who sends the request.',
  'authentication.TokenReview': 'Asks whether a token is valid, and whose it is.',
  'authorization.LocalSubjectAccessReview': 'Asks whether a user may send a request in a namespace.',
  'authorization.SelfSubjectAccessReview': 'Asks whether the sender may send a request.',
  'authorization.SelfSubjectRulesReview': 'Asks what the sender may do in a namespace.',
  'authorization.SubjectAccessReview': 'Asks whether a user may send a request.',
  'authentication.TokenRequest': 'A request for a token of a ServiceAccount, and its answer.',
  'autoscaling.HorizontalPodAutoscaler': 'Scales a workload by its use of CPU.',
  'autoscaling.Scale': 'The desired and actual number of replicas of an object.',
  'autoscaling/v2.HorizontalPodAutoscaler': 'Scales a workload by metrics.',
  'batch.CronJob': 'Creates Jobs on a schedule.',
  'batch.Job': 'Runs Pods until a number of them succeeds.',
  'certificates.CertificateSigningRequest': 'A request to a signer to sign a certificate.',
  'coordination.Lease': 'The holder of a lock and the time for which it is held.',
  'core.Binding': 'Assigns a Pod to a Node.',
  'core.ConfigMap': 'Configuration as keys and values.',
  'core.Endpoints': 'The addresses of the Pods of a Service. Superseded by EndpointSlices.',
  'core.Event': 'A report of something that happened to an object.',
  'core.ComponentStatus': 'The health of a component of the control plane.',
  'core.LimitRange': 'Default and maximum resources of the Pods and claims in a namespace.',
  'core.Namespace': 'A scope for names of objects. Deleting it deletes its objects.',
  'core.Node': 'A machine that runs Pods.',
  'core.PersistentVolume': 'A volume of storage in the cluster.',
  'core.PersistentVolumeClaim': "A Pod's request for a PersistentVolume.",
  'core.Pod': 'Containers that run together on one Node and share its network address.',
  'core.PodTemplate': 'A template for Pods.',
  'core.ReplicationController': 'Runs a number of Pods from a template. Superseded by ReplicaSets.',
  'core.ResourceQuota': 'Limits what the objects of a namespace may use together.',
  'core.Secret': 'Confidential keys and values.',
  'core.Service': 'A stable name and address for the Pods that a selector finds.',
  'core.ServiceAccount': 'An identity for processes in Pods.',
  'discovery.EndpointSlice': 'A part of the endpoints of a Service: addresses of one family, with ports and conditions.',
  'events.Event': 'A report of something that happened to an object.',
  'flowcontrol.FlowSchema': 'Assigns requests to a PriorityLevelConfiguration.',
  'flowcontrol.PriorityLevelConfiguration': 'Limits the concurrency of the requests of a priority level.',
  'meta.DeleteOptions': 'Options for deleting an object.',
  'meta.ListMeta': 'Metadata of a list.',
  'meta.ObjectMeta': 'The data that every stored object carries.',
  'meta.Status': 'The result of a request that returns no object.',
  'networking.IPAddress': 'An allocated cluster IP.',
  'networking.Ingress': 'Routes HTTP requests from outside the cluster to Services.',
  'networking.IngressClass': 'The controller that implements the Ingresses of a class.',
  'networking.NetworkPolicy': 'The connections that the Pods of a selector allow.',
  'networking.ServiceCIDR': 'A range of cluster IPs.',
  'node.RuntimeClass': 'The configuration of the container runtime for Pods.',
  'policy.Eviction': 'A request to delete a Pod unless a disruption budget forbids it.',
  'policy.PodDisruptionBudget': 'How many Pods of a selector may be evicted at a time.',
  'rbac.ClusterRole': 'Permissions in all namespaces and for cluster-scoped resources.',
  'rbac.ClusterRoleBinding': 'Grants a ClusterRole to users, groups and ServiceAccounts.',
  'rbac.Role': 'Permissions in a namespace.',
  'rbac.RoleBinding': 'Grants a role in a namespace to users, groups and ServiceAccounts.',
  'resource.DeviceClass': 'A kind of devices that claims can request.',
  'resource.ResourceClaim': "A Pod's request for devices.",
  'resource.ResourceClaimTemplate': 'A template for ResourceClaims.',
  'resource.ResourceSlice': 'Devices of a pool, published by a driver.',
  'scheduling.PriorityClass': 'A name for a priority of Pods.',
  'storage.CSIDriver': 'The capabilities of a storage driver.',
  'storage.CSINode': 'The storage drivers of a Node.',
  'storage.CSIStorageCapacity': 'The storage that is available in a topology segment.',
  'storage.StorageClass': 'How volumes of a class are provisioned.',
  'storage.VolumeAttachment': 'The attachment of a volume to a Node.',
  'storage.VolumeAttributesClass': 'Mutable attributes of volumes.',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'A number with an optional suffix, such as "250m", "1.5Gi" or 2.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'A set of fields; the nesting of its keys is that of the fields.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'A point in time in RFC 3339 with microseconds.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'A point in time in RFC 3339, to the second.',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'A number or a string, such as a port or its name.',
};

/** Each type is on a line of its own, followed by lines with its fields. */
const fieldTable = `
meta.ObjectMeta
  annotations: Keys and values for tools; selectors do not use them.
  creationTimestamp: CreationTimestamp is a timestamp of when the object was created.
  deletionGracePeriodSeconds: The grace period of the deletion in seconds.
  deletionTimestamp: When the grace period of the deletion ends; set by a delete request. Finalizers delay the deletion further.
  finalizers: The names of clean-up tasks that must finish before the object is deleted.
  generateName: The prefix of a generated name, used if name is empty; random characters are appended.
  generation: A number that increases with every change of the desired state.
  labels: Keys and values that selectors match.
  managedFields: The fields that each manager set, for server-side apply.
  name: The name, unique among the objects of a resource and namespace.
  namespace: The namespace of the object; empty for cluster-scoped objects.
  ownerReferences: The owners of the object; it is deleted after all of them are deleted.
  resourceVersion: The version of the object; it changes with every write.
  selfLink: Deprecated and never set.
  uid: An identifier that no other object has, not even an earlier object of the same name.
core.Service
  spec: The Pods of the Service, and how clients reach them.
  status: The addresses of the load balancer.
core.ServiceSpec
  allocateLoadBalancerNodePorts: Whether node ports are allocated for type LoadBalancer; default true.
  clusterIP: The virtual address of the Service, or "None" for a headless Service; allocated if empty.
  clusterIPs: The virtual addresses, at most one of each family; the first one is clusterIP.
  externalIPs: Further addresses for which Nodes accept traffic; the cluster does not route traffic to them.
  externalName: The CNAME target in DNS, for type ExternalName.
  externalTrafficPolicy: Whether traffic from outside the cluster goes to endpoints on all Nodes (Cluster) or on the receiving Node (Local).
  healthCheckNodePort: The port of every Node at which load balancers check for local endpoints, with externalTrafficPolicy Local.
  internalTrafficPolicy: Whether traffic from inside the cluster goes to endpoints on all Nodes (Cluster) or on the sending Node (Local).
  ipFamilies: The families of clusterIPs, in that order.
  ipFamilyPolicy: Whether the Service has one IP family, two if the cluster supports both, or always two.
  loadBalancerClass: The implementation that creates the load balancer.
  loadBalancerIP: The requested address of the load balancer; few implementations support it.
  loadBalancerSourceRanges: The ranges of client addresses that the load balancer accepts.
  ports: The ports of the Service.
  publishNotReadyAddresses: Whether Pods that are not ready count as ready endpoints.
  selector: The labels of the Pods of the Service; without it, the control plane creates no endpoints.
  sessionAffinity: Whether all connections of a client address go to the same endpoint (ClientIP).
  sessionAffinityConfig: The timeout of the session affinity.
  trafficDistribution: The preferred endpoints, such as those in the client's zone.
  type: How clients reach the Service: ClusterIP, NodePort, LoadBalancer or ExternalName.
core.ServicePort
  appProtocol: The application protocol of the port, such as "kubernetes.io/h2c".
  name: The name of the port; required if there are several.
  nodePort: The port of every Node that forwards to the Service; allocated if the type requires it.
  port: The port that clients use.
  protocol: TCP, UDP or SCTP.
  targetPort: The port of the Pods, or its name; default: the value of port.
core.Pod
  spec: The containers, and where and how they run.
  status: The Node and addresses of the Pod, and the state of its containers.
core.PodSpec
  containers: The containers of the Pod; the list cannot change after creation.
  initContainers: The containers that run one after the other before the others start.
  nodeName: The Node that runs the Pod; the scheduler sets it.
  restartPolicy: Whether containers that end are started again.
  serviceAccountName: The identity of the Pod.
  volumes: The volumes that containers can mount.
core.Container
  args: The arguments of the command.
  command: The program to run instead of the entrypoint of the image.
  env: The environment variables.
  image: The image of the container.
  name: The name of the container, unique in its Pod.
  ports: The ports that the container listens on; target ports of Services can refer to their names.
  readinessProbe: The check whether the container is ready for traffic.
core.Endpoints
  subsets: Groups of addresses with common ports.
discovery.EndpointSlice
  addressType: The family of all addresses of this slice: IPv4, IPv6 or FQDN.
  endpoints: The endpoints, at most 1,000.
  ports: The ports of every endpoint of this slice.
`;

const fieldDescriptions: ReadonlyMap<string, string> = /* @__PURE__ */ parseFieldTable();

function parseFieldTable(): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  let owner = '';
  for (const line of fieldTable.trim().split('\n')) {
    const [, name, text] = /^ {2}(\w+): (.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) owner = line;
    else descriptions.set(`${owner}.${name}`, text);
  }
  return descriptions;
}
