import type { Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createFixedSource, createPodDirectory } from '../../../src/live/webhook/pods.ts';

const pod = (namespace: string, name: string, ...ips: readonly string[]): Pod => ({
  metadata: { namespace, name, labels: { app: name.slice(0, -2) } },
  status: { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) },
});

const directory = createPodDirectory(
  createFixedSource([
    pod('shop', 'web-1', '10.0.0.1'),
    pod('shop', 'web-2', '10.0.0.2', 'fd00::2'),
    pod('shop', 'api-1', '10.0.0.3'),
    pod('bank', 'web-1', '10.0.0.9'),
  ]),
);
const service = { metadata: { namespace: 'shop', name: 'web' }, spec: { selector: { app: 'web' } } };
const metadata = { namespace: 'shop', name: 'web' };
const endpointsOf = (...ips: readonly string[]) => ({ metadata, subsets: [{ addresses: ips.map((ip) => ({ ip })) }] });
const names = (pods: readonly Pod[]): readonly string[] =>
  pods.map(({ metadata: podMetadata }) => `${podMetadata?.namespace}/${podMetadata?.name}`);

describe('createPodDirectory', () => {
  test('finds the pods that the Service selects in its namespace', () => {
    expect(names(directory.podsOf(endpointsOf(), service))).toEqual(['shop/web-1', 'shop/web-2']);
    expect(names(directory.podsOf(endpointsOf(), undefined))).toEqual([]);
  });

  test.each([
    ['10.0.0.3', ['shop/api-1']],
    ['10.0.0.9', ['bank/web-1']],
    ['fd00:0:0::2', ['shop/web-2']],
    ['::ffff:10.0.0.9', ['bank/web-1']],
    ['10.0.0.8', []],
    ['nonsense', []],
  ])('finds the pod with the address %s, in any namespace', (ip, expected) => {
    expect(names(directory.podsOf(endpointsOf(ip), undefined))).toEqual(expected);
    expect(names(directory.podsOf({ metadata, addressType: 'IPv4', endpoints: [{ addresses: [ip] }] }, undefined))).toEqual(expected);
    expect(names(directory.podsOf({ metadata, subsets: [{ notReadyAddresses: [{ ip }] }] }, undefined))).toEqual(expected);
  });
});
