import { describe, expect, test } from 'vitest';
import { createTokenAfter, decodeToken, encodeToken } from '../../src/store/continue-token.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

test('createTokenAfter encodes the token that kube-apiserver writes', () => {
  expect(Buffer.from(createTokenAfter('a', 42), 'base64url').toString()).toBe('{"v":"meta.k8s.io/v1","rv":42,"start":"a\\u0000"}');
  expect(createTokenAfter('a', 42)).not.toMatch(/[=+/]/);
});

test('decodeToken reads what createTokenAfter and encodeToken write', () => {
  expect(decodeToken(createTokenAfter('ns/a', 42))).toEqual({ startKey: 'ns/a\u0000', revision: 42 });
  expect(decodeToken(encodeToken({ startKey: 'a', revision: -1 }))).toEqual({ startKey: 'a', revision: -1 });
  expect(decodeToken(encode('{"v":"meta.k8s.io/v1","rv":1,"start":"/a"}'))).toEqual({ startKey: 'a', revision: 1 });
});

describe('decodeToken refuses an invalid token', () => {
  const invalid = 'continue key is not valid';
  test.each([
    ['!!', `${invalid}: illegal base64 data at input byte 0`],
    ['abc=', `${invalid}: illegal base64 data at input byte 3`],
    ['abcde', `${invalid}: illegal base64 data at input byte 4`],
    ['invalid', `${invalid}: invalid character '\\u008a' looking for beginning of value`],
    [encode('x'), `${invalid}: invalid character 'x' looking for beginning of value`],
    [encode("'"), `${invalid}: invalid character '\\'' looking for beginning of value`],
    [encode(' '), `${invalid}: unexpected end of JSON input`],
    [encode('{"v":'), `${invalid}: unexpected end of JSON input`],
    [encode('[]'), `${invalid}: json: cannot unmarshal array into Go value of type storage.continueToken`],
    [encode('null'), `${invalid}: server does not recognize this encoded version `],
    [encode('{"v":"v2","rv":1,"start":"a"}'), `${invalid}: server does not recognize this encoded version v2`],
    [encode('{"v":"meta.k8s.io/v1","start":"a"}'), `${invalid}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`],
    [encode('{"v":"meta.k8s.io/v1","rv":1}'), `${invalid}: encoded start key empty (version meta.k8s.io/v1)`],
    [encode('{"v":"meta.k8s.io/v1","rv":1,"start":"../a"}'), `${invalid}: ../a`],
    [encode('{"v":"meta.k8s.io/v1","rv":1,"start":"a//b"}'), `${invalid}: a//b`],
    [encode('{"v":"meta.k8s.io/v1","rv":1,"start":"a/"}'), `${invalid}: a/`],
    [encode('{"v":"meta.k8s.io/v1","rv":"1","start":"a"}'), `${invalid}: json: cannot unmarshal`],
  ])('%s', (token, problem) => expect(decodeToken(token)).toEqual({ problem }));
});
