import type { ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import { queryParametersOf, toParameter } from './parameters.ts';
import { createRef, type GroupVersionKind, type Schema } from './schema.ts';
import { toDefinitionName } from './type-names.ts';

/** The names of the definitions that the operations of a resource refer to. */
export interface ResourceDefinitionNames {
  readonly object: string;
  readonly list: string;
  readonly subresource: (subresource: ServedSubresource) => string;
}

export function createPaths(servedResource: ServedResource, names: ResourceDefinitionNames): Readonly<Record<string, Schema>> {
  const { group, version, plural, kind, namespaced } = servedResource.resource;
  const basePath = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
  const collectionPath = `${basePath}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const itemPath = `${collectionPath}/{name}`;
  const scope = namespaced ? 'Namespaced' : '';
  const commonOptions = { names, servedResource, object: names.object, kind: { group, version, kind } };
  const createEntry = (verb: Verb, suffix: string, extra: Partial<OperationOptions> = {}): readonly [string, Schema] => [
    methodByVerb[verb] as string,
    createOperation({ ...commonOptions, verb, id: `${scope}${kind}${suffix}`, ...extra }),
  ];
  const filterSupported = (verbs: readonly Verb[]): readonly Verb[] => verbs.filter((verb) => servedResource.verbs.includes(verb));
  const paths = {
    [collectionPath]: createPathItem(
      filterSupported(['list', 'create', 'deletecollection']).map((verb) => createEntry(verb, '')),
      listPathParameters({ namespaced, hasName: false }),
    ),
    [itemPath]: createPathItem(
      filterSupported(['get', 'update', 'delete', 'patch']).map((verb) => createEntry(verb, '')),
      listPathParameters({ namespaced, hasName: true }),
    ),
    ...Object.fromEntries(
      servedResource.subresources
        .filter(({ connects }) => !connects)
        .map((subresource) => {
          const { name, verbs, type } = subresource;
          const options = { object: names.subresource(subresource), ...(type && { kind: type }), subresource: name };
          return [
            `${itemPath}/${name}`,
            createPathItem(
              verbs.map((verb) => createEntry(verb, capitalize(name), options)),
              listPathParameters({ namespaced, hasName: true }),
            ),
          ];
        }),
    ),
    ...(namespaced && {
      [`${basePath}/${plural}`]: createPathItem(
        filterSupported(['list']).map((verb) => createEntry(verb, 'ForAllNamespaces', { id: `${kind}ForAllNamespaces` })),
        ['pretty'],
      ),
    }),
  };
  return Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 1));
}

const listPathParameters = ({ namespaced, hasName }: { readonly namespaced: boolean; readonly hasName: boolean }): readonly string[] => [
  ...(hasName ? ['name'] : []),
  ...(namespaced ? ['namespace'] : []),
  'pretty',
];

const createPathItem = (operations: readonly (readonly [string, Schema])[], parameters: readonly string[]): Schema => ({
  ...Object.fromEntries(operations),
  parameters: parameters.map(toParameter),
});

interface OperationOptions {
  readonly verb: Verb;
  readonly servedResource: ServedResource;
  readonly names: ResourceDefinitionNames;
  /** The end of the operationId, after verb, group and version. */
  readonly id: string;
  /** The definition of the request and response body. */
  readonly object: string;
  readonly kind: GroupVersionKind;
  readonly subresource?: string;
}

function createOperation(options: OperationOptions): Schema {
  const { verb, servedResource, id, kind, subresource } = options;
  const { group, version } = servedResource.resource;
  const groupWords = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  const prefix = groupWords.map(capitalize).join('');
  const [idPrefix, action, text] = verbTexts[verb];
  const parameterNames = queryParametersOf(verb);
  return {
    tags: [`${prefix.charAt(0).toLowerCase()}${prefix.slice(1)}_${version}`],
    description: `${text} ${subresource === undefined ? '' : `the ${subresource} of `}objects of kind ${servedResource.resource.kind}`,
    operationId: `${idPrefix}${prefix}${capitalize(version)}${verb === 'deletecollection' ? 'Collection' : ''}${id}`,
    ...(parameterNames.length > 0 && { parameters: parameterNames.map(toParameter) }),
    ...createRequestBody(options),
    responses: createResponses(options),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  };
}

const methodByVerb: Readonly<Partial<Record<Verb, string>>> = {
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

function createRequestBody({ verb, object, servedResource }: OperationOptions): Schema {
  if (verb === 'get' || verb === 'list') return {};
  if (verb === 'delete' || verb === 'deletecollection') {
    return { requestBody: { content: createContent(toDefinitionName('meta.DeleteOptions'), jsonOrYaml) } };
  }
  if (verb !== 'patch') return { requestBody: { content: createContent(object, jsonOrYaml), required: true } };
  const types = servedResource.schema.struct ? patchTypes : patchTypes.filter((type) => !type.includes('strategic'));
  return { requestBody: { content: createContent(toDefinitionName('meta.Patch'), types), required: true } };
}

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

function createResponses({ verb, names, object, servedResource }: OperationOptions): Schema {
  const deleteResult = resourcesReturnedByDelete.has(`${servedResource.resource.plural}.${servedResource.resource.group}`)
    ? object
    : toDefinitionName('meta.Status');
  const definition =
    { delete: deleteResult, deletecollection: toDefinitionName('meta.Status'), list: names.list }[verb as 'list'] ?? object;
  const content = createContent(
    definition,
    verb === 'list' ? ['application/json', 'application/json;stream=watch', 'application/yaml'] : jsonOrYaml,
  );
  return {
    ...Object.fromEntries(statusCodesOf(verb, servedResource).map((code) => [code, { description: statusTexts[code], content }])),
    401: { description: 'Unauthorized' },
  };
}

/** Resources whose delete returns the object. */
const resourcesReturnedByDelete: ReadonlySet<string> = new Set(['pods.', 'serviceaccounts.', 'services.']);

/** Lists the status codes of a verb. As upstream, custom resources document only 200 for patch, although apply can create an object. */
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
  Object.fromEntries(types.map((type) => [type, { schema: createRef(definition) }]));
