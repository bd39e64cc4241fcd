import { expect, test } from 'vitest';
import { serviceAccounts } from '../../../src/resources/simple/service-accounts.ts';
import { checkCreate } from '../../../src/resources/write.ts';

test('a service account keeps only the names of its secrets', () => {
  const metadata = { name: 'a', namespace: 'b' };
  const checked = checkCreate(serviceAccounts, { metadata, secrets: [{ name: 'x', namespace: 'y' }, { kind: 'z' }] });
  expect(checked).toEqual({ object: { metadata, secrets: [{ name: 'x' }, {}] } });
});

test('the annotation enforce-mountable-secrets causes a warning on create, but not on update', () => {
  const annotated = { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } };
  const { warnings } = serviceAccounts.strategy;
  expect([warnings?.(annotated)?.length, warnings?.(annotated, annotated)?.length, warnings?.({})?.length]).toEqual([1, 0, 0]);
});
