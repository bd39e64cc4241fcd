import { choosePods, type Mutation, type Mutations, mistype, removeSlices, setCondition } from './mutation.ts';
import { type Application, isManaged, type NodeObject, type OtherObject, type PodObject, type SliceObject, type World } from './objects.ts';
import { createSlices } from './world.ts';

/** Lets the node of the first pod fail, and with it all pods on it. */
const failNode =
  (change: (node: NodeObject, world: World) => void, status = 'Unknown'): Mutation['apply'] =>
  (application, world) => {
    const name = application.pods[0]?.spec.nodeName;
    const node = world.nodes.find(({ metadata }) => metadata.name === name);
    if (!node) return;
    change(node, world);
    for (const each of world.applications) if (each.pods.some(({ spec }) => spec.nodeName === name)) removeSlices(each);
    for (const pod of world.applications.flatMap(({ pods }) => pods))
      if (pod.spec.nodeName === name) setCondition(pod, 'Ready', status === 'Unknown' ? 'False' : status);
  };

const addPolicy = (podSelector: (application: Application) => object, ports: (application: Application) => unknown): Mutation => ({
  cause: 'PoliciesDenyAll',
  apply(application, world) {
    const { namespace = '', name } = application.service.metadata;
    const list = ports(application);
    // Policies add up: those that allow traffic would undo this one.
    world.others = world.others.filter((each) => each.kind !== 'NetworkPolicy');
    world.others.push({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { namespace, name: `restrict-${name}` },
      spec: {
        podSelector: podSelector(application),
        policyTypes: ['Ingress'],
        ...(list === undefined ? {} : { ingress: [{ ports: list }] }),
      },
    });
  },
});

const matchSelector = ({ service }: Application): object => ({ matchLabels: service.spec.selector });

const setReplicas = (change: (application: Application) => void, kinds: readonly string[], cause: Mutation['cause']): Mutation => ({
  cause,
  applies: (application) => isManaged(application) && kinds.includes(application.workload?.kind ?? ''),
  apply(application, world) {
    const { namespace } = application.service.metadata;
    const labels = JSON.stringify(application.service.spec.selector);
    removeSlices(application);
    application.pods = [];
    change(application);
    const isRemains = ({ kind, metadata }: World['others'][number]): boolean =>
      kind === 'Pod' &&
      metadata.namespace === namespace &&
      Object.entries((metadata as PodObject['metadata']).labels).some(([key, value]) => labels.includes(`"${key}":"${value}"`));
    world.others = world.others.filter((each) => !isRemains(each));
  },
});

const stale = (change: (slice: SliceObject) => void): Mutation => ({
  cause: 'SlicesOutOfDate',
  applies: (application) => isManaged(application) && application.pods.length > 0,
  apply(application) {
    application.slices = createSlices(application.service, application.pods);
    for (const slice of application.slices) change(slice);
  },
});

const createEvent = (
  kind: string,
  { namespace = '', name }: { namespace?: string; name: string },
  reason: string,
  message: string,
): OtherObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace, name: `${name}.${reason.toLowerCase()}` },
  involvedObject: { kind, namespace, name },
  type: 'Warning',
  reason,
  message,
  lastTimestamp: '2026-05-01T03:00:00Z',
});

const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota: team' };

export const clusterMutations: Mutations = {
  scaledToZero: setReplicas(
    ({ workload }) => Object.assign(workload?.spec ?? {}, { replicas: 0 }),
    ['Deployment', 'StatefulSet'],
    'WorkloadScaledToZero',
  ),
  suspended: setReplicas(
    ({ workload }) => Object.assign(workload?.spec ?? {}, { suspend: true }),
    ['CronJob', 'Job'],
    'WorkloadScaledToZero',
  ),
  noParallelism: setReplicas(({ workload }) => Object.assign(workload?.spec ?? {}, { parallelism: 0 }), ['Job'], 'WorkloadScaledToZero'),
  noNode: setReplicas(
    ({ workload }) => Object.assign(workload?.status ?? {}, { desiredNumberScheduled: 0 }),
    ['DaemonSet'],
    'NoNodeForDaemonSet',
  ),
  quota: setReplicas(
    ({ workload }) => Object.assign(workload?.status ?? {}, { conditions: [failure] }),
    ['Deployment', 'StatefulSet'],
    'WorkloadHasNoPods',
  ),
  jobEnded: setReplicas(
    ({ workload }) => Object.assign(workload?.status ?? {}, { conditions: [{ type: 'Complete', status: 'True' }] }),
    ['Job'],
    'WorkloadHasNoPods',
  ),
  nodeLost: { cause: 'NodeNotReady', applies: hasPods, apply: failNode((node) => setReady(node, 'Unknown', 'NodeStatusUnknown')) },
  nodeNotReady: { cause: 'NodeNotReady', applies: hasPods, apply: failNode((node) => setReady(node, 'False', 'KubeletNotReady')) },
  nodeDeleted: {
    cause: 'NodeNotFound',
    applies: hasPods,
    apply: failNode((node, world) => {
      world.nodes = world.nodes.filter((each) => each !== node);
    }),
  },
  nodeDeletedWhileReady: {
    cause: 'NodeNotFound',
    applies: hasPods,
    apply: failNode((node, world) => {
      world.nodes = world.nodes.filter((each) => each !== node);
    }, 'True'),
  },
  namespaceTerminating: {
    cause: 'NamespaceTerminating',
    apply({ service }, world) {
      for (const each of world.namespaces) if (each.metadata.name === service.metadata.namespace) each['status'] = { phase: 'Terminating' };
    },
  },
  otherFamily: {
    cause: 'PodHasNoIPOfFamily',
    apply(application, _, random) {
      removeSlices(application);
      for (const pod of choosePods(application, random)) Object.assign(pod.status, { podIP: 'fd00::ffff', podIPs: [{ ip: 'fd00::ffff' }] });
    },
  },
  secondFamily: {
    cause: 'FamilyMissingInPods',
    applies: ({ service }) => service.spec.selector !== undefined && service.spec.ipFamilies?.length === 2,
    apply(application, _, random) {
      removeSlices(application);
      for (const pod of choosePods(application, random)) pod.status.podIPs = (pod.status.podIPs ?? []).slice(0, 1);
    },
  },
  subdomain: {
    cause: 'HostnameLeftOut',
    applies: ({ workload }) => workload?.kind === 'StatefulSet',
    apply({ pods }, _, random) {
      for (const { spec } of pods) spec.subdomain = `${mistype(spec.subdomain ?? '', random)}x`;
    },
  },
  policyDeniesAll: addPolicy(
    () => ({}),
    () => undefined,
  ),
  policyOtherPort: addPolicy(matchSelector, () => [{ port: 7 }]),
  policyOtherProtocol: addPolicy(matchSelector, ({ service }) => [{ protocol: service.spec.ports[0]?.protocol === 'TCP' ? 'UDP' : 'TCP' }]),
  policyServicePort: addPolicy(matchSelector, ({ service }) => service.spec.ports.map(({ port, protocol }) => ({ port, protocol }))),
  policyPortName: addPolicy(matchSelector, () => [{ port: 'unknown' }]),
  slicesLackPod: stale((slice) => slice.endpoints.shift()),
  slicesEmpty: stale((slice) => {
    slice.endpoints = [];
  }),
  slicesStalePod: stale((slice) => {
    const targetRef = { kind: 'Pod', namespace: slice.metadata.namespace, name: 'gone', uid: 'gone' };
    slice.endpoints.push({
      addresses: [slice.addressType === 'IPv6' ? 'fd00::dead' : '10.244.250.250'],
      conditions: { ready: true },
      targetRef,
    });
  }),
  slicesOldAddress: stale((slice) => {
    for (const endpoint of slice.endpoints.slice(0, 1))
      endpoint.addresses = [slice.addressType === 'IPv6' ? 'fd00::dead' : '10.244.250.250'];
  }),
  balancerFails: {
    cause: 'LoadBalancerFailing',
    applies: ({ service }) => service.spec.type === 'LoadBalancer',
    apply({ service }, world) {
      service.status = { loadBalancer: {} };
      const event = createEvent('Service', service.metadata, 'SyncLoadBalancerFailed', 'Error syncing load balancer: quota exceeded');
      world.others.push({
        ...event,
        involvedObject: { kind: 'Service', namespace: service.metadata.namespace, name: service.metadata.name, uid: service.metadata.uid },
      });
    },
  },
  balancerNodesExcluded: {
    cause: 'LoadBalancerWithoutNodes',
    applies: ({ service }) => service.spec.type === 'LoadBalancer',
    apply({ service }, world) {
      service.status = { loadBalancer: {} };
      for (const { metadata } of world.nodes) metadata.labels['node.kubernetes.io/exclude-from-external-load-balancers'] = '';
    },
  },
};

function hasPods(application: Application): boolean {
  return isManaged(application) && !application.service.spec.publishNotReadyAddresses;
}

function setReady({ status }: NodeObject, ready: string, reason: string): void {
  status.conditions = [{ type: 'Ready', status: ready, reason, message: 'Kubelet stopped posting node status.' }];
}
