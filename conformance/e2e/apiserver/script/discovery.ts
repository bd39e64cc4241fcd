import { get, post, type Step, type Topic, withAccept } from '../compare/step.ts';
import { CUSTOM_GROUP, DEFINITIONS, definition, version } from './definitions.ts';

/** Discovery documents are compared only for the groups and resources that the API server of this project has. */
const GROUPS = [
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  CUSTOM_GROUP,
];
const RESOURCES = [
  'bindings',
  'configmaps',
  'endpoints',
  'events',
  'namespaces',
  'nodes',
  'pods',
  'secrets',
  'serviceaccounts',
  'services',
  'leases',
  'endpointslices',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'customresourcedefinitions',
  'widgets',
  'gadgets',
];
const SUBRESOURCES = ['status', 'finalize', 'binding', 'eviction', 'scale'];

interface NamedItem {
  readonly name: string;
}

interface GroupVersion {
  readonly version: string;
  readonly resources: readonly { readonly resource: string; readonly subresources?: readonly { readonly subresource: string }[] }[];
}

const isServed = ({ name }: NamedItem): boolean => {
  const [resource = '', subresource] = name.split('/');
  return RESOURCES.includes(resource) && (subresource === undefined || SUBRESOURCES.includes(subresource));
};
/** Keys a list by name, because the order of named items is not compared. */
const keyByName = <T>(list: readonly T[], nameOf: (item: T) => string): Record<string, T> =>
  Object.fromEntries(list.map((item) => [nameOf(item), item]));
const viewIfObject =
  (view: (body: object) => unknown) =>
  (body: unknown): unknown =>
    typeof body === 'object' && body !== null ? view(body) : body;

const viewServedGroups = viewIfObject((body) => {
  const { groups = [], ...rest } = body as { groups?: readonly NamedItem[] };
  return {
    ...rest,
    groups: keyByName(
      groups.filter(({ name }) => GROUPS.includes(name)),
      ({ name }) => name,
    ),
  };
});

const viewServedResources = viewIfObject((body) => {
  const { resources = [], ...rest } = body as { resources?: readonly NamedItem[] };
  return { ...rest, resources: keyByName(resources.filter(isServed), ({ name }) => name) };
});

const viewServedAggregate = viewIfObject((body) => {
  const { items = [], ...rest } = body as { items?: readonly { metadata: { name?: string }; versions: readonly GroupVersion[] }[] };
  const servedItems = items.filter(({ metadata }) => GROUPS.includes(metadata.name ?? ''));
  return {
    ...rest,
    items: keyByName(
      servedItems.map(({ versions, ...item }) => ({ ...item, versions: versions.map(viewServedVersion) })),
      ({ metadata }) => metadata.name ?? '',
    ),
  };
});

const viewServedVersion = ({ resources, ...version }: GroupVersion): unknown => ({
  ...version,
  resources: keyByName(
    resources
      .filter(({ resource }) => RESOURCES.includes(resource))
      .map(({ subresources = [], ...resource }) => ({
        ...resource,
        subresources: keyByName(
          subresources.filter(({ subresource }) => SUBRESOURCES.includes(subresource)),
          ({ subresource }) => subresource,
        ),
      })),
    ({ resource }) => resource,
  ),
});

/** Removes the server's external address, because its port changes at every run. */
const viewWithoutAddresses = viewIfObject((body) => ({ ...body, serverAddressByClientCIDRs: undefined }));

const AGGREGATED_TYPE = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
const getResources = (path: string): Step => get(path, { view: viewServedResources });
const servesWidgets = ({ body }: { body: unknown }): boolean => JSON.stringify(body).includes('"widgets"');

/**
 * Selects the compared parts of a type in an OpenAPI document: its type, its required fields, its kinds, and the type and format of each
 * property.
 */
const viewType =
  (name: string) =>
  (body: unknown): unknown => {
    const { definitions, components } = body as { definitions?: Record<string, object>; components?: { schemas: Record<string, object> } };
    const {
      properties,
      required,
      type,
      'x-kubernetes-group-version-kind': kinds,
    } = ((definitions ?? components?.schemas)?.[name] ?? {}) as {
      properties?: Record<string, { type?: string; format?: string }>;
      required?: unknown;
      type?: unknown;
      'x-kubernetes-group-version-kind'?: unknown;
    };
    return {
      type,
      required,
      kinds,
      properties: Object.fromEntries(Object.entries(properties ?? {}).map(([key, { type, format }]) => [key, { type, format }])),
    };
  };
const OPENAPI_TYPES = [
  'io.k8s.api.core.v1.Pod',
  'io.k8s.api.core.v1.ServiceSpec',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
];

interface Operation {
  readonly parameters?: readonly unknown[];
}

/** Selects the operations of a path that have no list of parameters. */
const viewOperationsWithoutParameters =
  (path: string) =>
  (body: unknown): unknown =>
    Object.entries((body as { paths?: Record<string, Record<string, Operation>> }).paths?.[path] ?? {}).flatMap(([method, operation]) =>
      operation.parameters === undefined && !Array.isArray(operation) ? [method] : [],
    );

/** Schemas that OpenAPI 2 can express only in part. */
const LOSSY_SCHEMAS: Readonly<Record<string, object>> = {
  Free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
  Nullable: {
    type: 'object',
    properties: {
      free: { type: 'object', required: ['x'], properties: { x: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
      nullable: { type: 'object', nullable: true, required: ['x'], properties: { x: { type: 'string' } } },
      list: { type: 'array', nullable: true, items: { type: 'string' } },
      field: { type: 'object', required: ['x', 'y'], properties: { x: { type: 'string', nullable: true }, y: { type: 'string' } } },
      values: { type: 'object', required: ['x'], additionalProperties: { type: 'string', nullable: true } },
    },
  },
};
const lossyPlural = (kind: string): string => `${kind.toLowerCase()}s`;
const lossyType = (kind: string): string => `com.example.script.v1.${kind}`;

/** Selects a definition without its descriptions and the fields that all objects have. */
const viewDefinition =
  (name: string) =>
  (body: unknown): unknown => {
    const { properties, ...rest } = ((body as { definitions?: Record<string, { properties?: object }> }).definitions?.[name] ?? {}) as {
      properties?: object;
    };
    return { ...rest, properties: properties && { ...properties, apiVersion: undefined, kind: undefined, metadata: undefined } };
  };

export const discovery: Topic = {
  name: 'discovery and OpenAPI',
  steps: [
    get('/api', { view: viewWithoutAddresses }),
    get('/apis', { view: viewServedGroups, until: ({ body }) => JSON.stringify(body).includes(CUSTOM_GROUP) }),
    getResources('/api/v1'),
    ...GROUPS.filter((group) => group !== '').map((group) => get(`/apis/${group}`)),
    ...GROUPS.filter((group) => group !== '' && group !== CUSTOM_GROUP).map((group) => getResources(`/apis/${group}/v1`)),
    get(`/apis/${CUSTOM_GROUP}/v1`, { until: servesWidgets, view: viewServedResources }),
    getResources(`/apis/${CUSTOM_GROUP}/v1beta1`),
    // Aggregated discovery: preferred, required, and in versions that are not served.
    withAccept(`${AGGREGATED_TYPE},application/json`, get('/api', { view: viewServedAggregate })),
    withAccept(`${AGGREGATED_TYPE},application/json`, get('/apis', { view: viewServedAggregate, until: servesWidgets })),
    withAccept(AGGREGATED_TYPE, get('/apis', { view: viewServedAggregate })),
    withAccept(
      'application/json;v=v2beta1;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList,application/json',
      get('/apis', { view: viewServedGroups }),
    ),
    withAccept('application/json;v=v9;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList', get('/apis', { view: viewServedGroups })),
    // Paths with a final slash, and the root.
    get('/apis/', { view: viewServedGroups }),
    get('/api/', { view: viewWithoutAddresses }),
    get('/', { view: viewIfObject(Object.keys) }),
    ...OPENAPI_TYPES.map((name) => get('/openapi/v2', { view: viewType(name) })),
    ...OPENAPI_TYPES.map((name) => get('/openapi/v3/api/v1', { view: viewType(name) })),
    get(`/openapi/v3/apis/${CUSTOM_GROUP}/v1`, {
      until: ({ code }) => code === 200,
      view: viewType('com.example.script.v1.Widget'),
    }),
    ...Object.entries(LOSSY_SCHEMAS).flatMap(([kind, schema]) => [
      post(DEFINITIONS, definition(lossyPlural(kind), kind, { versions: [version(schema)] })),
      get('/openapi/v2', {
        until: ({ body }) => JSON.stringify(body).includes(`"${lossyType(kind)}"`),
        view: viewDefinition(lossyType(kind)),
      }),
    ]),
    ...['/api/v1/namespaces/{namespace}/configmaps/{name}', '/api/v1/namespaces/{namespace}/pods/{name}/status'].flatMap((path) => [
      get('/openapi/v2', { view: viewOperationsWithoutParameters(path) }),
      get('/openapi/v3/api/v1', { view: viewOperationsWithoutParameters(path) }),
    ]),
    // Paths, formats and methods that are not served.
    get('/openapi/v3/apis/nothing/v1'),
    get('/openapi/v9'),
    withAccept('application/yaml', get('/openapi/v2', { view: () => undefined })),
    { method: 'POST', path: '/openapi/v2', view: () => undefined },
  ],
};
