import { expect, it } from 'vitest';
import { describeNetworkError } from '../../../src/admission/webhooks/network-errors.ts';

const failing = (code: string, more: object = {}, message: string = 'in Node’s words'): Error =>
  Object.assign(new Error(message), { code, ...more });
const to = { host: 'hook.example.com', port: 8443 };
const unverified = 'tls: failed to verify certificate: x509: ';

it.each([
  [failing('ECONNREFUSED', { address: '127.0.0.1', port: 1 }), 'dial tcp 127.0.0.1:1: connect: connection refused'],
  [failing('ECONNREFUSED', { address: '::1', port: 1 }), 'dial tcp [::1]:1: connect: connection refused'],
  [failing('ETIMEDOUT'), 'dial tcp hook.example.com:8443: connect: connection timed out'],
  [failing('EHOSTUNREACH'), 'dial tcp hook.example.com:8443: connect: no route to host'],
  [failing('ENETUNREACH'), 'dial tcp hook.example.com:8443: connect: network is unreachable'],
  [failing('ENOTFOUND'), 'dial tcp: lookup hook.example.com: no such host'],
  [failing('EAI_AGAIN'), 'dial tcp: lookup hook.example.com: Temporary failure in name resolution'],
  [failing('ECONNRESET', {}, 'socket hang up'), 'EOF'],
  [failing('ECONNRESET', {}, 'read ECONNRESET'), 'read tcp hook.example.com:8443: read: connection reset by peer'],
  [failing('EPIPE'), 'EOF'],
  [failing('DEPTH_ZERO_SELF_SIGNED_CERT'), `${unverified}certificate signed by unknown authority`],
  [failing('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), `${unverified}certificate signed by unknown authority`],
  [failing('CERT_NOT_YET_VALID'), `${unverified}certificate has expired or is not yet valid`],
  [failing('EPROTO', {}, 'SSL routines: wrong version number: file.c:77:\n'), 'http: server gave HTTP response to HTTPS client'],
  [failing('EPROTO', {}, 'SSL alert number 40\nand more'), 'SSL alert number 40'],
  [failing('ESOMETHING'), 'in Node’s words'],
  [failing('constructor'), 'in Node’s words'],
  [new Error('no code'), 'no code'],
])('%s is reported with the message of Go', (error, expected) => {
  expect(describeNetworkError(error, to)).toBe(expected);
});

it.each([
  ['DNS:a.example.com, DNS:b.example.com, IP Address:10.0.0.1', 'hook', 'certificate is valid for a.example.com, b.example.com, not hook'],
  ['IP Address:10.0.0.1', 'hook', 'certificate is not valid for any names, but wanted to match hook'],
  [
    'DNS:a.example.com, IP Address:10.0.0.1, IP Address:10.0.0.2',
    '127.0.0.1',
    'certificate is valid for 10.0.0.1, 10.0.0.2, not 127.0.0.1',
  ],
  ['DNS:a.example.com', '::1', "cannot validate certificate for ::1 because it doesn't contain any IP SANs"],
])('a certificate for %s does not match the host %s', (subjectaltname, host, expected) => {
  const error = failing('ERR_TLS_CERT_ALTNAME_INVALID', { host, cert: { subjectaltname } });
  expect(describeNetworkError(error, to)).toBe(unverified + expected);
});

it('reports the first of several connection attempts', () => {
  const several = failing('ECONNREFUSED', { errors: [failing('ECONNREFUSED', { address: '127.0.0.1', port: 1 }), failing('ENETUNREACH')] });
  expect(describeNetworkError(several, to)).toBe('dial tcp 127.0.0.1:1: connect: connection refused');
});
