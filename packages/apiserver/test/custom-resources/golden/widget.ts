import { createDefinition } from './body-parts.ts';
import { type Json, withValueAt } from './steps.ts';

const text = (more: Json = {}): Json => ({ type: 'string', ...more });
const int = (more: Json = {}): Json => ({ type: 'integer', ...more });
const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const list = (items: Json, more: Json = {}): Json => ({ type: 'array', items, ...more });

export const formats: readonly string[] = [
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'date-time',
  'k8s-short-name',
  'k8s-long-name',
  'nonsense',
];

/** Fields that use all schema keywords. */
const specFields: Json = {
  size: int({ minimum: 1, maximum: 10 }),
  open: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 2.5, exclusiveMaximum: true },
  steps: int({ multipleOf: 5 }),
  parts: { type: 'number', multipleOf: 0.25 },
  small: int({ format: 'int32' }),
  large: int({ format: 'int64' }),
  float: { type: 'number', format: 'float' },
  name: text({ minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
  colour: text({ enum: ['red', 'green'] }),
  count: { type: 'number', enum: [1, 2.5] },
  flag: { type: 'boolean' },
  maybe: text({ nullable: true }),
  maybeObject: object({ a: text() }, { nullable: true, required: ['a'] }),
  port: { 'x-kubernetes-int-or-string': true, maximum: 100, maxLength: 4 },
  filled: text({ default: 'full' }),
  filledNull: text({ default: 'full', nullable: true }),
  filledObject: object({ a: text({ default: 'x' }), b: object({ c: int({ default: 3 }) }, { default: {} }), d: text() }),
  needs: object({ a: text(), b: text() }, { required: ['a', 'b'] }),
  labels: { type: 'object', additionalProperties: text({ maxLength: 3 }), maxProperties: 2, minProperties: 1 },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: int(), strict: object({ a: int() }) } },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  anyMap: { type: 'object', additionalProperties: true },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  embeddedStrict: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: object({ a: int() }) } },
  items: list(text({ minLength: 1 }), { minItems: 1, maxItems: 3 }),
  set: list(text(), { 'x-kubernetes-list-type': 'set' }),
  sets: list(list(int()), { 'x-kubernetes-list-type': 'set' }),
  pairs: list(object({ key: text(), value: int({ maximum: 5 }) }, { required: ['key'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  }),
  ports: list(object({ port: int(), protocol: text({ default: 'TCP' }) }, { required: ['port'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  }),
  oneOf: object({ a: text(), b: text(), c: int() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  anyOf: text({ anyOf: [{ minLength: 5 }, { pattern: '^x' }] }),
  allOf: text({ allOf: [{ minLength: 3 }, { maxLength: 4 }] }),
  not: text({ not: { enum: ['forbidden'] } }),
  either: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[0-9]+%?$' },
  deep: list(object({ list: list(object({ x: int() })) })),
  replicas: int(),
  selector: text(),
  formats: object(Object.fromEntries(formats.map((format) => [format, text({ format })]))),
};

const statusFields: Json = {
  phase: text({ enum: ['Ready', 'Waiting'] }),
  replicas: int(),
  selector: text(),
  defaulted: text({ default: 'yes' }),
  conditions: list(object({ type: text(), status: text(), at: text({ format: 'date-time' }) }, { required: ['type'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  }),
};

const schema: Json = object({ spec: object(specFields), status: object(statusFields), flat: text(), metadata: { type: 'object' } });

export const widgetDefinition: Json = withValueAt(
  createDefinition(
    { group: 'objects.example.com', kind: 'Widget' },
    {
      schema: { openAPIV3Schema: schema },
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
      },
      selectableFields: [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.flag' }],
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large it is' },
        { name: 'Open', type: 'number', jsonPath: '.spec.open' },
        { name: 'Flag', type: 'boolean', jsonPath: '.spec.flag' },
        { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Since', type: 'date', jsonPath: '.status.conditions[?(@.type=="Ready")].at' },
        { name: 'Labels', type: 'string', jsonPath: '.spec.labels' },
        { name: 'Items', type: 'string', jsonPath: '.spec.items' },
        { name: 'First', type: 'string', jsonPath: '.spec.items[0]' },
        { name: 'Last', type: 'string', jsonPath: '.spec.items[-1:]' },
        { name: 'All', type: 'string', jsonPath: '.spec.items[*]' },
        { name: 'Quoted', type: 'string', jsonPath: ".spec['colour']" },
        { name: 'Port', type: 'string', jsonPath: '.spec.port' },
        { name: 'SizeText', type: 'string', jsonPath: '.spec.size' },
        { name: 'OpenInt', type: 'integer', jsonPath: '.spec.open' },
        { name: 'ColourInt', type: 'integer', jsonPath: '.spec.colour' },
        { name: 'Label', type: 'string', jsonPath: '.metadata.labels.a\\.b/c' },
        { name: 'Pair', type: 'string', jsonPath: '.spec.pairs[?(@.value>2)].key' },
        { name: 'Broken', type: 'date', jsonPath: '.spec.colour' },
      ],
    },
  ),
  ['spec', 'names', 'shortNames'],
  ['wd'],
);

export const widgetsPath = '/apis/objects.example.com/v1/namespaces/default/widgets';

export const widget = (spec: unknown, more: Json = {}): Json => ({
  apiVersion: 'objects.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'one' },
  ...(spec !== undefined && { spec }),
  ...more,
});
