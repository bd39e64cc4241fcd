/** CustomResourceDefinitions of the script. */
import type { Step } from '../compare/step.ts';

export const CUSTOM_GROUP = 'script.example.com';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const WIDGET_SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
        replicas: { type: 'integer', format: 'int32' },
        colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5, minLength: 2 },
        when: { type: 'string', format: 'date-time', nullable: true },
        ratio: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
        port: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 3 },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, count: { type: 'integer', default: 1 } } },
        },
        atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'integer' } },
        extra: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
        either: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } } },
  },
} as const;

const WIDGET_VERSION = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: WIDGET_SCHEMA },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large it is.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'When', type: 'date', jsonPath: '.spec.when', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: [{ jsonPath: '.spec.colour' }],
} as const;

export function definition(plural: string, kind: string, fields: object = {}, names: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${CUSTOM_GROUP}` },
    spec: { group: CUSTOM_GROUP, scope: 'Namespaced', names: { plural, kind, ...names }, versions: [WIDGET_VERSION], ...fields },
  };
}

export const widgets = (): object =>
  definition('widgets', 'Widget', {}, { singular: 'widget', shortNames: ['wd'], categories: ['all', 'toys'] });

/** A cluster-scoped definition with two versions and a minimal schema. */
export const gadgets = (): object =>
  definition(
    'gadgets',
    'Gadget',
    {
      scope: 'Cluster',
      versions: ['v1', 'v1beta1'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        ...(name === 'v1beta1' ? { deprecated: true, deprecationWarning: 'gadgets of old are going away' } : {}),
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
    },
    { listKind: 'GadgetCollection' },
  );

/** Creates version v1 of a definition, with this schema. */
export const version = (schema: object | undefined, fields: object = {}): object => ({
  name: 'v1',
  served: true,
  storage: true,
  ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  ...fields,
});

export interface ObjectWithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Repeats the request for a definition until the server has written its whole status. */
export const untilEstablished: NonNullable<Step['until']> = ({ body }) =>
  (body as ObjectWithConditions).status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
