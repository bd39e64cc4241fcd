import { describe, expect, it } from 'vitest';
import { settingsFor, settingsForProfile } from '../../src/spec/settings.ts';
import { profileFor } from '../../src/versions/index.ts';

describe('settingsFor', () => {
  it.each([
    { options: {}, version: '1.37', timeZone: 'UTC' },
    { options: { version: '1.21' }, version: '1.21', timeZone: 'UTC' },
    { options: { version: '1.21', timeZone: 'Europe/Berlin' }, version: '1.21', timeZone: 'Europe/Berlin' },
    { options: { version: '1.22', timeZone: 'Europe/Berlin' }, version: '1.22', timeZone: 'UTC' },
  ])('resolves $options', ({ options, version, timeZone }) => {
    const settings = settingsFor(options);
    expect([settings.profile.version, settings.timeZone]).toEqual([version, timeZone]);
  });

  it('refuses an unknown version', () => {
    expect(() => settingsFor({ version: '1.8' })).toThrow(RangeError);
  });
});

it('settingsForProfile uses the given profile', () => {
  const profile = profileFor('1.20');
  expect(settingsForProfile(profile)).toEqual({ profile, timeZone: 'UTC' });
});
