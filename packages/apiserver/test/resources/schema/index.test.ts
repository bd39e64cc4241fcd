import { expect, test } from 'vitest';
import { apiTypes, structType } from '../../../src/resources/schema/index.ts';

test('every field has a known type', () => {
  for (const type of apiTypes.values()) {
    if (type.kind === 'struct') for (const field of type.fields.values()) expect(field.type).toBeDefined();
  }
  expect(structType('core.ServiceSpec').fields.get('ports')).toMatchObject({ patchStrategy: 'merge', patchMergeKey: 'port' });
});

test.each(['core.Protocol', 'core.Nothing', '__proto__'])('structType throws for %s, which is not a struct', (name) =>
  expect(() => structType(name)).toThrow(RangeError),
);
