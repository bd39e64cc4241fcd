import { expect, it } from 'vitest';
import { serviceAccount } from '../../src/registry/controllers.ts';

it('is a service account of kube-system', () => {
  expect(serviceAccount('namespace-controller')).toEqual({
    username: 'system:serviceaccount:kube-system:namespace-controller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  });
});
