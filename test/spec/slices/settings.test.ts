import { expect, it } from 'vitest';
import { resolveEndpointLimit, settingsFor, sliceSettingsFor, withEndpointLimit } from '../../../src/spec/settings.ts';

it.each([1, 2, 100, 1000])('resolveEndpointLimit accepts %s', (max) => {
  expect(resolveEndpointLimit(max)).toBe(max);
});

it.each([0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number, null as unknown as number])(
  'resolveEndpointLimit refuses %s',
  (max) => {
    expect(() => resolveEndpointLimit(max)).toThrow(
      new RangeError(`maxEndpointsPerSlice: ${max} is out of range: give a whole number from 1 to 1,000`),
    );
  },
);

it('resolveEndpointLimit and sliceSettingsFor return 100 by default', () => {
  expect(resolveEndpointLimit()).toBe(100);
  expect(sliceSettingsFor({}).maxEndpointsPerSlice).toBe(100);
});

it.each(['1.9', '1.16', '1.16.15'])('sliceSettingsFor refuses release %s, which has no EndpointSlices of v1beta1', (version) => {
  expect(() => sliceSettingsFor({ version })).toThrow(RangeError);
  expect(() => withEndpointLimit(settingsFor({ version }), 5)).toThrow(new RegExp(`^version ${version}: .* give 1.17 or later$`));
});

it.each(['1.17.0', '1.20', '1.37'])('withEndpointLimit adds maxEndpointsPerSlice to the settings of release %s', (version) => {
  const settings = settingsFor({ version, timeZone: 'Europe/Berlin' });
  expect(withEndpointLimit(settings, 5)).toEqual({ ...settings, maxEndpointsPerSlice: 5 });
  expect(sliceSettingsFor({ version, timeZone: 'Europe/Berlin', maxEndpointsPerSlice: 5 })).toEqual({
    ...settings,
    maxEndpointsPerSlice: 5,
  });
});

it('sliceSettingsFor refuses an unknown release', () => {
  expect(() => sliceSettingsFor({ version: '1.99' })).toThrow(RangeError);
});
