import {
  child,
  copyOf,
  type Draft,
  draftList,
  ensureChild,
  type Fields,
  has,
  list,
  number,
  sameValue,
  text,
  texts,
} from '../field/read.ts';
import { nanosOf } from '../field/resource-list.ts';

/** Mirrors podStrategy.PrepareForCreate (pkg/registry/core/pod/strategy.go, 1.36). */
export function preparePod(draft: Draft): void {
  ensureChild(draft, 'metadata')['generation'] = 1;
  const spec = ensureChild(draft, 'spec');
  draft['status'] = { phase: 'Pending', qosClass: qosOf(spec) };
  dropDisabledFields(spec, {});
  if (list(spec, 'schedulingGates').length > 0) setSchedulingGated(draft);
  const labels = child(child(draft, 'metadata'), 'labels');
  for (const term of podAffinityTermsOf(spec)) mergeLabelKeys(term, labels);
  for (const constraint of draftList(spec, 'topologySpreadConstraints')) mergeLabelKeys(constraint, labels);
}

/** Mirrors PrepareForUpdate. */
export function preparePodUpdate(draft: Draft, old: Fields): void {
  draft['status'] = copyOf(old['status']);
  dropDisabledFields(ensureChild(draft, 'spec'), child(old, 'spec'));
  incrementPodGeneration(draft, old);
}

/** Increments the generation if the spec changed. */
export function incrementPodGeneration(draft: Draft, old: Fields): void {
  if (sameValue(draft['spec'], old['spec'])) return;
  const metadata = ensureChild(draft, 'metadata');
  metadata['generation'] = number(metadata, 'generation') + 1;
}

/** Mirrors podStatusStrategy.PrepareForUpdate. */
export function preparePodStatus(draft: Draft, old: Fields): void {
  draft['spec'] = copyOf(old['spec']);
  const [metadata, oldMetadata] = [ensureChild(draft, 'metadata'), child(old, 'metadata')];
  delete metadata['deletionTimestamp'];
  if (has(oldMetadata, 'ownerReferences')) metadata['ownerReferences'] = copyOf(oldMetadata['ownerReferences']);
  else delete metadata['ownerReferences'];
  const [status, oldStatus] = [ensureChild(draft, 'status'), child(old, 'status')];
  if (text(status, 'qosClass') === '') status['qosClass'] = oldStatus['qosClass'];
  if (!has(status, 'observedGeneration') && has(oldStatus, 'observedGeneration')) {
    status['observedGeneration'] = oldStatus['observedGeneration'];
  }
  keepObservedGenerations(draftList(status, 'conditions'), list(oldStatus, 'conditions'));
}

/** Copies missing observedGenerations from the old conditions. Conditions of the same type are matched by their order. */
function keepObservedGenerations(conditions: readonly Draft[], oldConditions: readonly Fields[]): void {
  const countByType = new Map<string, number>();
  for (const condition of conditions) {
    const type = text(condition, 'type');
    const index = countByType.get(type) ?? 0;
    countByType.set(type, index + 1);
    const old = oldConditions.filter((each) => text(each, 'type') === type)[index];
    if (old && !has(condition, 'observedGeneration') && has(old, 'observedGeneration')) {
      condition['observedGeneration'] = old['observedGeneration'];
    }
  }
}

/** Drops fields whose feature gate is off by default in 1.36, unless the old object has them. */
/** Removes the fields of a pod spec whose feature is disabled, unless the old one has them. Mirrors DropDisabledTemplateFields (pkg/api/pod, 1.36). */
export function dropDisabledFields(spec: Draft, old: Fields): void {
  if (!has(old, 'schedulingGroup')) delete spec['schedulingGroup'];
  for (const kind of ['clusterTrustBundle', 'podCertificate']) {
    if (!projectedSourcesOf(old).some((source) => has(source, kind))) for (const source of projectedSourcesOf(spec)) delete source[kind];
  }
  const hasStopSignal = (each: Fields): boolean => containersOf(each).some((container) => has(child(container, 'lifecycle'), 'stopSignal'));
  if (hasStopSignal(old)) return;
  for (const container of containersOf(spec)) {
    if (!has(child(container, 'lifecycle'), 'stopSignal')) continue;
    const lifecycle = ensureChild(container as Draft, 'lifecycle');
    delete lifecycle['stopSignal'];
    if (Object.keys(lifecycle).length === 0) delete (container as Draft)['lifecycle'];
  }
}

const projectedSourcesOf = (spec: Fields): Draft[] =>
  list(spec, 'volumes').flatMap((volume) => [...list(child(volume, 'projected'), 'sources')] as Draft[]);

const containersOf = (spec: Fields): readonly Fields[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => list(spec, name));

/** Sets the PodScheduled condition of a gated pod, dated from its creation. */
function setSchedulingGated(draft: Draft): void {
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const creationTimestamp = child(draft, 'metadata')['creationTimestamp'];
  const transitionTime = creationTimestamp === undefined ? {} : { lastTransitionTime: creationTimestamp };
  ensureChild(draft, 'status')['conditions'] = [
    { type: 'PodScheduled', status: 'False', ...transitionTime, reason: 'SchedulingGated', message },
  ];
}

function podAffinityTermsOf(spec: Draft): Draft[] {
  const affinity = child(spec, 'affinity');
  return ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const terms = child(affinity, name) as Draft;
    const preferred = draftList(terms, 'preferredDuringSchedulingIgnoredDuringExecution').map(
      (each) => child(each, 'podAffinityTerm') as Draft,
    );
    return [...preferred, ...draftList(terms, 'requiredDuringSchedulingIgnoredDuringExecution')];
  });
}

/** Adds a requirement to the label selector for each key in matchLabelKeys and mismatchLabelKeys, with the pod's own value. */
function mergeLabelKeys(term: Draft, labels: Fields): void {
  if (!has(term, 'labelSelector')) return;
  const addedKeys = [
    ...texts(term, 'matchLabelKeys').map((key) => ({ key, operator: 'In' })),
    ...texts(term, 'mismatchLabelKeys').map((key) => ({ key, operator: 'NotIn' })),
  ].filter(({ key }) => Object.hasOwn(labels, key));
  if (addedKeys.length === 0) return;
  const selector = ensureChild(term, 'labelSelector');
  const requirements = addedKeys.map(({ key, operator }) => ({ key, operator, values: [labels[key]] }));
  selector['matchExpressions'] = [...list(selector, 'matchExpressions'), ...requirements];
}

/** Mirrors ComputePodQOS (pkg/apis/core/helper/qos, 1.36). */
export function qosOf(spec: Fields): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const podResources = has(spec, 'resources') ? [child(spec, 'resources')] : undefined;
  const resourceLists =
    podResources ?? [...list(spec, 'containers'), ...list(spec, 'initContainers')].map((container) => child(container, 'resources'));
  const requests = new Map<string, bigint>();
  const limits = new Map<string, bigint>();
  let allLimited = true;
  for (const resources of resourceLists) {
    add(requests, child(resources, 'requests'));
    const limitCount = add(limits, child(resources, 'limits'));
    const hasNoPodLimits = podResources !== undefined && Object.keys(child(resources, 'limits')).length === 0;
    if (limitCount < qosResources.length && !hasNoPodLimits) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const requestsEqualLimits = requests.size === limits.size && [...requests].every(([name, nanos]) => limits.get(name) === nanos);
  return allLimited && requestsEqualLimits ? 'Guaranteed' : 'Burstable';
}

const qosResources: readonly string[] = ['cpu', 'memory'];

/** Adds CPU and memory to the totals. @returns the number of resources with a positive amount */
function add(totals: Map<string, bigint>, resources: Fields): number {
  let positiveCount = 0;
  for (const name of qosResources) {
    const nanos = Object.hasOwn(resources, name) ? nanosOf(String(resources[name])) : 0n;
    if (nanos <= 0n) continue;
    totals.set(name, (totals.get(name) ?? 0n) + nanos);
    positiveCount += 1;
  }
  return positiveCount;
}
