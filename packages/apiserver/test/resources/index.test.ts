import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { expect, test } from 'vitest';
import { descriptions } from '../../src/resources/index.ts';
import { checkCreate, printObject, readObject } from '../../src/resources/write.ts';

const all = Object.entries(descriptions);

test.each(all)('%s has a description for discovery and tables', (_name, { resource, singular, columns, cells, selectableFields, type }) => {
  expect(resource.plural).toMatch(/^[a-z]+$/);
  expect(singular).toBe(resource.kind.toLowerCase());
  expect(type.fields.has('metadata')).toBe(true);
  expect(cells({}, new Date())).toHaveLength(columns.length);
  expect(selectableFields['metadata.name']?.({})).toBe('');
});

test('every resource is unique', () => {
  const paths = all.map(([, { resource }]) => `${apiVersionOf(resource)}/${resource.plural}`);
  expect(new Set(paths).size).toBe(paths.length);
});

const invalidBodies: readonly unknown[] = [
  null,
  5,
  'x',
  true,
  [],
  [[]],
  {},
  { metadata: 5 },
  { spec: [] },
  { spec: { ports: {}, containers: 'x' } },
];

test.each(all)('%s: no invalid body makes readObject or checkCreate throw', (_name, description) => {
  for (const body of invalidBodies) {
    const { value } = readObject(description, body);
    const checked = checkCreate(description, value);
    if (checked.causes === undefined) printObject(description, checked.object);
    // checkCreate must not throw for a body that was not decoded, either.
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) checkCreate(description, body as Record<string, unknown>);
  }
});
