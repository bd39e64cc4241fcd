import { describe, expect, it } from 'vitest';
import { createEndpointPort, findPort } from '../../src/spec/port.ts';
import type { Pod, ServicePort } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';

describe('findPort', () => {
  it('finds no named port in a pod without containers', () => {
    for (const empty of [{}, { spec: null }, { spec: { containers: null, initContainers: null } }]) {
      expect(findPort(empty, { targetPort: 'http', protocol: 'TCP' }, true)).toBeUndefined();
      expect(findPort(empty, { targetPort: 1 }, true)).toBe(1);
    }
  });

  it('treats an absent protocol, name or number as empty', () => {
    const pod: Pod = { spec: { containers: [{ ports: [{ name: 'a' }, { containerPort: 7 }] }] } };
    expect(findPort(pod, { targetPort: 'a' }, true)).toBe(0);
    expect(findPort(pod, { targetPort: 'a', protocol: '' }, true)).toBe(0);
    expect(findPort(pod, { targetPort: '' }, true)).toBe(7);
    expect(findPort(pod, { targetPort: 'a', protocol: 'TCP' }, true)).toBeUndefined();
  });
});

describe('createEndpointPort', () => {
  it.each<[ServicePort, object, object]>([
    [
      { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'https' },
      { name: 'http', port: 1, protocol: 'TCP' },
      { name: 'http', port: 1, protocol: 'TCP', appProtocol: 'https' },
    ],
    [{ name: '', protocol: '', appProtocol: '' }, { port: 1 }, { port: 1, appProtocol: '' }],
    [{ name: null, protocol: null, appProtocol: null }, { port: 1 }, { port: 1 }],
    [{}, { port: 1 }, { port: 1 }],
  ])('creates from %j: %j in 1.18, %j in 1.19', (port, expected118, expected119) => {
    expect(JSON.stringify(createEndpointPort(port, 1, profileFor('1.18')))).toBe(JSON.stringify(expected118));
    expect(JSON.stringify(createEndpointPort(port, 1, profileFor('1.19')))).toBe(JSON.stringify(expected119));
  });
});
