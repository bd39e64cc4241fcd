import type { ListObjects } from '../description.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, flag, has, list, number, sameValue, text } from '../field/read.ts';
import { applyLimitRanges } from '../limit-ranges.ts';

/**
 * Runs the admission plugins LimitRanger, Priority, DefaultTolerationSeconds and RuntimeClass, in the order of kube-apiserver.
 * @returns the message of a Forbidden error, or undefined
 */
export function admitPod(draft: Draft, old: Fields | undefined, listObjects: ListObjects): string | undefined {
  const spec = ensureChild(draft, 'spec');
  if (old) {
    tolerateFailures(spec);
    for (const name of ['priority', 'preemptionPolicy']) {
      if (!has(spec, name) && has(child(old, 'spec'), name)) spec[name] = child(old, 'spec')[name];
    }
    return undefined;
  }
  const limitRanges = listObjects('limitranges.', text(child(draft, 'metadata'), 'namespace'));
  const aboveLimit = limitRanges.length > 0 ? applyLimitRanges(draft, limitRanges) : undefined;
  if (aboveLimit !== undefined) return aboveLimit;
  const invalidPriority = setPriority(spec, listObjects);
  if (invalidPriority !== undefined) return invalidPriority;
  tolerateFailures(spec);
  return applyRuntimeClass(spec, listObjects);
}

const unhealthyTaints: readonly string[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Tolerates an unhealthy node for five minutes. Mirrors plugin/pkg/admission/defaulttolerationseconds (1.36). */
function tolerateFailures(spec: Draft): void {
  const tolerations = list(spec, 'tolerations');
  const missingTaints = unhealthyTaints.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
  const addedTolerations = missingTaints.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  if (addedTolerations.length > 0) spec['tolerations'] = [...tolerations, ...addedTolerations];
}

const tolerates = (toleration: Fields, key: string): boolean =>
  ['', key].includes(text(toleration, 'key')) && ['', 'NoExecute'].includes(text(toleration, 'effect'));

const defaultPreemptionPolicy = 'PreemptLowerPriority';

/** The classes that every cluster has. */
export const systemPriorityClasses: readonly Fields[] = [
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    preemptionPolicy: defaultPreemptionPolicy,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    preemptionPolicy: defaultPreemptionPolicy,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/** Mirrors plugin/pkg/admission/priority (1.36). */
function setPriority(spec: Draft, listObjects: ListObjects): string | undefined {
  const classes = [...listObjects('priorityclasses.scheduling.k8s.io'), ...systemPriorityClasses];
  const name = text(spec, 'priorityClassName');
  const priorityClass = name === '' ? findDefaultPriorityClass(classes) : classes.find((each) => nameOf(each) === name);
  if (name !== '' && !priorityClass) return `no PriorityClass with name ${name} was found`;
  const [priority, policy] = priorityClass
    ? [number(priorityClass, 'value'), text(priorityClass, 'preemptionPolicy') || defaultPreemptionPolicy]
    : [0, defaultPreemptionPolicy];
  if (has(spec, 'priority') && number(spec, 'priority') !== priority) {
    return formatMismatch('integer value of priority', number(spec, 'priority'), priority);
  }
  if (has(spec, 'preemptionPolicy') && text(spec, 'preemptionPolicy') !== policy) {
    return formatMismatch('string value of PreemptionPolicy', text(spec, 'preemptionPolicy'), policy);
  }
  if (priorityClass) spec['priorityClassName'] = nameOf(priorityClass);
  spec['priority'] = priority;
  spec['preemptionPolicy'] = policy;
  return undefined;
}

/** The class that is marked as default; of several, the one with the lowest value. */
export const findDefaultPriorityClass = (classes: readonly Fields[]): Fields | undefined =>
  classes.filter((each) => flag(each, 'globalDefault')).sort((a, b) => number(a, 'value') - number(b, 'value'))[0];

const nameOf = (object: Fields): string => text(child(object, 'metadata'), 'name');

const formatMismatch = (field: string, specified: string | number, computed: string | number): string => {
  const rejection = `the ${field} (${specified}) must not be provided in pod spec`;
  return `${rejection}; priority admission controller computed ${computed} from the given PriorityClass name`;
};

/** Sets the overhead and the scheduling constraints of the pod's RuntimeClass. Mirrors plugin/pkg/admission/runtimeclass (1.36). */
function applyRuntimeClass(spec: Draft, listObjects: ListObjects): string | undefined {
  const name = text(spec, 'runtimeClassName');
  const runtimeClass = name === '' ? undefined : listObjects('runtimeclasses.node.k8s.io').find((each) => nameOf(each) === name);
  if (name !== '' && !runtimeClass) return `pod rejected: RuntimeClass "${name}" not found`;
  if (runtimeClass && has(runtimeClass, 'overhead')) {
    const overhead = child(child(runtimeClass, 'overhead'), 'podFixed');
    if (has(spec, 'overhead') && !sameValue(child(spec, 'overhead'), overhead)) {
      return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
    }
    spec['overhead'] = copyOf(overhead);
  }
  return runtimeClass && has(runtimeClass, 'scheduling') ? applyScheduling(spec, child(runtimeClass, 'scheduling')) : undefined;
}

function applyScheduling(spec: Draft, scheduling: Fields): string | undefined {
  const [own, required] = [child(spec, 'nodeSelector'), child(scheduling, 'nodeSelector')];
  const conflict = Object.keys(required).find((key) => Object.hasOwn(own, key) && own[key] !== required[key]);
  if (conflict !== undefined) {
    return `conflict: runtimeClass.scheduling.nodeSelector[${conflict}] = ${required[conflict]}; pod.spec.nodeSelector[${conflict}] = ${own[conflict]}`;
  }
  if (Object.keys(required).length > 0) spec['nodeSelector'] = { ...own, ...required };
  const tolerations = list(spec, 'tolerations');
  const added = list(scheduling, 'tolerations').filter((each) => !tolerations.some((existing) => sameValue(existing, each)));
  if (added.length > 0) spec['tolerations'] = [...tolerations, ...copyOf(added)];
  return undefined;
}
