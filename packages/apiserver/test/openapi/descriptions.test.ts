import { expect, test } from 'vitest';
import { structType } from '../../src/api-types/index.ts';
import { describeDefinition, describeField, describeList } from '../../src/openapi/descriptions.ts';
import { builtInResources } from '../../src/registry/catalog.ts';

test('every built-in kind and its apiVersion, kind and metadata are described', () => {
  for (const { resource, schema } of builtInResources()) {
    if (!schema.struct) throw new Error(`${resource.kind} has no type`);
    const { name } = schema.struct;
    expect(describeDefinition(name), name).toEqual({ description: expect.stringMatching(/^[A-Z].*\.$/) });
    for (const field of ['apiVersion', 'kind', 'metadata']) {
      expect(describeField(name, field), `${name}.${field}`).toEqual({ description: expect.stringMatching(/^[A-Z].*\.$/) });
    }
  }
});

test.each(['meta.ObjectMeta', 'core.ServiceSpec', 'core.ServicePort'])('every field of %s is described', (name) => {
  const fields = [...structType(name).fields.keys()];
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => describeField(name, field)['description'] === undefined)).toEqual([]);
});

test('fields of the same name have the description of their own type', () => {
  expect(describeField('core.Service', 'spec')).toEqual({
    description: 'The Pods of the Service, and how clients reach them.',
  });
  expect(describeField('core.Namespace', 'spec')).toEqual({ description: 'The desired state of the object.' });
  expect(describeField('core.ContainerState', 'status')).toEqual({});
  expect(describeField('core.ObjectReference', 'kind')).toEqual({});
  expect(describeDefinition('core.ContainerState')).toEqual({});
  expect(describeList('Pod')).toBe('A list of objects of kind Pod.');
});
