import type { ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import { type GroupVersionKind, refTo, type Schema } from './schema.ts';
import { definitionName } from './type-names.ts';

/** The names of the definitions that the operations of a resource refer to. */
export interface ResourceDefinitions {
  readonly object: string;
  readonly list: string;
  readonly subresource: (subresource: ServedSubresource) => string;
}

/** The paths of a resource and their operations. */
export function pathsOf(served: ServedResource, names: ResourceDefinitions): Readonly<Record<string, Schema>> {
  const { group, version, plural, kind, namespaced } = served.resource;
  const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
  const collection = `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const item = `${collection}/{name}`;
  const scope = namespaced ? 'Namespaced' : '';
  const operation = (verb: Verb, suffix: string, extra: Partial<OperationOptions> = {}): readonly [string, Schema] => [
    methods[verb] as string,
    operationOf({ verb, names, served, id: `${scope}${kind}${suffix}`, object: names.object, kind: { group, version, kind }, ...extra }),
  ];
  const only = (verbs: readonly Verb[]): readonly Verb[] => verbs.filter((verb) => served.verbs.includes(verb));
  return {
    [collection]: pathItem(
      only(['list', 'create', 'deletecollection']).map((verb) => operation(verb, '')),
      inPath(namespaced, false),
    ),
    [item]: pathItem(
      only(['get', 'update', 'delete', 'patch']).map((verb) => operation(verb, '')),
      inPath(namespaced, true),
    ),
    ...Object.fromEntries(
      served.subresources.map((subresource) => {
        const { name, verbs, type } = subresource;
        const options = { object: names.subresource(subresource), ...(type && { kind: type }), subresource: name };
        return [
          `${item}/${name}`,
          pathItem(
            verbs.map((verb) => operation(verb, capital(name), options)),
            inPath(namespaced, true),
          ),
        ];
      }),
    ),
    ...(namespaced && {
      [`${base}/${plural}`]: pathItem(
        only(['list']).map((verb) => operation(verb, 'ForAllNamespaces', { id: `${kind}ForAllNamespaces` })),
        ['pretty'],
      ),
    }),
  };
}

const inPath = (namespaced: boolean, named: boolean): readonly string[] => [
  ...(named ? ['name'] : []),
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
  /** The part of the operationId after verb, group and version. */
  readonly id: string;
  /** The definition of the request and response body. */
  readonly object: string;
  readonly kind: GroupVersionKind;
  readonly subresource?: string;
}

function operationOf(options: OperationOptions): Schema {
  const { verb, served, id, kind, subresource } = options;
  const { group, version } = served.resource;
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  const prefix = words.map(capital).join('');
  const [word, action, text] = wording[verb];
  return {
    tags: [`${prefix.charAt(0).toLowerCase()}${prefix.slice(1)}_${version}`],
    description: `${text} ${subresource === undefined ? '' : `the ${subresource} of `}objects of kind ${served.resource.kind}`,
    operationId: `${word}${prefix}${capital(version)}${verb === 'deletecollection' ? 'Collection' : ''}${id}`,
    parameters: (parametersOf[verb] as readonly string[]).map(parameter),
    ...bodyOf(options),
    responses: responsesOf(options),
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

/** For each verb: the prefix of the operationId, `x-kubernetes-action`, and the start of the description. */
const wording: Readonly<Record<Verb, readonly [string, string, string]>> = {
  create: ['create', 'post', 'Create'],
  delete: ['delete', 'delete', 'Delete'],
  deletecollection: ['delete', 'deletecollection', 'Delete many'],
  get: ['read', 'get', 'Read'],
  list: ['list', 'list', 'List or watch'],
  patch: ['patch', 'patch', 'Change a part of'],
  update: ['replace', 'put', 'Replace'],
  watch: ['watch', 'watch', 'Watch'],
};

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const jsonOrYaml = ['application/json', 'application/yaml'];

function bodyOf({ verb, object, served }: OperationOptions): Schema {
  const [definition, types, required] =
    verb === 'patch'
      ? [definitionName('meta.Patch'), served.schema.struct ? patchTypes : patchTypes.filter((type) => !type.includes('strategic')), true]
      : verb === 'delete' || verb === 'deletecollection'
        ? [definitionName('meta.DeleteOptions'), jsonOrYaml, false]
        : [object, jsonOrYaml, true];
  if (verb === 'get' || verb === 'list') return {};
  return { requestBody: { content: contentOf(definition, types), ...(required && { required }) } };
}

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

function responsesOf({ verb, names, object, served }: OperationOptions): Schema {
  const deleted = deletedObjects.has(`${served.resource.plural}.${served.resource.group}`) ? object : definitionName('meta.Status');
  const definition = { delete: deleted, deletecollection: definitionName('meta.Status'), list: names.list }[verb as 'list'] ?? object;
  const content = contentOf(
    definition,
    verb === 'list' ? ['application/json', 'application/json;stream=watch', 'application/yaml'] : jsonOrYaml,
  );
  return {
    ...Object.fromEntries(codesOf(verb, served).map((code) => [code, { description: codeText[code], content }])),
    401: { description: 'Unauthorized' },
  };
}

/** Resources whose delete returns the object. */
const deletedObjects: ReadonlySet<string> = new Set(['pods.', 'serviceaccounts.', 'services.']);

/** Documents of custom resources list only 200 for patch, although apply can create an object. */
const codesOf = (verb: Verb, { schema }: ServedResource): readonly number[] =>
  verb === 'patch' && !schema.struct ? [200] : (codes[verb] ?? [200]);

const codes: Readonly<Partial<Record<Verb, readonly number[]>>> = {
  create: [200, 201, 202],
  delete: [200, 202],
  patch: [200, 201],
  update: [200, 201],
};

const codeText: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

const contentOf = (definition: string, types: readonly string[]): Schema =>
  Object.fromEntries(types.map((type) => [type, { schema: refTo(definition) }]));

/** A parameter of OpenAPI 3. */
const parameter = (name: string): Schema => parameters[name] as Schema;

/** The query parameters by verb. */
const parametersOf: Readonly<Record<string, readonly string[]>> = {
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

const pathParameter = (description: string): Schema => ({
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const descriptions: Readonly<Record<string, Schema>> = {
  allowWatchBookmarks: inQuery('boolean', 'Whether a watch may send bookmarks.'),
  continue: inQuery('string', 'The continue token of the previous page; returns the next page.'),
  dryRun: inQuery('string', '"All": process the request without storing the result.'),
  fieldManager: inQuery('string', 'The name of the writer in managedFields; required for apply.'),
  fieldSelector: inQuery('string', 'Only objects whose fields match.'),
  fieldValidation: inQuery('string', 'How to treat unknown and duplicate fields: "Ignore", "Warn" or "Strict".'),
  force: inQuery('boolean', 'Whether an apply takes over fields of other managers in case of a conflict.'),
  gracePeriodSeconds: inQuery('integer', 'The grace period in seconds; 0 deletes the object at once.'),
  labelSelector: inQuery('string', 'Only objects whose labels match.'),
  limit: inQuery('integer', 'The maximum number of objects to return.'),
  name: pathParameter('The name of the object.'),
  namespace: pathParameter('The namespace of the object.'),
  orphanDependents: inQuery('boolean', 'Deprecated, use propagationPolicy. Whether to keep the dependents of the object.'),
  pretty: inQuery('string', 'Whether the answer is indented.'),
  propagationPolicy: inQuery('string', 'How to treat the dependents of the object: "Orphan", "Background" or "Foreground".'),
  resourceVersion: inQuery('string', 'The minimum version of the result, or the version that a watch starts from.'),
  resourceVersionMatch: inQuery('string', 'How a list interprets resourceVersion: "Exact" or "NotOlderThan".'),
  sendInitialEvents: inQuery('boolean', 'Whether a watch begins with the existing objects.'),
  timeoutSeconds: inQuery('integer', 'The seconds after which a watch ends.'),
  watch: inQuery('boolean', 'Whether changes are sent as they happen instead of a list.'),
};

const parameters: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(descriptions).map(([name, parameter]) => [name, { name, ...parameter }]),
);
