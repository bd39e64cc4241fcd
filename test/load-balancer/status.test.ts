import { describe, expect, it } from 'vitest';
import { CloudError, readStatus } from '../../src/load-balancer/index.ts';
import { isSameStatus } from '../../src/load-balancer/status.ts';

describe('readStatus', () => {
  it('returns a copy with the fields that the API defines', () => {
    const answer = {
      ingress: [
        { ip: '203.0.113.1', ipMode: 'Proxy', ports: [{ port: 80, protocol: 'TCP', error: 'example.com/busy', more: 1 }], zone: 'a' },
        { hostname: 'lb.example.com', ip: '', ports: [] },
        { ip: '2001:db8::1', hostname: null },
      ],
      id: 7,
    };
    const status = readStatus(answer);
    expect(status).toEqual({
      ingress: [
        { ip: '203.0.113.1', ipMode: 'Proxy', ports: [{ port: 80, protocol: 'TCP', error: 'example.com/busy' }] },
        { hostname: 'lb.example.com' },
        { ip: '2001:db8::1' },
      ],
    });
    expect(status.ingress).not.toBe(answer.ingress);
  });

  it('accepts a load balancer without an address', () => {
    for (const answer of [{}, { ingress: null }, { ingress: [] }]) expect(readStatus(answer)).toEqual({});
  });

  it.each<[string, unknown]>([
    ['status must be an object, got undefined', undefined],
    ['status must be an object, got null', null],
    ['status must be an object, got "203.0.113.1"', '203.0.113.1'],
    ['status must be an object, got a list', [{ ip: '203.0.113.1' }]],
    ['status must be an object, got 7', 7],
    ['status.ingress must be a list, got an object', { ingress: { ip: '203.0.113.1' } }],
    ['status.ingress must be a list, got false', { ingress: false }],
    ['status.ingress[1] must be an object, got null', { ingress: [{}, null] }],
    ['status.ingress[0].ip must be a string, got 7', { ingress: [{ ip: 7 }] }],
    ['status.ingress[0].ip must be an IP address, got "203.0.113.256"', { ingress: [{ ip: '203.0.113.256' }] }],
    ['status.ingress[0].ip must be an IP address, got "lb.example.com"', { ingress: [{ ip: 'lb.example.com' }] }],
    ['status.ingress[0].hostname must be a lowercase DNS name, got "LB.example.com"', { ingress: [{ hostname: 'LB.example.com' }] }],
    ['status.ingress[0].hostname must be a lowercase DNS name, got "203.0.113.1"', { ingress: [{ hostname: '203.0.113.1' }] }],
    ['status.ingress[0].hostname must be a lowercase DNS name, got "-a"', { ingress: [{ hostname: '-a' }] }],
    ['status.ingress[0].ipMode must be "VIP" or "Proxy", got "vip"', { ingress: [{ ip: '203.0.113.1', ipMode: 'vip' }] }],
    ['status.ingress[0].ipMode must be absent without an ip, got "VIP"', { ingress: [{ hostname: 'a', ipMode: 'VIP' }] }],
    ['status.ingress[0].ports must be a list, got "80"', { ingress: [{ ports: '80' }] }],
    ['status.ingress[0].ports[0].port must be a port from 1 to 65535, got 0', { ingress: [{ ports: [{ port: 0, protocol: 'TCP' }] }] }],
    ['status.ingress[0].ports[0].port must be a port from 1 to 65535, got "80"', { ingress: [{ ports: [{ port: '80' }] }] }],
    [
      'status.ingress[0].ports[0].protocol must be "TCP", "UDP" or "SCTP", got "tcp"',
      { ingress: [{ ports: [{ port: 8, protocol: 'tcp' }] }] },
    ],
    ['status.ingress[0].ports[0].error must be a string, got 1', { ingress: [{ ports: [{ port: 8, protocol: 'TCP', error: 1 }] }] }],
  ])('refuses an invalid status: %s', (text, answer) => {
    expect(() => readStatus(answer)).toThrow(new CloudError('Failed', `the cloud returned an invalid load balancer status: ${text}`));
  });

  it('truncates a long value in the message', () => {
    expect(() => readStatus('x'.repeat(5000))).toThrow(
      /^the cloud returned an invalid load balancer status: status must be an object, got "x{59}\.\.\.$/,
    );
  });
});

describe('isSameStatus', () => {
  it('treats absent and empty fields as equal, and compares the order', () => {
    const [a, b] = [{ ip: '203.0.113.1' }, { hostname: 'lb.example.com' }];
    expect(isSameStatus(undefined, { ingress: [] })).toBe(true);
    expect(isSameStatus(null, { ingress: null })).toBe(true);
    expect(isSameStatus({ ingress: [{ ...a, hostname: '', ports: [] }] }, { ingress: [a] })).toBe(true);
    expect(isSameStatus({ ingress: [a, b] }, { ingress: [b, a] })).toBe(false);
    expect(isSameStatus({ ingress: [a] }, {})).toBe(false);
  });

  it('treats an absent ipMode as VIP, as the API server does', () => {
    const ip = '203.0.113.1';
    expect(isSameStatus({ ingress: [{ ip, ipMode: 'VIP' }] }, { ingress: [{ ip }] })).toBe(true);
    expect(isSameStatus({ ingress: [{ ip, ipMode: 'Proxy' }] }, { ingress: [{ ip }] })).toBe(false);
  });

  it('compares ports', () => {
    const ip = '203.0.113.1';
    const withPort = (error?: string) => ({ ingress: [{ ip, ports: [{ port: 80, protocol: 'TCP', ...(error && { error }) }] }] });
    expect(isSameStatus(withPort(), withPort())).toBe(true);
    expect(isSameStatus(withPort(), withPort('example.com/busy'))).toBe(false);
    expect(isSameStatus(withPort(), { ingress: [{ ip }] })).toBe(false);
  });
});
