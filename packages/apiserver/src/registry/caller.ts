/** `authentication.k8s.io/v1`'s UserInfo. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Encodes a user as UserInfo, without empty fields. */
export const toUserInfo = ({ username, uid, groups, extra = {} }: User): Readonly<Record<string, unknown>> => ({
  username,
  ...(uid && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(Object.keys(extra).length > 0 && { extra }),
});

/** The user of a token, and those of the requested audiences that the token is for. */
export interface TokenUser {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** The user of a call and the receiver of its warnings. */
export interface Caller {
  readonly user?: User;
  /** Returns the user of a token, for TokenReviews; undefined if the token is invalid or for none of the audiences. */
  readonly findUser?: (token: string, audiences: readonly string[]) => TokenUser | undefined;
  /** Called with each warning for the client. */
  readonly warn?: (warning: string) => void;
}

/** The user of the server's own writes. */
export const serverUser: User = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** The service account of a controller in kube-controller-manager. */
export const serviceAccount = (controller: string): User => ({
  username: `system:serviceaccount:kube-system:${controller}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
});
