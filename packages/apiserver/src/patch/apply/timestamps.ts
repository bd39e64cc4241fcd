import { at, equal, isMap, type JsonMap } from '../json.ts';

/**
 * Whether a write changes nothing but the times in managed fields. Then nothing is to be stored: `IgnoreManagedFieldsTimestampsTransformer`
 * (1.36, apiserver/pkg/endpoints/handlers/fieldmanager/equality.go) keeps the times, so that the write is none.
 */
export function changesOnlyTimes(live: JsonMap, object: JsonMap): boolean {
  const [before, after] = [entriesOf(live), entriesOf(object)];
  return after.length > 0 && before.length === after.length && equal(untimed(live), untimed(object));
}

const entriesOf = (object: JsonMap): readonly unknown[] => {
  const entries = at(object, 'metadata', 'managedFields');
  return Array.isArray(entries) ? entries : [];
};

const untimed = (object: JsonMap): JsonMap => ({
  ...object,
  metadata: {
    ...(at(object, 'metadata') as JsonMap | undefined),
    managedFields: entriesOf(object).map((entry) => (isMap(entry) ? { ...entry, time: undefined } : entry)),
  },
});
