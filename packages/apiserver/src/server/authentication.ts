import { hash, timingSafeEqual } from 'node:crypto';
import { withAuthenticatedGroup } from '../authorization/index.ts';
import type { User } from '../registry/index.ts';

export interface Token {
  readonly token: string;
  /** Default: the administrator of the server. The group system:authenticated is added. */
  readonly user?: User;
}

/** Returns the user of an Authorization header on a connection: `anonymousUser` without a bearer token, undefined if the token is unknown. */
export type Authenticator = (authorization: string | undefined, connection: object) => User | undefined;

export const administrator: User = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

export const anonymousUser: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Mirrors the bearertoken authenticator (apiserver/pkg/authentication/request/bearertoken, 1.36): a header of another scheme counts as
 * absent, and a wrong bearer token is rejected rather than treated as anonymous.
 */
export function createAuthenticator(tokens: readonly Token[], findServiceAccount?: (token: string) => User | undefined): Authenticator {
  const candidates = tokens.map(({ token, user = administrator }) => {
    const groups = withAuthenticatedGroup(user.username, user.groups);
    return { digest: digestOf(token), user: groups === user.groups ? user : { ...user, groups } };
  });
  // Caches the last valid header of each connection to skip hashing.
  const lastValidHeaders = new WeakMap<object, { readonly authorization: string; readonly user: User }>();
  return (authorization, connection) => {
    const cached = lastValidHeaders.get(connection);
    if (cached !== undefined && cached.authorization === authorization) return cached.user;
    const token = bearerTokenOf(authorization);
    if (token === '') return anonymousUser;
    const digest = digestOf(token);
    let user: User | undefined;
    // Compares with every token, so that the duration does not depend on the matching token.
    for (const candidate of candidates) if (timingSafeEqual(candidate.digest, digest)) user = candidate.user;
    // The token of a ServiceAccount may become invalid at any time, so that it is not cached.
    if (!user) return findServiceAccount?.(token);
    if (authorization !== undefined) lastValidHeaders.set(connection, { authorization, user });
    return user;
  };
}

export const isAnonymous = (user: User): boolean => user === anonymousUser;

/** @throws RangeError if the token cannot be sent in a header */
export function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new RangeError('a token must consist of printable ASCII characters without spaces');
}

/** Digests have a fixed length, so that comparing them reveals nothing about the token. */
const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

function bearerTokenOf(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const header = authorization.trim();
  const spaceIndex = header.indexOf(' ');
  return spaceIndex > 0 && header.slice(0, spaceIndex).toLowerCase() === 'bearer' ? header.slice(spaceIndex + 1).trim() : '';
}
