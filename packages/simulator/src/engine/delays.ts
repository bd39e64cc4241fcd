import { fnv32a, utf8 } from '../go/hash.ts';

/** How long something takes, in milliseconds, both bounds included. */
export interface DelayRange {
  readonly min: number;
  readonly max: number;
}

interface DelayRow extends DelayRange {
  readonly summary: string;
  /** Where to find the range of a cluster: a metric, a flag of a component, or the application. */
  readonly source: string;
  /** The histogram that `measureDelays` reads. */
  readonly metric?: DelayMetric;
}

/** A histogram in seconds that a component of Kubernetes 1.36 serves at /metrics. */
export interface DelayMetric {
  readonly name: string;
  /** The accepted values of labels; by default all. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** A label whose values are steps one after the other, so that their times add up. */
  readonly sumOver?: string;
  /** Whether the delay begins at any time within the measured one, so that it has no minimum. */
  readonly isPeriod?: boolean;
}

const measuredBy = (name: string, options: Omit<DelayMetric, 'name'> = {}): Pick<DelayRow, 'source' | 'metric'> => ({
  source: `metric ${name}`,
  metric: { name, ...options },
});

/** The delays of a cluster whose ranges can be set. */
export type DelayName =
  | 'request'
  | 'watch'
  | 'sync'
  | 'schedule'
  | 'containerCreation'
  | 'imagePull'
  | 'applicationStart'
  | 'listenerClosing'
  | 'applicationExit'
  | 'podStatusRead'
  | 'podResync'
  | 'leaseRenewal'
  | 'preStopHook'
  | 'proxySync'
  | 'ingressSync'
  | 'balancerSync'
  | 'firstHealthCheck'
  | 'resolverCache'
  | 'probe';

/** The default ranges in milliseconds. */
export const delays: Readonly<Record<DelayName, DelayRow>> = {
  request: {
    min: 1,
    max: 50,
    summary: 'a request to the API server, until its answer',
    ...measuredBy('apiserver_request_duration_seconds', { labels: { verb: ['GET', 'POST', 'PUT', 'PATCH', 'APPLY', 'DELETE'] } }),
  },
  watch: {
    min: 1,
    max: 100,
    summary: 'from a write to its arrival at a watching client',
    source: 'kubectl-endpoints delays --measure-watch',
  },
  sync: {
    min: 0,
    max: 50,
    summary: 'a sync of a controller, without its requests',
    ...measuredBy('workqueue_work_duration_seconds', {
      labels: {
        name: ['deployment', 'replicaset', 'statefulset', 'daemonset', 'endpoint_slice', 'disruption', 'node_lifecycle_controller'],
      },
    }),
  },
  schedule: {
    min: 1,
    max: 50,
    summary: 'the placement of a pod',
    ...measuredBy('scheduler_scheduling_attempt_duration_seconds', { labels: { result: ['scheduled'] } }),
  },
  imagePull: {
    min: 0,
    max: 10_000,
    summary: 'the pull of an image that a node does not have',
    ...measuredBy('kubelet_image_pull_duration_seconds', { isPeriod: true }),
  },
  containerCreation: {
    min: 50,
    max: 1000,
    summary: 'the creation and start of a container',
    ...measuredBy('kubelet_runtime_operations_duration_seconds', {
      labels: { operation_type: ['create_container', 'start_container'] },
      sumOver: 'operation_type',
    }),
  },
  applicationStart: {
    min: 100,
    max: 2000,
    summary: 'from the start of a process until it accepts connections, or an init container exits',
    source: 'set it for your application',
  },
  listenerClosing: {
    min: 0,
    max: 50,
    summary: 'from the stop signal until the process refuses connections',
    source: 'set it for your application',
  },
  applicationExit: {
    min: 0,
    max: 1000,
    summary: 'from the closing of the listener until the process exits',
    source: 'set it for your application',
  },
  podStatusRead: {
    min: 0,
    max: 1000,
    summary: 'until the kubelet notices a change in its runtime',
    ...measuredBy('kubelet_pleg_relist_interval_seconds', { isPeriod: true }),
  },
  podResync: {
    min: 60_000,
    max: 91_000,
    summary: 'until the kubelet syncs an idle pod again',
    source: 'syncFrequency of the kubelet, its jitter of 50%, and its period of 1 s',
  },
  leaseRenewal: {
    min: 0,
    max: 10_000,
    summary: 'until the kubelet renews its Lease, and updates the status of its node',
    source: 'nodeLeaseDurationSeconds of the kubelet, of which it is a quarter, and nodeStatusUpdateFrequency',
  },
  preStopHook: {
    min: 0,
    max: 1000,
    summary: 'a preStop hook of the type exec or httpGet, besides the time of a command sleep',
    source: 'set it for your application',
  },
  proxySync: { min: 5, max: 500, summary: 'a sync of kube-proxy', ...measuredBy('kubeproxy_sync_proxy_rules_duration_seconds') },
  ingressSync: {
    min: 0,
    max: 1000,
    summary: 'until an ingress proxy applies a change of endpoints',
    source: 'set it for your ingress proxy',
  },
  balancerSync: {
    min: 1000,
    max: 10_000,
    summary: 'until a load balancer applies a change of its targets',
    source: 'set it for your load balancer',
  },
  firstHealthCheck: {
    min: 0,
    max: 10_000,
    summary: 'from the registration of a target until its health checks begin',
    source: 'set it for your load balancer',
  },
  resolverCache: {
    min: 0,
    max: 5000,
    summary: 'until a resolver asks again for a cached name',
    source: 'ttl of the plugin kubernetes of CoreDNS',
  },
  probe: { min: 1, max: 20, summary: 'a probe, until its result', ...measuredBy('prober_probe_duration_seconds') },
};

/** Ranges that replace the defaults. */
export type DelayRanges = Readonly<Partial<Record<DelayName, DelayRange>>>;

/** A request for one delay. */
export interface DelayRequest {
  readonly name: DelayName;
  /** The component that waits, for example "kubelet/n1" or "kube-proxy/n2". */
  readonly actor: string;
  /** Whether a load balancer of pods adds targets. */
  readonly isRegistration?: boolean;
  /** Replaces the range of the table, for a delay that a field sets, for example the sleep of a preStop hook. */
  readonly range?: DelayRange;
}

/** Chooses a delay within a range, in milliseconds. */
export type ChooseDelay = (request: DelayRequest, range: DelayRange) => number;

/** Delays at their bounds. `isEarly` decides which delays take their minimum; all others take their maximum. */
export const createBoundChoice =
  (isEarly: (request: DelayRequest) => boolean): ChooseDelay =>
  (request, { min, max }) =>
    isEarly(request) ? min : max;

/**
 * Random whole milliseconds. The n-th delay of a name and actor depends on the seed alone, so that another actor's delays do not change it.
 */
export function createRandomChoice(seed: number): ChooseDelay {
  const counts = new Map<string, number>();
  return ({ name, actor }, { min, max }) => {
    const key = `${name} ${actor}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return min + (hashText(`${seed} ${key} ${count}`) % (Math.floor(max - min) + 1));
  };
}

/** Hashes a text to an unsigned integer of 32 bits: FNV-1a, then the finalizer of MurmurHash3. */
function hashText(text: string): number {
  let hash = fnv32a(utf8(text));
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
