/** `authentication.k8s.io/v1`'s UserInfo. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Who makes a call, and who hears of it. */
export interface Caller {
  readonly user?: User;
  /** Is told what a client should be warned of. */
  readonly warn?: (warning: string) => void;
}

/** The user by whose name a controller of kube-controller-manager writes. */
export const serviceAccount = (controller: string): User => ({
  username: `system:serviceaccount:kube-system:${controller}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
});
