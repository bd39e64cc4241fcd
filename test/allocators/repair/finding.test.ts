import { expect, it } from 'vitest';
import { createFinding } from '../../../src/allocators/repair/finding.ts';

it('createFinding names the Service and the value', () => {
  const service = { metadata: { namespace: 'shop', name: 'web' } };
  expect(createFinding(service, 'PortOutOfRange', 'far', 80)).toEqual({
    code: 'PortOutOfRange',
    message: 'far',
    namespace: 'shop',
    name: 'web',
    value: '80',
  });
  expect(createFinding({}, 'PortOutOfRange', 'far', 80)).toMatchObject({ namespace: '', name: '' });
});
