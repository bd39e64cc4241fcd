/** Objects of a generated cluster, which mutations change in place. */
type Labels = Record<string, string>;

interface Meta {
  namespace?: string;
  name: string;
  uid: string;
  labels?: Labels;
  annotations?: Labels;
  finalizers?: string[];
  deletionTimestamp?: string;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller: boolean }[];
}

export interface ServicePortObject {
  name?: string;
  port: number;
  protocol: string;
  targetPort?: number | string;
  nodePort?: number;
  [field: string]: unknown;
}

export interface ServiceObject {
  apiVersion: 'v1';
  kind: 'Service';
  metadata: Meta;
  spec: {
    type: string;
    clusterIP?: string;
    selector?: Labels;
    ports: ServicePortObject[];
    ipFamilies?: string[];
    externalName?: string;
    publishNotReadyAddresses?: boolean;
    loadBalancerClass?: string;
    allocateLoadBalancerNodePorts?: boolean;
    [field: string]: unknown;
  };
  status?: { loadBalancer: { ingress?: { ip: string }[] } };
}

interface ContainerPortObject {
  name?: string;
  containerPort: number;
  protocol: string;
}

export interface ContainerObject {
  name: string;
  ports?: ContainerPortObject[];
  restartPolicy?: string;
  readinessProbe?: object;
  startupProbe?: object;
}

export interface ContainerStatusObject {
  name: string;
  ready: boolean;
  started: boolean;
  restartCount: number;
  state: object;
  lastState?: object;
}

export interface PodSpecObject {
  nodeName?: string;
  containers: ContainerObject[];
  initContainers?: ContainerObject[];
  restartPolicy: string;
  hostname?: string;
  subdomain?: string;
  schedulerName?: string;
  readinessGates?: { conditionType: string }[];
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

export interface PodObject {
  apiVersion: 'v1';
  kind: 'Pod';
  metadata: Meta & { namespace: string; labels: Labels };
  spec: PodSpecObject;
  status: {
    phase: string;
    reason?: string;
    message?: string;
    podIP?: string;
    podIPs?: { ip: string }[];
    conditions: Condition[];
    containerStatuses?: ContainerStatusObject[];
    initContainerStatuses?: ContainerStatusObject[];
  };
}

export interface WorkloadObject {
  apiVersion: string;
  kind: string;
  metadata: Meta & { namespace: string };
  spec: {
    replicas?: number;
    suspend?: boolean;
    serviceName?: string;
    template?: { metadata: { labels: Labels }; spec: object };
    jobTemplate?: { spec: { template: { metadata: { labels: Labels }; spec: object } } };
  };
  status: { conditions?: Condition[]; desiredNumberScheduled?: number };
}

export interface SliceEndpoint {
  addresses: string[];
  conditions: { ready: boolean; serving?: boolean; terminating?: boolean };
  nodeName?: string;
  targetRef?: { kind: string; namespace: string; name: string; uid: string };
}

export interface SliceObject {
  apiVersion: 'discovery.k8s.io/v1';
  kind: 'EndpointSlice';
  metadata: Meta & { namespace: string; labels: Labels };
  addressType: string;
  endpoints: SliceEndpoint[];
  ports: { name: string; port: number; protocol: string }[];
}

export interface NodeObject {
  apiVersion: 'v1';
  kind: 'Node';
  metadata: Meta & { labels: Labels };
  status: { conditions: Condition[] };
}

/** Objects that mutations only add. */
export interface OtherObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

/** A Service with everything that belongs to it. */
export interface Application {
  service: ServiceObject;
  /** Absent for bare pods, and for Services without a selector. */
  workload?: WorkloadObject;
  pods: PodObject[];
  slices: SliceObject[];
}

export interface World {
  namespaces: OtherObject[];
  nodes: NodeObject[];
  applications: Application[];
  /** Policies, Events, other Services, and remains of earlier pods. */
  others: (OtherObject | PodObject | ServiceObject | WorkloadObject)[];
}

export const listObjects = ({ namespaces, nodes, applications, others }: World): readonly object[] => [
  ...namespaces,
  ...nodes,
  ...applications.flatMap(({ service, workload, pods, slices }) => [service, ...(workload ? [workload] : []), ...pods, ...slices]),
  ...others,
];

export const isManaged = ({ service }: Application): boolean => service.spec.selector !== undefined;

export const isExternalName = ({ service }: Application): boolean => service.spec.type === 'ExternalName';
