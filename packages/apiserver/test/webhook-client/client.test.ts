import { expect, it } from 'vitest';
import { readClientConfig } from '../../src/webhook-client/client.ts';

it.each([
  ['https://hook.example.com', 'hook.example.com', '/'],
  ['https://hook.example.com:8443/a/b', 'hook.example.com:8443', '/a/b'],
  ['https://[::1]:8443/a/', '[::1]:8443', '/a'],
  ['https://10.0.0.1//a/../b/./c//', '10.0.0.1', '/b/c'],
  ['https://10.0.0.1/a%20b/%63', '10.0.0.1', '/a%20b/c'],
  ['https://10.0.0.1/%3F%23', '10.0.0.1', '/%3F%23'],
  ['https://10.0.0.1/%', '10.0.0.1', '/%25'],
])('readClientConfig splits the URL %s into host %s and path %s', (url, host, path) => {
  expect(readClientConfig({ url })).toEqual({ host, path });
});

it('readClientConfig uses the cluster DNS name of a Service as host', () => {
  expect(readClientConfig({ service: { namespace: 'shop', name: 'hook' } })).toEqual({
    host: 'hook.shop.svc:443',
    path: '/',
    service: { namespace: 'shop', name: 'hook', port: 443 },
  });
  expect(readClientConfig({ service: { namespace: 'shop', name: 'hook', path: '/a/', port: 8443 } })).toMatchObject({
    host: 'hook.shop.svc:8443',
    path: '/a',
    service: { port: 8443 },
  });
});

it('readClientConfig decodes caBundle and omits it if empty', () => {
  expect(readClientConfig({ url: 'https://a', caBundle: Buffer.from('PEM').toString('base64') })).toHaveProperty('authorities', 'PEM');
  expect(readClientConfig({ url: 'https://a', caBundle: '' })).not.toHaveProperty('authorities');
});
