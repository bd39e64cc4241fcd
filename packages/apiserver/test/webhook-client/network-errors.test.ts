import { expect, it } from 'vitest';
import { describeNetworkError } from '../../src/webhook-client/network-errors.ts';

const createError = (code: string, fields: object = {}, message: string = 'message of Node.js'): Error =>
  Object.assign(new Error(message), { code, ...fields });
const target = { host: 'hook.example.com', port: 8443 };
const verificationPrefix = 'tls: failed to verify certificate: x509: ';

it.each([
  [createError('ECONNREFUSED', { address: '127.0.0.1', port: 1 }), 'dial tcp 127.0.0.1:1: connect: connection refused'],
  [createError('ECONNREFUSED', { address: '::1', port: 1 }), 'dial tcp [::1]:1: connect: connection refused'],
  [createError('ETIMEDOUT'), 'dial tcp hook.example.com:8443: connect: connection timed out'],
  [createError('EHOSTUNREACH'), 'dial tcp hook.example.com:8443: connect: no route to host'],
  [createError('ENETUNREACH'), 'dial tcp hook.example.com:8443: connect: network is unreachable'],
  [createError('ENOTFOUND'), 'dial tcp: lookup hook.example.com: no such host'],
  [createError('EAI_AGAIN'), 'dial tcp: lookup hook.example.com: Temporary failure in name resolution'],
  [createError('ECONNRESET', {}, 'socket hang up'), 'EOF'],
  [createError('ECONNRESET', {}, 'read ECONNRESET'), 'read tcp hook.example.com:8443: read: connection reset by peer'],
  [createError('EPIPE'), 'EOF'],
  [createError('DEPTH_ZERO_SELF_SIGNED_CERT'), `${verificationPrefix}certificate signed by unknown authority`],
  [createError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), `${verificationPrefix}certificate signed by unknown authority`],
  [createError('CERT_NOT_YET_VALID'), `${verificationPrefix}certificate has expired or is not yet valid`],
  [createError('EPROTO', {}, 'SSL routines: wrong version number: file.c:77:\n'), 'http: server gave HTTP response to HTTPS client'],
  [createError('EPROTO', {}, 'SSL alert number 40\nand more'), 'SSL alert number 40'],
  [createError('ESOMETHING'), 'message of Node.js'],
  [createError('constructor'), 'message of Node.js'],
  [new Error('no code'), 'no code'],
])('%s is translated to the message of Go', (error, expected) => {
  expect(describeNetworkError(error, target)).toBe(expected);
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
])('reports that a certificate for %s does not match the host %s', (subjectaltname, host, expected) => {
  const error = createError('ERR_TLS_CERT_ALTNAME_INVALID', { host, cert: { subjectaltname } });
  expect(describeNetworkError(error, target)).toBe(verificationPrefix + expected);
});

it('reports the first of several connection attempts', () => {
  const combinedError = createError('ECONNREFUSED', {
    errors: [createError('ECONNREFUSED', { address: '127.0.0.1', port: 1 }), createError('ENETUNREACH')],
  });
  expect(describeNetworkError(combinedError, target)).toBe('dial tcp 127.0.0.1:1: connect: connection refused');
});
