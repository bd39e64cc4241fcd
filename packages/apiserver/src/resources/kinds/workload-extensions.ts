import { child, type Draft, ensureChild, type Fields, has, number, sameValue } from '../field/read.ts';
import { validateAutoscaler, validateTargetVersion } from './autoscaling/validate.ts';
import { readTemplateGeneration, templateGeneration } from './defaults.ts';
import type { KindExtension } from './description.ts';
import { generateJobSelector, validateCronJob, validateCronJobName, validateJob, validateJobUpdate } from './validate/jobs.ts';
import { validateNonNegative, validatePodTemplate } from './validate/rules.ts';
import {
  validateDisruptionBudget,
  validateNetworkPolicy,
  validateRevision,
  validateRevisionData,
  validateRevisionUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from './validate/simple.ts';
import {
  replicaStatus,
  validateCollisionCount,
  validateDaemonSet,
  validateDeployment,
  validateImmutableSelector,
  validateReplicaSet,
  validateReplicationController,
  validateServiceName,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './validate/workloads.ts';

const countReader =
  (name: string) =>
  (object: Fields): string =>
    String(number(child(object, 'status'), name));

const daemonSetCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

const replicaCounts = ['replicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];

const validateDeploymentStatus = replicaStatus(
  [...replicaCounts, 'updatedReplicas', 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
  ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  'cannot be greater than readyReplicas',
);

const replicaSetStatus = replicaStatus(
  [...replicaCounts, 'fullyLabeledReplicas', 'terminatingReplicas'],
  ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  'cannot be greater than readyReplicas',
);

const validateReplicaSetStatus: KindExtension['validateStatus'] = (object, _, causes) => replicaSetStatus(object, causes);

const validateStatefulSetStatus = replicaStatus(
  [...replicaCounts, 'currentReplicas', 'updatedReplicas', 'collisionCount'],
  ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  'cannot be greater than status.readyReplicas',
);

/** What workloads, policies and storage classes do in addition to the generic strategy. */
export const workloadExtensions: Readonly<Record<string, KindExtension>> = {
  'controllerrevisions.apps': { validate: validateRevision, validateCreate: validateRevisionData, validateUpdate: validateRevisionUpdate },
  'cronjobs.batch': { validate: validateCronJob, validateCreate: validateCronJobName },
  'daemonsets.apps': {
    prepareForCreate: (draft) => setTemplateGeneration(draft, Math.max(1, readTemplateGeneration(draft))),
    prepareForUpdate(draft, old) {
      const isChanged = !sameValue(child(draft, 'spec')['template'], child(old, 'spec')['template']);
      setTemplateGeneration(draft, readTemplateGeneration(old) + (isChanged ? 1 : 0));
    },
    validate: validateDaemonSet,
    validateUpdate: validateImmutableSelector,
    validateStatus(object, old, causes) {
      validateNonNegative(child(object, 'status'), daemonSetCounts, 'status', causes);
      validateCollisionCount(object, old, causes);
    },
  },
  'deployments.apps': {
    prepareForUpdate: (draft, old) => incrementForAnnotations(draft, old),
    validate: validateDeployment,
    validateUpdate: validateImmutableSelector,
    validateStatus(object, old, causes) {
      validateDeploymentStatus(object, causes);
      validateCollisionCount(object, old, causes);
    },
  },
  'horizontalpodautoscalers.autoscaling': {
    validate: validateAutoscaler,
    validateCreate: (object, causes) => validateTargetVersion(object, undefined, causes),
    validateUpdate: validateTargetVersion,
    validateStatus: (object, _, causes) =>
      validateNonNegative(child(object, 'status'), ['currentReplicas', 'desiredReplicas'], 'status', causes),
  },
  'jobs.batch': {
    prepareForCreate: generateJobSelector,
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    selectableFields: { 'status.successful': countReader('succeeded') },
  },
  'networkpolicies.networking.k8s.io': { validate: validateNetworkPolicy },
  'poddisruptionbudgets.policy': { validate: validateDisruptionBudget },
  'podtemplates.': { validate: (object, causes) => validatePodTemplate(child(object, 'template'), 'template', causes) },
  'replicasets.apps': {
    validate: validateReplicaSet,
    validateUpdate: validateImmutableSelector,
    validateStatus: validateReplicaSetStatus,
    selectableFields: { 'status.replicas': countReader('replicas') },
  },
  'replicationcontrollers.': {
    validate: validateReplicationController,
    validateStatus: validateReplicaSetStatus,
    selectableFields: { 'status.replicas': countReader('replicas') },
  },
  'statefulsets.apps': {
    prepareForCreate: (draft) => dropMaxUnavailable(draft, {}),
    prepareForUpdate: dropMaxUnavailable,
    validate: validateStatefulSet,
    validateCreate: validateServiceName,
    validateUpdate: validateStatefulSetUpdate,
    validateStatus(object, old, causes) {
      validateStatefulSetStatus(object, causes);
      validateCollisionCount(object, old, causes);
    },
  },
  'storageclasses.storage.k8s.io': { validateCreate: validateStorageClass, validateUpdate: validateStorageClassUpdate },
};

function setTemplateGeneration(draft: Draft, count: number): void {
  ensureChild(ensureChild(draft, 'metadata'), 'annotations')[templateGeneration] = String(count);
}

/** Changes of the annotations also increment the generation of a Deployment. */
function incrementForAnnotations(draft: Draft, old: Fields): void {
  const [metadata, oldMetadata] = [ensureChild(draft, 'metadata'), child(old, 'metadata')];
  if (!sameValue(metadata['annotations'], oldMetadata['annotations'])) metadata['generation'] = number(oldMetadata, 'generation') + 1;
}

/** The feature MaxUnavailableStatefulSet is disabled by default. */
function dropMaxUnavailable(draft: Draft, old: Fields): void {
  const rollingUpdateOf = (object: Fields): Fields => child(child(child(object, 'spec'), 'updateStrategy'), 'rollingUpdate');
  if (!has(rollingUpdateOf(old), 'maxUnavailable')) delete (rollingUpdateOf(draft) as Draft)['maxUnavailable'];
}
