import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import {
  countConditions,
  formatConditions,
  formatHints,
  formatSliceEndpoints,
  formatSliceName,
  formatSlicePort,
  formatSlicePorts,
} from '../../src/print/slices.ts';

test.each<[EndpointSliceInput['ports'], string]>([
  [null, '<unset>'],
  [[], '<unset>'],
  [[{ port: 80 }, { port: 443 }], '80,443'],
  [[{ name: 'all' }, { port: null }], '*,*'],
  [[{ port: 1 }, { port: 2 }, { port: 3 }, { port: 4 }, { port: 5 }], '1,2,3 + 2 more...'],
])('formatSlicePorts formats %j as %s', (ports, text) => {
  expect(formatSlicePorts(ports)).toBe(text);
});

test.each<[EndpointSliceInput['endpoints'], string]>([
  [undefined, '<unset>'],
  [[], '<unset>'],
  [[{ addresses: ['10.0.0.1', '10.0.0.2'] }, { addresses: null }, { addresses: ['fd00::1'] }], '10.0.0.1,10.0.0.2,fd00::1'],
  [[1, 2, 3, 4].map((n) => ({ addresses: [`10.0.0.${n}`] })), '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...'],
])('formatSliceEndpoints formats %j as %s', (endpoints, text) => {
  expect(formatSliceEndpoints({ endpoints })).toBe(text);
});

test.each([
  [{ name: 'http', port: 80, protocol: 'TCP' }, 'http:80/TCP'],
  [{ name: '', port: 80 }, '80'],
  [{ port: null, protocol: 'TCP' }, 'all/TCP'],
  [{ port: 80, appProtocol: 'h2' }, '80 appProtocol h2'],
  [{ port: 80, appProtocol: '' }, '80 appProtocol ""'],
])('formatSlicePort formats %j as %s', (port, text) => {
  expect(formatSlicePort(port)).toBe(text);
});

describe('endpoint conditions', () => {
  test.each([
    [null, 'ready unknown'],
    [{}, 'ready unknown'],
    [{ ready: true }, 'ready'],
    [{ ready: false }, 'not ready'],
    [{ ready: true, serving: true, terminating: false }, 'ready'],
    [{ ready: false, serving: false, terminating: false }, 'not ready'],
    [{ ready: false, serving: true, terminating: true }, 'terminating, serving'],
    [{ ready: false, serving: false, terminating: true }, 'terminating'],
    [{ ready: true, serving: false, terminating: false }, 'ready, not serving'],
    [{ ready: true, serving: true, terminating: true }, 'ready, terminating'],
    [{ ready: null, serving: true }, 'ready unknown, serving'],
  ])('are formatted from %j as %s', (conditions, text) => {
    expect(formatConditions(conditions)).toBe(text);
  });

  test('are counted with the defaults that consumers apply to unset ones', () => {
    const endpoints = [
      {},
      { conditions: { ready: false } },
      { conditions: { ready: false, serving: true, terminating: true } },
      { conditions: { ready: true, serving: false } },
    ];
    expect(countConditions(endpoints)).toEqual({ ready: 2, serving: 2, terminating: 1 });
  });
});

test.each([
  [null, ''],
  [{}, ''],
  [{ forZones: [{ name: 'a' }, { name: '' }] }, 'a,""'],
  [{ forZones: [{ name: 'a' }], forNodes: [{ name: 'n1' }] }, 'a,node n1'],
])('formatHints formats %j as %s', (hints, text) => {
  expect(formatHints(hints)).toBe(text);
});

test('formatSliceName returns the name of a slice, or its generateName with an asterisk', () => {
  expect(formatSliceName({ metadata: { name: 'web-1', generateName: 'web-' } as EndpointSliceInput['metadata'] })).toBe('web-1');
  expect(formatSliceName({ metadata: { generateName: 'web-' } as EndpointSliceInput['metadata'] })).toBe('web-*');
  expect(formatSliceName({})).toBe('*');
});
