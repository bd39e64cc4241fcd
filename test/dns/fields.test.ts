import { expect, it } from 'vitest';
import { createFieldReader, readObjectName } from '../../src/dns/entries.ts';

it.each([undefined, null, 'x', [], {}, { metadata: [] }, { metadata: { name: 7 } }])('readObjectName refuses %j', (object) => {
  expect(() => readObjectName('Namespace', object, false)).toThrow(/^Namespace: metadata\.name is (missing|7): give a non-empty string$/);
});

it('createFieldReader reads null as absent, and quotes the beginning of an invalid value in the error', () => {
  const fields = createFieldReader('Service', 'shop/web');
  expect(() => fields.text({ long: 'x'.repeat(1000) }, 'spec.clusterIP')).toThrow(
    /^Service shop\/web: spec\.clusterIP is \{"long":"x{1,60}: give a string$/,
  );
  expect(() => fields.text(() => 1, 'f')).toThrow('Service shop/web: f is function: give a string');
  expect([fields.text(null, 'f'), fields.list(null, 'f'), fields.number(null, 'f')]).toEqual(['', [], undefined]);
});
