import { describe, expect, it } from 'vitest';
import { CloudError, readStatus } from '../../src/load-balancer/index.ts';
import { sameStatus } from '../../src/load-balancer/status.ts';

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
    ['status has to be an object, not undefined', undefined],
    ['status has to be an object, not null', null],
    ['status has to be an object, not "203.0.113.1"', '203.0.113.1'],
    ['status has to be an object, not a list', [{ ip: '203.0.113.1' }]],
    ['status has to be an object, not 7', 7],
    ['status.ingress has to be a list, not an object', { ingress: { ip: '203.0.113.1' } }],
    ['status.ingress has to be a list, not false', { ingress: false }],
    ['status.ingress[1] has to be an object, not null', { ingress: [{}, null] }],
    ['status.ingress[0].ip has to be a text, not 7', { ingress: [{ ip: 7 }] }],
    ['status.ingress[0].ip has to be an IP address, not "203.0.113.256"', { ingress: [{ ip: '203.0.113.256' }] }],
    ['status.ingress[0].ip has to be an IP address, not "lb.example.com"', { ingress: [{ ip: 'lb.example.com' }] }],
    ['status.ingress[0].hostname has to be a DNS name in lower case, not "LB.example.com"', { ingress: [{ hostname: 'LB.example.com' }] }],
    ['status.ingress[0].hostname has to be a DNS name in lower case, not "203.0.113.1"', { ingress: [{ hostname: '203.0.113.1' }] }],
    ['status.ingress[0].hostname has to be a DNS name in lower case, not "-a"', { ingress: [{ hostname: '-a' }] }],
    ['status.ingress[0].ipMode has to be "VIP" or "Proxy", not "vip"', { ingress: [{ ip: '203.0.113.1', ipMode: 'vip' }] }],
    ['status.ingress[0].ipMode has to be absent where there is no ip, not "VIP"', { ingress: [{ hostname: 'a', ipMode: 'VIP' }] }],
    ['status.ingress[0].ports has to be a list, not "80"', { ingress: [{ ports: '80' }] }],
    ['status.ingress[0].ports[0].port has to be a port from 1 to 65535, not 0', { ingress: [{ ports: [{ port: 0, protocol: 'TCP' }] }] }],
    ['status.ingress[0].ports[0].port has to be a port from 1 to 65535, not "80"', { ingress: [{ ports: [{ port: '80' }] }] }],
    [
      'status.ingress[0].ports[0].protocol has to be "TCP", "UDP" or "SCTP", not "tcp"',
      { ingress: [{ ports: [{ port: 8, protocol: 'tcp' }] }] },
    ],
    ['status.ingress[0].ports[0].error has to be a text, not 1', { ingress: [{ ports: [{ port: 8, protocol: 'TCP', error: 1 }] }] }],
  ])('refuses what is malformed: %s', (text, answer) => {
    expect(() => readStatus(answer)).toThrow(new CloudError('Failed', `the cloud's answer is malformed: ${text}`));
  });

  it('truncates a long value in the message', () => {
    expect(() => readStatus('x'.repeat(5000))).toThrow(/^the cloud's answer is malformed: status has to be an object, not "x{59}\.\.\.$/);
  });
});

describe('sameStatus', () => {
  it('treats absent and empty fields as equal, and compares the order', () => {
    const [a, b] = [{ ip: '203.0.113.1' }, { hostname: 'lb.example.com' }];
    expect(sameStatus(undefined, { ingress: [] })).toBe(true);
    expect(sameStatus(null, { ingress: null })).toBe(true);
    expect(sameStatus({ ingress: [{ ...a, hostname: '', ports: [] }] }, { ingress: [a] })).toBe(true);
    expect(sameStatus({ ingress: [a, b] }, { ingress: [b, a] })).toBe(false);
    expect(sameStatus({ ingress: [a] }, {})).toBe(false);
  });

  it('treats an absent ipMode as VIP, as the API server does', () => {
    const ip = '203.0.113.1';
    expect(sameStatus({ ingress: [{ ip, ipMode: 'VIP' }] }, { ingress: [{ ip }] })).toBe(true);
    expect(sameStatus({ ingress: [{ ip, ipMode: 'Proxy' }] }, { ingress: [{ ip }] })).toBe(false);
  });

  it('compares ports', () => {
    const of = (error?: string) => ({ ingress: [{ ip: '203.0.113.1', ports: [{ port: 80, protocol: 'TCP', ...(error && { error }) }] }] });
    expect(sameStatus(of(), of())).toBe(true);
    expect(sameStatus(of(), of('example.com/busy'))).toBe(false);
    expect(sameStatus(of(), { ingress: [{ ip: '203.0.113.1' }] })).toBe(false);
  });
});
