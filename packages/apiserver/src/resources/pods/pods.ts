import { resources } from 'kube-endpoints/port';
import type { Description } from '../description.ts';
import { child, type Fields, has, list, number, text } from '../field/read.ts';
import { flagIn, metadataFields, textIn } from '../field/selectable.ts';
import { structType } from '../schema/index.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import { admitPod } from './admit.ts';
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
    'spec.nodeName': textIn('spec', 'nodeName'),
    'spec.restartPolicy': textIn('spec', 'restartPolicy'),
    'spec.schedulerName': textIn('spec', 'schedulerName'),
    'spec.serviceAccountName': textIn('spec', 'serviceAccountName'),
    'spec.hostNetwork': flagIn('spec', 'hostNetwork'),
    'status.phase': textIn('status', 'phase'),
    'status.podIP': (object) => text(list(child(object, 'status'), 'podIPs')[0] ?? {}, 'ip'),
    // It may be named, and has nothing in it.
    'status.podIPs': () => '',
    'status.nominatedNodeName': textIn('status', 'nominatedNodeName'),
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

/** Seconds that a pod is given to end; what does not run goes at once. Mirrors CheckGracefulDelete. */
function gracePeriod(object: Fields, asked: number | undefined): number {
  const spec = child(object, 'spec');
  if (text(spec, 'nodeName') === '' || ['Failed', 'Succeeded'].includes(text(child(object, 'status'), 'phase'))) return 0;
  const own = has(spec, 'terminationGracePeriodSeconds') ? number(spec, 'terminationGracePeriodSeconds') : 0;
  const period = asked ?? own;
  return period < 0 ? 1 : period;
}
