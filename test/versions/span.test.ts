import { describe, expect, it } from 'vitest';
import { gates } from '../../src/versions/index.ts';
import { spanOf } from '../../src/versions/span.ts';

describe('spanOf', () => {
  it.each([
    { name: 'addressCanonicalized', open: true, version: '1.37', expected: { since: '1.33' } },
    { name: 'addressCanonicalized', open: false, version: '1.20', expected: { until: '1.32' } },
    { name: 'terminalPodsExcluded', open: true, version: '1.30', expected: { since: '1.25' } },
    { name: 'terminalPodsExcluded', open: true, version: '1.23', expected: { since: '1.23.8' } },
    { name: 'terminalPodsExcluded', open: true, version: '1.24.2', expected: { since: '1.24.2' } },
    { name: 'terminalPodsExcluded', open: false, version: '1.24.1', expected: { until: '1.24.1' } },
    { name: 'terminalPodsExcluded', open: false, version: '1.22.3', expected: { until: '1.22.10' } },
    { name: 'terminalPodsExcluded', open: false, version: '1.21', expected: { until: '1.24.1' } },
    { name: 'headlessLabelNotCompared', open: false, version: '1.18.3', expected: { until: '1.18.9' } },
    { name: 'emptyIPFamiliesPanic', open: true, version: '1.35.0', expected: { since: '1.33', until: '1.35.5' } },
    { name: 'emptyIPFamiliesPanic', open: true, version: '1.33.1', expected: { since: '1.33', until: '1.33.12' } },
    { name: 'emptyIPFamiliesPanic', open: true, version: '1.36.1', expected: { since: '1.33', until: '1.36.1' } },
    { name: 'emptyIPFamiliesPanic', open: false, version: '1.30', expected: { until: '1.32' } },
    { name: 'appProtocolPrinted', open: false, version: '1.17', expected: { until: '1.17' } },
  ] as const)('for $name in $version (open: $open), returns $expected', ({ name, open, version, expected }) => {
    expect(spanOf(gates[name], open, version)).toEqual(expected);
  });
});
