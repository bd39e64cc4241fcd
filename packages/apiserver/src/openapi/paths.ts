import type { ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import { parameter, parametersOf } from './parameters.ts';
import { type GroupVersionKind, refTo, type Schema } from './schema.ts';
import { definitionName } from './type-names.ts';

/** The definitions that a resource's requests and answers refer to. */
export interface ResourceDefinitions {
  readonly object: string;
  readonly list: string;
  readonly subresource: (subresource: ServedSubresource) => string;
}

/** The paths of a resource, and what can be asked at each. */
export function pathsOf(served: ServedResource, names: ResourceDefinitions): Readonly<Record<string, Schema>> {
  const { group, version, plural, kind, namespaced } = served.resource;
  const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
  const collection = `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const item = `${collection}/{name}`;
  const scope = namespaced ? 'Namespaced' : '';
  const operation = (verb: Verb, suffix: string, extra: Partial<Asked> = {}): readonly [string, Schema] => [
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
        const asked = { object: names.subresource(subresource), ...(type && { kind: type }), subresource: name };
        return [
          `${item}/${name}`,
          pathItem(
            verbs.map((verb) => operation(verb, capital(name), asked)),
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

interface Asked {
  readonly verb: Verb;
  readonly served: ServedResource;
  readonly names: ResourceDefinitions;
  /** What is acted on, as it stands in the operation's id. */
  readonly id: string;
  /** The definition of what is sent and answered. */
  readonly object: string;
  readonly kind: GroupVersionKind;
  readonly subresource?: string;
}

function operationOf(asked: Asked): Schema {
  const { verb, served, id, kind, subresource } = asked;
  const { group, version } = served.resource;
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  const prefix = words.map(capital).join('');
  const [word, action, text] = wording[verb];
  return {
    tags: [`${prefix.charAt(0).toLowerCase()}${prefix.slice(1)}_${version}`],
    description: `${text} ${subresource === undefined ? '' : `the ${subresource} of `}objects of kind ${served.resource.kind}`,
    operationId: `${word}${prefix}${capital(version)}${verb === 'deletecollection' ? 'Collection' : ''}${id}`,
    parameters: (parametersOf[verb] as readonly string[]).map(parameter),
    ...bodyOf(asked),
    responses: responsesOf(asked),
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

/** A verb as it begins operations' ids, as `x-kubernetes-action`, and in words. */
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

function bodyOf({ verb, object, served }: Asked): Schema {
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

function responsesOf({ verb, names, object, served }: Asked): Schema {
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

/** Their deletion answers with the object. */
const deletedObjects: ReadonlySet<string> = new Set(['pods.', 'serviceaccounts.', 'services.']);

/** A patch may create an object, which the documents of custom resources do not tell. */
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
