import { expect, it } from 'vitest';
import { roleTexts } from '../../src/trace/address-role.ts';

it('every role has a text', () => {
  expect(Object.keys(roleTexts)).toEqual(['cluster', 'external', 'loadBalancer', 'nodePort']);
});
