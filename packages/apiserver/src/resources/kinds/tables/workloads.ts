import { formatLabelSelector } from '../../field/label-selector.ts';
import { child, type Fields, flag, has, list, text } from '../../field/read.ts';
import {
  aged,
  column,
  countAt,
  formatDuration,
  formatTimeSince,
  integerAt,
  named,
  readFields,
  readInteger,
  readPath,
  readText,
  type TableColumn,
  type TableColumns,
  textAt,
  textual,
  wide,
} from '../../table/columns.ts';
import { printMetrics } from './autoscaling.ts';
import { containerColumns, isValidSelector, printLabels, printSelector } from './cells.ts';

const selectorColumn = wide('Selector', (object) => printSelector(readFields(object, 'spec.selector')));

const replicaColumns: TableColumns = [
  named,
  integerAt('Desired', 'spec.replicas'),
  integerAt('Current', 'status.replicas'),
  integerAt('Ready', 'status.readyReplicas'),
  aged,
  ...containerColumns('spec.template'),
];

const readyColumn = textual('Ready', (object) => `${readInteger(object, 'status.readyReplicas')}/${readInteger(object, 'spec.replicas')}`);

/** Upstream declares a column of strings for these integers. */
const asText = ({ cell, name }: TableColumn): TableColumn => ({ ...column(name), cell });

export const workloadTables: Readonly<Record<string, TableColumns>> = {
  ControllerRevision: [named, textual('Controller', printController), asText(integerAt('Revision', 'revision')), aged],
  CronJob: [
    named,
    textAt('Schedule', 'spec.schedule'),
    textAt('Timezone', 'spec.timeZone', '<none>'),
    { ...column('Suspend', 'boolean'), cell: printSuspend },
    countAt('Active', 'status.active'),
    textual('Last Schedule', (object, now) => {
      const time = readText(object, 'status.lastScheduleTime');
      return time === '' ? '<none>' : formatTimeSince(time, now);
    }),
    aged,
    ...containerColumns('spec.jobTemplate.spec.template'),
    wide('Selector', (object) => printSelector(readFields(object, 'spec.jobTemplate.spec.selector'))),
  ],
  DaemonSet: [
    named,
    integerAt('Desired', 'status.desiredNumberScheduled'),
    integerAt('Current', 'status.currentNumberScheduled'),
    integerAt('Ready', 'status.numberReady'),
    integerAt('Up-to-date', 'status.updatedNumberScheduled'),
    integerAt('Available', 'status.numberAvailable'),
    textual('Node Selector', (object) => printLabels(readFields(object, 'spec.template.spec') ?? {}, 'nodeSelector')),
    aged,
    ...containerColumns('spec.template'),
    selectorColumn,
  ],
  Deployment: [
    named,
    readyColumn,
    asText(integerAt('Up-to-date', 'status.updatedReplicas')),
    asText(integerAt('Available', 'status.availableReplicas')),
    aged,
    ...containerColumns('spec.template'),
    wide('Selector', (object) => {
      const selector = readFields(object, 'spec.selector') ?? {};
      return isValidSelector(selector) ? formatLabelSelector(selector) : '<invalid>';
    }),
  ],
  HorizontalPodAutoscaler: [
    named,
    textual('Reference', ({ spec }) => {
      const target = child(spec as Fields, 'scaleTargetRef');
      return `${text(target, 'kind')}/${text(target, 'name')}`;
    }),
    textual('Targets', printMetrics),
    textAt('MinPods', 'spec.minReplicas', '<unset>'),
    asText(integerAt('MaxPods', 'spec.maxReplicas')),
    asText(integerAt('Replicas', 'status.currentReplicas')),
    aged,
  ],
  Job: [
    named,
    textual('Status', printJobStatus),
    textual('Completions', printCompletions),
    textual('Duration', printJobDuration),
    aged,
    ...containerColumns('spec.template'),
    selectorColumn,
  ],
  PodDisruptionBudget: [
    named,
    textAt('Min Available', 'spec.minAvailable', 'N/A'),
    textAt('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
    integerAt('Allowed Disruptions', 'status.disruptionsAllowed'),
    aged,
  ],
  PodTemplate: [
    named,
    ...containerColumns('template').map((each) => ({ ...each, priority: 0 })),
    textual('Pod Labels', (object) => printLabels(readFields(object, 'template.metadata') ?? {}, 'labels')),
  ],
  ReplicaSet: [...replicaColumns, selectorColumn],
  ReplicationController: [...replicaColumns, wide('Selector', ({ spec }) => printLabels(spec as Fields, 'selector'))],
  StatefulSet: [named, readyColumn, aged, ...containerColumns('spec.template')],
};

/** Mirrors GetControllerOf and formatResourceName: "deployment.apps/web". */
function printController(object: Fields): string {
  const owner = list(child(object, 'metadata'), 'ownerReferences').find((each) => flag(each, 'controller'));
  if (!owner) return '<none>';
  const [group = '', version] = text(owner, 'apiVersion').split('/');
  const kind = text(owner, 'kind');
  const qualifiedKind = (version === undefined ? kind : `${kind}.${group}`).toLowerCase();
  return qualifiedKind === '' ? text(owner, 'name') : `${qualifiedKind}/${text(owner, 'name')}`;
}

function printSuspend(object: Fields): string {
  const isSuspended = readPath(object, 'spec.suspend');
  if (isSuspended === undefined) return '<unset>';
  return isSuspended === true ? 'True' : 'False';
}

function printCompletions(object: Fields): string {
  const succeeded = readInteger(object, 'status.succeeded');
  const completions = readPath(object, 'spec.completions');
  if (completions !== undefined) return `${succeeded}/${completions}`;
  const parallelism = readInteger(object, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function printJobDuration(object: Fields, now: Date): string {
  const [start, end] = [readText(object, 'status.startTime'), readText(object, 'status.completionTime')];
  if (start === '') return '';
  return formatDuration(((end === '' ? now.getTime() : Date.parse(end)) - Date.parse(start)) / 1000);
}

function printJobStatus(object: Fields): string {
  const conditions = list(child(object, 'status'), 'conditions');
  const isTrue = (type: string): boolean => conditions.find((each) => text(each, 'type') === type)?.['status'] === 'True';
  if (isTrue('Complete')) return 'Complete';
  if (isTrue('Failed')) return 'Failed';
  if (has(child(object, 'metadata'), 'deletionTimestamp')) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}
