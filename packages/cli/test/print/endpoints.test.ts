import { expect, test } from 'vitest';
import { formatEndpoints } from '../../src/print/endpoints.ts';

const addressesOf = (...ips: string[]) => ips.map((ip) => ({ ip }));

test.each([
  ['no subsets', [], '<none>'],
  ['only addresses that are not ready', [{ notReadyAddresses: addressesOf('10.0.0.1'), ports: [{ port: 80 }] }], '<none>'],
  ['no ports', [{ addresses: addressesOf('10.0.0.1', '10.0.0.2') }], '10.0.0.1,10.0.0.2'],
  ['IPv6', [{ addresses: addressesOf('fd00::1'), ports: [{ port: 80 }] }], '[fd00::1]:80'],
  [
    'three addresses',
    [{ addresses: addressesOf('1.1.1.1'), ports: [{ port: 1 }, { port: 2 }, { port: 3 }] }],
    '1.1.1.1:1,1.1.1.1:2,1.1.1.1:3',
  ],
  [
    'more than three addresses',
    [
      { addresses: addressesOf('1.1.1.1', '1.1.1.2'), ports: [{ port: 1 }, { port: 2 }] },
      { addresses: addressesOf('1.1.1.3'), ports: [{ port: 3 }] },
    ],
    '1.1.1.1:1,1.1.1.2:1,1.1.1.1:2 + 2 more...',
  ],
])('formatEndpoints formats Endpoints with %s', (_, subsets, expected) => {
  expect(formatEndpoints({ subsets })).toBe(expected);
});
