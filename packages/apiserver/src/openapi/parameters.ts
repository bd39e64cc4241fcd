import type { Verb } from '../registry/catalog.ts';
import type { Schema } from './schema.ts';

/** Returns the parameter of this name: of the path or of the query. */
export const toParameter = (name: string): Schema => parameters[name] as Schema;

/** The names of the query parameters of a verb. */
export const queryParametersOf = (verb: Verb): readonly string[] => queryParameters[verb] ?? [];

const queryParameters: Readonly<Record<string, readonly string[]>> = {
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

const createQueryParameter = (type: string, description: string): Schema => ({
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const createPathParameter = (description: string): Schema => ({
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const parametersWithoutName: Readonly<Record<string, Schema>> = {
  allowWatchBookmarks: createQueryParameter('boolean', 'Whether a watch may send bookmarks.'),
  continue: createQueryParameter('string', 'The continue token of the previous page; returns the next page.'),
  dryRun: createQueryParameter('string', '"All": process the request without storing the result.'),
  fieldManager: createQueryParameter('string', 'The name of the writer in managedFields; required for apply.'),
  fieldSelector: createQueryParameter('string', 'Only objects whose fields match.'),
  fieldValidation: createQueryParameter('string', 'How to treat unknown and duplicate fields: "Ignore", "Warn" or "Strict".'),
  force: createQueryParameter('boolean', 'Whether an apply takes over fields of other managers in case of a conflict.'),
  gracePeriodSeconds: createQueryParameter('integer', 'The grace period in seconds; 0 deletes the object at once.'),
  labelSelector: createQueryParameter('string', 'Only objects whose labels match.'),
  limit: createQueryParameter('integer', 'The maximum number of objects to return.'),
  name: createPathParameter('The name of the object.'),
  namespace: createPathParameter('The namespace of the object.'),
  orphanDependents: createQueryParameter('boolean', 'Deprecated, use propagationPolicy. Whether to keep the dependents of the object.'),
  pretty: createQueryParameter('string', 'Whether the answer is indented.'),
  propagationPolicy: createQueryParameter('string', 'How to treat the dependents of the object: "Orphan", "Background" or "Foreground".'),
  resourceVersion: createQueryParameter('string', 'The minimum version of the result, or the version that a watch starts from.'),
  resourceVersionMatch: createQueryParameter('string', 'How a list interprets resourceVersion: "Exact" or "NotOlderThan".'),
  sendInitialEvents: createQueryParameter('boolean', 'Whether a watch begins with the existing objects.'),
  timeoutSeconds: createQueryParameter('integer', 'The seconds after which a watch ends.'),
  watch: createQueryParameter('boolean', 'Whether changes are sent as they happen instead of a list.'),
};

const parameters: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(parametersWithoutName).map(([name, parameter]) => [name, { name, ...parameter }]),
);
