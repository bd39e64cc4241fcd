import { createTextReader } from '../description.ts';
import { child, type Draft, ensureChild, type Fields, has, list, number, sameValue } from '../field/read.ts';
import { validateMetadataUpdate } from '../metadata/validate.ts';
import { validateAutoscaler, validateTargetVersion } from './autoscaling/validate.ts';
import { readTemplateGeneration, templateGeneration } from './defaults.ts';
import { createStatusStrategy, incrementGeneration, type KindExtension, restoreField } from './description.ts';
import { validateRole, validateRoleBinding, validateRoleBindingUpdate } from './validate/access.ts';
import { generateJobSelector, validateCronJob, validateCronJobName, validateJob, validateJobUpdate } from './validate/jobs.ts';
import { validateNonNegative, validatePodTemplate } from './validate/rules.ts';
import {
  validateDisruptionBudget,
  validateNetworkPolicy,
  validatePriorityClass,
  validatePriorityClassUpdate,
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
  'clusterrolebindings.rbac.authorization.k8s.io': { validate: validateRoleBinding(false), validateUpdate: validateRoleBindingUpdate },
  'clusterroles.rbac.authorization.k8s.io': { validate: validateRole(false) },
  'controllerrevisions.apps': { validate: validateRevision, validateCreate: validateRevisionData, validateUpdate: validateRevisionUpdate },
  'cronjobs.batch': { validate: validateCronJob, validateCreate: validateCronJobName },
  'csidrivers.storage.k8s.io': { prepareForUpdate: (draft, old) => incrementGeneration(draft, old, 'spec') },
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
  'priorityclasses.scheduling.k8s.io': { validateCreate: validatePriorityClass, validateUpdate: validatePriorityClassUpdate },
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
  'rolebindings.rbac.authorization.k8s.io': { validate: validateRoleBinding(true), validateUpdate: validateRoleBindingUpdate },
  'roles.rbac.authorization.k8s.io': { validate: validateRole(true) },
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
