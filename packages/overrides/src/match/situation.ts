import { type CelMeter, type CelValues, createCelValues } from '@kube-endpoints/cel/internal';
import { serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Optional, Pod, Service } from 'kube-endpoints/types';
import { type CelExpression, type CelRun, fieldsRead, maxCelSteps, type Reads } from '../cel.ts';
import type { OverrideRequest } from '../overrides.ts';
import { type IPNumber, readIP } from '../ranges.ts';
import { type Entry, isSlice, type Kind } from '../view/view.ts';

/** What rules look at to tell whether they match. */
export interface Situation {
  readonly kind: Kind;
  readonly operation: OverrideRequest['operation'];
  readonly object: EndpointsInput | EndpointSliceInput;
  readonly oldObject: EndpointsInput | EndpointSliceInput | undefined;
  readonly namespace: string;
  /** Undefined for a slice that says of no Service that it is its own. */
  readonly serviceName: string | undefined;
  readonly service: Service | undefined;
  readonly now: number;
  readonly pods: PodIndex;
  /** Whether an expression holds. One that fails does not, and the rule is told of it. */
  holds(expression: CelExpression, rule: string, entry?: Entry): boolean;
  /** By rules: why an expression failed, once each. */
  readonly failures: ReadonlyMap<string, { readonly expression: string; readonly because: string }>;
}

export function situationOf(request: OverrideRequest): Situation {
  const { operation, object, oldObject, service, now } = request;
  const kind: Kind = isSlice(object) ? 'EndpointSlice' : 'Endpoints';
  const metadata = object.metadata ?? {};
  const namespace = metadata.namespace ?? '';
  const serviceName = kind === 'Endpoints' ? (metadata.name ?? '') : metadata.labels?.[serviceNameLabel];
  const failures = new Map<string, { readonly expression: string; readonly because: string }>();
  const pods = createPodIndex(request.pods, namespace);
  const run = createCelRuns(request, pods);
  const holds = (expression: CelExpression, rule: string, entry?: Entry): boolean => {
    const outcome = expression.evaluate(run(expression, entry));
    if (typeof outcome === 'boolean') return outcome;
    if (!failures.has(rule)) failures.set(rule, { expression: expression.source, because: outcome.failure });
    return false;
  };
  return { kind, operation, object, oldObject, namespace, serviceName, service, now: now.getTime(), pods, holds, failures };
}

/** Converts what expressions read, once for all of them: of an object of a thousand addresses, most read the name. */
function createCelRuns(request: OverrideRequest, pods: PodIndex): (expression: CelExpression, entry?: Entry) => CelRun {
  const values = createCelValues();
  const meter: CelMeter = { left: maxCelSteps };
  const convertPod = kept((pod: Pod) => values.convert(pod));
  const shared: Readonly<Record<string, (reads: Reads) => unknown>> = {
    operation: () => request.operation,
    now: () => request.now,
    object: partly('object', request.object, values),
    oldObject: partly('oldObject', request.oldObject, values),
    service: partly('service', request.service, values),
    pods: () => request.pods?.map(convertPod) ?? null,
  };
  return ({ reads }, entry) => {
    const variables: Record<string, unknown> = {};
    for (const name of reads.keys()) if (Object.hasOwn(shared, name)) variables[name] = shared[name]?.(reads);
    if (!entry) return { variables, values, meter };
    const pod = reads.has('pod') ? pods.of(entry) : undefined;
    return { variables: { ...variables, address: values.convert(addressOf(entry)), pod: pod ? convertPod(pod) : null }, values, meter };
  };
}

/** Of a variable, the fields that are read. */
function partly(name: string, object: object | undefined, values: CelValues): (reads: Reads) => unknown {
  const whole = kept((given: object) => values.convert(given));
  const converted = new Map<string, unknown>();
  const fieldOf = (field: string): unknown => {
    if (!converted.has(field)) converted.set(field, values.convert({ [field]: (object as Readonly<Record<string, unknown>>)[field] }));
    return (converted.get(field) as ReadonlyMap<string, unknown>).get(field);
  };
  return (reads) => {
    if (!object) return null;
    const fields = fieldsRead(reads, name);
    if (!fields) return whole(object);
    const there = [...fields].filter((field) => Object.hasOwn(object, field) && fieldOf(field) !== undefined);
    return new Map(there.map((field) => [field, fieldOf(field)]));
  };
}

/** Made once of each. */
function kept<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new Map<K, V>();
  return (of) => {
    if (!made.has(of)) made.set(of, make(of));
    return made.get(of) as V;
  };
}

/** What an expression may ask of an address. */
const addressOf = ({ ip, hostname, nodeName, zone, targetRef, wanted, terminating }: Entry): object => ({
  ip,
  hostname: hostname ?? '',
  nodeName: nodeName ?? '',
  zone: zone ?? '',
  targetRef: targetRef ?? null,
  ready: wanted,
  terminating,
});

/** The pods that the host gave, found as rules need them. Nothing is looked through before it is asked for. */
export interface PodIndex {
  readonly given: boolean;
  /** The pod that an address is of, by its reference. */
  of(entry: Pick<Entry, 'targetRef'>): Pod | undefined;
  /** A pod of another namespace that has an IP for itself, where no pod of the own namespace has it. */
  foreignAt(ip: IPNumber): Pod | undefined;
}

export function createPodIndex(pods: readonly Pod[] | undefined, namespace: string): PodIndex {
  let byName: Map<string, Pod> | undefined;
  let byIP: Map<number | bigint, Pod> | undefined;
  return {
    given: pods !== undefined,
    of({ targetRef }) {
      if (!pods || !isPodReference(targetRef)) return undefined;
      byName ??= new Map(pods.map((pod) => [`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`, pod]));
      const pod = byName.get(`${targetRef?.namespace || namespace}/${targetRef?.name ?? ''}`);
      const uid = pod?.metadata?.uid;
      return uid && targetRef?.uid && uid !== targetRef.uid ? undefined : pod;
    },
    foreignAt(ip) {
      if (!pods) return undefined;
      byIP ??= indexByIP(pods, namespace);
      const pod = byIP.get(ip.v6 ?? ip.v4);
      return pod && (pod.metadata?.namespace ?? '') !== namespace ? pod : undefined;
    },
  };
}

export const isPodReference = (reference: Optional<{ readonly kind?: Optional<string> }>): boolean =>
  reference?.kind === 'Pod' || (!!reference && !reference.kind);

/** A pod of the own namespace goes before those of others. */
function indexByIP(pods: readonly Pod[], namespace: string): Map<number | bigint, Pod> {
  const index = new Map<number | bigint, Pod>();
  for (const pod of pods) {
    if (!hasAddressForItself(pod)) continue;
    const isOwn = (pod.metadata?.namespace ?? '') === namespace;
    for (const text of [pod.status?.podIP, ...(pod.status?.podIPs ?? []).map(({ ip }) => ip)]) {
      const ip = text ? readIP(text) : undefined;
      const key = ip && (ip.v6 ?? ip.v4);
      if (key !== undefined && (isOwn || !index.has(key))) index.set(key, pod);
    }
  }
  return index;
}

/** One on the node's network shares its address with whatever else is there, and one that has ended has lost it. */
function hasAddressForItself({ spec, status }: Pod): boolean {
  const isOnNode = (spec as { readonly hostNetwork?: unknown } | undefined)?.hostNetwork === true;
  return !isOnNode && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
