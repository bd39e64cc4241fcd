import type { User } from './caller.ts';

/** The user by whose name a controller of kube-controller-manager writes. */
export const serviceAccount = (controller: string): User => ({
  username: `system:serviceaccount:kube-system:${controller}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
});
