import { hash, timingSafeEqual } from 'node:crypto';
import type { User } from '../registry/index.ts';

/** A bearer token, and who it stands for. */
export interface Token {
  readonly token: string;
  /** By default the administrator of the server. */
  readonly user?: User;
}

/** Who it is that sends such an Authorization header over a connection; undefined where it names nobody that is known. */
export type Authenticate = (authorization: string | undefined, connection: object) => User | undefined;

export const administrator: User = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

export const anonymousUser: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Mirrors bearertoken's authenticator (apiserver/pkg/authentication/request/bearertoken, 1.36): a header of another scheme is none,
 * and a bearer of a wrong token is not taken for anonymous.
 */
export function createAuthenticate(tokens: readonly Token[]): Authenticate {
  const known = tokens.map(({ token, user = administrator }) => ({ digest: digestOf(token), user }));
  // Whoever has shown a right token over a connection knows it: the same one again needs no second look.
  const proven = new WeakMap<object, { readonly authorization: string; readonly user: User }>();
  return (authorization, connection) => {
    const before = proven.get(connection);
    if (before !== undefined && before.authorization === authorization) return before.user;
    const presented = bearerOf(authorization);
    if (presented === '') return anonymousUser;
    const digest = digestOf(presented);
    let found: User | undefined;
    // Every one of them is looked at, whichever it is: the time taken tells nothing.
    for (const candidate of known) if (timingSafeEqual(candidate.digest, digest)) found = candidate.user;
    if (found && authorization !== undefined) proven.set(connection, { authorization, user: found });
    return found;
  };
}

export const isAnonymous = (user: User): boolean => user === anonymousUser;

/** A token that can stand in a header. @throws RangeError */
export function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new RangeError('a token has to consist of printable ASCII characters without blanks');
}

/** Digests are of one length and tell nothing of how much of a token is right. */
const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  const header = authorization.trim();
  const blank = header.indexOf(' ');
  return blank > 0 && header.slice(0, blank).toLowerCase() === 'bearer' ? header.slice(blank + 1).trim() : '';
}
