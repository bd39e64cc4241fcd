import { createTextReader } from '../description.ts';
import { child, type Draft, type Fields, has, list, number, sameValue } from '../field/read.ts';
import { validateMetadataUpdate } from '../metadata/validate.ts';
import { createStatusStrategy, incrementGeneration, type KindExtension, restoreField } from './description.ts';

const countReader =
  (name: string) =>
  (object: Fields): string =>
    String(number(child(object, 'status'), name));

/** What resources do in addition to the generic strategy, by plural and group. */
export const kindExtensions: Readonly<Record<string, KindExtension>> = {
  'certificatesigningrequests.certificates.k8s.io': {
    selectableFields: { 'spec.signerName': createTextReader('spec', 'signerName') },
    prepareForUpdate: (draft, old) => restoreField(draft, old, 'spec'),
    subresources: {
      approval: {
        ...createStatusStrategy(['spec', 'status.certificate']),
      },
      status: {
        resetFields: ['spec', 'status.conditions'],
        prepareForUpdate(draft, old) {
          restoreField(draft, old, 'spec');
          keepDecision(draft, old);
        },
        validateUpdate(object, old, causes) {
          validateMetadataUpdate(object, old, {}, causes);
          for (const type of decisions) {
            if (!sameValue(conditionsOf(object, type), conditionsOf(old, type))) {
              causes.forbidden('status.conditions', `updates may not add or remove a condition of type "${type}"`);
            }
          }
        },
      },
    },
  },
  'csidrivers.storage.k8s.io': { prepareForUpdate: (draft, old) => incrementGeneration(draft, old, 'spec') },
  'jobs.batch': { selectableFields: { 'status.successful': countReader('succeeded') } },
  'replicasets.apps': { selectableFields: { 'status.replicas': countReader('replicas') } },
  'replicationcontrollers.': { selectableFields: { 'status.replicas': countReader('replicas') } },
  'resourceslices.resource.k8s.io': {
    prepareForCreate: dateTaints,
    prepareForUpdate: dateTaints,
    selectableFields: { 'spec.driver': createTextReader('spec', 'driver'), 'spec.nodeName': createTextReader('spec', 'nodeName') },
  },
};

/** The conditions that only the subresource approval may add or remove. */
const decisions = ['Approved', 'Denied'] as const;

const conditionsOf = (object: Fields, type: string): readonly Fields[] =>
  list(child(object, 'status'), 'conditions').filter((condition) => condition['type'] === type);

/** Restores the Approved and Denied conditions, unless some were added or removed, which validation refuses. */
function keepDecision(draft: Draft, old: Fields): void {
  const status = child(draft, 'status') as Draft;
  if (!has(status, 'conditions')) return;
  for (const type of decisions) {
    const oldConditions = [...conditionsOf(old, type)];
    if (conditionsOf(draft, type).length !== oldConditions.length) continue;
    status['conditions'] = list(status, 'conditions').map((condition) => (condition['type'] === type ? oldConditions.shift() : condition));
  }
}

/** Sets when taints without a time were added. Upstream sets the current time as a default. */
function dateTaints(draft: Draft): void {
  const timeAdded = child(draft, 'metadata')['creationTimestamp'];
  for (const device of list(child(draft, 'spec'), 'devices')) {
    for (const taint of list(device, 'taints') as readonly Draft[]) if (!has(taint, 'timeAdded')) taint['timeAdded'] = timeAdded;
  }
}
