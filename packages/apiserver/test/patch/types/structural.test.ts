import { expect, test } from 'vitest';
import { structuralType } from '../../../src/patch/types/structural.ts';
import { deducedType, type TypeRef } from '../../../src/patch/types/type.ts';

const type = structuralType({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
          items: { type: 'object', properties: { port: { type: 'integer', default: 80 } } },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        list: { type: 'array', items: { type: 'string' } },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
        quantity: { 'x-kubernetes-int-or-string': true },
        when: { type: 'string', format: 'date-time' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'boolean' } } },
        pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});
const typeAtPath = (start: TypeRef | undefined, ...path: string[]): TypeRef | undefined =>
  path.reduce<TypeRef | undefined>((inner, name) => inner?.resolve().map?.fields.get(name)?.type, start);

test('list and map types follow the x-kubernetes markers', () => {
  expect(typeAtPath(type, 'spec', 'ports')?.resolve().list).toMatchObject({ atomic: false, keys: ['port'] });
  expect(typeAtPath(type, 'spec', 'ports')?.resolve().list?.element.resolve().map?.fields.get('port')?.default).toBe(80);
  expect(typeAtPath(type, 'spec', 'tags')?.resolve().list).toMatchObject({ atomic: false, keys: [] });
  expect(typeAtPath(type, 'spec', 'list')?.resolve().list).toMatchObject({ atomic: true });
  expect(typeAtPath(type, 'spec', 'selector')?.resolve().map).toMatchObject({ atomic: true });
});

test('scalar types follow type and format', () => {
  expect(typeAtPath(type, 'spec', 'when')?.resolve()).toEqual({ scalar: 'untyped' });
  expect(typeAtPath(type, 'spec', 'quantity')?.resolve().scalar).toBe('untyped');
  expect(typeAtPath(type, 'spec', 'free', 'a')?.resolve()).toEqual({ scalar: 'boolean' });
});

test('unknown fields are allowed only if they are preserved', () => {
  expect(type.resolve().map?.element).toBeUndefined();
  expect(typeAtPath(type, 'spec', 'free')?.resolve().map?.element).toBe(deducedType);
  expect(
    typeAtPath(structuralType({ type: 'object', properties: { a: { type: 'object', properties: { b: {} } } } }, true), 'a')?.resolve().map
      ?.element,
  ).toBe(deducedType);
});

test('objects have metadata, including embedded resources', () => {
  expect(typeAtPath(type, 'metadata', 'ownerReferences')?.resolve().list?.keys).toEqual(['uid']);
  expect(typeAtPath(type, 'spec', 'pod', 'metadata', 'name')?.resolve()).toEqual({ scalar: 'string' });
  expect(typeAtPath(type, 'apiVersion')?.resolve()).toEqual({ scalar: 'string' });
});

test('a missing schema gives the deduced type', () => {
  expect(structuralType(undefined)).toBe(deducedType);
});
