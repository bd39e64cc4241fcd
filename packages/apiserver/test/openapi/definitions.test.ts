import { expect, test } from 'vitest';
import { createDefinitionsFactory, findMerging } from '../../src/openapi/definitions.ts';
import { exceptions } from '../../src/openapi/exceptions.ts';
import { createTypeNames } from '../../src/openapi/type-names.ts';
import { type StructType, structType } from '../../src/resources/index.ts';
import { withoutDescriptions } from './support.ts';

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function createDefinitionsOf(name: string): Readonly<Record<string, unknown>> {
  const definitions = createDefinitionsFactory()();
  definitions.addNamed(name);
  return withoutDescriptions(definitions.all()) as Readonly<Record<string, unknown>>;
}

const fieldsOf = (schemas: Readonly<Record<string, unknown>>, name: string, ...fields: readonly string[]): unknown => {
  const { properties } = schemas[name] as { properties: Record<string, unknown> };
  return Object.fromEntries(fields.map((field) => [field, properties[field]]));
};

// The expected schemas are those of kube-apiserver 1.36.3 without descriptions.
test('an object type is defined with its group, version and kind', () => {
  const definitions = createDefinitionsFactory()();
  const name = definitions.add(structType('core.Service'), '', [{ group: '', version: 'v1', kind: 'Service' }]);
  expect(name).toBe(`${core}.Service`);
  expect(withoutDescriptions(definitions.all()[name])).toEqual({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { default: {}, allOf: [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }] },
      spec: { default: {}, allOf: [{ $ref: `#/components/schemas/${core}.ServiceSpec` }] },
      status: { default: {}, allOf: [{ $ref: `#/components/schemas/${core}.ServiceStatus` }] },
    },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Service' }],
  });
});

test('the definitions contain exactly the referenced types', () => {
  expect(Object.keys(createDefinitionsOf('core.Service'))).toEqual([
    `${core}.ClientIPConfig`,
    `${core}.LoadBalancerIngress`,
    `${core}.LoadBalancerStatus`,
    `${core}.PortStatus`,
    `${core}.Service`,
    `${core}.ServicePort`,
    `${core}.ServiceSpec`,
    `${core}.ServiceStatus`,
    `${core}.SessionAffinityConfig`,
    `${meta}.Condition`,
    `${meta}.FieldsV1`,
    `${meta}.ManagedFieldsEntry`,
    `${meta}.ObjectMeta`,
    `${meta}.OwnerReference`,
    `${meta}.Time`,
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  ]);
});

test('lists have their list type and merge keys', () => {
  const schemas = createDefinitionsOf('core.Service');
  expect(fieldsOf(schemas, `${core}.ServiceSpec`, 'ports', 'clusterIPs', 'selector', 'ipFamilies')).toEqual({
    ports: {
      type: 'array',
      items: { default: {}, allOf: [{ $ref: `#/components/schemas/${core}.ServicePort` }] },
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'port',
      'x-kubernetes-patch-strategy': 'merge',
    },
    clusterIPs: { type: 'array', items: { type: 'string', default: '' }, 'x-kubernetes-list-type': 'atomic' },
    selector: { type: 'object', additionalProperties: { type: 'string', default: '' }, 'x-kubernetes-map-type': 'atomic' },
    ipFamilies: {
      type: 'array',
      items: { type: 'string', default: '', enum: ['', 'IPv4', 'IPv6'] },
      'x-kubernetes-list-type': 'atomic',
    },
  });
  expect(fieldsOf(schemas, `${meta}.ObjectMeta`, 'finalizers')).toEqual({
    finalizers: {
      type: 'array',
      items: { type: 'string', default: '' },
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
  });
});

test('fields without omitempty are required', () => {
  const schemas = createDefinitionsOf('core.Pod');
  const requiredFieldsOf = (name: string): unknown => (schemas[name] as { required?: unknown }).required;
  expect(requiredFieldsOf(`${core}.PodSpec`)).toEqual(['containers']);
  expect(requiredFieldsOf(`${core}.Container`)).toEqual(['name']);
  expect(requiredFieldsOf(`${core}.GRPCAction`)).toEqual(['port']);
  expect(requiredFieldsOf(`${core}.ContainerRestartRule`)).toEqual(['action']);
  expect(requiredFieldsOf(`${core}.PodStatus`)).toBeUndefined();
});

test('integers, ports and quantities have their formats and defaults', () => {
  const schemas = createDefinitionsOf('core.Service');
  expect(schemas[`${core}.ServicePort`]).toEqual({
    type: 'object',
    required: ['port'],
    properties: {
      appProtocol: { type: 'string' },
      name: { type: 'string' },
      nodePort: { type: 'integer', format: 'int32' },
      port: { type: 'integer', format: 'int32', default: 0 },
      protocol: { type: 'string', default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] },
      targetPort: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString' }] },
    },
  });
  expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  });
  const pod = createDefinitionsOf('core.Pod');
  expect(fieldsOf(pod, `${core}.ResourceRequirements`, 'limits')).toEqual({
    limits: {
      type: 'object',
      additionalProperties: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity' },
    },
  });
  expect(pod['io.k8s.apimachinery.pkg.api.resource.Quantity']).toEqual({ oneOf: [{ type: 'string' }, { type: 'number' }] });
});

test('bytes, times and atomic structs have their formats and map type', () => {
  expect(fieldsOf(createDefinitionsOf('core.Secret'), `${core}.Secret`, 'data')).toEqual({
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
  });
  const lease = createDefinitionsOf('coordination.Lease');
  expect(fieldsOf(lease, 'io.k8s.api.coordination.v1.LeaseSpec', 'renewTime')).toEqual({
    renewTime: { allOf: [{ $ref: `#/components/schemas/${meta}.MicroTime` }] },
  });
  expect(lease[`${meta}.MicroTime`]).toEqual({ type: 'string', format: 'date-time' });
  expect(createDefinitionsOf('core.Endpoints')[`${core}.EndpointAddress`]).toMatchObject({
    'x-kubernetes-map-type': 'atomic',
    required: ['ip'],
  });
});

test('types that the tables do not contain are named after their group and may be recursive', () => {
  const fields = new Map();
  const props: StructType = { kind: 'struct', go: 'v1.JSONSchemaProps', fields };
  const field = { omitEmpty: true, omitZero: false, embedded: [] };
  fields.set('properties', { ...field, name: 'properties', type: { kind: 'map', go: 'map[string]v1.JSONSchemaProps', of: props } });
  fields.set('default', { ...field, name: 'default', type: { kind: 'raw', go: 'v1.JSON' } });
  fields.set('maximum', { ...field, name: 'maximum', type: { kind: 'pointer', to: { kind: 'float', go: 'float64' } } });
  const definitions = createDefinitionsFactory()();
  const name = definitions.add(props, 'apiextensions.k8s.io');
  expect(name).toBe('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  expect(definitions.all()).toEqual({
    [name]: {
      type: 'object',
      properties: {
        default: {},
        maximum: { type: 'number', format: 'double' },
        properties: { type: 'object', additionalProperties: { default: {}, allOf: [{ $ref: `#/components/schemas/${name}` }] } },
      },
    },
  });
});

test('an unknown type name throws a RangeError', () => {
  expect(() => createDefinitionsFactory()().addNamed('core.Nothing')).toThrow(new RangeError('no struct core.Nothing in the tables'));
});

test('every exception names an existing field', () => {
  const names = createTypeNames();
  const paths = [...exceptions.optionalFields, ...exceptions.requiredFields, ...exceptions.defaults.keys()];
  const missingPaths = paths.filter((path) => {
    const dotIndex = path.lastIndexOf('.');
    return !names.findStruct(path.slice(0, dotIndex))?.fields.has(path.slice(dotIndex + 1));
  });
  expect(missingPaths).toEqual([]);
  expect([...exceptions.requiredFields].filter((path) => exceptions.optionalFields.has(path))).toEqual([]);
});

test('findMerging distinguishes map, set and atomic lists', () => {
  expect(findMerging('core.Container').field('ports')).toEqual({ listType: 'map', keys: ['containerPort', 'protocol'] });
  expect(findMerging('core.NodeSpec').field('podCIDRs')).toEqual({ listType: 'set', keys: [] });
  expect(findMerging('core.Container').field('args')).toEqual({ listType: 'atomic', keys: [] });
});

test('findMerging recognizes atomic maps and structs', () => {
  expect(findMerging('core.ServiceSpec').field('selector')).toEqual({ atomicMap: true });
  expect(findMerging('core.ConfigMap').field('data')).toEqual({});
  expect(findMerging('core.LocalObjectReference').atomic).toBe(true);
  expect(findMerging('core.ServiceSpec').atomic).toBe(false);
});

test('findMerging distinguishes types of the same name by group', () => {
  expect(findMerging('discovery.EndpointPort').atomic).toBe(true);
  expect(findMerging('admission.WebhookClientConfig').field('service')).toEqual({});
  expect(findMerging('apiextensions.k8s.io:WebhookClientConfig').field('service')).toEqual({});
  expect(findMerging('apiextensions.k8s.io:CustomResourceDefinitionStatus').field('conditions')).toEqual({
    listType: 'map',
    keys: ['type'],
  });
});

test('findMerging returns no merging for unknown types', () => {
  expect(findMerging('core.Nothing').atomic).toBe(false);
  expect(findMerging('core.Nothing').field('x')).toBeUndefined();
});
