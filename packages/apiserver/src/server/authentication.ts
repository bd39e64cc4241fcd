import { hash, timingSafeEqual } from 'node:crypto';
import type { User } from '../registry/index.ts';

/** A bearer token and its user. */
export interface Token {
  readonly token: string;
  /** Default: the administrator of the server. */
  readonly user?: User;
}

/** The user of an Authorization header on a connection; undefined if the token is unknown. */
export type Authenticate = (authorization: string | undefined, connection: object) => User | undefined;

export const administrator: User = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

export const anonymousUser: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Mirrors the bearertoken authenticator (apiserver/pkg/authentication/request/bearertoken, 1.36): a header of another scheme counts as
 * absent, and a wrong bearer token is rejected rather than treated as anonymous.
 */
export function createAuthenticate(tokens: readonly Token[]): Authenticate {
  const known = tokens.map(({ token, user = administrator }) => ({ digest: digestOf(token), user }));
  // Caches the last valid header of each connection to skip hashing.
  const proven = new WeakMap<object, { readonly authorization: string; readonly user: User }>();
  return (authorization, connection) => {
    const before = proven.get(connection);
    if (before !== undefined && before.authorization === authorization) return before.user;
    const presented = bearerOf(authorization);
    if (presented === '') return anonymousUser;
    const digest = digestOf(presented);
    let found: User | undefined;
    // Compares with every token, so that the time taken does not depend on which one matches.
    for (const candidate of known) if (timingSafeEqual(candidate.digest, digest)) found = candidate.user;
    if (found && authorization !== undefined) proven.set(connection, { authorization, user: found });
    return found;
  };
}

export const isAnonymous = (user: User): boolean => user === anonymousUser;

/** @throws RangeError if the token cannot be sent in a header */
export function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new RangeError('a token must consist of printable ASCII characters without spaces');
}

/** Digests have a fixed length, so that comparing them reveals nothing about the token. */
const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const header = authorization.trim();
  const blank = header.indexOf(' ');
  return blank > 0 && header.slice(0, blank).toLowerCase() === 'bearer' ? header.slice(blank + 1).trim() : '';
}
