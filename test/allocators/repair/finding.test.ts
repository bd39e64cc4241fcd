import { expect, it } from 'vitest';
import { findingOn } from '../../../src/allocators/repair/finding.ts';

it('findingOn names the Service and the value', () => {
  const where = { metadata: { namespace: 'shop', name: 'web' } };
  expect(findingOn(where, 'PortOutOfRange', 'far', 80)).toEqual({
    code: 'PortOutOfRange',
    message: 'far',
    namespace: 'shop',
    name: 'web',
    value: '80',
  });
  expect(findingOn({}, 'PortOutOfRange', 'far', 80)).toMatchObject({ namespace: '', name: '' });
});
