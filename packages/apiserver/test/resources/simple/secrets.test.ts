import { expect, test } from 'vitest';
import { secrets } from '../../../src/resources/simple/secrets.ts';
import { readObject } from '../../../src/resources/write.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const check = (fields: object): string[] =>
  reportedCauses((causes) => secrets.strategy.validate({ metadata: { name: 'a', namespace: 'b' }, ...fields }, causes));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('stringData is written to data', () => {
  const { value } = readObject(secrets, { data: { a: 'YQ==' }, stringData: { a: 'é', b: '' } });
  expect(value).toEqual({ type: 'Opaque', data: { a: base64('é'), b: '' } });
});

test.each([
  ['kubernetes.io/service-account-token', {}, ['metadata.annotations[kubernetes.io/service-account.name]']],
  ['kubernetes.io/dockercfg', {}, ['data[.dockercfg]']],
  ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('[]') }, ['data[.dockerconfigjson]']],
  ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('{}') }, []],
  ['kubernetes.io/basic-auth', {}, ['data[username]', 'data[password]']],
  ['kubernetes.io/basic-auth', { password: '' }, []],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]']],
  ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key]']],
  ['example.com/own', {}, []],
])('a Secret of type %s requires its keys', (type, data, fields) => expect(fieldsOf(check({ type, data }))).toEqual(fields));

test('the type of a Secret is immutable', () => {
  const old = { metadata: { name: 'a', namespace: 'b' }, type: 'Opaque' };
  const lines = reportedCauses((causes) => secrets.strategy.validateUpdate({ ...old, type: 'x' }, old, causes));
  expect(lines).toContain('FieldValueInvalid type: Invalid value: "x": field is immutable');
});
