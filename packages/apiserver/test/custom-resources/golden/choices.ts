import { createDefinition } from './body-parts.ts';
import { create, createAndWait, type Json, type Step } from './steps.ts';

const text = (more: Json = {}): Json => ({ type: 'string', ...more });
const int = (more: Json = {}): Json => ({ type: 'integer', ...more });

const properties: Json = {
  x: int(),
  y: text(),
  z: { type: 'object', properties: { q: int(), r: text() } },
  list: { type: 'array', items: int() },
};

/** Schemas with nested alternatives. If all fail, the failure of the best matching alternative is reported. */
const schemasByField: Json = {
  any: {
    type: 'object',
    properties,
    anyOf: [
      { required: ['x', 'y'], properties: { x: { minimum: 5 }, y: { minLength: 3 } } },
      { required: ['z'], properties: { z: { required: ['q'], properties: { q: { maximum: 3 } } } } },
      { properties: { list: { minItems: 2, items: { minimum: 1 } } }, required: ['list'] },
    ],
  },
  one: {
    type: 'object',
    nullable: true,
    properties,
    oneOf: [{ required: ['x'] }, { required: ['y'], properties: { y: { pattern: '^a' } } }, { required: ['z'] }],
  },
  all: {
    type: 'object',
    properties,
    allOf: [
      { anyOf: [{ required: ['x'] }, { required: ['y'] }] },
      { not: { required: ['z', 'list'] } },
      { properties: { x: { multipleOf: 2 } } },
      { oneOf: [{ properties: { x: { maximum: 10 } } }, { properties: { x: { minimum: 10 } } }] },
    ],
  },
  not: {
    type: 'object',
    properties,
    not: { anyOf: [{ required: ['x', 'y'] }, { properties: { x: { enum: [7] } }, required: ['x'] }] },
  },
  number: { type: 'number', anyOf: [{ maximum: 2 }, { minimum: 8, multipleOf: 4 }] },
  port: { 'x-kubernetes-int-or-string': true, oneOf: [{ minimum: 1 }, { pattern: '^[a-z]+$' }] },
  map: {
    type: 'object',
    additionalProperties: { type: 'object', properties, anyOf: [{ required: ['x'] }, { required: ['y'] }] },
  },
  lists: { type: 'array', items: text({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { pattern: '^any$' }] }), maxItems: 3 },
  nullable: text({ nullable: true, enum: ['a'], anyOf: [{ minLength: 1 }] }),
  negative: int({ minimum: -5, exclusiveMinimum: true, maximum: -2 }),
  cut: { type: 'number', minimum: -2.5, exclusiveMinimum: true, maximum: 2.5, exclusiveMaximum: true },
  wrongBound: int({ maximum: 2.5 }),
  numbers: { type: 'number', enum: [1, 2.5, 1e21] },
  mixed: { 'x-kubernetes-preserve-unknown-fields': true, enum: ['a', 1, true, { b: 1 }, [1, 2], null] },
  untyped: { 'x-kubernetes-preserve-unknown-fields': true, maximum: 3, maxLength: 2, maxItems: 1, maxProperties: 1, required: ['a'] },
};

const choiceDefinition: Json = createDefinition(
  { group: 'choices.example.com', kind: 'Choice' },
  { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: schemasByField } } } } },
);

const objectValues: readonly unknown[] = [
  {},
  { x: 1 },
  { x: 1, y: 'ab' },
  { x: 5, y: 'abc' },
  { x: 9, y: 'a' },
  { y: 'abc' },
  { y: 'b' },
  { z: {} },
].concat([
  { z: { q: 9 } },
  { z: { q: 'x' } },
  { list: [] },
  { list: [0, 5] },
  { list: ['a', 5] },
  { x: 'wrong', y: 5 },
  { x: 3, z: {}, list: [1] },
  { x: 7 },
  { x: 10 },
  { x: 11, y: 'a' },
] as never[]);

const valuesByField: Readonly<Record<string, readonly unknown[]>> = {
  any: objectValues,
  one: [...objectValues, null],
  all: objectValues,
  not: objectValues,
  number: [1, 2, 3, 8, 9, 12, 2.5, 'x'],
  port: [0, 5, 'abc', 'A', -1],
  map: objectValues.map((each) => ({ key: each, 'other.key': { x: 1 } })),
  lists: [['1.2.3.4'], ['::1', 'any'], ['none'], ['none', 'any', 'other'], ['any', 'any', 'any', 'any']],
  nullable: [null, 'a', '', 'b'],
  negative: [-5, -4, -2, -1, 0],
  cut: [-3, -2, 0, 2, 2.4, 2.5, -2.5, -2.4],
  wrongBound: [1, 3],
  numbers: [1, 1.7, 2.5, 1e21, 2],
  mixed: ['a', 1, true, { b: 1 }, [1, 2], null, 'c', 2, false, { b: 2 }, [2, 1], {}],
  untyped: [3, 4, 'ab', 'abc', [1], [1, 2], { a: 1 }, { b: 1 }, { a: 1, b: 2 }, null, true],
};

/** Creates steps that create an object for each field and each value to test in it. */
export function createChoiceSteps(): readonly Step[] {
  const path = '/apis/choices.example.com/v1/namespaces/default/choices?dryRun=All';
  const body = (spec: Json): Json => ({ apiVersion: 'choices.example.com/v1', kind: 'Choice', metadata: { name: 'one' }, spec });
  const creations = Object.entries(valuesByField).flatMap(([name, each]) => each.map((value) => create(path, body({ [name]: value }))));
  return [...createAndWait(choiceDefinition), ...creations];
}
