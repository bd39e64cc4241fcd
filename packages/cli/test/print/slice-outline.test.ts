import type { EndpointSliceInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { outlineSlice } from '../../src/print/outline.ts';

const slice: EndpointSliceInput = {
  metadata: { labels: { b: '2', a: '' }, annotations: { skip: 'x' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  endpoints: [
    {
      addresses: ['10.0.0.1', '10.0.0.2'],
      conditions: { ready: true, serving: true, terminating: false },
      hostname: 'h',
      nodeName: 'n1',
      zone: 'a',
      targetRef: { kind: 'Pod', namespace: 'shop', name: 'web-a', uid: 'u' },
      hints: { forZones: [{ name: 'b' }] },
    },
    { addresses: [], conditions: null },
  ],
};

test('outlineSlice shows labels, type, ports and one endpoint per line in brief', () => {
  expect(outlineSlice(slice, 'brief', ['skip'])).toEqual([
    'labels:',
    '  a: ""',
    '  b: 2',
    'address type IPv4',
    'port http:80/TCP',
    'endpoint 10.0.0.1,10.0.0.2 web-a hostname h on n1 in a ready hints b',
    'endpoint without address ready unknown',
  ]);
});

test('outlineSlice shows targets and conditions in full', () => {
  expect(outlineSlice(slice, 'full', ['skip']).slice(-2)).toEqual([
    'endpoint 10.0.0.1,10.0.0.2 web-a hostname h on n1 kind Pod namespace shop uid u in a ready=true serving=true terminating=false hints b',
    'endpoint without address ready=unknown serving=unknown terminating=unknown',
  ]);
});

test.each<EndpointSliceInput>([{}, { metadata: null, endpoints: null, ports: null, addressType: null }])(
  'outlineSlice returns no lines for %j',
  (empty) => {
    expect(outlineSlice(empty, 'full', [])).toEqual([]);
  },
);
