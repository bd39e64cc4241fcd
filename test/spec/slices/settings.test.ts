import { expect, it } from 'vitest';
import { maximumFrom, settingsFor, sliceSettings, sliceSettingsFor } from '../../../src/spec/settings.ts';

it.each([1, 2, 100, 1000])('maximumFrom accepts %s', (max) => {
  expect(maximumFrom(max)).toBe(max);
});

it.each([0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number, null as unknown as number])(
  'maximumFrom refuses %s',
  (max) => {
    expect(() => maximumFrom(max)).toThrow(
      new RangeError(`maxEndpointsPerSlice: ${max} is out of range: give a whole number from 1 to 1,000`),
    );
  },
);

it('maxEndpointsPerSlice is 100 by default', () => {
  expect(maximumFrom()).toBe(100);
  expect(sliceSettingsFor({}).maxEndpointsPerSlice).toBe(100);
});

it.each(['1.17', '1.20', '1.20.15'])('sliceSettingsFor refuses %s, which has slices of v1beta1 only', (version) => {
  expect(() => sliceSettingsFor({ version })).toThrow(RangeError);
  expect(() => sliceSettings(settingsFor({ version }), 5)).toThrow(new RegExp(`^version ${version}: .* give 1.21 or later$`));
});

it.each(['1.21.0', '1.21', '1.37'])('sliceSettings accepts %s with its time zone', (version) => {
  const settings = settingsFor({ version, timeZone: 'Europe/Berlin' });
  expect(sliceSettings(settings, 5)).toEqual({ ...settings, maxEndpointsPerSlice: 5 });
  expect(sliceSettingsFor({ version, timeZone: 'Europe/Berlin', maxEndpointsPerSlice: 5 })).toEqual({
    ...settings,
    maxEndpointsPerSlice: 5,
  });
});

it('sliceSettingsFor refuses an unknown release', () => {
  expect(() => sliceSettingsFor({ version: '1.99' })).toThrow(RangeError);
});
