import { expect, test } from 'vitest';
import { reverseName } from '../../src/reports/resolve.ts';

test.each([
  ['10.96.0.1', '1.0.96.10.in-addr.arpa.'],
  ['fd00::a', `a.${'0.'.repeat(27)}0.0.d.f.ip6.arpa.`],
])('%s', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
