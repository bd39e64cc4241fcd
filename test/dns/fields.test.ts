import { expect, it } from 'vitest';
import { fieldsOf, readName } from '../../src/dns/entries.ts';

it.each([undefined, null, 'x', [], {}, { metadata: [] }, { metadata: { name: 7 } }])('readName refuses %j', (object) => {
  expect(() => readName('Namespace', object, false)).toThrow(/^Namespace: metadata\.name is (missing|7): give it a name$/);
});

it('a message shows the beginning of the invalid value', () => {
  const fields = fieldsOf('Service', 'shop/web');
  expect(() => fields.text({ long: 'x'.repeat(1000) }, 'spec.clusterIP')).toThrow(
    /^Service shop\/web: spec\.clusterIP is \{"long":"x{1,60}: give a text$/,
  );
  expect(() => fields.text(() => 1, 'f')).toThrow('Service shop/web: f is function: give a text');
  expect([fields.text(null, 'f'), fields.list(null, 'f'), fields.number(null, 'f')]).toEqual(['', [], undefined]);
});
