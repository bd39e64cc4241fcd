import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../test/support/free-port.ts';
import { UsageError } from '../../src/base/io.ts';
import { serveHealthAt } from '../../src/live/listen.ts';

const health = { ready: () => true, metrics: { contentType: 'text/plain', scrape: async () => 'one 1\n' } };

describe('metrics and health of a command', () => {
  test('are served where the flags say', async () => {
    const metricsPort = await freePort();
    const server = await serveHealthAt({ metricsPort, metricsHost: '127.0.0.1' }, health);
    onTestFinished(async () => server?.close());
    expect(server?.url).toBe(`http://127.0.0.1:${metricsPort}`);
    expect(await (await fetch(`${server?.url}/metrics`)).text()).toBe('one 1\n');
  });

  test('are not with port 0', async () => {
    expect(await serveHealthAt({ metricsPort: 0, metricsHost: '127.0.0.1' }, health)).toBeUndefined();
  });

  test('where the port is taken, the error names the flag', async () => {
    const metricsPort = await freePort();
    const taken = createServer();
    onTestFinished(() => void taken.close());
    await new Promise<void>((resolve) => taken.listen(metricsPort, '127.0.0.1', resolve));
    const message = `cannot listen at 127.0.0.1, port ${metricsPort}: it is taken: give another --metrics-port, or 0 for none`;
    await expect(serveHealthAt({ metricsPort, metricsHost: '127.0.0.1' }, health)).rejects.toThrow(new UsageError(message));
  });
});
