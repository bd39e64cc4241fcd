import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../model/random.ts';
import type { Call } from './client.ts';

/** A kind of objects that the clients write. */
export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  /** Path of the collection. */
  readonly path: string;
  /** Whether the server itself writes the objects, too. */
  readonly hasBackgroundWrites: boolean;
  readonly isBuiltIn: boolean;
  readonly hasStatus: boolean;
  createSpec(name: string, padding: string): object;
}

export const namespace = 'load';
const core = (plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;

const defaults = { apiVersion: 'v1', hasBackgroundWrites: false, isBuiltIn: true, hasStatus: false };
const createDefinitionSpec = (name: string): object => {
  const [plural = '', ...group] = name.split('.');
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    spec: {
      group: group.join('.'),
      names: { plural, kind: plural[0]?.toUpperCase() + plural.slice(1) },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
};

/** The definition of Widgets, which the program creates first. */
export const widgetDefinition: ApiObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  ...createDefinitionSpec('widgets.example.com'),
};

export const configMaps: Kind = {
  ...defaults,
  kind: 'ConfigMap',
  path: core('configmaps'),
  createSpec: (_, padding) => ({ data: { padding } }),
};

export const kinds: readonly Kind[] = [
  configMaps,
  {
    ...defaults,
    kind: 'Service',
    path: core('services'),
    createSpec: () => ({ spec: { type: 'NodePort', ports: [{ port: 80 }], selector: { app: 'web' } } }),
  },
  {
    ...defaults,
    kind: 'Pod',
    path: core('pods'),
    hasStatus: true,
    createSpec: () => ({ spec: { containers: [{ name: 'web', image: 'web:1' }] } }),
  },
  {
    ...defaults,
    kind: 'Widgets',
    apiVersion: 'example.com/v1',
    path: `/apis/example.com/v1/namespaces/${namespace}/widgets`,
    isBuiltIn: false,
    hasStatus: true,
    createSpec: (_, padding) => ({ spec: { padding } }),
  },
  {
    ...defaults,
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    isBuiltIn: false,
    hasBackgroundWrites: true,
    createSpec: (name) => createDefinitionSpec(name),
  },
];

/** The mark of the last write: each write sets a unique one. */
export const markOf = ({ metadata, status }: ApiObject): string =>
  [metadata.annotations?.['mark'] ?? '', (status as { readonly message?: string } | undefined)?.message ?? ''].join('/');

/** One write, and how to recognize its result. */
export interface Write {
  readonly call: Call;
  /** Whether an object is the result; undefined stands for an absent object. */
  isResult(object: ApiObject | undefined): boolean;
}

export const createWrite = (kind: Kind, name: string, mark: string, padding: string): Write => ({
  call: {
    method: 'POST',
    path: kind.path,
    body: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, annotations: { mark } }, ...kind.createSpec(name, padding) },
  },
  isResult: (object) => object?.metadata.annotations?.['mark'] === mark,
});

export const deleteWrite = (kind: Kind, name: string): Write => ({
  call: { method: 'DELETE', path: `${kind.path}/${name}` },
  // A definition stays until its custom resources are gone.
  isResult: (object) => object === undefined || (kind.hasBackgroundWrites && object.metadata.deletionTimestamp !== undefined),
});

/** Changes an object by a random method. */
export function changeWrite(random: Random, kind: Kind, current: ApiObject, mark: string): Write {
  const { name = '' } = current.metadata;
  const path = `${kind.path}/${name}`;
  const annotations = { mark };
  const patch = (contentType: string, body: object, suffix = ''): Call => ({ method: 'PATCH', path: path + suffix, body, contentType });
  const calls: readonly Call[] = [
    patch('application/merge-patch+json', { metadata: { annotations } }),
    patch('application/json-patch+json', [{ op: 'replace', path: '/metadata/annotations/mark', value: mark }]),
    {
      ...patch('application/apply-patch+yaml', { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, annotations } }),
      path: `${path}?fieldManager=writer&force=true`,
    },
    ...(kind.isBuiltIn ? [patch('application/strategic-merge-patch+json', { metadata: { annotations } })] : []),
    // The version of an object with background writes may be outdated.
    ...(kind.hasBackgroundWrites ? [] : [{ method: 'PUT', path, body: replaceMark(kind, current, mark) } as const]),
  ];
  if (kind.hasStatus && random.chance(0.2)) {
    return {
      call: patch('application/merge-patch+json', { status: { message: mark } }, '/status'),
      isResult: (object) => (object?.['status'] as { readonly message?: string } | undefined)?.message === mark,
    };
  }
  return { call: random.pick(calls), isResult: (object) => object?.metadata.annotations?.['mark'] === mark };
}

const replaceMark = ({ apiVersion, kind }: Kind, { metadata, ...current }: ApiObject, mark: string): object => ({
  ...current,
  apiVersion,
  kind,
  metadata: { ...metadata, annotations: { ...metadata.annotations, mark } },
});
