import { describe, expect, it } from 'vitest';
import { createSettings } from '../../src/client-node/options.ts';

describe('createSettings', () => {
  it('uses the default if an option is absent or undefined', () => {
    const { clock, ...settings } = createSettings({ timeout: undefined as unknown as number, maxSockets: 4 });
    expect(settings).toEqual({
      maxSockets: 4,
      connectTimeout: 10_000,
      timeout: 70_000,
      credentialsPeriod: 30_000,
      gzip: true,
      maxEventBytes: 33_554_432,
      userAgent: undefined,
    });
    expect(clock.now()).toBeGreaterThan(0);
  });

  it.each([
    [{ maxSockets: 0 }, 'maxSockets must be a whole number from 1 to 2147483647, not 0'],
    [{ timeout: 1.5 }, 'timeout'],
    [{ connectTimeout: Number.POSITIVE_INFINITY }, 'connectTimeout'],
    [{ credentialsPeriod: 2 ** 31 }, 'credentialsPeriod'],
    [{ maxEventBytes: -1 }, 'maxEventBytes'],
    [{ userAgent: 'a\r\nb' }, 'userAgent'],
  ])('rejects an invalid value: %o', (options, message) => {
    expect(() => createSettings(options)).toThrow(RangeError);
    expect(() => createSettings(options)).toThrow(message);
  });
});
