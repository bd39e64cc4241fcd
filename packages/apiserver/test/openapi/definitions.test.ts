import { expect, test } from 'vitest';
import { findType, structType, typeNames } from '../../src/api-types/index.ts';
import { createDefinitions } from '../../src/openapi/definitions.ts';
import { toDefinitionName } from '../../src/openapi/type-names.ts';
import { withoutDescriptions } from './support.ts';

const core = 'io.k8s.api.core.v1';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function createDefinitionsOf(name: string): Readonly<Record<string, unknown>> {
  const definitions = createDefinitions();
  definitions.addNamed(name);
  return withoutDescriptions(definitions.all()) as Readonly<Record<string, unknown>>;
}

const fieldsOf = (schemas: Readonly<Record<string, unknown>>, name: string, ...fields: readonly string[]): unknown => {
  const { properties } = schemas[name] as { properties: Record<string, unknown> };
  return Object.fromEntries(fields.map((field) => [field, properties[field]]));
};

// The expected schemas are those of kube-apiserver 1.36.3 without descriptions.
test('an object type is defined with its group, version and kind', () => {
  const definitions = createDefinitions();
  const name = definitions.add(structType('core.Service'), [{ group: '', version: 'v1', kind: 'Service' }]);
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

test('types may be recursive', () => {
  const [name, schemas] = [
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    createDefinitionsOf('apiextensions.JSONSchemaProps'),
  ];
  expect(fieldsOf(schemas, name, 'default', 'maximum', 'properties')).toEqual({
    default: {},
    maximum: { type: 'number', format: 'double' },
    properties: { type: 'object', additionalProperties: { default: {}, allOf: [{ $ref: `#/components/schemas/${name}` }] } },
  });
});

test('an enum lists its values', () => {
  const schemas = createDefinitionsOf('core.Service');
  expect(fieldsOf(schemas, `${core}.ServiceSpec`, 'type')).toEqual({
    type: { type: 'string', enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
  });
  const { stopSignal } = fieldsOf(createDefinitionsOf('core.Pod'), `${core}.Lifecycle`, 'stopSignal') as { stopSignal: { enum: string[] } };
  expect(stopSignal.enum).toHaveLength(65);
  expect(stopSignal.enum).toEqual(expect.arrayContaining(['SIGTERM', 'SIGRTMIN+15', 'SIGRTMAX-14', 'SIGRTMIN', 'SIGRTMAX']));
});

test('every type has a definition', () => {
  const definitions = createDefinitions();
  const names = typeNames().filter((name) => findType(name)?.kind === 'struct');
  for (const name of names) definitions.addNamed(name);
  expect(names.length).toBeGreaterThan(400);
  expect(Object.keys(definitions.all())).toEqual(expect.arrayContaining(names.map(toDefinitionName)));
});

test('an unknown type name throws a RangeError', () => {
  expect(() => createDefinitions().addNamed('core.Nothing')).toThrow(new RangeError('no struct core.Nothing in the tables'));
});
