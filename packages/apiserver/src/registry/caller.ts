/** `authentication.k8s.io/v1`'s UserInfo. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** The user of a call and the receiver of its warnings. */
export interface Caller {
  readonly user?: User;
  /** Called with each warning for the client. */
  readonly warn?: (warning: string) => void;
}

/** The service account of a controller in kube-controller-manager. */
export const serviceAccount = (controller: string): User => ({
  username: `system:serviceaccount:kube-system:${controller}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
});
