import { conditions, withCondition } from './conditions.ts';
import { cleanupFinalizer, type Definition } from './definition.ts';

const timestamp = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Whether a deletion has only begun, and the definition has yet to be told what to wait for. */
export const hasJustBegunToGo = ({ metadata }: Definition): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) > 0;

/** The definition as it waits for its objects to go. Mirrors REST.Delete (apiextensions-apiserver/.../customresourcedefinition/etcd.go, 1.36). */
export function markedAsGoing(definition: Definition, now: number): Definition {
  if (!hasJustBegunToGo(definition)) return definition;
  const { deletionGracePeriodSeconds: period = 0, deletionTimestamp = '', finalizers = [], generation = 0, ...rest } = definition.metadata;
  const metadata = {
    ...rest,
    // To go is no change of what is wanted.
    generation: generation - 1,
    deletionTimestamp: timestamp(Date.parse(deletionTimestamp) - period * 1000),
    finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
  };
  return withCondition({ ...definition, metadata }, conditions.deletionPending, timestamp(now));
}
