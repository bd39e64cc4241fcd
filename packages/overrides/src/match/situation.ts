import { type CelMeter, type CelValues, createCelValues } from '@kube-endpoints/cel/internal';
import { serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Optional, Pod, Service } from 'kube-endpoints/types';
import { type CelExpression, type CelRun, type FieldReads, maxCelSteps, topLevelFieldsRead } from '../cel.ts';
import type { OverrideRequest } from '../overrides.ts';
import { type IPNumber, readIP } from '../ranges.ts';
import { type Entry, isSlice, type Kind } from '../view/view.ts';

/** The input for evaluating the matches of rules. */
export interface Situation {
  readonly kind: Kind;
  readonly operation: OverrideRequest['operation'];
  readonly object: EndpointsInput | EndpointSliceInput;
  readonly oldObject: EndpointsInput | EndpointSliceInput | undefined;
  readonly namespace: string;
  /** Undefined for a slice without a Service label. */
  readonly serviceName: string | undefined;
  readonly service: Service | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pods: PodIndex;
  /** True if the expression holds. A failing expression does not hold; the failure is recorded for the rule. */
  holds(expression: CelExpression, rule: string, entry?: Entry): boolean;
  /** The first expression failure of each rule. */
  readonly failures: ReadonlyMap<string, { readonly expression: string; readonly reason: string }>;
}

export function createSituation(request: OverrideRequest): Situation {
  const { operation, object, oldObject, service, now } = request;
  const kind: Kind = isSlice(object) ? 'EndpointSlice' : 'Endpoints';
  const metadata = object.metadata ?? {};
  const namespace = metadata.namespace ?? '';
  const serviceName = kind === 'Endpoints' ? (metadata.name ?? '') : metadata.labels?.[serviceNameLabel];
  const failures = new Map<string, { readonly expression: string; readonly reason: string }>();
  const pods = createPodIndex(request.pods, namespace);
  const createRun = createCelRunFactory(request, pods);
  const holds = (expression: CelExpression, rule: string, entry?: Entry): boolean => {
    const outcome = expression.evaluate(createRun(expression, entry));
    if (typeof outcome === 'boolean') return outcome;
    if (!failures.has(rule)) failures.set(rule, { expression: expression.source, reason: outcome.failure });
    return false;
  };
  return { kind, operation, object, oldObject, namespace, serviceName, service, now: now.getTime(), pods, holds, failures };
}

/**
 * Creates a function that prepares an evaluation. Converts only the fields that expressions read, and each field once for all expressions,
 * because most expressions read only the name of an object with a thousand addresses.
 */
function createCelRunFactory(request: OverrideRequest, pods: PodIndex): (expression: CelExpression, entry?: Entry) => CelRun {
  const values = createCelValues();
  const meter: CelMeter = { remaining: maxCelSteps };
  const convertPod = memoize((pod: Pod) => values.convert(pod));
  const sharedConverters: Readonly<Record<string, (reads: FieldReads) => unknown>> = {
    operation: () => request.operation,
    now: () => request.now,
    object: convertFields('object', request.object, values),
    oldObject: convertFields('oldObject', request.oldObject, values),
    service: convertFields('service', request.service, values),
    pods: () => request.pods?.map(convertPod) ?? null,
  };
  return ({ reads }, entry) => {
    const variables: Record<string, unknown> = {};
    for (const name of reads.keys()) if (Object.hasOwn(sharedConverters, name)) variables[name] = sharedConverters[name]?.(reads);
    if (!entry) return { variables, values, meter };
    const pod = reads.has('pod') ? pods.podOf(entry) : undefined;
    return {
      variables: { ...variables, address: values.convert(toAddressVariable(entry)), pod: pod ? convertPod(pod) : null },
      values,
      meter,
    };
  };
}

/** Converts only the fields of a variable that are read. */
function convertFields(name: string, object: object | undefined, values: CelValues): (reads: FieldReads) => unknown {
  const convertAll = memoize((value: object) => values.convert(value));
  const converted = new Map<string, unknown>();
  const fieldOf = (field: string): unknown => {
    if (!converted.has(field)) converted.set(field, values.convert({ [field]: (object as Readonly<Record<string, unknown>>)[field] }));
    return (converted.get(field) as ReadonlyMap<string, unknown>).get(field);
  };
  return (reads) => {
    if (!object) return null;
    const fields = topLevelFieldsRead(reads, name);
    if (!fields) return convertAll(object);
    const presentFields = [...fields].filter((field) => Object.hasOwn(object, field) && fieldOf(field) !== undefined);
    return new Map(presentFields.map((field) => [field, fieldOf(field)]));
  };
}

/** Memoizes by object identity. */
function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key) as V;
  };
}

/** Builds the variable `address` of an expression. */
const toAddressVariable = ({ ip, hostname, nodeName, zone, targetRef, intendedReady, terminating }: Entry): object => ({
  ip,
  hostname: hostname ?? '',
  nodeName: nodeName ?? '',
  zone: zone ?? '',
  targetRef: targetRef ?? null,
  ready: intendedReady,
  terminating,
});

/** An index of the pods in the request, built on first use. */
export interface PodIndex {
  readonly arePodsKnown: boolean;
  /** Returns the pod that an address refers to; undefined if the request does not contain the pod, or the UIDs differ. */
  podOf(entry: Pick<Entry, 'targetRef'>): Pod | undefined;
  /** Returns the pod of a different namespace that owns an IP, unless a pod of the object's namespace owns it too. */
  podOfOtherNamespace(ip: IPNumber): Pod | undefined;
}

export function createPodIndex(pods: readonly Pod[] | undefined, namespace: string): PodIndex {
  let podsByName: Map<string, Pod> | undefined;
  let podsByIP: Map<IPNumber, Pod> | undefined;
  return {
    arePodsKnown: pods !== undefined,
    podOf({ targetRef }) {
      if (!pods || !isPodReference(targetRef)) return undefined;
      podsByName ??= new Map(pods.map((pod) => [`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`, pod]));
      const pod = podsByName.get(`${targetRef?.namespace || namespace}/${targetRef?.name ?? ''}`);
      const uid = pod?.metadata?.uid;
      return uid && targetRef?.uid && uid !== targetRef.uid ? undefined : pod;
    },
    podOfOtherNamespace(ip) {
      if (!pods) return undefined;
      podsByIP ??= indexByIP(pods, namespace);
      const pod = podsByIP.get(ip);
      return pod && (pod.metadata?.namespace ?? '') !== namespace ? pod : undefined;
    },
  };
}

export const isPodReference = (reference: Optional<{ readonly kind?: Optional<string> }>): boolean =>
  reference?.kind === 'Pod' || (!!reference && !reference.kind);

/** Indexes pods by IP. Pods of the object's namespace take precedence. */
function indexByIP(pods: readonly Pod[], namespace: string): Map<IPNumber, Pod> {
  const index = new Map<IPNumber, Pod>();
  for (const pod of pods) {
    if (!ownsItsAddress(pod)) continue;
    const isOwn = (pod.metadata?.namespace ?? '') === namespace;
    for (const text of [pod.status?.podIP, ...(pod.status?.podIPs ?? []).map(({ ip }) => ip)]) {
      const ip = text ? readIP(text) : undefined;
      if (ip !== undefined && (isOwn || !index.has(ip))) index.set(ip, pod);
    }
  }
  return index;
}

/** False for pods on the node's network, which share its address, and for terminated pods, which have released theirs. */
function ownsItsAddress({ spec, status }: Pod): boolean {
  const usesHostNetwork = (spec as { readonly hostNetwork?: unknown } | undefined)?.hostNetwork === true;
  return !usesHostNetwork && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
