import type { EndpointAddressInput, EndpointPortInput, EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { outlineEndpoints } from '../../src/print/outline.ts';

describe('the outline of labels and annotations', () => {
  test('sorts keys, quotes empty values and omits skipped keys', () => {
    const metadata = { labels: { b: '2', a: '', B: 'x' }, annotations: { 'x/y': 'z', skip: '1' } };
    expect(outlineEndpoints({ metadata }, 'brief', ['skip'])).toEqual([
      'labels:',
      '  B: x',
      '  a: ""',
      '  b: 2',
      'annotations:',
      '  x/y: z',
    ]);
  });

  test.each<[string, EndpointsInput]>([
    ['absent', {}],
    ['null', { metadata: null, subsets: null }],
    ['empty', { metadata: { labels: {}, annotations: null }, subsets: [] }],
    ['completely skipped', { metadata: { labels: { skip: 'x' }, annotations: { skip: 'x' } } }],
  ])('has no lines for metadata that is %s', (_, endpoints) => {
    expect(outlineEndpoints(endpoints, 'full', ['skip'])).toEqual([]);
  });

  test('treats __proto__ like any other key', () => {
    expect(outlineEndpoints({ metadata: { labels: JSON.parse('{"__proto__": "x"}') } }, 'brief', [])).toEqual([
      'labels:',
      '  __proto__: x',
    ]);
  });
});

test('the outline numbers subsets and keeps the order of ports, ready and not-ready addresses', () => {
  const subsets = [
    { addresses: [{ ip: '2.2.2.2' }, { ip: '1.1.1.1' }], notReadyAddresses: [{ ip: '3.3.3.3' }], ports: [{ port: 2 }, { port: 1 }] },
    { addresses: null, ports: null },
  ];
  expect(outlineEndpoints({ subsets }, 'brief', [])).toEqual([
    'subset 1:',
    '  port 2',
    '  port 1',
    '  ready 2.2.2.2',
    '  ready 1.1.1.1',
    '  not ready 3.3.3.3',
    'subset 2:',
  ]);
});

describe('the outline of a port', () => {
  test.each<[EndpointPortInput, string]>([
    [{ port: 80 }, '80'],
    [{ name: 'http', port: 80, protocol: 'TCP' }, 'http:80/TCP'],
    [{ name: '', port: 53, protocol: 'UDP' }, '53/UDP'],
    [{ port: null, protocol: null, name: null, appProtocol: null }, '0'],
    [{ port: 80, appProtocol: 'h2c' }, '80 appProtocol h2c'],
    [{ port: 80, appProtocol: '' }, '80 appProtocol ""'],
  ])('formats %j', (port, text) => {
    expect(outlineEndpoints({ subsets: [{ ports: [port] }] }, 'brief', [])).toEqual(['subset 1:', `  port ${text}`]);
  });
});

describe('the outline of an address', () => {
  const target = { kind: 'Pod', namespace: 'shop', name: 'web-a', uid: 'u1' };
  test.each<[EndpointAddressInput, string, string]>([
    [{ ip: '10.0.0.1' }, '10.0.0.1', '10.0.0.1'],
    [{ ip: '10.0.0.1', nodeName: '' }, '10.0.0.1', '10.0.0.1 nodeName ""'],
    [{ ip: '10.0.0.1', nodeName: null, hostname: null, targetRef: null }, '10.0.0.1', '10.0.0.1'],
    [
      { ip: '10.0.0.1', hostname: 'h', nodeName: 'n', targetRef: target },
      '10.0.0.1 web-a hostname h on n',
      '10.0.0.1 web-a hostname h on n kind Pod namespace shop uid u1',
    ],
    [{ ip: '10.0.0.1', targetRef: { kind: 'Node', name: 'n' } }, '10.0.0.1 Node n', '10.0.0.1 Node n kind Node'],
    [{ ip: '10.0.0.1', targetRef: { kind: 'Pod' } }, '10.0.0.1 Pod', '10.0.0.1 Pod kind Pod'],
    [{ ip: '10.0.0.1', targetRef: {} }, '10.0.0.1', '10.0.0.1'],
    [
      { ip: '10.0.0.1', targetRef: { ...target, apiVersion: 'v1', resourceVersion: '7', fieldPath: 'f' } },
      '10.0.0.1 web-a',
      '10.0.0.1 web-a kind Pod namespace shop uid u1 apiVersion v1 resourceVersion 7 fieldPath f',
    ],
  ])('formats %j', (address, brief, full) => {
    const line = (detail: 'brief' | 'full') => outlineEndpoints({ subsets: [{ addresses: [address] }] }, detail, [])[1];
    expect([line('brief'), line('full')]).toEqual([`  ready ${brief}`, `  ready ${full}`]);
  });
});
