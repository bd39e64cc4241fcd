import { describe, expect, it } from 'vitest';
import { endpointPortOf, findPort } from '../../src/spec/port.ts';
import type { Container, Pod, ServicePort } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';

const container = (...ports: [name: string, number: number, protocol?: string][]): Container => ({
  ports: ports.map(([name, containerPort, protocol = 'TCP']) => ({ name, containerPort, protocol })),
});
const sidecar = (restartPolicy: string | null, ...ports: Parameters<typeof container>): Container => ({
  ...container(...ports),
  restartPolicy,
});
const pod: Pod = {
  spec: {
    containers: [
      container(['http', 8080], ['dns', 5353, 'UDP']),
      {},
      { ports: null },
      container(['http', 9090], ['dns', 53], ['admin', 9000]),
    ],
    initContainers: [
      container(['once', 1]),
      sidecar('OnFailure', ['retry', 2]),
      sidecar('Always', ['mesh', 15000], ['http', 1]),
      sidecar('Always', ['mesh', 15001]),
    ],
  },
};

describe('findPort', () => {
  it.each<[string, ServicePort, old: number | undefined, now: number | undefined]>([
    ['a number', { targetPort: 3000, protocol: 'TCP' }, 3000, 3000],
    ['0', { targetPort: 0 }, 0, 0],
    ['none', { port: 80 }, 0, 0],
    ['null', { port: 80, targetPort: null }, 0, 0],
    ['a name, the first container wins', { targetPort: 'http', protocol: 'TCP' }, 8080, 8080],
    ['a name with its protocol', { targetPort: 'dns', protocol: 'UDP' }, 5353, 5353],
    ['a name with the other protocol', { targetPort: 'dns', protocol: 'TCP' }, 53, 53],
    ['a name further on', { targetPort: 'admin', protocol: 'TCP' }, 9000, 9000],
    ['a name of another protocol only', { targetPort: 'admin', protocol: 'UDP' }, undefined, undefined],
    ['a name without protocol', { targetPort: 'http' }, undefined, undefined],
    ['an unknown name', { targetPort: 'nope', protocol: 'TCP' }, undefined, undefined],
    ['a number as text', { targetPort: '8080', protocol: 'TCP' }, undefined, undefined],
    ["a sidecar's", { targetPort: 'mesh', protocol: 'TCP' }, undefined, 15000],
    ["an init container's", { targetPort: 'once', protocol: 'TCP' }, undefined, undefined],
    ["an init container's that is retried", { targetPort: 'retry', protocol: 'TCP' }, undefined, undefined],
  ])('%s', (_, port, old, now) => {
    expect(findPort(pod, port, false)).toBe(old);
    expect(findPort(pod, port, true)).toBe(now);
  });

  it('finds nothing by name in a pod of which nothing is known', () => {
    for (const empty of [{}, { spec: null }, { spec: { containers: null, initContainers: null } }]) {
      expect(findPort(empty, { targetPort: 'http', protocol: 'TCP' }, true)).toBeUndefined();
      expect(findPort(empty, { targetPort: 1 }, true)).toBe(1);
    }
  });

  it('takes an absent protocol, name or number for an empty one', () => {
    const bare: Pod = { spec: { containers: [{ ports: [{ name: 'a' }, { containerPort: 7 }] }] } };
    expect(findPort(bare, { targetPort: 'a' }, true)).toBe(0);
    expect(findPort(bare, { targetPort: 'a', protocol: '' }, true)).toBe(0);
    expect(findPort(bare, { targetPort: '' }, true)).toBe(7);
    expect(findPort(bare, { targetPort: 'a', protocol: 'TCP' }, true)).toBeUndefined();
  });
});

describe('endpointPortOf', () => {
  it.each<[ServicePort, object, object]>([
    [
      { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'https' },
      { name: 'http', port: 1, protocol: 'TCP' },
      { name: 'http', port: 1, protocol: 'TCP', appProtocol: 'https' },
    ],
    [{ name: '', protocol: '', appProtocol: '' }, { port: 1 }, { port: 1, appProtocol: '' }],
    [{ name: null, protocol: null, appProtocol: null }, { port: 1 }, { port: 1 }],
    [{}, { port: 1 }, { port: 1 }],
  ])('%j: %j in 1.18, %j in 1.19', (port, old, now) => {
    expect(JSON.stringify(endpointPortOf(port, 1, profileFor('1.18')))).toBe(JSON.stringify(old));
    expect(JSON.stringify(endpointPortOf(port, 1, profileFor('1.19')))).toBe(JSON.stringify(now));
  });
});
