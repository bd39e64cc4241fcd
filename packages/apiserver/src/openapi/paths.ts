import type { ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import { type GroupVersionKind, refTo, type Schema } from './schema.ts';
import { definitionName } from './type-names.ts';

/** The names of the definitions that the operations of a resource refer to. */
export interface ResourceDefinitions {
  readonly object: string;
  readonly list: string;
  readonly subresource: (subresource: ServedSubresource) => string;
}

export function createPaths(served: ServedResource, names: ResourceDefinitions): Readonly<Record<string, Schema>> {
  const { group, version, plural, kind, namespaced } = served.resource;
  const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
  const collection = `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const item = `${collection}/{name}`;
  const scope = namespaced ? 'Namespaced' : '';
  const common = { names, served, object: names.object, kind: { group, version, kind } };
  const operation = (verb: Verb, suffix: string, extra: Partial<OperationOptions> = {}): readonly [string, Schema] => [
    methods[verb] as string,
    createOperation({ ...common, verb, id: `${scope}${kind}${suffix}`, ...extra }),
  ];
  const supported = (verbs: readonly Verb[]): readonly Verb[] => verbs.filter((verb) => served.verbs.includes(verb));
  return {
    [collection]: pathItem(
      supported(['list', 'create', 'deletecollection']).map((verb) => operation(verb, '')),
      pathParams({ namespaced, hasName: false }),
    ),
    [item]: pathItem(
      supported(['get', 'update', 'delete', 'patch']).map((verb) => operation(verb, '')),
      pathParams({ namespaced, hasName: true }),
    ),
    ...Object.fromEntries(
      served.subresources.map((subresource) => {
        const { name, verbs, type } = subresource;
        const options = { object: names.subresource(subresource), ...(type && { kind: type }), subresource: name };
        return [
          `${item}/${name}`,
          pathItem(
            verbs.map((verb) => operation(verb, capitalize(name), options)),
            pathParams({ namespaced, hasName: true }),
          ),
        ];
      }),
    ),
    ...(namespaced && {
      [`${base}/${plural}`]: pathItem(
        supported(['list']).map((verb) => operation(verb, 'ForAllNamespaces', { id: `${kind}ForAllNamespaces` })),
        ['pretty'],
      ),
    }),
  };
}

const pathParams = ({ namespaced, hasName }: { readonly namespaced: boolean; readonly hasName: boolean }): readonly string[] => [
  ...(hasName ? ['name'] : []),
  ...(namespaced ? ['namespace'] : []),
  'pretty',
];

const pathItem = (operations: readonly (readonly [string, Schema])[], parameters: readonly string[]): Schema => ({
  ...Object.fromEntries(operations),
  parameters: parameters.map(parameter),
});

interface OperationOptions {
  readonly verb: Verb;
  readonly served: ServedResource;
  readonly names: ResourceDefinitions;
  /** The end of the operationId, after verb, group and version. */
  readonly id: string;
  /** The definition of the request and response body. */
  readonly object: string;
  readonly kind: GroupVersionKind;
  readonly subresource?: string;
}

function createOperation(options: OperationOptions): Schema {
  const { verb, served, id, kind, subresource } = options;
  const { group, version } = served.resource;
  const groupWords = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  const prefix = groupWords.map(capitalize).join('');
  const [idPrefix, action, text] = verbTexts[verb];
  return {
    tags: [`${prefix.charAt(0).toLowerCase()}${prefix.slice(1)}_${version}`],
    description: `${text} ${subresource === undefined ? '' : `the ${subresource} of `}objects of kind ${served.resource.kind}`,
    operationId: `${idPrefix}${prefix}${capitalize(version)}${verb === 'deletecollection' ? 'Collection' : ''}${id}`,
    parameters: (queryParameters[verb] as readonly string[]).map(parameter),
    ...createRequestBody(options),
    responses: createResponses(options),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  };
}

const methods: Readonly<Partial<Record<Verb, string>>> = {
  create: 'post',
  delete: 'delete',
  deletecollection: 'delete',
  get: 'get',
  list: 'get',
  patch: 'patch',
  update: 'put',
};

/** By verb: the prefix of the operationId, the `x-kubernetes-action`, and the start of the description. */
const verbTexts: Readonly<Record<Verb, readonly [string, string, string]>> = {
  create: ['create', 'post', 'Create'],
  delete: ['delete', 'delete', 'Delete'],
  deletecollection: ['delete', 'deletecollection', 'Delete many'],
  get: ['read', 'get', 'Read'],
  list: ['list', 'list', 'List or watch'],
  patch: ['patch', 'patch', 'Change a part of'],
  update: ['replace', 'put', 'Replace'],
  watch: ['watch', 'watch', 'Watch'],
};

const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const jsonOrYaml = ['application/json', 'application/yaml'];

function createRequestBody({ verb, object, served }: OperationOptions): Schema {
  const [definition, types, required] =
    verb === 'patch'
      ? [definitionName('meta.Patch'), served.schema.struct ? patchTypes : patchTypes.filter((type) => !type.includes('strategic')), true]
      : verb === 'delete' || verb === 'deletecollection'
        ? [definitionName('meta.DeleteOptions'), jsonOrYaml, false]
        : [object, jsonOrYaml, true];
  if (verb === 'get' || verb === 'list') return {};
  return { requestBody: { content: createContent(definition, types), ...(required && { required }) } };
}

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

function createResponses({ verb, names, object, served }: OperationOptions): Schema {
  const deleteResult = resourcesReturnedByDelete.has(`${served.resource.plural}.${served.resource.group}`)
    ? object
    : definitionName('meta.Status');
  const definition = { delete: deleteResult, deletecollection: definitionName('meta.Status'), list: names.list }[verb as 'list'] ?? object;
  const content = createContent(
    definition,
    verb === 'list' ? ['application/json', 'application/json;stream=watch', 'application/yaml'] : jsonOrYaml,
  );
  return {
    ...Object.fromEntries(statusCodesOf(verb, served).map((code) => [code, { description: statusTexts[code], content }])),
    401: { description: 'Unauthorized' },
  };
}

/** Resources whose delete returns the object. */
const resourcesReturnedByDelete: ReadonlySet<string> = new Set(['pods.', 'serviceaccounts.', 'services.']);

/** As upstream, custom resources document only 200 for patch, although apply can create an object. */
const statusCodesOf = (verb: Verb, { schema }: ServedResource): readonly number[] =>
  verb === 'patch' && !schema.struct ? [200] : (statusCodes[verb] ?? [200]);

const statusCodes: Readonly<Partial<Record<Verb, readonly number[]>>> = {
  create: [200, 201, 202],
  delete: [200, 202],
  patch: [200, 201],
  update: [200, 201],
};

const statusTexts: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

const createContent = (definition: string, types: readonly string[]): Schema =>
  Object.fromEntries(types.map((type) => [type, { schema: refTo(definition) }]));

const parameter = (name: string): Schema => parameters[name] as Schema;

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

const queryParameter = (type: string, description: string): Schema => ({ in: 'query', description, schema: { type, uniqueItems: true } });

const pathParameter = (description: string): Schema => ({
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const definitions: Readonly<Record<string, Schema>> = {
  allowWatchBookmarks: queryParameter('boolean', 'Whether a watch may send bookmarks.'),
  continue: queryParameter('string', 'The continue token of the previous page; returns the next page.'),
  dryRun: queryParameter('string', '"All": process the request without storing the result.'),
  fieldManager: queryParameter('string', 'The name of the writer in managedFields; required for apply.'),
  fieldSelector: queryParameter('string', 'Only objects whose fields match.'),
  fieldValidation: queryParameter('string', 'How to treat unknown and duplicate fields: "Ignore", "Warn" or "Strict".'),
  force: queryParameter('boolean', 'Whether an apply takes over fields of other managers in case of a conflict.'),
  gracePeriodSeconds: queryParameter('integer', 'The grace period in seconds; 0 deletes the object at once.'),
  labelSelector: queryParameter('string', 'Only objects whose labels match.'),
  limit: queryParameter('integer', 'The maximum number of objects to return.'),
  name: pathParameter('The name of the object.'),
  namespace: pathParameter('The namespace of the object.'),
  orphanDependents: queryParameter('boolean', 'Deprecated, use propagationPolicy. Whether to keep the dependents of the object.'),
  pretty: queryParameter('string', 'Whether the answer is indented.'),
  propagationPolicy: queryParameter('string', 'How to treat the dependents of the object: "Orphan", "Background" or "Foreground".'),
  resourceVersion: queryParameter('string', 'The minimum version of the result, or the version that a watch starts from.'),
  resourceVersionMatch: queryParameter('string', 'How a list interprets resourceVersion: "Exact" or "NotOlderThan".'),
  sendInitialEvents: queryParameter('boolean', 'Whether a watch begins with the existing objects.'),
  timeoutSeconds: queryParameter('integer', 'The seconds after which a watch ends.'),
  watch: queryParameter('boolean', 'Whether changes are sent as they happen instead of a list.'),
};

const parameters: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(definitions).map(([name, parameter]) => [name, { name, ...parameter }]),
);
