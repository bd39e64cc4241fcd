import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { DelayName } from '../../engine/delays.ts';
import { loadBalancerDefaults } from '../../network/load-balancer.ts';
import { serviceOf } from '../../network/router.ts';
import type { Environment } from '../environment.ts';
import { keyOf, replicasOf } from '../world.ts';
import { availabilityOf, mayEnd, type ProvenChange } from './availability.ts';
import { clientsOf, earliestEnding, latestRoute, maxStaleMs, rangeOf } from './bounds.ts';
import { type PodLike, type ProvenService, portsOf, selects, servingContainers, templateOf, workloadOf } from './objects.ts';

/** Whether every order of events within the ranges is known to drop no request. */
export interface Proof {
  readonly holds: boolean;
  /** The reasons why it holds, or what is missing for it. */
  readonly sentences: readonly string[];
  /** How much later the pods' listeners would have to close, and their processes to end, in milliseconds; absent if something else is missing, too. */
  readonly shortMs?: number;
}

/**
 * Proves that a change of a cluster at rest drops no request, whatever the order of events within the ranges. Each reason is a bound that does not
 * depend on the order: a pod's routes end, at the latest, before its listener closes, at the earliest; readiness probes keep pods that do not listen
 * out of the EndpointSlices; and a Service always has a ready endpoint. See docs/semantics/rollout.md.
 */
export function proveChange(change: ProvenChange, environment: Environment): Proof {
  const services = (change.objects as readonly ProvenService[]).filter(({ kind, spec }) => kind === 'Service' && spec?.selector);
  const effects = services.map((service) => findEffect(service, change));
  const affected = effects.filter(({ ending, starting }) => ending.length + starting.length > 0);
  // Workers may sync the Services of Jobs at any time.
  const busy = effects.filter((effect) => affected.includes(effect) || effect.pods.some((pod) => jobOf(pod) !== undefined));
  const results = affected.map((effect) => proveService(effect, busy.length, change, environment));
  const lacking = [
    ...missingOfChange(change),
    ...missingOfRanges(environment),
    ...missingOfRelease(environment),
    ...results.flatMap(({ lacks }) => lacks),
  ];
  const short = results.flatMap(({ end }) => end.lacks);
  if (lacking.length + short.length === 0)
    return { holds: true, sentences: results.flatMap(({ reasons, end }) => [...end.reasons, ...reasons]) };
  const shortMs = Math.max(0, ...results.map(({ end }) => end.shortMs));
  const isShort = lacking.length === 0 && Number.isFinite(shortMs);
  return { holds: false, sentences: [...new Set([...short, ...lacking])], ...(isShort && { shortMs }) };
}

interface ServiceProof {
  /** The reasons without those of `end`. */
  readonly reasons: readonly string[];
  readonly lacks: readonly string[];
  readonly end: EndProof;
}

/** Whether routes end before listeners close, and requests before processes end. */
interface EndProof {
  readonly reasons: readonly string[];
  readonly lacks: readonly string[];
  readonly shortMs: number;
}

const provenKinds = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** The kinds whose changes have no effect on an update. */
const neutralKinds = ['Namespace', 'PodDisruptionBudget'];

/** A change that does more than updating workloads. */
const missingOfChange = ({ change }: ProvenChange): string[] =>
  change
    .filter(({ kind = '' }) => ![...provenKinds, ...neutralKinds].includes(kind))
    .map((object) => `the change applies ${keyOf(object)}: only changes of Deployments, StatefulSets and DaemonSets can be proved`);

/** The largest delays, in milliseconds, for which the bounds hold. */
const largest: Readonly<Partial<Record<DelayName, number>>> = { watch: maxStaleMs, leaseRenewal: 10_000 };

const missingOfRanges = (environment: Environment): string[] =>
  Object.entries(largest)
    .filter(([name, limit]) => rangeOf(environment, name as DelayName).max > limit)
    .map(([name, limit]) => `the delay ${name} may be longer than ${limit} ms`);

const missingOfRelease = ({ network }: Environment): string[] =>
  network?.kubeProxy?.version === undefined
    ? []
    : [`the release of kube-proxy is ${network.kubeProxy.version}: the bounds are those of the newest one`];

/** What a change does to the pods of a Service. */
interface Effect {
  readonly service: ProvenService;
  /** Before the change. */
  readonly pods: readonly PodLike[];
  /** Those that it may delete. */
  readonly ending: readonly PodLike[];
  /** The kinds of pods that it creates. */
  readonly starting: readonly PodLike[];
  /** The most endpoints at a time. */
  readonly endpoints: number;
  /** Before the change. */
  readonly slices: readonly (ApiObject & { readonly addressType?: string })[];
}

function findEffect(service: ProvenService, change: ProvenChange): Effect {
  const pods = (change.objects as readonly PodLike[]).filter((pod) => pod.kind === 'Pod' && selects(service, pod));
  const ending = pods.filter((pod) => mayEnd(pod, change));
  const moved = change.drained.length > 0 ? ending : [];
  const updated = change.change.flatMap((object) => {
    const template = templateOf(object);
    if (!template || !selects(service, template)) return [];
    const owned = ending.filter((pod) => workloadOf(pod, change.objects) === keyOf(object));
    return [{ template, replicas: Math.max(replicasOf(object), owned.length) }];
  });
  const endpoints = pods.length + moved.length + updated.reduce((sum, { replicas }) => sum + replicas, 0);
  const slices = change.objects.filter((object) => object.kind === 'EndpointSlice' && serviceOf(object) === objectKey(service));
  const starting = [...updated.map(({ template }) => template), ...moved];
  return { service, pods, ending, starting, endpoints, slices: slices as readonly (ApiObject & { readonly addressType?: string })[] };
}

/** @param services the number of Services whose endpoints may change */
function proveService(effect: Effect, services: number, change: ProvenChange, environment: Environment): ServiceProof {
  const { service, pods } = effect;
  const availability = availabilityOf(service, pods, change);
  return {
    reasons: 'keeps' in availability ? [`Service ${objectKey(service)} always has a ready endpoint: ${availability.keeps}.`] : [],
    lacks: [
      ...missingOfService(service, environment),
      ...missingOfBalancer(service, environment),
      ...missingOfPods(effect, environment),
      ...missingOfTasks(effect, environment),
      ...('lacks' in availability ? [availability.lacks] : []),
    ],
    end: proveEnd(effect, services, environment),
  };
}

const topologyAnnotation = 'service.kubernetes.io/topology-mode';

/** What a Service asks for that has no proof. */
function missingOfService(service: ProvenService, { network }: Environment): string[] {
  const { type, publishNotReadyAddresses, internalTrafficPolicy, externalTrafficPolicy, trafficDistribution } = service.spec ?? {};
  const { targets } = { ...loadBalancerDefaults, ...network?.loadBalancer };
  const fields = [
    ...(publishNotReadyAddresses ? ['spec.publishNotReadyAddresses'] : []),
    ...(internalTrafficPolicy === 'Local' ? ['spec.internalTrafficPolicy Local'] : []),
    ...(externalTrafficPolicy === 'Local' && type === 'LoadBalancer' && targets === 'nodes' ? ['spec.externalTrafficPolicy Local'] : []),
    ...(trafficDistribution ? ['spec.trafficDistribution'] : []),
    ...(service.metadata.annotations?.[topologyAnnotation] ? [`the annotation ${topologyAnnotation}`] : []),
  ];
  return fields.map((field) => `Service ${objectKey(service)} has ${field}, whose routes differ between nodes`);
}

/** What a load balancer of pods does that has no proof. */
function missingOfBalancer(service: ProvenService, environment: Environment): string[] {
  const settings = { ...loadBalancerDefaults, ...environment.network?.loadBalancer };
  const { targets, healthChecks, deregistrationDelayMs = Number.POSITIVE_INFINITY } = settings;
  if (service.spec?.type !== 'LoadBalancer' || targets !== 'pods') return [];
  const { requestMs, keepAlive } = clientsOf(environment);
  const isCut = keepAlive ? Number.isFinite(deregistrationDelayMs) : requestMs > deregistrationDelayMs;
  const balancer = `the load balancer of Service ${objectKey(service)}`;
  return [
    ...(healthChecks
      ? [`${balancer} checks the health of its targets: it may have no healthy one while the Service has ready endpoints`]
      : []),
    ...(isCut ? [`${balancer} may cut connections ${latestSeconds(deregistrationDelayMs)} s after it has removed their target`] : []),
  ];
}

/** The most endpoints of one EndpointSlice of the controller, by default (1.36, max-endpoints-per-slice). */
const maxEndpoints = 100;

function missingOfPods({ service, ending, starting, endpoints, slices, ...effect }: Effect, environment: Environment): string[] {
  const pods = [...ending, ...starting];
  const families = new Set(slices.map(({ addressType }) => addressType));
  const serving = pods.flatMap((pod) => servingContainers(service, pod));
  const probeMs = rangeOf(environment, 'probe').max;
  const probes = serving.flatMap(({ readinessProbe, livenessProbe, startupProbe }) => [readinessProbe, livenessProbe, startupProbe]);
  return [
    ...(serving.some(({ readinessProbe }) => !readinessProbe) ? [`pods of Service ${objectKey(service)} have no readiness probe`] : []),
    ...(probes.some((probe) => probe && (probe.timeoutSeconds ?? 1) * 1000 < probeMs)
      ? [`a probe of Service ${objectKey(service)} may take longer than its timeoutSeconds`]
      : []),
    ...(new Set([...effect.pods, ...starting].map((pod) => portsOf(service, pod))).size > 1
      ? [`the pods of Service ${objectKey(service)} serve different ports, so that their endpoints are in different EndpointSlices`]
      : []),
    ...(endpoints > maxEndpoints || slices.length > families.size
      ? [`Service ${objectKey(service)} may have more than one EndpointSlice, as with more than ${maxEndpoints} endpoints`]
      : []),
    ...(pods.some(({ spec }) => spec?.hostNetwork) ? [`pods of Service ${objectKey(service)} are on the network of their nodes`] : []),
  ];
}

/** The Job of a pod, for example "Job shop/import"; undefined if it has none. */
function jobOf(pod: PodLike): string | undefined {
  const workload = workloadOf(pod, []);
  return workload.startsWith('Job ') ? workload : undefined;
}

/** Pods that end by themselves at a time that nothing bounds. */
function missingOfTasks({ service, pods }: Effect, { application }: Environment): string[] {
  const jobs = new Set(pods.flatMap((pod) => jobOf(pod) ?? []));
  const exits = application?.exitAfterSeconds !== undefined && pods.some(({ spec }) => (spec?.restartPolicy ?? 'Always') !== 'Always');
  return [
    ...[...jobs].map((job) => `the pods of ${job}, which Service ${objectKey(service)} selects, may end by themselves`),
    ...(exits && jobs.size === 0 ? [`processes of Service ${objectKey(service)} exit by themselves (application.exitAfterSeconds)`] : []),
  ];
}

/** Whether all routes to pods end before their listeners close, and no request is cut. */
function proveEnd({ service, ending, endpoints }: Effect, services: number, environment: Environment): EndProof {
  if (ending.length === 0) return { reasons: [], lacks: [], shortMs: 0 };
  const slices = 2 * Math.ceil(endpoints / maxEndpoints);
  const { component, at } = latestRoute(environment, { services, slices }, componentsOf(service, environment));
  const endings = ending.map(({ spec }) => earliestEnding(environment, spec ?? {}));
  const closes = Math.min(...endings.map(({ closes }) => closes));
  const cuts = Math.min(...endings.map(({ cuts }) => cuts ?? Number.POSITIVE_INFINITY));
  const { requestMs, keepAlive } = clientsOf(environment);
  const lastRequest = keepAlive ? Number.POSITIVE_INFINITY : at + requestMs;
  const isCut = Number.isFinite(cuts) && lastRequest > cuts;
  const pod = `a pod of Service ${objectKey(service)}`;
  const lasts = `${component} may route to ${pod} for ${latestSeconds(at)} s after its deletion`;
  return {
    reasons: [
      `Routes to ${pod} last ${latestSeconds(at)} s after its deletion at most (${component}), and its listener closes after ${earliestSeconds(closes)} s at the earliest.`,
    ],
    lacks: [
      ...(closes < at ? [`${lasts}, and its listener may close after ${earliestSeconds(closes)} s`] : []),
      ...(isCut ? [`a process of ${pod} may end after ${earliestSeconds(cuts)} s without ending its requests`] : []),
    ],
    shortMs: Math.max(0, at - closes, isCut ? lastRequest - cuts : 0),
  };
}

/** The components whose routes lead to a Service's pods. */
function componentsOf(service: ProvenService, { network }: Environment): string[] {
  const { spec } = service;
  const isServed = (network?.ingresses ?? []).some(({ services }) => services.includes(objectKey(service)));
  return [
    spec?.clusterIP === 'None' ? 'DNS' : 'kube-proxy',
    ...(isServed ? ['an ingress proxy'] : []),
    ...(spec?.type === 'LoadBalancer' ? ['a load balancer'] : []),
  ];
}

/** Seconds with one decimal: a time at the latest is rounded up, one at the earliest down. */
const latestSeconds = (milliseconds: number): string => (Math.ceil(milliseconds / 100) / 10).toFixed(1);
const earliestSeconds = (milliseconds: number): string => (Math.floor(milliseconds / 100) / 10).toFixed(1);
