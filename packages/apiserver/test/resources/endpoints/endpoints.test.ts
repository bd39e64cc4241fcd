import { expect, test } from 'vitest';
import { endpoints, validateAppProtocol, validateProtocol } from '../../../src/resources/endpoints/endpoints.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const metadata = { name: 'a', namespace: 'b' };
const invalidEndpoints = {
  metadata,
  subsets: [
    {},
    {
      addresses: [{ ip: 'x' }],
      ports: [
        { port: 1, protocol: 'TCP' },
        { port: 0, name: 'A', protocol: 'X' },
      ],
    },
  ],
};

test('Endpoints validation requires valid addresses and ports', () => {
  expect(fieldsOf(reportedCauses((causes) => endpoints.strategy.validate(invalidEndpoints, causes)))).toEqual([
    'subsets[0]',
    'subsets[1].addresses[0].ip',
    'subsets[1].addresses[0].ip',
    'subsets[1].ports[0].name',
    'subsets[1].ports[1].name',
    'subsets[1].ports[1].port',
    'subsets[1].ports[1].protocol',
  ]);
});

test('an update of Endpoints may keep invalid subsets', () => {
  const lines = reportedCauses((causes) => endpoints.strategy.validateUpdate(invalidEndpoints, invalidEndpoints, causes));
  expect(fieldsOf(lines)).toEqual(['metadata.resourceVersion']);
});

test('the table shows three endpoints and counts the rest', () => {
  const cell = (subsets: unknown): unknown => endpoints.cells({ subsets }, new Date())[1];
  const addresses = ['10.0.0.1', 'fd00::1'].map((ip) => ({ ip }));
  expect(cell([])).toBe('<none>');
  expect(cell([{ addresses }])).toBe('10.0.0.1,fd00::1');
  expect(cell([{ addresses, ports: [{ port: 1 }, { port: 2 }] }])).toBe('10.0.0.1:1,[fd00::1]:1,10.0.0.1:2 + 1 more...');
});

test('Endpoints with non-canonical addresses cause warnings, except from the controller', () => {
  const subsets = [{ notReadyAddresses: [{ ip: 'FD00::1' }] }];
  const labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
  expect(endpoints.strategy.warnings?.({ subsets })).toHaveLength(1);
  expect(endpoints.strategy.warnings?.({ metadata: { labels }, subsets })).toEqual([]);
});

test('validateProtocol and validateAppProtocol report invalid values', () => {
  expect(reportedCauses((causes) => validateProtocol('', 'f', causes))).toEqual(['FieldValueRequired f: Required value']);
  expect(reportedCauses((causes) => validateAppProtocol({ appProtocol: 'a b' }, 'f', causes))).toHaveLength(1);
});
