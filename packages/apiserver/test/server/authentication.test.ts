import { describe, expect, test } from 'vitest';
import { administrator, anonymousUser, createAuthenticator } from '../../src/server/authentication.ts';

const reader = { username: 'reader', groups: [] };
const authenticate = createAuthenticator([{ token: 'right' }, { token: 'other', user: reader }]);

describe('a connection authenticated by a token', () => {
  const connection = {};

  test('keeps its user for the same token', () => {
    expect(authenticate('Bearer right', connection)).toBe(administrator);
    expect(authenticate('Bearer right', connection)).toBe(administrator);
  });

  test('is authenticated again for any other Authorization header', () => {
    expect(authenticate('Bearer wrong', connection)).toBeUndefined();
    expect(authenticate(undefined, connection)).toBe(anonymousUser);
    expect(authenticate('Basic right', connection)).toBe(anonymousUser);
    expect(authenticate('Bearer other', connection)).toStrictEqual({ username: 'reader', groups: ['system:authenticated'] });
    expect(authenticate('Bearer right', connection)).toBe(administrator);
  });

  test('keeps a group that says whether the user is authenticated', () => {
    const users = [
      { username: 'a', groups: ['x', 'system:authenticated'] },
      { username: 'b', groups: ['system:unauthenticated'] },
    ];
    const authenticateUsers = createAuthenticator(users.map((user) => ({ token: user.username, user })));
    for (const user of users) expect(authenticateUsers(`Bearer ${user.username}`, {})).toBe(user);
  });

  test('does not authenticate other connections', () => {
    expect(authenticate('Bearer wrong', {})).toBeUndefined();
    expect(authenticate(undefined, {})).toBe(anonymousUser);
  });
});
