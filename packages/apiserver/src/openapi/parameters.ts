import type { Schema } from './schema.ts';

/** A parameter of a request, as OpenAPI 3 has it. */
export const parameter = (name: string): Schema => parameters[name] as Schema;

/** The parameters of the query, by what is asked. */
export const parametersOf: Readonly<Record<string, readonly string[]>> = {
  create: ['dryRun', 'fieldManager', 'fieldValidation'],
  delete: ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'],
  deletecollection: [
    'continue',
    'dryRun',
    'fieldSelector',
    'gracePeriodSeconds',
    'labelSelector',
    'limit',
    'orphanDependents',
    'propagationPolicy',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
  ],
  get: [],
  list: [
    'allowWatchBookmarks',
    'continue',
    'fieldSelector',
    'labelSelector',
    'limit',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
    'watch',
  ],
  patch: ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  update: ['dryRun', 'fieldManager', 'fieldValidation'],
};

const inQuery = (type: string, description: string): Schema => ({ in: 'query', description, schema: { type, uniqueItems: true } });

const inPath = (description: string): Schema => ({
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const descriptions: Readonly<Record<string, Schema>> = {
  allowWatchBookmarks: inQuery('boolean', 'Whether a watch may send bookmarks.'),
  continue: inQuery('string', 'Where the list before this one ended; the rest of a list that was limited.'),
  dryRun: inQuery('string', '"All": do everything but store the outcome.'),
  fieldManager: inQuery('string', 'Who writes, for managed fields; an apply has to say so.'),
  fieldSelector: inQuery('string', 'Only objects with such fields.'),
  fieldValidation: inQuery('string', 'What becomes of unknown and doubled fields: "Ignore", "Warn" or "Strict".'),
  force: inQuery('boolean', 'Whether an apply takes over the fields that others own.'),
  gracePeriodSeconds: inQuery('integer', 'The seconds that the object is given to end; 0 for none.'),
  labelSelector: inQuery('string', 'Only objects with such labels.'),
  limit: inQuery('integer', 'How many objects to answer with at most.'),
  name: inPath('The name of the object.'),
  namespace: inPath('The namespace of the object.'),
  orphanDependents: inQuery('boolean', 'Whether what the object owns stays; propagationPolicy has taken its place.'),
  pretty: inQuery('string', 'Whether the answer is indented.'),
  propagationPolicy: inQuery('string', 'What becomes of what the object owns: "Orphan", "Background" or "Foreground".'),
  resourceVersion: inQuery('string', 'How old the answer may be, or from where a watch starts.'),
  resourceVersionMatch: inQuery('string', 'How a list takes resourceVersion: "Exact" or "NotOlderThan".'),
  sendInitialEvents: inQuery('boolean', 'Whether a watch begins with what is there.'),
  timeoutSeconds: inQuery('integer', 'After how long a watch ends.'),
  watch: inQuery('boolean', 'Whether changes are sent as they happen instead of a list.'),
};

const parameters: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(descriptions).map(([name, parameter]) => [name, { name, ...parameter }]),
);
