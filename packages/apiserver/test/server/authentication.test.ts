import { describe, expect, test } from 'vitest';
import { administrator, anonymousUser, createAuthenticate } from '../../src/server/authentication.ts';

const reader = { username: 'reader', groups: [] };
const authenticate = createAuthenticate([{ token: 'right' }, { token: 'other', user: reader }]);

describe('a connection that has shown a right token', () => {
  const connection = {};

  test('is believed as long as it shows the same', () => {
    expect(authenticate('Bearer right', connection)).toBe(administrator);
    expect(authenticate('Bearer right', connection)).toBe(administrator);
  });

  test('is nobody with a wrong one, anonymous without, and another one with that of another', () => {
    expect(authenticate('Bearer wrong', connection)).toBeUndefined();
    expect(authenticate(undefined, connection)).toBe(anonymousUser);
    expect(authenticate('Basic right', connection)).toBe(anonymousUser);
    expect(authenticate('Bearer other', connection)).toBe(reader);
    expect(authenticate('Bearer right', connection)).toBe(administrator);
  });

  test('vouches for no other connection', () => {
    expect(authenticate('Bearer wrong', {})).toBeUndefined();
    expect(authenticate(undefined, {})).toBe(anonymousUser);
  });
});
