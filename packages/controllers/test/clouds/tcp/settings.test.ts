import { expect, it } from 'vitest';
import { createTcpCloud } from '../../../src/clouds/index.ts';
import { createSettings } from '../../../src/clouds/tcp/settings.ts';

it('omitted settings have defaults', () => {
  expect(createSettings({})).toEqual({
    connectMs: 2000,
    avoidMs: 10_000,
    attempts: 5,
    probeMs: 5000,
    probeTimeoutMs: 2000,
    drainMs: 30_000,
    maxConnections: 4096,
    maxClients: 10_000,
  });
  expect(createSettings({ avoidMs: 0, drainMs: 0, attempts: 1 })).toMatchObject({ avoidMs: 0, drainMs: 0, attempts: 1 });
  const options = { avoidMs: 0, drainMs: undefined } as unknown as { readonly avoidMs: number };
  expect(createSettings({ ...options, maxClients: 7 })).toMatchObject({ avoidMs: 0, drainMs: 30_000, maxClients: 7 });
});

it.each<[object, string]>([
  [{ attempts: 0 }, 'attempts is 0: give a whole number of at least 1'],
  [{ maxConnections: 0 }, 'maxConnections is 0: give a whole number of at least 1'],
  [{ maxClients: 0.5 }, 'maxClients is 0.5: give a whole number of at least 1'],
  [{ connectMs: -1 }, 'connectMs is -1: give a whole number of at least 1'],
  [{ drainMs: Number.NaN }, 'drainMs is NaN: give a whole number of at least 0'],
  [{ avoidMs: -1 }, 'avoidMs is -1: give a whole number of at least 0'],
  [{ probeMs: '5' }, 'probeMs is "5": give a whole number of at least 1'],
  [{ probeTimeoutMs: Number.POSITIVE_INFINITY }, 'probeTimeoutMs is Infinity: give a whole number of at least 1'],
])('invalid settings are rejected: %o', (options, message) => {
  expect(() => createTcpCloud(options)).toThrow(new RangeError(message));
});
