import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { createFlagReader, createTextReader, type Description, metadataFields } from '../description.ts';
import { child, type Fields, has, list, number, text } from '../field/read.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import { admitPod } from './admit.ts';
import { podCells, podRowConditions } from './cells.ts';
import { ephemeralContainersUpdate, resizeUpdate } from './containers-update.ts';
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
    ephemeralcontainers: ephemeralContainersUpdate,
    resize: resizeUpdate,
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
