import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { createFlagReader, createTextReader, type Description, metadataFields } from '../description.ts';
import { child, type Draft, ensureChild, type Fields, has, list, number, text } from '../field/read.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import { podCells, podRowConditions } from './cells.ts';
import { defaultPod } from './defaults/pod.ts';
import { preparePod, preparePodStatus, preparePodUpdate } from './prepare.ts';
import { validatePodCreate } from './validate/create.ts';
import { validatePodStatusUpdate } from './validate/status.ts';
import { validatePodUpdate } from './validate/update.ts';
import { warningsOfPod } from './warnings/pod.ts';

/** Mirrors pkg/registry/core/pod/strategy.go (1.36). */
export const pods: Description = {
  resource: resources.pods,
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  type: structType('core.Pod'),
  strategy: {
    resetFields: ['status'],
    defaults: defaultPod,
    admit: admitPod,
    prepareForCreate: preparePod,
    prepareForUpdate: preparePodUpdate,
    validate: validatePodCreate,
    validateUpdate: validatePodUpdate,
    warnings: (object, old) => (old ? [] : warningsOfPod(object)),
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  subresources: {
    status: {
      resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
      prepareForUpdate: preparePodStatus,
      validateUpdate: validatePodStatusUpdate,
    },
  },
  selectableFields: {
    ...metadataFields(true),
    'spec.nodeName': createTextReader('spec', 'nodeName'),
    'spec.restartPolicy': createTextReader('spec', 'restartPolicy'),
    'spec.schedulerName': createTextReader('spec', 'schedulerName'),
    'spec.serviceAccountName': createTextReader('spec', 'serviceAccountName'),
    'spec.hostNetwork': createFlagReader('spec', 'hostNetwork'),
    'status.phase': createTextReader('status', 'phase'),
    'status.podIP': (object) => text(list(child(object, 'status'), 'podIPs')[0] ?? {}, 'ip'),
    // Selectable upstream, but always empty.
    'status.podIPs': () => '',
    'status.nominatedNodeName': createTextReader('status', 'nominatedNodeName'),
  },
  fieldAliases: { 'spec.host': 'spec.nodeName' },
  columns: [
    nameColumn,
    column('Ready'),
    column('Status'),
    column('Restarts'),
    ageColumn,
    ...['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map(wideColumn),
  ],
  cells: podCells,
  rowConditions: podRowConditions,
  gracePeriod,
};

/** Returns the grace period in seconds: 0 for pods that have no node or are finished. Mirrors CheckGracefulDelete. */
function gracePeriod(object: Fields, requestedSeconds: number | undefined): number {
  const spec = child(object, 'spec');
  if (text(spec, 'nodeName') === '' || ['Failed', 'Succeeded'].includes(text(child(object, 'status'), 'phase'))) return 0;
  const podSeconds = has(spec, 'terminationGracePeriodSeconds') ? number(spec, 'terminationGracePeriodSeconds') : 0;
  const period = requestedSeconds ?? podSeconds;
  return period < 0 ? 1 : period;
}

const unhealthyTaints: readonly string[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Priorities of the built-in classes; '' is the default without a class. */
const priorities: Readonly<Record<string, number>> = {
  '': 0,
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const preemptionPolicy = 'PreemptLowerPriority';

/**
 * Runs the admission plugins Priority, DefaultTolerationSeconds and RuntimeClass, with only the built-in priority classes.
 * @returns the message of a Forbidden error, or undefined
 */
export function admitPod(draft: Draft, old?: Fields): string | undefined {
  const spec = ensureChild(draft, 'spec');
  tolerateFailures(spec);
  if (!old) return setPriority(spec) ?? rejectRuntimeClass(spec);
  for (const name of ['priority', 'preemptionPolicy']) {
    if (!has(spec, name) && has(child(old, 'spec'), name)) spec[name] = child(old, 'spec')[name];
  }
  return undefined;
}

/** Tolerates an unhealthy node for five minutes. Mirrors plugin/pkg/admission/defaulttolerationseconds (1.36). */
function tolerateFailures(spec: Draft): void {
  const tolerations = list(spec, 'tolerations');
  const missingTaints = unhealthyTaints.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
  const addedTolerations = missingTaints.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  if (addedTolerations.length > 0) spec['tolerations'] = [...tolerations, ...addedTolerations];
}

const tolerates = (toleration: Fields, key: string): boolean =>
  ['', key].includes(text(toleration, 'key')) && ['', 'NoExecute'].includes(text(toleration, 'effect'));

/** Mirrors plugin/pkg/admission/priority (1.36). */
function setPriority(spec: Draft): string | undefined {
  const name = text(spec, 'priorityClassName');
  const priority = Object.hasOwn(priorities, name) ? priorities[name] : undefined;
  if (priority === undefined) return `no PriorityClass with name ${name} was found`;
  if (has(spec, 'priority') && number(spec, 'priority') !== priority) {
    return formatMismatch('integer value of priority', number(spec, 'priority'), priority);
  }
  if (has(spec, 'preemptionPolicy') && text(spec, 'preemptionPolicy') !== preemptionPolicy) {
    return formatMismatch('string value of PreemptionPolicy', text(spec, 'preemptionPolicy'), preemptionPolicy);
  }
  spec['priority'] = priority;
  spec['preemptionPolicy'] = preemptionPolicy;
  return undefined;
}

/** Rejects every runtimeClassName, because no RuntimeClass exists. Mirrors plugin/pkg/admission/runtimeclass (1.36). */
function rejectRuntimeClass(spec: Fields): string | undefined {
  const name = text(spec, 'runtimeClassName');
  return name === '' ? undefined : `pod rejected: RuntimeClass "${name}" not found`;
}

const formatMismatch = (field: string, specified: string | number, computed: string | number): string => {
  const rejection = `the ${field} (${specified}) must not be provided in pod spec`;
  return `${rejection}; priority admission controller computed ${computed} from the given PriorityClass name`;
};
