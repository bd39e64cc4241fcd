import { sameValue } from '../../resources/field/read.ts';
import { type Condition, cleanupFinalizer, type Definition } from './definition.ts';

export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** Sets a condition. lastTransitionTime changes only if the status does. Mirrors SetCRDCondition (apihelpers, 1.36). */
export function withCondition(definition: Definition, condition: NewCondition, timestamp: string): Definition {
  const conditions = definition.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const previousCondition = conditions[index];
  const transitionTime = previousCondition?.status === condition.status ? previousCondition.lastTransitionTime : undefined;
  const updatedCondition: Condition = { ...previousCondition, ...condition, lastTransitionTime: transitionTime ?? timestamp };
  const updatedConditions = previousCondition
    ? conditions.map((each, i) => (i === index ? updatedCondition : each))
    : [...conditions, updatedCondition];
  return { ...definition, status: { ...definition.status, conditions: updatedConditions } };
}

/** Whether two conditions are equal apart from lastTransitionTime. */
export function isSameCondition(a: NewCondition | undefined, b: NewCondition | undefined): boolean {
  const fieldsOf = (condition: NewCondition | undefined): unknown =>
    condition && [condition.type, condition.status, condition.reason ?? '', condition.message ?? ''];
  return sameValue(fieldsOf(a), fieldsOf(b));
}

export const definitionConditions: Readonly<Record<ConditionName, NewCondition>> = {
  namesAccepted: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  notAccepted: { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  installing: { type: 'Established', status: 'False', reason: 'Installing', message: 'the initial names have been accepted' },
  established: { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
  deletionPending: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  },
  deletionInProgress: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  },
  deletionCompleted: { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' },
  neverEstablished: { type: 'Terminating', status: 'False', reason: 'NeverEstablished', message: 'resource was never established' },
  overlapping: {
    type: 'Terminating',
    status: 'False',
    reason: 'OverlappingBuiltInResource',
    message: 'instances overlap with built-in resources in storage',
  },
};

type ConditionName =
  | 'deletionCompleted'
  | 'deletionInProgress'
  | 'deletionPending'
  | 'established'
  | 'installing'
  | 'namesAccepted'
  | 'neverEstablished'
  | 'notAccepted'
  | 'overlapping';

const toTimestamp = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Whether the deletion was just requested and startTermination has not been applied yet. */
export const isDeletionJustRequested = ({ metadata }: Definition): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) > 0;

/**
 * Adds the cleanup finalizer and the Terminating condition to a definition whose deletion was just requested. Mirrors REST.Delete
 * (apiextensions-apiserver/.../customresourcedefinition/etcd.go, 1.36).
 */
export function startTermination(definition: Definition, nowMs: number): Definition {
  if (!isDeletionJustRequested(definition)) return definition;
  const { deletionGracePeriodSeconds: period = 0, deletionTimestamp = '', finalizers = [], generation = 0, ...rest } = definition.metadata;
  const metadata = {
    ...rest,
    // Reverts the registry's increment, because a deletion does not change the spec.
    generation: generation - 1,
    // The registry added the grace period to the time of the request.
    deletionTimestamp: toTimestamp(Date.parse(deletionTimestamp) - period * 1000),
    finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
  };
  return withCondition({ ...definition, metadata }, definitionConditions.deletionPending, toTimestamp(nowMs));
}
