import { describe, expect, it } from 'vitest';
import { parseServer } from '../../../src/client-node/transport/exchange.ts';

describe('the address of a server', () => {
  it.each([
    ['https://10.96.0.1', { isTls: true, host: '10.96.0.1', port: 443, authority: '10.96.0.1', prefix: '' }],
    ['https://api.example.com:6443/', { isTls: true, host: 'api.example.com', port: 6443, authority: 'api.example.com:6443', prefix: '' }],
    ['https://[fd00::1]:6443', { isTls: true, host: 'fd00::1', port: 6443, authority: '[fd00::1]:6443', prefix: '' }],
    ['https://rancher/k8s/clusters/c-1/', { isTls: true, host: 'rancher', port: 443, authority: 'rancher', prefix: '/k8s/clusters/c-1' }],
    ['http://localhost:8080', { isTls: false, host: 'localhost', port: 8080, authority: 'localhost:8080', prefix: '' }],
    ['localhost:8080', { isTls: false, host: 'localhost', port: 8080, authority: 'localhost:8080', prefix: '' }],
  ])('%s', (server, expected) => {
    expect(parseServer(server)).toEqual(expected);
  });

  it.each(['', 'https://', 'ftp://a', 'unix:///run/api'])('is refused: %j', (server) => {
    expect(() => parseServer(server)).toThrow('is no address such as');
  });
});
