import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../../test/support/free-port.ts';
import { UsageError } from '../../src/base/io.ts';
import { serveHealthAt } from '../../src/live/listen.ts';

const health = { ready: () => true, metrics: { contentType: 'text/plain', scrape: async () => 'one 1\n' } };

describe('the metrics and health server of a command', () => {
  test('listens at the port of the flags', async () => {
    const metricsPort = await findFreePort();
    const server = await serveHealthAt({ metricsPort, metricsHost: '127.0.0.1' }, health);
    onTestFinished(async () => server?.close());
    expect(server?.url).toBe(`http://127.0.0.1:${metricsPort}`);
    expect(await (await fetch(`${server?.url}/metrics`)).text()).toBe('one 1\n');
  });

  test('is disabled by port 0', async () => {
    expect(await serveHealthAt({ metricsPort: 0, metricsHost: '127.0.0.1' }, health)).toBeUndefined();
  });

  test('names the flag in the error if the port is in use', async () => {
    const metricsPort = await findFreePort();
    const blocker = createServer();
    onTestFinished(() => void blocker.close());
    await new Promise<void>((resolve) => blocker.listen(metricsPort, '127.0.0.1', resolve));
    const message = `cannot listen at 127.0.0.1, port ${metricsPort}: it is in use: give another --metrics-port, or 0 for none`;
    await expect(serveHealthAt({ metricsPort, metricsHost: '127.0.0.1' }, health)).rejects.toThrow(new UsageError(message));
  });
});
